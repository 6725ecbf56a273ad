"""
Compares what a seat said with what the table has frozen, byte for byte.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import weighbridge
from tests import generate
from tests.cases import table
from tests.cases.table import Row

#: Generated calls that every seat judges.
GENERATED = 2_000
SEED = 20_261_201


@functools.cache
def bundled() -> weighbridge.Catalog:
    """The ten published tools, in this process."""
    return weighbridge.Catalog.bundled()


def named() -> dict[str, Any]:
    """The ``catalog`` of every verdict under the ten published tools."""
    return {"contract": weighbridge.CONTRACT, "digest": bundled().digest}


@functools.cache
def rows() -> tuple[Row, ...]:
    """The table of the ten tools."""
    return tuple(table.read())


@functools.cache
def frozen() -> dict[str, str]:
    """Row to the bytes that every seat must give."""
    return {row.name: table.frozen(row, named()) for row in rows()}


@functools.cache
def generated() -> tuple[generate.Call, ...]:
    """The generated calls, the same in every run."""
    tools = {name: tool.published for name, tool in bundled().tools.items()}
    return tuple(generate.calls(tools, SEED, GENERATED))


@functools.cache
def expected() -> tuple[str, ...]:
    """What this process says of the generated calls, by the text door."""
    return tuple(bundled().check_text(call.tool, call.text).to_json() for call in generated())


def differences(want: Iterable[tuple[str, str]], got: Iterable[str | None]) -> dict[str, Any]:
    """
    Name to both texts, for each that a seat gave otherwise; None is no answer to compare.
    """
    return {
        name: {"want": text, "got": other}
        for (name, text), other in zip(want, got, strict=True)
        if other is not None and other != text
    }
