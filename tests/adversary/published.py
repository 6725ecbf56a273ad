"""
Hostile arguments for every published tool, made from what it publishes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from weighbridge import Catalog
from weighbridge.evaluation import Evaluation, WorkPassed
from weighbridge.gate import smallest
from weighbridge.limits import Limits

PUBLISHED = Catalog.bundled()

#: Values to send where each field stands: as many as the limit on nodes allows.
MANY = Limits().nodes - 10

#: Calls of fewer steps are not recorded one by one.
FEW = 10_000

FILLED: dict[str, Any] = {
    "empty objects": [{}] * (MANY // 2),
    "numbers": list(range(MANY // 2)),
    "texts": [f"{at}" for at in range(MANY // 2)],
    "unknown names": {f"k{at}": 1 for at in range(MANY // 4)},
    "lists in lists": [[at] for at in range(MANY // 4)],
}


def hostile() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """A name, the tool, and the arguments: one field at a time, and no field at all."""
    for tool, one in PUBLISHED.tools.items():
        for field in ("nothing", *one.published.get("properties", ())):
            for label, value in FILLED.items():
                own = value if field == "nothing" and type(value) is dict else {field: value}
                yield f"{tool} {field}: {label}", tool, own


def steps_of(tool: str, arguments: dict[str, Any]) -> int:
    """The steps that one published schema takes."""
    evaluation = Evaluation(Limits().work)
    with suppress(WorkPassed):
        smallest(PUBLISHED.tools[tool].root, arguments, evaluation)
    return evaluation.spent


def costly() -> dict[str, int]:
    """The steps of every hostile call that takes many, by its name."""
    counted = {name: steps_of(tool, arguments) for name, tool, arguments in hostile()}
    return {name: steps for name, steps in counted.items() if steps >= FEW}
