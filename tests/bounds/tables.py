"""
The tables of ``docs/limits.md`` and ``docs/memory.md``, as rows of cells, and their figures.
"""

from __future__ import annotations

import re

from tests.support.machine import ROOT

DOCUMENTS = ("docs/limits.md", "docs/memory.md")

_CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)

#: A number that says how many; not part of a name, a code point or a version.
_FIGURE = re.compile(r"(?<![\w.+-])\d+(?:,\d{3})*(?:\.\d+)?x?(?![\w+-]|\.\d)")

_NAMED = re.compile(r"U\+[0-9A-F]+|\*\*|RFC \d+|CPython [\d. and]+\d|2026-\d\d-\d\d|2025-\d\d-\d\d")


def prose(file: str) -> str:
    """A document without its code blocks."""
    return _CODE.sub("", (ROOT / file).read_text("utf-8"))


def rows(file: str, first: str) -> list[list[str]]:
    """The rows of the table whose first heading is ``first``, without its head."""
    found: list[list[str]] = []
    inside = False
    for line in prose(file).splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            inside = False
        elif cells[0] == first:
            inside = True
        elif inside and not set(line) <= set("|-: "):
            found.append(cells)
    assert found, f"{file} has no table that starts with {first}"
    return found


def figures(text: str) -> set[str]:
    """Every number that a text states."""
    return set(_FIGURE.findall(_NAMED.sub(" ", text)))
