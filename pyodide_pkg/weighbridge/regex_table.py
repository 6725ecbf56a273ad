"""
A machine's every move worked out at load: one look-up for each character of a text.
"""

from __future__ import annotations

from dataclasses import dataclass

from weighbridge.regex_alphabet import Alphabet
from weighbridge.regex_machine import Machine
from weighbridge.regex_positions import NOTHING, SIDES

#: Look-ups in one table, states times symbols; and integer operations spent on
#: working it out, which take about 2 ms.
MAX_MOVES = 4_096
MAX_OPERATIONS = 12_000

#: The state in which a match has been found; its row is the first.
_FOUND = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """
    A complete deterministic automaton.

    A state is the place of its row, so that adding a symbol gives the place of
    the next state.
    """

    alphabet: Alphabet
    moves: tuple[int, ...]
    start: int
    #: States in which a text that ends here matches.
    accepting: frozenset[int]
    #: The state that nothing leads out of and that does not match, or -1.
    dead: int


def table(pattern: Machine) -> Table | None:
    """
    The table of a machine without lookarounds, or None where it would be too large.
    """
    width = len(pattern.alphabet.members)
    sides = pattern.alphabet.sides
    moves = [_FOUND] * width
    begin = (NOTHING, 0)
    known: dict[tuple[int, int], int] = {begin: width}
    waiting = [begin]
    accepting = {_FOUND}
    spent = 0
    dead = -1
    for state in waiting:
        before, reached = state
        for symbol, members in enumerate(pattern.alphabet.members):
            after = sides[symbol]
            program = pattern.programs[before * SIDES + after]
            spent += 3 + pattern.operations
            if spent > MAX_OPERATIONS:
                return None
            if program.empty or reached & program.last:
                moves.append(_FOUND)
                continue
            follow = (after, program.next(reached) & members)
            if follow not in known:
                known[follow] = width * (len(known) + 1)
                waiting.append(follow)
                if len(waiting) * width > MAX_MOVES:
                    return None
            moves.append(known[follow])
        ending = pattern.programs[before * SIDES + NOTHING]
        if ending.empty or reached & ending.last:
            accepting.add(known[state])
        elif all(move == known[state] for move in moves[-width:]):
            dead = known[state]
    return Table(
        alphabet=pattern.alphabet,
        moves=tuple(moves),
        start=width,
        accepting=frozenset(accepting),
        dead=dead,
    )


def found_by(pattern: Table, text: str) -> bool:
    """
    Whether the pattern matches anywhere in the text.
    """
    moves, state = pattern.moves, pattern.start
    for chunk in pattern.alphabet.chunks(text):
        for symbol in chunk:
            state = moves[state + symbol]
        if state in (_FOUND, pattern.dead):
            break
    return state in pattern.accepting
