"""
Reads the table that every seat runs, and spells the texts that are too big to write out.

The table is data: no row can run code, and every seat spells the same text from
the same few forms (README.md beside this file says which).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cases.spell import spell
from tests.oracle import canonical

HERE = Path(__file__).parent

#: Transports of the reference service, as the ``wire`` of a row names them.
TRANSPORTS = ("http-2025", "http-2026", "stdio")

#: Files of rows for the ten published tools, in the order they are run.
FILES = ("lookup", "text", "charge", "names", "numbers", "fields", "objects")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """
    One call, what its author expects, and the frozen verdict.
    """

    #: ``file: name``, unlike every other row's.
    name: str

    #: The tool as the caller names it.
    tool: str

    #: The form that its text is spelled from, see ``spell``.
    form: Any

    #: What the author worked out from the contract and the schemas.
    expect: dict[str, Any]

    #: Transport to outcome.
    wire: dict[str, str]

    #: The verdict object without its ``catalog``; None before it is frozen.
    verdict: dict[str, Any] | None

    #: The input schema of the one tool ``t``, in the table of foreign catalogs.
    schema: Any = None

    #: Whether the row carries its schema; any JSON may stand as one.
    has_schema: bool = False

    @property
    def text(self) -> str | None:
        """The arguments' JSON text, None when they are absent."""
        return spell(self.form)


def read(*files: str) -> Iterator[Row]:
    """The rows of the named files, all of the ten tools' when none is named."""
    for file in files or FILES:
        document = json.loads((HERE / f"{file}.json").read_text("ascii"))
        for row in document["rows"]:
            yield Row(
                name=f"{file}: {row['name']}",
                tool=str(spell(row.get("tool", "t"))),
                form=row["text"],
                expect=row["expect"],
                wire=row.get("wire", {}),
                verdict=row.get("verdict"),
                schema=row.get("schema"),
                has_schema="schema" in row,
            )


def frozen(row: Row, catalog: dict[str, object]) -> str:
    """The bytes that every seat must give for ``row`` under ``catalog``."""
    assert row.verdict is not None, f"{row.name} is not frozen"
    return canonical({**row.verdict, "catalog": catalog})


def dumps(rows: list[dict[str, Any]]) -> str:
    """A file of the table as it is committed: one member of a row on a line."""
    return '{\n "rows": [\n' + ",\n".join(map(_row, rows)) + "\n ]\n}\n"


def _row(row: dict[str, Any]) -> str:
    members = (f"   {json.dumps(key)}: {json.dumps(value)}" for key, value in row.items())
    return "  {\n" + ",\n".join(members) + "\n  }"
