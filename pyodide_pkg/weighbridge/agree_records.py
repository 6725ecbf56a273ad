"""
What comes of asking both sides, as data: differences, what stands outside, what was asked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from weighbridge.agree_shapes import Place, pointer

#: Characters of a witness that a line shows; the data has it whole.
SHOWN: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """
    One way in which a handler and its published schema do not agree.
    """

    #: The tool's name; ``catalog.json`` for a record that nothing needs.
    tool: str

    #: ``enum-narrower``, ``handler-lacks``, ``handler-refuses``, ``no-call``,
    #: ``no-handler``, ``read-as-json``, ``required-apart`` or ``stale-exception``.
    rule: str

    #: Where in the published form.
    place: Place = ()

    #: What is so, in plain words.
    fact: str

    #: What to do about it.
    cure: str

    #: Arguments that show it, as small as they could be made; None where there are none.
    witness: Mapping[str, Any] | None = None

    #: Why it stays, from ``catalog.json``; ``""`` where nobody says so.
    reason: str = ""

    def __str__(self) -> str:
        """Say tool, fact, witness and cure, or the reason it is kept for, in one line."""
        where = f" at {pointer(self.place)}" if self.place else ""
        shown = "" if self.witness is None else f" Witness: {shortened(self.witness)}."
        end = f"Recorded: {self.reason}" if self.reason else self.cure
        return f"{self.tool}{where}: {self.fact}.{shown} {end} ({self.rule})"

    def as_dict(self) -> dict[str, Any]:
        """The difference as JSON values."""
        return {
            "tool": self.tool,
            "rule": self.rule,
            "place": pointer(self.place),
            "fact": self.fact,
            "cure": self.cure,
            "witness": None if self.witness is None else dict(self.witness),
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """
    What the relation does not speak of, as it was found on the two sides.
    """

    #: Where a derived schema refuses unknown keys, by tool.  What a derived schema
    #: does not close, the published one closes alone.
    closures: Mapping[str, tuple[str, ...]]

    #: Keywords of the derived schemas that say nothing of a value: titles, ``$defs``.
    silent: frozenset[str]

    #: Optional fields of a shared schema that no handler of the server has.
    unread: frozenset[str]

    #: Parameters whose words the handler's code lists and the schema does not, with
    #: the tools.
    vocabulary: Mapping[str, tuple[str, ...]]

    #: Places, by tool, where a model refuses an integral float from 2**63 on and takes
    #: the same number as an integer.
    floats: Mapping[str, tuple[str, ...]]

    #: Tools of the server that nothing is published for: the gate refuses their calls.
    unpublished: frozenset[str]

    def as_dict(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {
            "closures": {name: list(at) for name, at in self.closures.items()},
            "silent": sorted(self.silent),
            "unread": sorted(self.unread),
            "vocabulary": {name: list(tools) for name, tools in self.vocabulary.items()},
            "floats": {name: list(at) for name, at in self.floats.items()},
            "unpublished": sorted(self.unpublished),
        }


@dataclass(frozen=True, slots=True)
class Judged:
    """
    What of one tool was put to both sides.
    """

    #: Calls that the gate was asked about.
    calls: int = 0

    #: Those of them that it admitted, so that the handler's model was asked.
    admitted: int = 0

    #: Those of them that the model took.
    taken: int = 0

    #: Places that the published schema describes, the arguments object left out.
    places: int = 0

    #: Those of them that some generated call had a value at.
    reached: int = 0

    def as_dict(self) -> dict[str, int]:
        """The same as JSON values."""
        return {
            "calls": self.calls,
            "admitted": self.admitted,
            "taken": self.taken,
            "places": self.places,
            "reached": self.reached,
        }


def shortened(arguments: Mapping[str, Any]) -> str:
    """Arguments as JSON text, cut where a line would be too long."""
    text = json.dumps(arguments, sort_keys=True)
    if len(text) <= SHOWN:
        return text
    return f"{text[:SHOWN]}... ({len(text)} characters)"
