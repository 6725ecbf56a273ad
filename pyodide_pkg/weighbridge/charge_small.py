"""
The charge of small, plain arguments, as most are: one look at each value, no more.

Whatever is not plain here is left to the walk by levels, which is exact for
everything; where this answers, both say the same.
"""

from __future__ import annotations

from math import isfinite
from typing import Any, Final

#: Nodes, and characters of one text, that are small.
SMALL: Final = 256
SHORT: Final = 1_024

_LARGEST: Final = 10**18


def charge_of_small(arguments: object) -> tuple[int, int, int] | None:
    """
    Levels, nodes and rendered characters; None for what is not small and plain.
    """
    level: list[Any] = [arguments]
    nesting = rendered = 0
    nodes = 1
    while level:
        nesting += 1
        below: list[Any] = []
        for item in level:
            kind = type(item)
            if kind is dict or kind is list:
                nodes += 2 * len(item) if kind is dict else len(item)
                if nodes > SMALL:
                    return None
                below += item
                if kind is dict:
                    if any(type(key) is not str for key in item):
                        return None
                    below += item.values()
                continue
            cost = _of_leaf(item, kind)
            if cost < 0:
                return None
            rendered += cost
        level = below
    return nesting, nodes, rendered


def _of_leaf(leaf: Any, kind: type) -> int:
    """What a leaf is charged; below 0 for one that is not plain."""
    if kind is str:
        return len(leaf) if _is_plain(leaf) else -1
    if kind is int and -_LARGEST < leaf < _LARGEST:
        return digits(leaf)
    if leaf is None or kind is bool or (kind is float and isfinite(leaf)):
        return len(repr(leaf))
    return -1


def digits(number: int) -> int:
    """
    At least the characters of an integer, from its size alone: spelling a long one
    takes quadratic time.
    """
    return number.bit_length() * 30103 // 100000 + 1 + (number < 0)


def _is_plain(text: str) -> bool:
    """Whether every character costs one; what ASCII can print never changes."""
    return (
        len(text) <= SHORT
        and text.isascii()
        and text.isprintable()
        and "\\" not in text
        and ("'" not in text or '"' not in text)
    )
