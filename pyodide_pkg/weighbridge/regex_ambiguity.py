"""
How many ways a pattern can match one text: at most one, finitely many more, or without end.

Where each next character decides the next position, a backtracking engine never
has a second way to try, and its time is linear.  Where a loop can be gone through
twice over the same text, every round doubles the ways, and it may take time
exponential in the text.  Ambiguity is the measure, not nesting: a loop within a
loop whose parts cannot match the same text is harmless.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from weighbridge.regex_alphabet import Alphabet, ones
from weighbridge.regex_positions import (
    NOTHING,
    OTHER,
    WORDLIKE,
    Link,
    Positions,
    Ways,
    kinds_where,
)

#: Steps spent on one pattern before its ambiguity counts as unproven, which is
#: answered as if it were there; about 10 ms.
MAX_PROOF = 32_000

_SIDES = (WORDLIKE, OTHER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """
    What was proven about a pattern.
    """

    #: Each next character decides the next position, and there is one way to it.
    deterministic: bool
    #: A match can begin only where the text begins.
    anchored: bool
    #: Characters of the longest match; None when there is no longest.
    longest: int | None
    #: Most positions that may come next at any point.
    branches: int
    #: A backtracking engine may take time exponential in the text, or no proof
    #: was found that it does not.
    exponential: bool


class _Unproven(Exception):
    """The budget of a proof is spent."""


def judge(positions: Positions, alphabet: Alphabet) -> Judgement:
    """
    Prove what can be proven about one pattern.
    """
    proof = _Proof(positions, alphabet)
    try:
        proof.take()
        proof.follow()
        deterministic = proof.is_deterministic()
        exponential = proof.is_exponential()
        longest = proof.longest()
    except _Unproven:
        return Judgement(
            deterministic=False,
            anchored=proof.is_anchored(),
            longest=None,
            branches=len(positions.sets),
            exponential=bool(positions.loops),
        )
    return Judgement(
        deterministic=deterministic,
        anchored=proof.is_anchored(),
        longest=longest,
        branches=proof.branches(),
        exponential=exponential,
    )


class _Proof:
    """One proof about one pattern."""

    def __init__(self, positions: Positions, alphabet: Alphabet) -> None:
        self.positions = positions
        self.alphabet = alphabet
        self.left = MAX_PROOF
        # For a position, the symbols that it takes, as bits.
        self.taken = [0] * len(positions.sets)
        # For a position, what may follow it: sets of positions and the ways to them.
        self.out: list[list[tuple[int, Ways]]] = [[] for _ in positions.sets]
        self.apart: dict[int, bool] = {}

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise _Unproven

    def take(self) -> None:
        """Write out what each position takes."""
        families = {
            (family & -family).bit_length() - 1: family for family in self.alphabet.families
        }
        firsts = sum(1 << first for first in families)
        taken = dict.fromkeys(families, 0)
        for symbol, members in enumerate(self.alphabet.members):
            self.spend((members & firsts).bit_count())
            for first in ones(members & firsts):
                taken[first] |= 1 << symbol
        for first, family in families.items():
            for position in ones(family):
                self.taken[position] = taken[first]

    def sides(self) -> list[tuple[int, ...]]:
        """What a position's characters can be beside a boundary."""
        word = sum(
            1 << symbol for symbol, side in enumerate(self.alphabet.sides) if side == WORDLIKE
        )
        return [
            tuple(side for side in _SIDES if taken & (word if side == WORDLIKE else ~word))
            for taken in self.taken
        ]

    def follow(self) -> None:
        """Write the links out, without those that no text can take."""
        sides_of = self.sides()
        by_sides: dict[tuple[int, ...], int] = {}
        for position, sides in enumerate(sides_of):
            by_sides[sides] = by_sides.get(sides, 0) | 1 << position
        between = {
            (before, after): kinds_where(
                self.positions.looks, [(one, two) for one in before for two in after]
            )
            for before in by_sides
            for after in by_sides
        }
        for link in self.positions.links:
            for (before, sources), (after, targets) in product(by_sides.items(), repeat=2):
                kinds = between[before, after]
                ways = Ways(link.ways.once & kinds, link.ways.twice & kinds)
                if ways.once:
                    self.write(link, link.sources & sources, link.targets & targets, ways)

    def write(self, link: Link, sources: int, targets: int, ways: Ways) -> None:
        """Write one link out for those of its sources and targets."""
        self.spend(sources.bit_count())
        for source in ones(sources if targets else 0):
            if not link.by:
                self.out[source].append((targets, ways))
            elif targets >> source + link.by & 1:
                self.out[source].append((1 << source + link.by, ways))

    def is_deterministic(self) -> bool:
        first = [(bits, ways) for ways, bits in self.positions.first.items()]
        last = [(bits, ways) for ways, bits in self.positions.last.items()]
        return all(map(self.one_way, [first, *self.out])) and not any(
            ways.twice for _, ways in last
        )

    def one_way(self, out: list[tuple[int, Ways]]) -> bool:
        """Whether the next character decides, and leads there in one way."""
        together = 0
        for targets, ways in out:
            if ways.twice or together & targets:
                return False
            together |= targets
        return self.are_apart(together)

    def are_apart(self, positions: int) -> bool:
        """Whether no two of some positions take the same character."""
        rest = positions & (positions - 1)
        if not rest & (rest - 1):
            one = (positions ^ rest).bit_length() - 1
            return not rest or not self.taken[one] & self.taken[rest.bit_length() - 1]
        known = self.apart.get(positions)
        if known is None:
            self.spend(positions.bit_count())
            together, known = 0, True
            for position in ones(positions):
                if together & self.taken[position]:
                    known = False
                    break
                together |= self.taken[position]
            self.apart[positions] = known
        return known

    def is_exponential(self) -> bool:
        end = -1
        for first, last in sorted(self.positions.loops, key=lambda loop: (loop[0], -loop[1])):
            # Within the outermost loop every position leads to every other.
            if first > end:
                end = last
                if self.is_ambiguous(first, last):
                    return True
        return False

    def is_ambiguous(self, first: int, last: int) -> bool:
        """
        Whether a loop can be gone through in two ways over one text.

        Two walkers start together and read the same characters.  When they part
        and meet again, there were two ways, and the loop leads back to the start.
        """
        within = (1 << last + 1) - (1 << first)
        parted: set[tuple[int, int]] = set()
        for position in range(first, last + 1):
            out = [(targets & within, ways) for targets, ways in self.out[position]]
            if not self.one_way(out) and self.meet(out, out, parted, same=True):
                return True
        waiting = list(parted)
        while waiting:
            one, two = waiting.pop()
            more: set[tuple[int, int]] = set()
            if self.meet(
                [(targets & within, ways) for targets, ways in self.out[one]],
                [(targets & within, ways) for targets, ways in self.out[two]],
                more,
                same=False,
            ):
                return True
            more -= parted
            parted |= more
            waiting += more
        return False

    def meet(
        self,
        one: list[tuple[int, Ways]],
        two: list[tuple[int, Ways]],
        parted: set[tuple[int, int]],
        *,
        same: bool,
    ) -> bool:
        """Take one step with both walkers; whether they may have met on different ways."""
        for index, (targets, ways) in enumerate(one):
            for number, (others, other) in enumerate(two):
                if not ways.once & other.once:
                    continue
                shared = targets & others
                if same and number == index and not ways.twice:
                    shared = 0
                if any(self.taken[position] for position in ones(shared)):
                    return True
                if self.are_apart(targets | others):
                    continue
                self.spend(targets.bit_count() * others.bit_count())
                parted.update(
                    (min(left, right), max(left, right))
                    for left in ones(targets)
                    for right in ones(others)
                    if left != right and self.taken[left] & self.taken[right]
                )
        return False

    def is_anchored(self) -> bool:
        elsewhere = kinds_where(
            self.positions.looks,
            [(before, after) for before in _SIDES for after in (NOTHING, *_SIDES)],
        )
        ways = [*self.positions.first, self.positions.empty]
        return not any(way.once & elsewhere for way in ways)

    def longest(self) -> int | None:
        if self.positions.loops:
            return None
        # Without a loop every link leads to a later position.
        lengths = [1] * len(self.out)
        for position, out in enumerate(self.out):
            for targets, _ in out:
                self.spend(targets.bit_count())
                for target in ones(targets):
                    lengths[target] = max(lengths[target], lengths[position] + 1)
        return max(lengths, default=0)

    def branches(self) -> int:
        first = sum(bits.bit_count() for bits in self.positions.first.values())
        return max([first, *(sum(targets.bit_count() for targets, _ in out) for out in self.out)])
