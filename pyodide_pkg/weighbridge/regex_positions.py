"""
A pattern as positions: which character of it may follow which, and between what neighbours.

Each place of the pattern that takes a character is one position, after Glushkov.
Anchors, word boundaries and lookarounds take none; they are conditions on a
boundary of the text.  Only finitely many kinds of boundary can be told apart
(what stands before, what stands after, which lookarounds hold there), so a
condition is a set of kinds, an integer with one bit for each, and "and" and "or"
of conditions are exact.

Every way between two positions is counted as none, one, or several, because it
is several ways over the same text that let a backtracking engine run for ever.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from weighbridge.regex_sets import CodePoints

#: What stands beside a boundary: nothing, a character of ``\\w``, another one.
NOTHING, WORDLIKE, OTHER = 0, 1, 2
SIDES = 3

#: Kinds of boundary when no lookaround is in play.
PLAIN = SIDES * SIDES


def boundary(before: int, after: int, looks: int = 0) -> int:
    """
    The number of a kind of boundary; ``looks`` has a bit for each lookaround that holds.
    """
    return looks * PLAIN + before * SIDES + after


def kinds_where(looks: int, holds: list[tuple[int, int]]) -> int:
    """
    The set of kinds whose sides are among ``holds``, whatever ``looks`` lookarounds say.
    """
    plain = sum(1 << boundary(before, after) for before, after in holds)
    return sum(plain << (PLAIN * setting) for setting in range(1 << looks))


class Ways(NamedTuple):
    """
    The kinds of boundary at which there is a way through, and those at which there are several.
    """

    once: int
    twice: int = 0

    def __or__(self, other: Ways) -> Ways:
        """Either way."""
        both = self.once & other.once
        return Ways(self.once | other.once, self.twice | other.twice | both)

    def __and__(self, other: Ways) -> Ways:
        """One way and then the other, at the same boundary."""
        both = self.once & other.once
        return Ways(both, both & (self.twice | other.twice))


NO_WAY = Ways(0)

#: Positions, as a set of bits, by the ways that lead to them (or from them).
type Reach = dict[Ways, int]


class Link(NamedTuple):
    """
    After any position of ``sources``, any of ``targets`` may come.

    Where ``by`` is not 0 the link is a row of links instead: after each source
    comes the one target that is so many positions on.
    """

    sources: int
    targets: int
    ways: Ways
    by: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Positions:
    """
    A whole pattern, or the inside of one lookaround.
    """

    #: What each position takes.
    sets: list[CodePoints]
    links: list[Link]
    #: Positions that may take the first character of a match.
    first: Reach
    #: Positions that may take the last.
    last: Reach
    #: Ways to match nothing at all.
    empty: Ways
    #: First and last position of every part that may repeat without end.
    loops: list[tuple[int, int]]
    #: Lookarounds in the whole pattern; each has a bit in a kind of boundary.
    looks: int
    #: Whether word boundaries are asked about, so that ``\\w`` neighbours matter.
    words: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """
    A lookaround: where its inside matches, one bit of the boundary is set.
    """

    bit: int
    behind: bool
    inside: Positions


@dataclass(slots=True)
class Space:
    """
    The positions of one pattern while it is being read.
    """

    sets: list[CodePoints] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    loops: list[tuple[int, int]] = field(default_factory=list)

    def mark(self) -> Mark:
        """How much there is now."""
        return Mark(len(self.sets), len(self.links), len(self.loops))

    def forget(self, mark: Mark) -> None:
        """Drop what came after ``mark``."""
        del self.sets[mark.sets :], self.links[mark.links :], self.loops[mark.loops :]

    def copy(self, mark: Mark, times: int) -> int:
        """Append ``times`` copies of what came after ``mark``; give its width."""
        width = len(self.sets) - mark.sets
        sets, links = self.sets[mark.sets :], self.links[mark.links :]
        loops = self.loops[mark.loops :]
        for shift in range(width, width * (times + 1), width):
            self.sets += sets
            self.links += [
                Link(link.sources << shift, link.targets << shift, link.ways, link.by)
                for link in links
            ]
            self.loops += [(first + shift, last + shift) for first, last in loops]
        return width


@dataclass(frozen=True, slots=True)
class Mark:
    """
    A place in a :class:`Space`.
    """

    sets: int
    links: int
    loops: int


class Part(NamedTuple):
    """
    A piece of a pattern whose positions and inner links are in the space.
    """

    first: Reach
    last: Reach
    empty: Ways

    def shifted(self, by: int) -> Part:
        """The same piece, ``by`` positions further on."""
        return Part(
            {ways: bits << by for ways, bits in self.first.items()},
            {ways: bits << by for ways, bits in self.last.items()},
            self.empty,
        )


def through(reach: Reach, ways: Ways) -> Reach:
    """
    A reach, with more to pass on the way.
    """
    found: Reach = {}
    for old, bits in reach.items():
        new = old & ways
        if new.once:
            found[new] = found.get(new, 0) | bits
    return found


def either(first: Reach, second: Reach) -> Reach:
    """
    What is reached one way or the other; no position is in both.
    """
    found = dict(first)
    for ways, bits in second.items():
        found[ways] = found.get(ways, 0) | bits
    return found


def join(space: Space, last: Reach, first: Reach) -> None:
    """
    Link every position of ``last`` to every position of ``first``.
    """
    for ending, sources in last.items():
        for beginning, targets in first.items():
            ways = ending & beginning
            if ways.once:
                space.links.append(Link(sources, targets, ways))


def sequence(space: Space, one: Part, two: Part) -> Part:
    """
    One piece and then the other.
    """
    join(space, one.last, two.first)
    return Part(
        either(one.first, through(two.first, one.empty)),
        either(through(one.last, two.empty), two.last),
        one.empty & two.empty,
    )


def choice(one: Part, two: Part) -> Part:
    """
    One piece or the other.
    """
    return Part(either(one.first, two.first), either(one.last, two.last), one.empty | two.empty)


def optional(part: Part, always: Ways) -> Part:
    """
    A piece or nothing; ``always`` is the way through that asks nothing.
    """
    return Part(part.first, part.last, always | part.empty)


def row(space: Space, part: Part, always: Ways, low: int, high: int) -> Part:
    """
    One character, the last position of the space, ``low`` to ``high`` times.

    What copies and sequences would come to, in one step for any count.
    """
    (bit,) = part.first.values()
    points = space.sets[-1]
    space.sets += [points] * (high - 1)
    every = (bit << high) - bit
    if high > 1:
        space.links.append(Link(every ^ bit << high - 1, every ^ bit, always, 1))
    ending = every ^ ((bit << max(low - 1, 0)) - bit)
    return Part({always: bit}, {always: ending}, NO_WAY if low else always)


def looped(space: Space, part: Part, always: Ways, *, may_skip: bool) -> Part:
    """
    A piece again and again; after its last round, one more may match nothing.
    """
    again = always | part.empty
    join(space, part.last, part.first)
    return Part(part.first, through(part.last, again), (always if may_skip else part.empty) & again)
