"""
Source of one function that admits, written line by line; no value of a schema is ever in it.

What a schema says stands in the names that the source is run with.  So a
published text, whatever it holds, is data to the function and never part of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

#: Lines that one plan may have: a schema that would need more is left to the
#: authority.  Ten times what the largest sample tool takes.
MOST_LINES = 4_000

#: Blocks inside one another, and loops among them: CPython compiles up to 100
#: and 20.
MOST_BLOCKS = 80
MOST_LOOPS = 15


class Declined(Exception):
    """
    The schema says something that no plan is written for: the authority decides.
    """


@dataclass(slots=True)
class Writer:
    """
    One function that is being written.
    """

    #: What the source is run with, by name; shared by every function of a plan.
    names: dict[str, object]

    #: What stands where the answer is not "admitted".
    closer: str

    #: Whether values are held to be strict JSON and kept for the charge; where
    #: not, that has been done by another function already.
    covers: bool

    #: Whether characters and nodes are counted as they are met.
    counts: bool

    lines: list[str] = field(default_factory=list)
    blocks: int = 1
    loops: int = 0

    def line(self, text: str) -> None:
        """One line inside the blocks that are open."""
        if len(self.lines) >= MOST_LINES:
            raise Declined
        self.lines.append("    " * self.blocks + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """The lines of one compound statement."""
        loop = head.startswith(("for ", "while "))
        self.line(head)
        self.blocks += 1
        self.loops += loop
        if self.blocks > MOST_BLOCKS or self.loops > MOST_LOOPS:
            raise Declined
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.blocks -= 1
        self.loops -= loop

    def refuse_if(self, condition: str) -> None:
        """Leave, not admitting, where the condition holds."""
        self.line(f"if {condition}: {self.closer}")

    def constant(self, value: object) -> str:
        """A name for something that the schema says."""
        name = f"C{len(self.names)}"
        self.names[name] = value
        return name

    def fresh(self) -> str:
        """A variable that nothing else uses."""
        name = f"v{len(self.names)}"
        self.names[name] = None
        return name

    def beside(self) -> Writer:
        """The same function, where values have been covered already."""
        return Writer(
            self.names,
            self.closer,
            covers=False,
            counts=False,
            lines=self.lines,
            blocks=self.blocks,
            loops=self.loops,
        )
