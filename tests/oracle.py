"""
What the contract says a call costs and how findings are ordered, worked out naively.

Nothing here imports the package, so that the table of cases can say what a
charge must be before any code is asked.  Plain recursion, one rule a line, and
no thought for speed.
"""

from __future__ import annotations

import json
import math

#: Characters that newer interpreters print and the pinned Unicode 15.0 does not:
#: all of Unicode 15.1, which CPython 3.13 has, and those of later ones that the
#: table of cases uses.
YOUNGER = frozenset(
    "\u2ffc\u2ffd\u2ffe\u2fff\u31ef\u1c89\ua7cb\U00010d40\U0001cc00"
    + "".join(map(chr, range(0x2EBF0, 0x2EE5E)))
)

ENVELOPE = 65_536
INTEGER_DIGITS = 4_300


def character(char: str, *, escape_apostrophe: bool = False) -> int:
    """Charge one code point by the table in the contract."""
    point = ord(char)
    if char == "'":
        return 2 if escape_apostrophe else 1
    if char in "\\\t\n\r":
        return 2
    if char not in YOUNGER and char.isprintable():
        return 1
    if point <= 0xFF:
        return 4
    return 6 if point <= 0xFFFF else 10


def string(text: str) -> int:
    """Charge a string or a key: what ``repr`` would render, quotes excluded."""
    both = "'" in text and '"' in text
    return sum(character(char, escape_apostrophe=both) for char in text)


def leaf(value: object) -> int:
    """Charge a value that is no container."""
    if isinstance(value, str):
        return string(value)
    if value is None or value is True or value is False:
        return len(repr(value))
    if isinstance(value, int):
        return value.bit_length() * 30103 // 100000 + 1 + (value < 0)
    assert isinstance(value, float)
    return len(repr(value))


def charge(value: object) -> dict[str, int]:
    """
    Levels, nodes and rendered characters of ``value``; the root is level 1.
    """
    nesting, nodes, rendered = 1, 1, 0
    if isinstance(value, dict):
        for key, child in value.items():
            inner = charge(child)
            nesting = max(nesting, 1 + inner["nesting"])
            nodes += 1 + inner["nodes"]
            rendered += string(key) + inner["rendered"]
    elif isinstance(value, list):
        for child in value:
            inner = charge(child)
            nesting = max(nesting, 1 + inner["nesting"])
            nodes += inner["nodes"]
            rendered += inner["rendered"]
    else:
        rendered = leaf(value)
    return {"nesting": nesting, "nodes": nodes, "rendered": rendered}


def strict(value: object) -> bool:
    """Say whether a parsed value is JSON: finite numbers, whole characters."""
    if isinstance(value, dict):
        return all(strict(key) and strict(child) for key, child in value.items())
    if isinstance(value, list):
        return all(map(strict, value))
    if isinstance(value, str):
        return not any("\ud800" <= char <= "\udfff" for char in value)
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return abs(value) < 10**INTEGER_DIGITS
    return True


def tokens(pointer: str) -> list[str]:
    """The reference tokens of a JSON Pointer, unescaped."""
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def place(finding: dict[str, object], arguments: object) -> tuple[object, ...]:
    """
    The sort key of a finding: deeper places first, then tokens, keyword, schema place.

    ``arguments`` say which tokens are indices, compared as numbers.
    """
    path: list[tuple[int, int, str]] = []
    here = arguments
    for token in tokens(str(finding["pointer"])):
        if isinstance(here, list):
            path.append((0, int(token), ""))
            here = here[int(token)]
        else:
            path.append((1, 0, token))
            here = here.get(token) if isinstance(here, dict) else None
    return (-len(path), path, finding["keyword"], finding["schemaPointer"])


def canonical(value: object) -> str:
    """JSON with keys sorted by code point, compact, in ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
