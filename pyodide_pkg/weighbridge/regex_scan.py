"""
ECMA-262 pattern syntax under the ``u`` flag, read left to right into a flat run of tokens.

Nothing here recurses and nothing is kept but a stack of one byte for each open
group and the names of the groups, so a caller's string of any depth can be asked
whether it is a pattern.  A construct that is legal but that the package gives no
meaning to is a token of its own; what to do about it is the reader's to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.regex_errors import UnusablePattern
from weighbridge.regex_escapes import hexadecimal, unicode
from weighbridge.regex_names import GroupNames
from weighbridge.regex_properties import is_property, property_points
from weighbridge.regex_sets import DIGIT, LINE_END, SPACE, WORD, complement
from weighbridge.regex_tokens import (
    MANY,
    MAX_GROUPS,
    UNBOUNDED,
    Kind,
    Token,
    backreference,
)

_SYNTAX = frozenset("^$\\.*+?()[]{}|/")
_CONTROLS = {"f": 0x0C, "n": 0x0A, "r": 0x0D, "t": 0x09, "v": 0x0B}
_CLASSES = {
    "d": DIGIT,
    "D": complement(DIGIT),
    "s": SPACE,
    "S": complement(SPACE),
    "w": WORD,
    "W": complement(WORD),
}
_ASSERTIONS = {"^": Kind.START, "$": Kind.END}
_EDGES = {"b": Kind.EDGE, "B": Kind.NO_EDGE}
_COUNTS = {"*": (0, UNBOUNDED), "+": (1, UNBOUNDED), "?": (0, 1)}
_DOT = complement(LINE_END)
_DIGITS = frozenset("0123456789")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_PROPERTY = _LETTERS | _DIGITS | {"_"}

# What the stack holds for an open group.
_GROUP = 0
_LOOK = 1

# What may come before a quantifier.
_NOTHING = 0
_ATOM = 1


def scan(source: str) -> Iterator[Token]:
    """
    The tokens of a pattern, in order, in time linear in its length.

    Raises :class:`UnusablePattern` at the first place that is not the syntax of
    ECMA-262 (2025) with the ``u`` flag.
    """
    return _Scanner(source).tokens()


class _Scanner:
    """One pass over one pattern; ``at`` is the next code point to read."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.stack = bytearray()
        self.groups = 0
        self.names = GroupNames(source)
        # The greatest numbered backreference, by digits, and where it stands.
        self.reference = ("", 0)

    def fail(self, offset: int, fact: str, cure: str) -> UnusablePattern:
        return UnusablePattern(self.source, offset, fact, cure)

    def peek(self) -> str:
        return self.source[self.at : self.at + 1]

    def tokens(self) -> Iterator[Token]:
        before = _NOTHING
        length = len(self.source)
        while self.at < length:
            offset = self.at
            point = self.source[offset]
            self.at = offset + 1
            if point in "*+?{":
                if before == _NOTHING:
                    raise self.fail(
                        offset,
                        "nothing to repeat",
                        f"write \\{point} for the character itself",
                    )
                yield self.repeat(offset, point)
                before = _NOTHING
            elif point == "(":
                yield self.open(offset)
                before = _NOTHING
            elif point == ")":
                before = self.close(offset)
                yield Token(Kind.CLOSE, offset)
            elif point == "|":
                self.names.alternative(len(self.stack))
                yield Token(Kind.OR, offset)
                before = _NOTHING
            elif point in _ASSERTIONS:
                yield Token(_ASSERTIONS[point], offset)
                before = _NOTHING
            elif point == "\\" and self.peek() in _EDGES:
                kind = _EDGES[self.peek()]
                self.at += 1
                yield Token(kind, offset)
                before = _NOTHING
            elif point == "[":
                yield from self.character_class(offset)
                before = _ATOM
            else:
                yield self.atom(offset, point)
                before = _ATOM
        self.finish()

    def finish(self) -> None:
        if self.stack:
            raise self.fail(len(self.source), "a group is not closed", "close it with )")
        digits, offset = self.reference
        if (len(digits), digits) > (len(str(self.groups)), str(self.groups)):
            raise self.fail(
                offset,
                f"a reference to a group past the {self.groups} there are",
                "write \\xHH for a character by its number",
            )
        self.names.finish()

    def atom(self, offset: int, point: str) -> Token:
        if point == "\\":
            return self.escape(offset)
        if point == ".":
            return Token(Kind.POINTS, offset, points=_DOT)
        if point in "]}":
            raise self.fail(offset, f"a lone {point}", f"write \\{point}")
        return Token(Kind.POINTS, offset, points=(ord(point), ord(point) + 1))

    def escape(self, offset: int) -> Token:
        point = self.peek()
        if point in _DIGITS and point != "0":
            start = self.at
            self.digits()
            digits = self.source[start : self.at]
            if (len(digits), digits) > (len(self.reference[0]), self.reference[0]):
                self.reference = (digits, offset)
            return backreference(offset)
        if point == "k":
            self.at += 1
            if self.peek() != "<":
                raise self.fail(offset, "\\k without <name>", "write \\x6B for a k")
            self.at = self.names.reference(self.at + 1)
            return backreference(offset)
        return self.points(offset, in_class=False)

    def points(self, offset: int, *, in_class: bool) -> Token:
        """A token of one character or one set, after the backslash at ``offset``."""
        kind = Kind.CLASS_PART if in_class else Kind.POINTS
        point = self.peek()
        if point in _CLASSES:
            self.at += 1
            return Token(kind, offset, points=_CLASSES[point], low=UNBOUNDED)
        if point in ("p", "P"):
            return self.property(offset, kind, negated=point == "P")
        value = self.character(offset, in_class=in_class)
        return Token(kind, offset, points=(value, value + 1), low=value)

    def character(self, offset: int, *, in_class: bool) -> int:
        """The code point that a character escape stands for."""
        point = self.peek()
        self.at += 1
        if point in _CONTROLS:
            return _CONTROLS[point]
        if point in _SYNTAX or (in_class and point == "-"):
            return ord(point)
        if in_class and point == "b":
            return 0x08
        if point == "0" and self.peek() not in _DIGITS:
            return 0
        if point == "c" and self.peek() in _LETTERS:
            self.at += 1
            return ord(self.source[self.at - 1]) % 32
        if point in ("x", "u"):
            return self.numbered(offset, point)
        if point == "":
            raise self.fail(offset, "a backslash at the end", "write \\\\")
        raise self.fail(
            offset,
            "an escape that ECMA-262 does not have with the u flag",
            "write a character that needs no escape without the backslash, any other as \\u{...}",
        )

    def numbered(self, offset: int, point: str) -> int:
        found = (
            unicode(self.source, self.at)
            if point == "u"
            else _after(hexadecimal(self.source, self.at, 2), self.at + 2)
        )
        if found is None:
            raise self.fail(
                offset,
                "an escape without the digits of a code point",
                "write \\xHH, \\uHHHH or \\u{H} with hexadecimal digits, at most \\u{10FFFF}",
            )
        value, self.at = found
        return value

    def property(self, offset: int, kind: Kind, *, negated: bool) -> Token:
        self.at += 1
        name, value = "", None
        if self.peek() == "{":
            self.at += 1
            name = self.word()
            if self.peek() == "=":
                self.at += 1
                value = self.word()
        if self.peek() != "}" or not is_property(name, value):
            raise self.fail(
                offset,
                "a property that ECMA-262 does not have",
                "write a general category by its name, such as \\p{L} or \\p{Lu}",
            )
        self.at += 1
        points = property_points(name, value)
        if points is None:
            return Token(
                Kind.REFUSED,
                offset,
                low=UNBOUNDED,
                fact=f"no table of the property {name} is pinned, so seats would differ",
                cure="write a general category such as \\p{L}, or the ranges that are meant",
            )
        return Token(kind, offset, points=complement(points) if negated else points, low=UNBOUNDED)

    def word(self) -> str:
        start = self.at
        while self.peek() in _PROPERTY:
            self.at += 1
        return self.source[start : self.at]

    def character_class(self, offset: int) -> Iterator[Token]:
        negated = self.peek() == "^"
        self.at += negated
        yield Token(Kind.CLASS_OPEN, offset, low=int(negated))
        while self.at < len(self.source):
            start = self.at
            if self.source[start] == "]":
                self.at += 1
                yield Token(Kind.CLASS_CLOSE, start)
                return
            first = self.class_atom()
            if self.peek() != "-" or self.source[self.at + 1 : self.at + 2] in ("", "]"):
                yield first
                continue
            self.at += 1
            last = self.class_atom()
            yield self.between(start, first, last)
        raise self.fail(offset, "a character class is not closed", "close it with ]")

    def class_atom(self) -> Token:
        offset = self.at
        point = self.source[offset]
        self.at += 1
        if point == "\\":
            return self.points(offset, in_class=True)
        value = ord(point)
        return Token(Kind.CLASS_PART, offset, points=(value, value + 1), low=value)

    def between(self, offset: int, first: Token, last: Token) -> Token:
        if UNBOUNDED in (first.low, last.low):
            raise self.fail(
                offset, "a range that begins or ends with a set", "write \\- for the hyphen"
            )
        if first.low > last.low:
            raise self.fail(offset, "a range out of order", "write the smaller character first")
        return Token(Kind.CLASS_PART, offset, points=(first.low, last.low + 1))

    def open(self, offset: int) -> Token:
        if self.peek() != "?":
            return self.capture(offset)
        for spelt, negative, behind in (
            ("?=", 0, 0),
            ("?!", 1, 0),
            ("?<=", 0, 1),
            ("?<!", 1, 1),
        ):
            if self.source.startswith(spelt, self.at):
                self.at += len(spelt)
                self.stack.append(_LOOK)
                return Token(Kind.LOOK_OPEN, offset, low=negative, high=behind)
        if self.source.startswith("?<", self.at):
            self.at = self.names.declare(self.at + 2, len(self.stack))
            return self.capture(offset)
        return self.modifiers(offset)

    def capture(self, offset: int) -> Token:
        self.groups += 1
        if self.groups > MAX_GROUPS:
            raise self.fail(
                offset, f"more than {MAX_GROUPS} capturing groups", "write (?: for a group"
            )
        self.stack.append(_GROUP)
        return Token(Kind.OPEN, offset)

    def modifiers(self, offset: int) -> Token:
        self.at += 1
        start = self.at
        while self.peek() in ("i", "m", "s", "-") and self.at - start < len("ims-ims"):
            self.at += 1
        added, dash, removed = self.source[start : self.at].partition("-")
        flags = added + removed
        if (
            self.peek() != ":"
            or len(set(flags)) != len(flags)
            or "-" in removed
            or (dash and not flags)
        ):
            raise self.fail(offset, "a group of unknown kind", "write (?: or (")
        self.at += 1
        self.stack.append(_GROUP)
        if not flags:
            return Token(Kind.OPEN, offset)
        return Token(
            Kind.REFUSED,
            offset,
            fact="modifiers change what the rest of the group means",
            cure="write both cases, such as [aA], or the characters that are meant",
        )

    def close(self, offset: int) -> int:
        if not self.stack:
            raise self.fail(offset, "a lone )", "write \\)")
        kind = self.stack.pop()
        self.names.close(len(self.stack))
        return _ATOM if kind == _GROUP else _NOTHING

    def repeat(self, offset: int, point: str) -> Token:
        low, high = _COUNTS.get(point) or self.counts(offset)
        if self.peek() == "?":
            self.at += 1
        return Token(Kind.REPEAT, offset, low=low, high=high)

    def counts(self, offset: int) -> tuple[int, int]:
        low = self.digits()
        high: tuple[int, str] | None = low
        if self.peek() == ",":
            self.at += 1
            high = None if self.peek() == "}" else self.digits()
        if self.peek() != "}" or not low[0] or (high is not None and not high[0]):
            raise self.fail(
                offset,
                "a { that begins no repetition",
                "write {2}, {2,} or {2,5} for a repetition, \\{ for the character",
            )
        self.at += 1
        if high is None:
            return _count(low), UNBOUNDED
        if _order(low) > _order(high):
            raise self.fail(offset, "a repetition out of order", "write the smaller number first")
        return _count(low), _count(high)

    def digits(self) -> tuple[int, str]:
        """How many digits stand here, and the number they spell without leading zeros."""
        start = self.at
        while self.peek() in _DIGITS:
            self.at += 1
        return self.at - start, self.source[start : self.at].lstrip("0")


def _order(number: tuple[int, str]) -> tuple[int, str]:
    return len(number[1]), number[1]


def _count(number: tuple[int, str]) -> int:
    spelt = number[1]
    return MANY if len(spelt) >= len(str(MANY)) else int(spelt or "0")


def _after(value: int | None, at: int) -> tuple[int, int] | None:
    return None if value is None else (value, at)
