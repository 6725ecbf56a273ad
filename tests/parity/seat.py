"""
One seat: reads calls from standard input, one a line, and writes a verdict a line.

It runs under any interpreter that has the wheel and imports nothing of the tests
but the spelling of texts. ``python seat.py [text|value|reversed]``: by the text
door; by the value door; by the value door with the keys of every object in
reverse. The first line out says which catalog judged, and where the package is.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import weighbridge
from tests.cases.spell import spell


class Duplicate(Exception):
    """
    An object that has a key twice: only the text door can see it.
    """


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise Duplicate
    return made


def _reversed(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return _pairs(pairs[::-1])


def judge(catalog: weighbridge.Catalog, mode: str, tool: str, form: Any) -> str | None:
    """
    The verdict in that mode, or None for a text that parses to no value.
    """
    text = spell(form)
    if mode == "text":
        return catalog.check_text(tool, text).to_json()
    if (
        text is not None
        and len(text.encode("utf-8", "surrogatepass")) > catalog.limits.body - 65_536
    ):
        return None
    pairs = _reversed if mode == "reversed" else _pairs
    try:
        value = None if text is None else json.loads(text, object_pairs_hook=pairs)
    except (ValueError, RecursionError, Duplicate):
        return None
    return catalog.check(tool, value).to_json()


def answers(mode: str, lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    """The seat's own line, then one for each call."""
    catalog = weighbridge.Catalog.bundled()
    yield {
        "python": platform.python_version(),
        "package": weighbridge.__file__,
        "digest": catalog.digest,
    }
    for line in lines:
        call = json.loads(line)
        yield {"verdict": judge(catalog, mode, spell(call["tool"]) or "", call["text"])}


if __name__ == "__main__":
    for answer in answers(sys.argv[1], iter(sys.stdin)):
        sys.stdout.write(json.dumps(answer) + "\n")
