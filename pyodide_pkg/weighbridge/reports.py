"""
What the operator learns of verdicts, by a callback or in the log; none of it decides a call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from weighbridge.catalog import Catalog
from weighbridge.envelope import judged
from weighbridge.gate import Verdict
from weighbridge.sources import Source, read, require_source
from weighbridge.telling import note, place, tell

#: Told each verdict, and the candidate's on the same call where there is a candidate.
OnVerdict = Callable[[Verdict, Verdict | None], object]


@dataclass(frozen=True, slots=True)
class Reports:
    """
    What is reported of each call.
    """

    #: Another catalog, or what gives one, by which calls are judged as well.
    candidate: Source | None = None

    #: Whether the catalog itself refuses nothing.
    only: bool = False

    #: Called with the verdicts; without it they go to the log.
    on_verdict: OnVerdict | None = None

    def __post_init__(self) -> None:
        """Hold each choice to its type."""
        if self.candidate is not None:
            require_source("candidate", self.candidate)
        given: object = self.on_verdict
        if given is not None and (not callable(given) or inspect.iscoroutinefunction(given)):
            raise TypeError("on_verdict must be a plain function: nothing is awaited before a call")

    async def read_candidate(self, context: Any) -> Catalog | None:
        """The catalog to judge by as well; None where there is none to be had."""
        if self.candidate is None:
            return None
        try:
            return await read(self.candidate, context)
        except Exception as error:  # noqa: BLE001 - a candidate decides nothing
            tell("there is no candidate to judge a call by: %s", place(error))
            return None

    def tell(self, verdict: Verdict, candidate: Verdict | None) -> None:
        """Report one call."""
        if self.on_verdict is not None:
            try:
                self.on_verdict(verdict, candidate)
            except Exception as error:  # noqa: BLE001 - whatever it is
                tell("on_verdict failed: %s", place(error))
            return
        if self.only and verdict.refusal is not None:
            note("a call to %s would be refused: %s", verdict.tool, verdict.refusal.code)
        if candidate is not None and candidate.admitted != verdict.admitted:
            does = "admits" if candidate.admitted else "refuses"
            note("the candidate %s what the catalog does not: a call to %s", does, verdict.tool)


def by_candidate(candidate: Catalog | None, params: Mapping[str, Any]) -> Verdict | None:
    """What the candidate says of a call; None where it cannot be asked."""
    if candidate is None:
        return None
    try:
        return judged(candidate, params)
    except Exception as error:  # noqa: BLE001 - a candidate decides nothing
        tell("the candidate could not judge a call: %s", place(error))
        return None
