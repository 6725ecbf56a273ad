"""
Strings that an expression matches as a whole, drawn from what it is made of.

Anchors, edges and lookarounds are passed over, so a string is only likely to match:
whoever draws one asks.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from weighbridge.regex_scan import scan
from weighbridge.regex_sets import CodePoints, complement, holds, pairs, union
from weighbridge.regex_tokens import UNBOUNDED, Kind, Token

#: How often more than it must a part is repeated that has no upper bound.
MORE = 3

#: Drawn from where nearly everything is allowed, and where something is excluded.
ANYTHING = "a0 \u6f22"
OTHERWISE = "az09 \u00e9"

#: From this many code points on, a set that is no class is nearly everything.
WIDE = 0x10000


@dataclass(frozen=True, slots=True)
class _Set:
    """One character out of any of these sets."""

    parts: tuple[CodePoints, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class _Repeated:
    """Something, so often; ``most`` may be ``UNBOUNDED``."""

    inner: _Piece
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class _Choice:
    """One of several rows of pieces."""

    rows: tuple[tuple[_Piece, ...], ...]


_Piece = _Set | _Repeated | _Choice


@dataclass(slots=True)
class _Group:
    """A group that is being read."""

    #: Whether it only looks, and takes no character.
    looks: bool = False

    rows: list[list[_Piece]] = field(default_factory=lambda: [[]])

    def whole(self) -> _Choice:
        """What was read."""
        return _Choice(tuple(map(tuple, self.rows)))


def matching(pattern: str, rng: random.Random) -> str:
    """
    Draw a string for an ECMA-262 pattern, anchored or not.

    Raises:
        UnusablePattern: it is none.
    """
    return "".join(_drawn(_read(scan(pattern)), rng))


def _read(tokens: Iterator[Token]) -> _Piece:
    groups = [_Group()]
    parts: list[CodePoints] = []
    negated = False
    for token in tokens:
        row = groups[-1].rows[-1]
        match token.kind:
            case Kind.POINTS:
                row.append(_Set((token.points,)))
            case Kind.CLASS_OPEN:
                parts, negated = [], bool(token.low)
            case Kind.CLASS_PART:
                parts.append(token.points)
            case Kind.CLASS_CLOSE:
                row.append(_Set(tuple(parts), negated))
            case Kind.OPEN | Kind.LOOK_OPEN:
                groups.append(_Group(looks=token.kind is Kind.LOOK_OPEN))
            case Kind.CLOSE:
                closed = groups.pop()
                groups[-1].rows[-1].append(_Choice(((),)) if closed.looks else closed.whole())
            case Kind.OR:
                groups[-1].rows.append([])
            case Kind.REPEAT:
                row[-1] = _Repeated(row[-1], token.low, token.high)
            case _:
                # An anchor or an edge takes no character.
                pass
    return groups[0].whole()


def _drawn(piece: _Piece, rng: random.Random) -> Iterator[str]:
    if isinstance(piece, _Set):
        yield _member(piece, rng)
    elif isinstance(piece, _Repeated):
        most = piece.least + MORE if piece.most == UNBOUNDED else piece.most
        for _ in range(rng.randint(piece.least, most)):
            yield from _drawn(piece.inner, rng)
    else:
        row = piece.rows[0] if len(piece.rows) == 1 else rng.choice(piece.rows)
        for one in row:
            yield from _drawn(one, rng)


def _member(piece: _Set, rng: random.Random) -> str:
    points = union(piece.parts)
    if piece.negated:
        kept = [char for char in OTHERWISE if not holds(points, ord(char))]
        return rng.choice(kept) if kept else _of(pairs(complement(points)), rng)
    if sum(last - first for first, last in pairs(points)) >= WIDE:
        return rng.choice(ANYTHING)
    return _of([run for part in piece.parts for run in pairs(part)], rng)


def _of(runs: Sequence[tuple[int, int]], rng: random.Random) -> str:
    if not runs:
        return ""
    if len(runs) == 1 and runs[0][0] == runs[0][1]:
        return chr(runs[0][0])
    first, last = rng.choice(runs)
    return chr(first if first == last else rng.randint(first, last))
