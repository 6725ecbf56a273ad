"""
Sets of code points as sorted boundaries, so that set algebra is merging two lists.

A set is a tuple in which every even entry begins a run and every odd entry is the
first code point after it: ``(48, 58)`` is the digits, ``()`` is nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

type CodePoints = tuple[int, ...]

#: One past the last code point.
BEYOND = 0x110000

EVERYTHING: CodePoints = (0, BEYOND)


def ranges(pairs: Iterable[tuple[int, int]]) -> CodePoints:
    """
    The set of all code points within the pairs; both ends of a pair belong to it.
    """
    bounds: list[int] = []
    for first, last in sorted(pairs):
        if bounds and first <= bounds[-1]:
            bounds[-1] = max(bounds[-1], last + 1)
        else:
            bounds += (first, last + 1)
    return tuple(bounds)


def pairs(points: CodePoints) -> list[tuple[int, int]]:
    """
    First and last code point of every run.
    """
    return [(points[at], points[at + 1] - 1) for at in range(0, len(points), 2)]


def union(sets: Iterable[CodePoints]) -> CodePoints:
    """
    What is in any of the sets.
    """
    return ranges(pair for points in sets for pair in pairs(points))


def complement(points: CodePoints) -> CodePoints:
    """
    Every code point that is not in the set.
    """
    front = points[1:] if points[:1] == (0,) else (0, *points)
    return front[:-1] if front[-1:] == (BEYOND,) else (*front, BEYOND)


def without(points: CodePoints, others: CodePoints) -> CodePoints:
    """
    What is in ``points`` and not in ``others``.
    """
    return complement(union((complement(points), others)))


def holds(points: CodePoints, point: int) -> bool:
    """
    Whether a code point is in the set.
    """
    return bisect_right(points, point) % 2 == 1


DIGIT = ranges([(0x30, 0x39)])
WORD = ranges([(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)])
LINE_END = ranges([(0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)])

#: WhiteSpace and LineTerminator of ECMA-262: U+FEFF and the category Zs are in it.
SPACE = ranges(
    [
        (0x09, 0x0D),
        (0x20, 0x20),
        (0xA0, 0xA0),
        (0x1680, 0x1680),
        (0x2000, 0x200A),
        (0x2028, 0x2029),
        (0x202F, 0x202F),
        (0x205F, 0x205F),
        (0x3000, 0x3000),
        (0xFEFF, 0xFEFF),
    ]
)
