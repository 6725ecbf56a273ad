"""
From tokens to positions, with a stack of its own and under recorded bounds.

Counted repetition is written out, so its size is checked before it is.  The same
pass spells the pattern anew for the standard library, where that is possible;
whether it may be used is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from weighbridge.regex_errors import UnusablePattern
from weighbridge.regex_positions import (
    NO_WAY,
    NOTHING,
    OTHER,
    PLAIN,
    WORDLIKE,
    Look,
    Mark,
    Part,
    Positions,
    Space,
    Ways,
    choice,
    kinds_where,
    looped,
    optional,
    row,
    sequence,
)
from weighbridge.regex_sets import CodePoints, complement, pairs, union
from weighbridge.regex_tokens import UNBOUNDED, Kind, Token

#: Code points of a pattern: twice the longest of 5,059 in the public schemas that
#: these bounds were tried on (1,195), and no more than the links below allow.
MAX_SOURCE = 3_072

#: Positions once repetition is written out, which is how long the integers are
#: that a step works on; public schemas count up to 10,000 of one character.
MAX_POSITIONS = 10_240

#: Links between positions, a whole row counted once; more and a load takes
#: longer than 50 ms.  Each copy of a repeated group takes at least one.
MAX_LINKS = 3_072

#: Lookarounds; each doubles the kinds of boundary (8 make 2,304), and has a bit
#: in one byte for each character of a text.
MAX_LOOKS = 8

#: Boundaries of character sets, counted as often as a set is written; \\p{L} has
#: 1,300.  Bounds the load as above.
MAX_BOUNDS = 16_384

#: Groups within groups that may be spelled for the standard library, whose
#: compiler recurses.
MAX_DEPTH = 12

#: Runs in a set that may be spelled for the standard library; past these its
#: search through them is slower than ours.
MAX_RUNS = 64

_SHORTEN = "write the length with maxLength and minLength, and the pattern with * or +"


@dataclass(frozen=True, slots=True)
class Item:
    """
    One term of an alternative.
    """

    part: Part
    mark: Mark
    #: The same in the syntax of the standard library; None where it has none.
    spelt: str | None
    depth: int = 0


@dataclass(slots=True)
class Frame:
    """
    A group that is still open.
    """

    opened: Token | None
    space: Space
    mark: Mark
    items: list[Item] = field(default_factory=list)
    #: The alternatives that have ended, as one.
    ended: Item | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """
    A pattern ready to be judged.
    """

    positions: Positions
    #: Lookarounds, the inner before the outer.
    looks: list[Look]
    #: The pattern for the standard library, or None.
    spelt: str | None


def build(source: str, tokens: Iterable[Token]) -> Built:
    """
    The positions of a pattern; raises :class:`UnusablePattern` past a bound.
    """
    if len(source) > MAX_SOURCE:
        raise UnusablePattern(
            source,
            MAX_SOURCE,
            f"longer than {MAX_SOURCE} characters",
            "split it over several patterns in allOf",
        )
    # A list, because the number of lookarounds is needed before the first.
    return _Builder(source, list(tokens)).build()


class _Builder:
    """One pass over the tokens of one pattern."""

    def __init__(self, source: str, tokens: list[Token]) -> None:
        self.source = source
        self.tokens = tokens
        opened = [token for token in tokens if token.kind is Kind.LOOK_OPEN]
        if len(opened) > MAX_LOOKS:
            raise self.refuse(
                opened[MAX_LOOKS],
                f"more than {MAX_LOOKS} lookarounds",
                "split it over several patterns in allOf",
            )
        self.count = len(opened)
        self.always = Ways((1 << (PLAIN << self.count)) - 1)
        self.words = any(token.kind in (Kind.EDGE, Kind.NO_EDGE) for token in tokens)
        self.conditions = self.plain_conditions()
        self.looks: list[Look] = []
        space = Space()
        self.frames = [Frame(None, space, space.mark())]
        self.members: list[CodePoints] = []
        self.negated = False
        self.bounds = 0

    def plain_conditions(self) -> dict[Kind, Ways]:
        every = (NOTHING, WORDLIKE, OTHER)
        asked = {
            Kind.START: [(NOTHING, after) for after in every],
            Kind.END: [(before, NOTHING) for before in every],
            Kind.EDGE: [(one, two) for one in every for two in every if (one == 1) != (two == 1)],
            Kind.NO_EDGE: [
                (one, two) for one in every for two in every if (one == 1) == (two == 1)
            ],
        }
        return {kind: Ways(kinds_where(self.count, sides)) for kind, sides in asked.items()}

    def refuse(self, token: Token, fact: str, cure: str) -> UnusablePattern:
        return UnusablePattern(self.source, token.offset, fact, cure)

    def build(self) -> Built:
        for token in self.tokens:
            self.take(token)
        frame = self.frames.pop()
        whole = self.alternatives(frame)
        return Built(
            positions=self.positions(frame.space, whole.part),
            looks=self.looks,
            spelt=whole.spelt,
        )

    def take(self, token: Token) -> None:
        frame = self.frames[-1]
        match token.kind:
            case Kind.POINTS:
                self.character(token, token.points)
            case Kind.CLASS_OPEN:
                self.members, self.negated = [], bool(token.low)
            case Kind.CLASS_PART:
                self.wide(token, token.points)
                self.members.append(token.points)
            case Kind.CLASS_CLOSE:
                points = union(self.members)
                self.character(token, complement(points) if self.negated else points)
            case Kind.OPEN:
                self.frames.append(Frame(token, frame.space, frame.space.mark()))
            case Kind.LOOK_OPEN:
                space = Space()
                self.frames.append(Frame(token, space, space.mark()))
            case Kind.CLOSE:
                self.close()
            case Kind.OR:
                frame.ended = self.alternatives(frame)
                frame.items = []
            case Kind.REPEAT:
                frame.items.append(self.repeat(frame.space, frame.items.pop(), token))
            case Kind.REFUSED:
                raise self.refuse(token, token.fact, token.cure)
            case _:
                self.assertion(frame, token)

    def character(self, token: Token, points: CodePoints) -> None:
        frame = self.frames[-1]
        mark = frame.space.mark()
        self.room(token, frame.space, 1, 0)
        self.wide(token, points)
        bit = 1 << mark.sets
        frame.space.sets.append(points)
        reach = {self.always: bit}
        frame.items.append(Item(Part(reach, reach, NO_WAY), mark, _spelt_set(points)))

    def assertion(self, frame: Frame, token: Token) -> None:
        part = Part({}, {}, self.conditions[token.kind])
        spelt = {Kind.START: r"\A", Kind.END: r"\Z"}.get(token.kind)
        frame.items.append(Item(part, frame.space.mark(), spelt))

    def close(self) -> None:
        frame = self.frames.pop()
        whole = self.alternatives(frame)
        opened = frame.opened
        if opened is None or opened.kind is Kind.OPEN:
            spelt = None if whole.spelt is None else f"(?:{whole.spelt})"
            if whole.depth >= MAX_DEPTH:
                spelt = None
            self.frames[-1].items.append(Item(whole.part, frame.mark, spelt, whole.depth + 1))
            return
        bit = len(self.looks)
        inside = self.positions(frame.space, whole.part)
        self.looks.append(Look(bit=bit, behind=bool(opened.high), inside=inside))
        wanted = 0 if opened.low else 1
        kinds = sum(
            ((1 << PLAIN) - 1) << (PLAIN * setting)
            for setting in range(1 << self.count)
            if setting >> bit & 1 == wanted
        )
        outer = self.frames[-1]
        outer.items.append(Item(Part({}, {}, Ways(kinds)), outer.space.mark(), None))

    def alternatives(self, frame: Frame) -> Item:
        """All alternatives of a group so far, the one that is open included."""
        part = Part({}, {}, self.always)
        for item in frame.items:
            part = sequence(frame.space, part, item.part)
        spelt = _together([item.spelt for item in frame.items], "")
        depth = max((item.depth for item in frame.items), default=0)
        ended = frame.ended
        if ended is None:
            return Item(part, frame.mark, spelt, depth)
        return Item(
            choice(ended.part, part),
            frame.mark,
            _together([ended.spelt, spelt], "|"),
            max(ended.depth, depth),
        )

    def repeat(self, space: Space, item: Item, token: Token) -> Item:
        low, high = token.low, token.high
        if high == 0:
            space.forget(item.mark)
            return Item(Part({}, {}, self.always), item.mark, "", item.depth)
        mark = space.mark()
        spelt = _repeated(item, mark, low, high)
        if mark.sets == item.mark.sets:
            return Item(self.without_width(item.part, low, high), item.mark, spelt, item.depth)
        copies = max(low, 1) if high == UNBOUNDED else high
        if high != UNBOUNDED and self.is_character(item, mark):
            self.room(token, space, copies - 1, 1)
            return Item(row(space, item.part, self.always, low, high), item.mark, spelt, item.depth)
        self.room(
            token,
            space,
            (mark.sets - item.mark.sets) * (copies - 1),
            (mark.links - item.mark.links + 1) * (copies - 1),
        )
        width = space.copy(item.mark, copies - 1)
        parts = [item.part.shifted(width * number) for number in range(copies)]
        last = parts.pop()
        if high == UNBOUNDED:
            start = item.mark.sets + width * (copies - 1)
            space.loops.append((start, start + width - 1))
            last = looped(space, last, self.always, may_skip=low == 0)
        elif low < high:
            last = optional(last, self.always)
        for number, part in reversed(list(enumerate(parts))):
            last = sequence(space, part, last)
            if number >= low:
                last = optional(last, self.always)
        self.room(token, space, 0, 0)
        return Item(last, item.mark, spelt, item.depth)

    def is_character(self, item: Item, now: Mark) -> bool:
        """Whether an item is one character and nothing about it."""
        reach = {self.always: 1 << item.mark.sets}
        bare = Mark(item.mark.sets + 1, item.mark.links, item.mark.loops)
        return now == bare and item.part == Part(reach, reach, NO_WAY)

    def without_width(self, part: Part, low: int, high: int) -> Part:
        """Repetition of what takes no character: once is as good as often."""
        once = part.empty.once
        several = part.empty.twice if low == high == 1 else once
        if low == 0:
            return optional(Part({}, {}, Ways(once, several)), self.always)
        return Part({}, {}, Ways(once, several))

    def room(self, token: Token, space: Space, more: int, links: int) -> None:
        """Refuse before the positions or links would pass their bound."""
        if len(space.sets) + more > MAX_POSITIONS:
            raise self.refuse(
                token,
                f"more than {MAX_POSITIONS} characters once repetition is written out",
                _SHORTEN,
            )
        if len(space.links) + links > MAX_LINKS:
            raise self.refuse(
                token, f"more than {MAX_LINKS} ways from one character to another", _SHORTEN
            )

    def wide(self, token: Token, points: CodePoints) -> None:
        """Refuse before the sets would pass their bound."""
        self.bounds += len(points)
        if self.bounds > MAX_BOUNDS:
            raise self.refuse(
                token,
                f"character sets of more than {MAX_BOUNDS} boundaries in all",
                "use a wide set such as \\p{L} less often, or write the ranges that are meant",
            )

    def positions(self, space: Space, whole: Part) -> Positions:
        if len(space.links) > MAX_LINKS:
            raise UnusablePattern(
                self.source,
                0,
                f"more than {MAX_LINKS} ways from one character to another",
                _SHORTEN,
            )
        return Positions(
            sets=space.sets,
            links=space.links,
            first=whole.first,
            last=whole.last,
            empty=whole.empty,
            loops=space.loops,
            looks=self.count,
            words=self.words,
        )


def _together(spelt: list[str | None], between: str) -> str | None:
    pieces = [piece for piece in spelt if piece is not None]
    return between.join(pieces) if len(pieces) == len(spelt) else None


def _repeated(item: Item, now: Mark, low: int, high: int) -> str | None:
    # An anchor alone is nothing to repeat for the standard library.
    if item.spelt is None or now.sets == item.mark.sets:
        return None
    if high == UNBOUNDED:
        return f"{item.spelt}{{{low},}}"
    return f"{item.spelt}{{{low},{high}}}"


def _spelt_set(points: CodePoints) -> str | None:
    others = complement(points)
    if len(others) < len(points):
        return _spelt_runs(others, "^")
    return _spelt_runs(points, "")


def _spelt_runs(points: CodePoints, sign: str) -> str | None:
    if not points:
        return "(?s:.)" if sign else None
    if len(points) > 2 * MAX_RUNS:
        return None
    spelt = "".join(
        f"\\U{first:08x}" if first == last else f"\\U{first:08x}-\\U{last:08x}"
        for first, last in pairs(points)
    )
    return f"[{sign}{spelt}]"
