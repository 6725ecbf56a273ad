"""
The one way a pattern fails: a record of what is wrong, where, and what to write instead.
"""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, dataclass

#: Characters of a pattern that a message quotes, escapes counted, quotes not.
QUOTED = 120


# Not ``frozen=True``: that would also refuse the traceback that contextlib writes
# on whatever passes through a context manager, and hide the error behind another.
@dataclass(unsafe_hash=True)
class UnusablePattern(Exception):
    """
    A pattern that cannot be given its ECMA-262 meaning, or not at a bounded cost.

    Raised while a catalog loads, never by a call.
    """

    #: The pattern, whole and as it was written.
    source: str

    #: Code points of the pattern before the place; its length means the end.
    offset: int

    #: What is wrong at that place, for example ``"nothing to repeat"``.
    fact: str

    #: A rewrite that would do, without a full stop.
    cure: str

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse to change a field; tracebacks and notes are the interpreter's."""
        if name in self.__match_args__ and name in self.__dict__:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super().__setattr__(name, value)

    def __str__(self) -> str:
        """Say the pattern, the place, the fact and the cure in one line."""
        return (
            f"the pattern {quoted(self.source)} cannot be used: {self.fact} "
            f"(at character {self.offset}); {self.cure}"
        )


def quoted(source: str) -> str:
    """
    Spell a pattern in ASCII between quotes, cut to :data:`QUOTED` characters.

    No escape is split, and a cut one says how long the pattern is.
    """
    spelt = ""
    for point in source[:QUOTED]:
        piece = json.dumps(point)[1:-1]
        if len(spelt) + len(piece) > QUOTED:
            break
        spelt += piece
    else:
        if len(source) <= QUOTED:
            return f'"{spelt}"'
    return f'"{spelt}" and so on, {len(source)} characters in all'
