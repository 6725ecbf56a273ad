"""
One call against one schema, and what judging it takes.

Steps are counted, so they are the same everywhere and can be compared with what
was recorded; seconds are only looked at by the search.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.adversary.spelling import build
from weighbridge import Catalog
from weighbridge.evaluation import Evaluation, WorkPassed
from weighbridge.gate import smallest

CORPUS = Path(__file__).with_name("corpus")

TOOL = "attack"


@dataclass(frozen=True, slots=True)
class Attack:
    """
    A schema and the arguments sent against it, spelled.
    """

    name: str
    schema: Any
    arguments: Any

    def catalog(self) -> Catalog:
        """A foreign catalog of this one tool; a tool that is not usable is listed so."""
        schema = {"type": "object", **build(self.schema)}
        return Catalog.from_tools([{"name": TOOL, "inputSchema": schema}])


@dataclass(frozen=True, slots=True)
class Outcome:
    """
    What came of one attack: the verdict in a word, and the steps of the schema.
    """

    #: ``admitted``, the limit that is passed, or the refusal's code.
    verdict: str

    #: Steps counted when the evaluation ended, at most one keyword past the limit.
    steps: int

    #: Seconds of this process's processor time: the whole verdict.
    seconds: float


def outcome(attack: Attack) -> Outcome:
    """
    Judge one attack at the value door.
    """
    catalog = attack.catalog()
    if TOOL not in catalog.tools:
        return Outcome("unusable", 0, 0.0)
    arguments = build(attack.arguments)
    started = time.process_time()
    verdict = catalog.check(TOOL, arguments)
    seconds = time.process_time() - started
    refusal = verdict.refusal
    word = "admitted" if refusal is None else refusal.limit or str(refusal.code)
    reached = word in ("admitted", "mismatch", "work")
    return Outcome(word, steps(catalog, arguments) if reached else 0, seconds)


def steps(catalog: Catalog, arguments: Any) -> int:
    """The steps that the schema takes on these arguments."""
    tool = catalog.tools[TOOL]
    evaluation = Evaluation(tool.limits.work)
    with suppress(WorkPassed):
        smallest(tool.root, arguments, evaluation)
    return evaluation.spent


def corpus(file: str) -> Any:
    """The recorded attacks of one file, with what came of each."""
    return json.loads((CORPUS / file).read_text("utf-8"))
