"""
Steps and texts held against a clock: ``make steps``, on a machine that does little else.

The suite counts, and says the same everywhere; here what a step may take is
measured, and what a text of the body limit takes at the text door.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from tests.adversary.attack import CORPUS
from tests.bounds.test_text_nodes import OPEN, TOOL, UNITS, filled
from tests.catalogs import foreign
from tests.test_formats import WORST
from tests.test_patterns import HOSTILE, LIKELY, LONG
from tests.test_work import GROWING
from weighbridge import patterns
from weighbridge.evaluation import Evaluation, WorkPassed
from weighbridge.formats import FORMATS
from weighbridge.gate import smallest
from weighbridge.limits import Limits
from weighbridge.text import Parsed, loads

#: Microseconds that a step may take, of a format, a pattern and a schema: four times
#: what an idle core of 2020 or so takes, twenty for a schema of nothing but sets.
A_STEP = 4
OF_A_SCHEMA = 20

#: Microseconds in which a pattern is compiled or refused.
COMPILED = 250_000

RECORDED = CORPUS / "texts.json"


def microseconds(run: Callable[[], object], times: int = 3) -> float:
    """The least time of this thread that a call takes."""

    def once() -> float:
        start = time.thread_time_ns()
        run()
        return (time.thread_time_ns() - start) / 1_000

    return min(once() for _ in range(times))


def late() -> Iterator[str]:
    """What takes longer than its steps allow."""
    for name, worst in WORST.items():
        for text in worst:
            took = microseconds(lambda: FORMATS[name].conforms(text))  # noqa: B023
            if took > A_STEP * FORMATS[name].steps(len(text)):
                yield f"format {name}, {text[:20]!r}: {took:,.0f} us"
    for source in LIKELY:
        pattern = patterns.compile(source)
        for text in LONG:
            took = microseconds(lambda: pattern.search(text))  # noqa: B023
            if took > A_STEP * pattern.steps(len(text)):
                yield f"pattern {source[:30]}, {text[:4]!r}: {took:,.0f} us"
    for source in HOSTILE:
        took = microseconds(lambda: _compiled(source))  # noqa: B023
        if took > COMPILED:
            yield f"pattern {source[:30]} is compiled in {took:,.0f} us"
    for name, made in GROWING.items():
        schema, arguments = made(20_000)
        root = foreign({"type": "object", **schema}).tools["t"].root
        evaluation = Evaluation(10**9)
        took = microseconds(lambda: smallest(root, arguments, evaluation), 1)  # noqa: B023
        if took > OF_A_SCHEMA * evaluation.spent:
            yield f"schema of {name}: {took / evaluation.spent:.1f} us a step"


def _compiled(source: str) -> None:
    with suppress(patterns.UnusablePattern):
        patterns.compile(source)


def texts() -> dict[str, list[float]]:
    """Seconds of a text of the body limit: parsed and walked, and at the text door."""
    found = {}
    for name, unit in UNITS.items():
        text = filled(unit, Limits().text)

        def parsed(text: str = text) -> None:
            read: Any = loads(text)
            assert isinstance(read, Parsed)
            OPEN.check(TOOL, read.value)

        door = microseconds(lambda: OPEN.check_text(TOOL, text), 1)  # noqa: B023
        found[name] = [round(microseconds(parsed, 1) / 1e6, 1), round(door / 1e6, 1)]
        print(name, *found[name])
    return found


def main() -> int:
    """Measure, record the texts, say what is late; 1 where anything is."""
    RECORDED.write_text(json.dumps(texts(), indent=1) + "\n", "utf-8")
    found = list(late())
    print(*found or ["no step takes longer than it may"], sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    with suppress(WorkPassed):
        sys.exit(main())
