"""
Where a text stops being JSON, told the same by every interpreter.

The parser of the standard library says so too, but its positions move between
Python versions.  This scan runs only for a refusal, and holds its own stack.
"""

from __future__ import annotations

import re

#: Characters of a text in which the place of a fault is looked for; in a longer
#: one the refusal says only that the text is malformed.
SEARCHED = 65_536

_TOKEN = re.compile(
    r"""[ \t\n\r]*+(?:
        (?P<string>"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*+")
      | (?P<atom>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+
          | true | false | null | NaN | -?Infinity)
      | (?P<mark>[\[\]{},:])
    )""",
    re.VERBOSE,
)
_SPACE = re.compile(r"[ \t\n\r]*+")

# What may come next, by state: mark -> state after it; "value" stands for a
# string or an atom where a value is due, "key" for a string where a name is.
_VALUE, _FIRST_VALUE, _FIRST_KEY, _KEY, _COLON, _AFTER = range(6)


def malformed_at(text: str) -> tuple[int, int]:
    """
    Line and column, in characters from 1, where ``text`` stops being JSON.

    ``(0, 0)`` for a text longer than ``SEARCHED``, or one with no such place.
    """
    if len(text) > SEARCHED:
        return 0, 0
    at = _fault(text)
    if at is None:
        return 0, 0
    line = text.count("\n", 0, at) + 1
    return line, at - (text.rfind("\n", 0, at) + 1) + 1


def _fault(text: str) -> int | None:
    open_brackets: list[str] = []
    state = _VALUE
    at = 0
    while True:
        token = _TOKEN.match(text, at)
        start = _SPACE.match(text, at).end()  # type: ignore[union-attr]
        if state == _AFTER and not open_brackets:
            return None if start == len(text) else start
        if token is None:
            return start
        after = _step(state, token.lastgroup or "", text[start], open_brackets)
        if after is None:
            return start
        state = after
        at = token.end()


def _step(state: int, kind: str, mark: str, open_brackets: list[str]) -> int | None:
    """
    The state after one token; None where the token may not stand.
    """
    if state in (_VALUE, _FIRST_VALUE):
        if kind != "mark":
            return _AFTER
        if mark in "[{":
            open_brackets.append(mark)
            return _FIRST_VALUE if mark == "[" else _FIRST_KEY
    if state in (_FIRST_KEY, _KEY) and kind == "string":
        return _COLON
    if state == _COLON:
        return _VALUE if mark == ":" else None
    if state == _AFTER and mark == ",":
        return _VALUE if open_brackets[-1] == "[" else _KEY
    closes = {"[": "]", "{": "}"}
    may_close = state in (_AFTER, _FIRST_VALUE, _FIRST_KEY) and kind == "mark" and open_brackets
    if may_close and mark == closes[open_brackets[-1]]:
        open_brackets.pop()
        return _AFTER
    return None
