"""
A pattern means what ECMA-262 says with the ``u`` flag, at a cost known before it is paid.

Most published patterns let each next character decide, and those run on the
standard library, translated.  Everything else runs on an automaton of our own,
in time linear in the text whatever the text is.  Nothing here asks the running
interpreter what a letter or a space is, so every seat gives the same answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from weighbridge.regex_alphabet import alphabet
from weighbridge.regex_ambiguity import Judgement, judge
from weighbridge.regex_build import build
from weighbridge.regex_errors import UnusablePattern
from weighbridge.regex_machine import (
    Lookaround,
    Machine,
    found,
    found_around,
    lookaround,
    machine,
)
from weighbridge.regex_scan import scan
from weighbridge.regex_table import Table, found_by, table

__all__ = ["Pattern", "UnusablePattern", "compile", "is_pattern"]

#: Longest text, in code points, that the standard library is given: it keeps up
#: to 130 bytes for every character of it.
MAX_STANDARD = 65_536

#: Integer operations on one character of a text; twenty times what the largest
#: patterns in use take.
MAX_OPERATIONS = 512

#: Nanoseconds that a character takes at most in a table, for a text that is not
#: ASCII.  The standard library is used where it takes no longer: it tries what
#: may come next one after the other, and every place of a text where a match may
#: begin anew.
TABLE_MOVE = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """
    A usable pattern; it never changes, and threads may share it.
    """

    #: The pattern as it was written.
    source: str

    #: A backtracking engine may take time exponential in the text.  Ours does
    #: not, but another reader of the same schema would.
    exponential: bool

    #: The rewrite to ask for when ``exponential``; None otherwise.
    cure: str | None

    #: Which engine runs it: ``"standard"``, ``"table"`` or ``"positions"``.
    engine: str

    #: The same answer as ``search`` for a text of at most ``MAX_STANDARD`` code
    #: points, true or false in Python's sense: no call more than it takes.
    short: Callable[[str], object]

    _search: Callable[[str], bool]
    _cost: Cost

    def search(self, text: str) -> bool:
        """
        Whether the pattern matches anywhere in ``text``, code point by code point.
        """
        return self._search(text)

    def steps(self, length: int) -> int:
        """
        Work units that matching ``length`` code points takes at most.

        A unit is about a microsecond of CPython.  The number depends on nothing
        but the pattern and the length, and never falls as the length grows.
        """
        return self._cost.steps(length)


@dataclass(frozen=True, slots=True)
class Cost:
    """
    What matching costs, in nanoseconds of CPython on a slow core.
    """

    #: For a text of any length, and for each character up to ``MAX_STANDARD``
    #: and past it.
    fixed: int
    short: int
    long: int

    def steps(self, length: int) -> int:
        """Whole microseconds, rounded up."""
        each = self.short if length <= MAX_STANDARD else self.long
        return (self.fixed + each * length) // 1000 + 1


def compile(source: str) -> Pattern:  # noqa: A001 - the word that `re` uses
    """
    Give a pattern its meaning, or say why not.

    Raises :class:`UnusablePattern` for what is not ECMA-262 with the ``u`` flag,
    for backreferences, modifiers and properties without a pinned table, and past
    the bounds of :mod:`weighbridge.regex_build`.
    """
    built = build(source, scan(source))
    letters = alphabet(built.positions.sets, words=built.positions.words)
    whole = machine(built.positions, letters)
    looks = [
        lookaround(look, alphabet(look.inside.sets, words=look.inside.words))
        for look in built.looks
    ]
    for one in (whole, *(look.machine for look in looks)):
        if one.operations > MAX_OPERATIONS:
            raise UnusablePattern(
                source,
                0,
                f"more than {MAX_OPERATIONS} operations for each character of a text",
                "write fewer optional parts in a row, such as [ab]{0,9} for a?b?a?b?",
            )
    judged = judge(built.positions, letters)
    exponential = judged.exponential or any(
        judge(look.inside, alphabet(look.inside.sets, words=look.inside.words)).exponential
        for look in built.looks
    )
    whole = replace(whole, anchored=judged.anchored)
    engine, search, cost = _engine(whole, tuple(looks), judged, built.spelt)
    short: Callable[[str], object] = search
    if engine == "standard" and built.spelt is not None:
        compiled = re.compile(built.spelt)
        short = compiled.match if judged.anchored else compiled.search
    return Pattern(
        source=source,
        exponential=exponential,
        cure=_CURE if exponential else None,
        engine=engine,
        short=short,
        _search=search,
        _cost=cost,
    )


def is_pattern(text: str) -> bool:
    """
    Whether a text is a pattern of ECMA-262 with the ``u`` flag, usable here or not.
    """
    try:
        for _ in scan(text):
            pass
    except UnusablePattern:
        return False
    return True


_CURE = (
    "make the parts of the repetition start or end with different characters, "
    "as in ^[a-z]+(?:-[a-z]+)*$ for ^([a-z]+-?)+$"
)


def _engine(
    whole: Machine, looks: tuple[Lookaround, ...], judged: Judgement, spelt: str | None
) -> tuple[str, Callable[[str], bool], Cost]:
    walking = _per_character(whole, looks)
    if looks:
        return (
            "positions",
            lambda text: found_around(whole, looks, text),
            Cost(2_000, walking, walking),
        )
    tries = 1 if judged.anchored else judged.longest
    if spelt is not None and judged.deterministic and tries is not None:
        backtracking = (40 + 20 * judged.branches) * max(tries, 1)
        if backtracking <= TABLE_MOVE:
            return (
                "standard",
                _standard(spelt, whole, anchored=judged.anchored),
                Cost(1_000, backtracking, walking),
            )
    moves = table(whole)
    if moves is not None:
        return "table", _tabled(moves), Cost(1_500, TABLE_MOVE, TABLE_MOVE)
    return "positions", lambda text: found(whole, text), Cost(2_000, walking, walking)


def _standard(spelt: str, whole: Machine, *, anchored: bool) -> Callable[[str], bool]:
    compiled = re.compile(spelt)
    run = compiled.match if anchored else compiled.search

    def search(text: str) -> bool:
        if len(text) > MAX_STANDARD:
            return found(whole, text)
        return run(text) is not None

    return search


def _tabled(moves: Table) -> Callable[[str], bool]:
    return lambda text: found_by(moves, text)


def _per_character(whole: Machine, looks: tuple[Lookaround, ...]) -> int:
    """Nanoseconds that one character takes at most, all passes over the text together."""
    return sum(_machine_cost(one) for one in (whole, *(look.machine for look in looks)))


def _machine_cost(one: Machine) -> int:
    return 900 + one.operations * (100 + one.positions // 8)
