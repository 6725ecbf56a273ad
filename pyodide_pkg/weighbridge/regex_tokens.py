"""
The pieces that a pattern is read into, and how large they may be.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from weighbridge.regex_sets import CodePoints

#: Capturing groups in one pattern; the engine of V8 and Firefox stops there too.
MAX_GROUPS = 32_767

#: A repetition count from which on every count is taken for this one; far past
#: what any text can hold.
MANY = 1_000_000_000

#: The upper bound of a repetition that has none, and the ``low`` of a token in a
#: class that is a set and so can begin no range.
UNBOUNDED = -1


class Kind(Enum):
    r"""
    What a token stands for; the fields that it uses are named beside it.
    """

    POINTS = auto()  # points: one character out of a set
    CLASS_OPEN = auto()  # low: 1 when the class is negated
    CLASS_PART = auto()  # points
    CLASS_CLOSE = auto()
    OPEN = auto()
    LOOK_OPEN = auto()  # low: 1 when negative; high: 1 when behind
    CLOSE = auto()
    OR = auto()
    REPEAT = auto()  # low, high: counts, high may be UNBOUNDED
    START = auto()
    END = auto()
    EDGE = auto()  # \b
    NO_EDGE = auto()  # \B
    REFUSED = auto()  # fact, cure: legal, and has no meaning here


class Token(NamedTuple):
    """
    One piece of a pattern.
    """

    kind: Kind
    #: Code points of the pattern before it.
    offset: int
    low: int = 0
    high: int = 0
    points: CodePoints = ()
    fact: str = ""
    cure: str = ""


def backreference(offset: int) -> Token:
    """
    A reference to what a group has matched, which no automaton can follow.
    """
    return Token(
        Kind.REFUSED,
        offset,
        fact="a backreference can take exponential time and is not a regular expression",
        cure="write out the texts that are meant, or check the equality in the handler",
    )
