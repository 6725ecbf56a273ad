"""
Calls a second of several copies of a server, with the gate and without, under one fixed load.
"""

from __future__ import annotations

import contextlib
import random
import statistics
import threading
import time
from collections.abc import Callable
from typing import Any

from tests.bench.calls import text_of
from tests.bench.paired import Measured
from tests.bench.requests import Caller, both, caller
from tests.server.wire import NEWEST

#: Copies of the server; each has a client of its own.
WORKERS = (1, 2, 4)

#: Rounds, and calls of each client in one.
ROUNDS = 9
CALLS = 120

#: The mix: mostly small calls, some text, some rows.
MIX: tuple[dict[str, Any], ...] = (
    {"text": "retry"},
    {"text": "retry policy", "rows": [{"a": 1, "b": True}]},
    {"text": text_of(10_000)},
    {"rows": [{"a": at, "b": False} for at in range(200)]},
)


def run(say: Callable[[str], None]) -> list[dict[str, Any]]:
    """Measure the same load on so many copies."""
    told = []
    for workers in WORKERS:
        say(f"throughput: {workers} copies")
        with contextlib.ExitStack() as stack:
            pairs = [stack.enter_context(both()) for _ in range(workers)]
            clients = {
                name: [[caller(pair[name].port, NEWEST, one) for one in MIX] for pair in pairs]
                for name in pairs[0]
            }
            told.append({"copies": workers, **_measured(clients)})
            for several in clients.values():
                for callers in several:
                    for one in callers:
                        one.connection.close()
    return told


def _measured(clients: dict[str, list[list[Caller]]]) -> dict[str, Any]:
    rng = random.Random(1)
    seconds: dict[str, list[float]] = {name: [] for name in clients}
    late: dict[str, list[float]] = {name: [] for name in clients}
    for _ in range(ROUNDS + 1):
        for name in rng.sample(list(clients), len(clients)):
            spent, calls = _load(clients[name])
            seconds[name].append(spent / len(calls))
            late[name].append(statistics.quantiles(calls, n=100)[98])
    for turns in (*seconds.values(), *late.values()):
        # The first round finds cold caches, and plans that are not written yet.
        del turns[0]
    each, worst = Measured(seconds), Measured(late)
    return {
        "calls a second": {name: 1 / each.seconds(name) for name in clients},
        "p99 milliseconds": {name: worst.seconds(name) * 1e3 for name in clients},
        "seconds a call": each.ratio("gate", "empty middleware").as_dict(),
        "p99": worst.ratio("gate", "empty middleware").as_dict(),
    }


def _load(clients: list[list[Caller]]) -> tuple[float, list[float]]:
    """Every client's calls at once: seconds in all, and of each call."""
    calls: list[float] = []

    def client(callers: list[Caller]) -> None:
        for at in range(CALLS):
            start = time.perf_counter()
            callers[at % len(callers)]()
            calls.append(time.perf_counter() - start)

    threads = [threading.Thread(target=client, args=(callers,)) for callers in clients]
    start = time.perf_counter()
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return time.perf_counter() - start, calls
