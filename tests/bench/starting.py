"""
What a process pays before its first call: imports, and the catalog.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from tests.bench.paired import Measured
from tests.support.machine import ROOT

_TIMED = "import time; start = time.perf_counter()\n{}\nprint(time.perf_counter() - start)"


#: What each process does.
DONE = {
    "jsonschema": "import jsonschema",
    "weighbridge": "import weighbridge",
    "weighbridge and its ten tools": "import weighbridge; weighbridge.Catalog.bundled()",
}

#: Processes of each.
ROUNDS = 15


def run(say: Callable[[str], None]) -> list[dict[str, Any]]:
    """Start each process in turn; seconds are its own, without the interpreter's start."""
    say("imports and the catalog")
    turns: dict[str, list[float]] = {name: [] for name in DONE}
    rng = random.Random(1)
    for _ in range(ROUNDS):
        for name in rng.sample(list(DONE), len(DONE)):
            turns[name].append(_seconds(DONE[name]))
    measured = Measured(turns)
    return [
        {
            "what": name,
            "milliseconds": measured.seconds(name) * 1e3,
            "by import jsonschema": measured.ratio(name, "jsonschema").as_dict(),
        }
        for name in DONE
    ]


def _seconds(source: str) -> float:
    answer = subprocess.run(
        [sys.executable, "-c", _TIMED.format(source)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "pyodide_pkg")},
    )
    return float(answer.stdout)
