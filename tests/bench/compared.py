"""
Two commits held against each other: every call by both, in turns, and what moved.

Each commit answers in a process of its own, told when it has the turn; a pair of
turns is compared with itself alone, so the machine's noise is in both.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tests.bench.paired import Measured
from tests.support.machine import ROOT

#: Pairs of turns.
ROUNDS = 25

#: A difference is told when the quartiles of the ratio lie on one side of 1, and
#: the median is farther from it than this.
MOVED = 0.03

#: Answers ``name count`` with seconds a call; what it measures is in this file's
#: own checkout, and the package in the one that PYTHONPATH names.
_SIDE = """
import sys, time
from tests.bench import calls
from weighbridge import Catalog
held = {}
for kind, cases in (("admitted", calls.admitted()), ("refused", calls.refused())):
    for case in cases:
        own = calls.OWN.get(case.tool)
        catalog = Catalog.bundled() if own is None else Catalog.from_tools(
            [{"name": case.tool, "inputSchema": own}])
        held[f"{kind}: {case.name}"] = (catalog, case.tool, case.arguments)
for line in sys.stdin:
    name, _, count = line.strip().rpartition(" ")
    catalog, tool, arguments = held[name]
    start = time.perf_counter()
    for _ in range(int(count)):
        catalog.check(tool, arguments)
    print((time.perf_counter() - start) / int(count), flush=True)
"""

#: Calls in a turn: about five milliseconds of each.
CALLS = {
    "admitted: small search call": 2_000,
    "admitted: 10 KB write": 1_000,
    "admitted: 1,000 objects": 3,
    "admitted: nested, ten levels": 400,
    "refused: unknown key": 40,
    "refused: name missing, one type wrong": 50,
    "refused: one object of 1,000 wrong": 1,
    "refused: one tag wrong, nested": 20,
}


def told(other: Path, say: Callable[[str], None]) -> str:
    """What moved between the checkout at ``other`` and this one, as JSON."""
    with ExitStack() as stack:
        sides = {
            "this": stack.enter_context(_process(ROOT)),
            "other": stack.enter_context(_process(other)),
        }
        found = {name: _paired(sides, name, say) for name in CALLS}
        for one in sides.values():
            assert one.stdin is not None
            one.stdin.close()
    return json.dumps(found, indent=1)


def _process(checkout: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _SIDE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{checkout.resolve() / 'pyodide_pkg'}:{ROOT}"},
    )


def _paired(
    sides: dict[str, subprocess.Popen[str]], name: str, say: Callable[[str], None]
) -> dict[str, object]:
    say(name)
    rng = random.Random(1)
    turns: dict[str, list[float]] = {side: [] for side in sides}
    for _ in range(ROUNDS + 1):
        for side in rng.sample(list(sides), len(sides)):
            turns[side].append(_turn(sides[side], name))
    for each in turns.values():
        del each[0]
    ratio = Measured(turns).ratio("this", "other")
    beyond = ratio.low > 1 or ratio.high < 1
    moved = beyond and abs(ratio.median - 1) > MOVED
    said = ("slower" if ratio.median > 1 else "faster") if moved else "within noise"
    return {"this by the other": ratio.as_dict(), "said": said}


def _turn(side: subprocess.Popen[str], name: str) -> float:
    assert side.stdin is not None
    assert side.stdout is not None
    print(f"{name} {CALLS[name]}", file=side.stdin, flush=True)
    return float(side.stdout.readline())
