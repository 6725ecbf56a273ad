"""
How deep and how many the values of a JSON text are, known before anything parses it.

The scan goes piece by piece, holds no piece for long and cannot recurse, so what
a hostile text costs here does not depend on what is in it.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, Literal

from weighbridge.characters import CHUNK

if TYPE_CHECKING:
    from collections.abc import Iterator

# Possessive, so that a string of millions of escapes is one pass without a stack.
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"?+', re.DOTALL)
_CLOSED = re.compile(r'(?:[^"]++|"(?:[^"\\]++|\\.)*+")*+', re.DOTALL)

# What stands in a piece where the text has a string.
_MARK = b'"'

_OPEN = b"\x01"
_SIGNS = bytes.maketrans(b"[{]}", _OPEN + _OPEN + b"\xff\xff")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[{]}"))
_SPACE = b" \t\n\r"
_EMPTY = (b"[]", b"{}")


def past(text: str, nesting: int, nodes: int) -> Literal["nesting", "nodes"] | None:
    """
    Which bound a text passes first outside its strings, well formed or not.

    Args:
        text: the text.
        nesting: the most brackets that may stand open at once.
        nodes: the most keys, values and elements; counted exactly where the text
            is well formed.

    Returns:
        The bound that is passed in the earliest piece, ``nesting`` before
        ``nodes``; None where neither is.
    """
    opened = text.count("[") + text.count("{")
    may_nest = opened > nesting
    may_fill = 1 + opened + text.count(",") + text.count(":") > nodes
    if not (may_nest or may_fill):
        return None
    depth, counted, last = 0, 1, b""
    opens = closes = strings = 0
    for piece in _outside_strings(text):
        steps = piece.translate(_SIGNS, _NO_BRACKETS)
        if steps and max(accumulate(memoryview(steps).cast("b"), initial=depth)) > nesting:
            return "nesting"
        opening = steps.count(_OPEN)
        depth += 2 * opening - len(steps)
        tight = piece.translate(None, _SPACE)
        counted += _nodes_in(tight) - (last + tight[:1] in _EMPTY)
        last = tight[-1:] or last
        # A text that is not well formed may have brackets and strings without commas.
        opens += opening
        closes += len(steps) - opening
        strings += tight.count(_MARK)
        if max(counted, max(opens, closes) + strings) > nodes:
            return "nodes"
    return None


def _nodes_in(tight: bytes) -> int:
    """
    Nodes below the root that a piece begins.

    A key goes with its colon, what follows a comma with the comma, and the first
    in a container with its bracket, unless that is closed at once.
    """
    marked = sum(tight.count(mark) for mark in b",:[{")
    return marked - sum(tight.count(empty) for empty in _EMPTY)


def _outside_strings(text: str) -> Iterator[bytes]:
    """
    The text in pieces, each string replaced by one mark.
    """
    at = 0
    while at < len(text):
        # Up to a string that does not end inside the piece.
        end = _CLOSED.match(text, at, at + CHUNK).end()  # type: ignore[union-attr]
        if end > at:
            yield _STRING.sub('"', text[at:end]).encode("ascii", "replace")
            at = end
        if text.startswith('"', at):
            at = _STRING.match(text, at).end()  # type: ignore[union-attr]
            yield _MARK
