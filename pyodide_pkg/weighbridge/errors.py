"""
What can go wrong while a catalog loads, each way a record that says its cure.

An error is for the operator and is raised; a refusal is for the caller and is
returned.  Nothing in this module is ever raised by a call.
"""

from __future__ import annotations

from dataclasses import dataclass

from weighbridge.characters import fragment

#: Characters of one fact taken from a file that a message may quote.
QUOTED = 240


# Not frozen: contextlib sets the traceback of an exception that passes through it.
@dataclass(eq=False)
class CatalogError(Exception):
    """
    A catalog that cannot be used, as one fact: which file, where, what, and the cure.

    One error fails the whole catalog: half a contract is not a contract.
    """

    #: The file name, or the tool name for a catalog that came over the wire.
    file: str

    #: A JSON Pointer into the file; ``""`` is the whole file.
    place: str

    #: What is wrong there, without any value of a caller.
    fact: str

    #: What to do about it.
    cure: str

    def __str__(self) -> str:
        """Say the file, the place, the fact and the cure in one line."""
        where = fragment(self.file, QUOTED)
        if self.place:
            where += f" at {fragment(self.place, QUOTED)}"
        return f"{where}: {bounded(self.fact)}. {self.cure}."


def named(name: str, most: int = 120) -> str:
    """
    A name taken from a file, as a fact quotes it: escaped, cut, between marks.
    """
    return f"'{fragment(name, most, quote=chr(39))}'"


def bounded(text: str, most: int = QUOTED) -> str:
    """
    Cut ``text`` to ``most`` characters, saying so when it was longer.
    """
    if len(text) <= most:
        return text
    return text[: most - 3] + "..."
