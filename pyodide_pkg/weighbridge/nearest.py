"""
The published name that a caller most likely meant, within a budget of steps.

Close means: equal but for ASCII case, hyphens, underscores, dots and spaces; or
one or two letters away; or one the beginning of the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

#: Code points of a name that is compared at all; a longer one has no suggestion.
COMPARED = 64

#: Steps that the suggestions of one refusal may take, counted as work.
BUDGET = 20_000

#: Cells of a distance table that one step fills.
CELLS_A_STEP = 8

#: Code points from which one name may be the beginning of another.
BEGINNING = 4

_FOLD = {ord(mark): None for mark in "-_. "} | {
    upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)
}


@dataclass(slots=True)
class Budget:
    """
    Steps left for suggestions, and how many are spent.
    """

    left: int = BUDGET
    spent: int = 0

    def take(self, steps: int) -> bool:
        """Whether ``steps`` more may be taken; they are counted if so."""
        if steps > self.left:
            return False
        self.left -= steps
        self.spent += steps
        return True


def fold(name: str) -> str:
    """A name without ASCII case and without the marks that join its words."""
    return name.translate(_FOLD)


def nearest(name: str, allowed: Iterable[str], budget: Budget) -> str | None:
    """
    The allowed name closest to ``name``; None where none is close enough.

    Of two equally close ones the smaller by code point.
    """
    if len(name) > COMPARED:
        return None
    wanted = fold(name)
    best: tuple[int, str] | None = None
    for candidate in allowed:
        if not budget.take(1):
            break
        if len(candidate) > COMPARED or candidate == name:
            continue
        apart = _apart(wanted, fold(candidate), budget)
        if apart is not None and (best is None or (apart, candidate) < best):
            best = (apart, candidate)
    return best[1] if best else None


def _apart(one: str, other: str, budget: Budget) -> int | None:
    """How far two folded names are apart; None for too far."""
    if one == other:
        return 0
    shorter, longer = sorted((one, other), key=len)
    most = 0 if len(shorter) < 3 else 1 if len(shorter) < 8 else 2  # noqa: PLR2004
    if len(longer) - len(shorter) <= most:
        if not budget.take(len(one) * len(other) // CELLS_A_STEP + 1):
            return None
        apart = _distance(one, other, most)
        if apart <= most:
            return apart
    if len(shorter) >= BEGINNING and longer.startswith(shorter):
        return 3
    return None


def _distance(one: str, other: str, most: int) -> int:
    """Letters to insert, drop, change or swap with a neighbour; past ``most``, some number past it."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one):
        last, before, row = before, row, [at + 1]
        for to, wanted in enumerate(other):
            cost = min(before[to + 1] + 1, row[to] + 1, before[to] + (letter != wanted))
            swapped = at and to and letter == other[to - 1] and one[at - 1] == wanted
            row.append(min(cost, last[to - 1] + 1) if swapped else cost)
        # A swap reaches back one row more.
        if min(row) > most and min(before) > most:
            return most + 1
    return row[-1]
