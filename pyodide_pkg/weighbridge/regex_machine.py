"""
Positions walked by a text, all at once: linear in the text, for every pattern.

The positions that the text so far can have reached are the bits of one integer,
so a step is a handful of integer operations whose number is fixed when the
pattern loads.  Nothing is cached between calls and nothing recurses, so a machine
can be shared by threads, and no text makes it slower than another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from weighbridge.regex_alphabet import Alphabet, ones
from weighbridge.regex_positions import (
    NOTHING,
    PLAIN,
    SIDES,
    Link,
    Look,
    Positions,
    Reach,
    Ways,
    boundary,
)

#: Links of one source and one target that are written as one shift each; a link
#: of more pairs than this stays a group.
SMALL = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """
    What a boundary of one kind does to the positions reached.
    """

    #: Positions that a match may begin with here.
    first: int
    #: Positions that a match may end with here.
    last: int
    #: Whether nothing at all matches here.
    empty: bool
    #: Any of these positions leads to all of those.
    groups: tuple[tuple[int, int], ...]
    #: These positions lead so many positions on, and back.
    forward: tuple[tuple[int, int], ...]
    back: tuple[tuple[int, int], ...]

    def next(self, reached: int) -> int:
        """
        Where the positions lead, before the next character is looked at.
        """
        found = self.first
        for sources, targets in self.groups:
            if reached & sources:
                found |= targets
        for sources, by in self.forward:
            found |= (reached & sources) << by
        for sources, by in self.back:
            found |= (reached & sources) >> by
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """
    One pattern, or the inside of one lookaround, ready to run.
    """

    alphabet: Alphabet
    #: How many positions there are: the bits that a step works on.
    positions: int
    #: The program of every kind of boundary.
    programs: tuple[Program, ...]
    #: Integer operations that a step takes at most.
    operations: int
    #: Whether a match is known to begin only where the text does.
    anchored: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookaround:
    """
    A lookaround ready to run: where it holds, ``bit`` of the boundary is set.
    """

    bit: int
    #: Runs over the text from its end when it looks ahead.
    machine: Machine
    behind: bool


def machine(positions: Positions, letters: Alphabet) -> Machine:
    """
    Compile positions over their own alphabet.
    """
    programs = _programs(positions)
    alike = {id(program): program for program in programs}.values()
    return Machine(
        alphabet=letters,
        positions=len(positions.sets),
        programs=programs,
        operations=max(
            len(program.groups) + len(program.forward) + len(program.back) for program in alike
        ),
        anchored=False,
    )


def lookaround(look: Look, letters: Alphabet) -> Lookaround:
    """
    Compile a lookaround; one that looks ahead is compiled to be run backwards.
    """
    inside = look.inside if look.behind else mirrored(look.inside)
    return Lookaround(bit=look.bit, machine=machine(inside, letters), behind=look.behind)


def mirrored(positions: Positions) -> Positions:
    """
    The positions for a text that is read from its end.
    """
    known: dict[int, int] = {}

    def swapped(kinds: int) -> int:
        if kinds not in known:
            known[kinds] = sum(
                1 << boundary(after, before, looks)
                for looks in range(1 << positions.looks)
                for before in range(SIDES)
                for after in range(SIDES)
                if kinds >> boundary(before, after, looks) & 1
            )
        return known[kinds]

    def turned(ways: Ways) -> Ways:
        return Ways(swapped(ways.once), swapped(ways.twice))

    def turned_reach(reach: Reach) -> Reach:
        return {turned(ways): bits for ways, bits in reach.items()}

    return replace(
        positions,
        links=[
            Link(link.targets, link.sources, turned(link.ways), -link.by)
            for link in positions.links
        ],
        first=turned_reach(positions.last),
        last=turned_reach(positions.first),
        empty=turned(positions.empty),
    )


def found(pattern: Machine, text: str) -> bool:
    """
    Whether a pattern without lookarounds matches anywhere in the text.
    """
    programs, members = pattern.programs, pattern.alphabet.members
    sides = pattern.alphabet.sides
    before, reached = NOTHING, 0
    for chunk in pattern.alphabet.chunks(text):
        for symbol in chunk:
            after = sides[symbol]
            program = programs[before * SIDES + after]
            if program.empty or reached & program.last:
                return True
            reached = program.next(reached) & members[symbol]
            before = after
        if pattern.anchored and not reached:
            return False
    program = programs[before * SIDES + NOTHING]
    return program.empty or bool(reached & program.last)


def found_around(pattern: Machine, looks: Iterable[Lookaround], text: str) -> bool:
    """
    Whether a pattern matches anywhere, where its lookarounds hold.

    One byte for each character says which lookarounds hold before it.
    """
    flags = bytearray(len(text) + 1)
    for look in looks:
        _sweep(look.machine, text, flags, bit=1 << look.bit, forward=look.behind)
    return _sweep(pattern, text, flags, bit=0, forward=True)


def _sweep(pattern: Machine, text: str, flags: bytearray, *, bit: int, forward: bool) -> bool:
    """Mark with ``bit`` each boundary where a match ends, or stop at the first for no bit."""
    programs, members = pattern.programs, pattern.alphabet.members
    sides = pattern.alphabet.sides
    chunks = pattern.alphabet.chunks if forward else pattern.alphabet.chunks_backwards
    at, step = (0, 1) if forward else (len(text), -1)
    before, reached = NOTHING, 0
    for chunk in chunks(text):
        for symbol in chunk:
            after = sides[symbol]
            program = programs[flags[at] * PLAIN + before * SIDES + after]
            if program.empty or reached & program.last:
                if not bit:
                    return True
                flags[at] |= bit
            reached = program.next(reached) & members[symbol]
            before = after
            at += step
        if pattern.anchored and not reached:
            return False
    program = programs[flags[at] * PLAIN + before * SIDES + NOTHING]
    if program.empty or reached & program.last:
        flags[at] |= bit
        return True
    return False


def _programs(positions: Positions) -> tuple[Program, ...]:
    """The program of every kind of boundary; kinds that act alike share one."""
    by_ways: dict[int, list[Link]] = {}
    for link in positions.links:
        by_ways.setdefault(link.ways.once, []).append(link)
    conditions = sorted(
        {
            *by_ways,
            *(ways.once for ways in positions.first),
            *(ways.once for ways in positions.last),
            positions.empty.once,
        }
    )
    known: dict[tuple[int, ...], Program] = {}
    moves: dict[tuple[int, ...], _Moves] = {}
    programs = []
    for kind in range(PLAIN << positions.looks):
        holding = tuple(kinds for kinds in conditions if kinds >> kind & 1)
        if holding not in known:
            leading = tuple(kinds for kinds in holding if kinds in by_ways)
            if leading not in moves:
                moves[leading] = _moves([link for kinds in leading for link in by_ways[kinds]])
            groups, forward, back = moves[leading]
            known[holding] = Program(
                first=_at(positions.first, kind),
                last=_at(positions.last, kind),
                empty=positions.empty.once in holding,
                groups=groups,
                forward=forward,
                back=back,
            )
        programs.append(known[holding])
    return tuple(programs)


type _Pairs = tuple[tuple[int, int], ...]
type _Moves = tuple[_Pairs, _Pairs, _Pairs]


def _at(reach: Reach, kind: int) -> int:
    bits = 0
    for ways, positions in reach.items():
        if ways.once >> kind & 1:
            bits |= positions
    return bits


def _moves(links: Sequence[Link]) -> _Moves:
    """Links as the groups and shifts of a program, whichever way takes the fewest."""
    plans = [_operations(links, pairs) for pairs in (0, 1, SMALL)]
    groups, shifts = min(plans, key=lambda plan: len(plan[0]) + len(plan[1]))
    return (
        tuple((sources, targets) for targets, sources in sorted(groups.items())),
        tuple((sources, by) for by, sources in sorted(shifts.items()) if by >= 0),
        tuple((sources, -by) for by, sources in sorted(shifts.items()) if by < 0),
    )


def _operations(links: Sequence[Link], pairs: int) -> tuple[dict[int, int], dict[int, int]]:
    """
    Links as groups, but those of at most so many pairs as shifts.

    A counted repetition written out is a long row of links that all lead equally
    far, and a shift takes the whole row in one step.
    """
    groups: dict[int, int] = {}
    shifts: dict[int, int] = {}
    for link in links:
        if link.by:
            shifts[link.by] = shifts.get(link.by, 0) | link.sources
        elif link.sources.bit_count() * link.targets.bit_count() <= pairs:
            for source in ones(link.sources):
                for target in ones(link.targets):
                    by = target - source
                    shifts[by] = shifts.get(by, 0) | 1 << source
        else:
            groups[link.targets] = groups.get(link.targets, 0) | link.sources
    return groups, shifts
