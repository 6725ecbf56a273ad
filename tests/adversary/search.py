"""
Looks for the call that costs the most: seeded, by mutation, for as long as it is told.

``make adversary`` runs it.  A candidate is a schema and arguments, spelled; it
counts only when the arguments are inside every limit but ``work``.  Three kinds
of cost are sought, each by climbs of its own: seconds of a whole verdict, seconds
a counted step, and bytes held above the arguments.  What comes near the worst
seen is printed as JSON, ready for ``corpus/found.json``.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import signal
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

from tests.adversary.attack import TOOL, Attack, corpus, steps
from tests.adversary.genes import candidate, mutated
from tests.adversary.spelling import build
from weighbridge.charge import Charge, charge
from weighbridge.limits import Limits

#: Seconds of processor time after which a candidate is stopped and told as it is.
STOPPED = 20

#: Candidates that a climb tries in vain before it starts anew.
PATIENCE = 12

#: Steps below which a rate of seconds a step says nothing.
FEW = 20_000


class Stopped(BaseException):
    """A candidate takes longer than anything may."""


def main() -> int:
    """Search, print what was found; 1 where a bound is passed."""
    options = _options()
    rng = random.Random(options.seed)
    signal.signal(signal.SIGPROF, _stop)
    known = [
        Attack(row["name"], row["schema"], row["arguments"])
        for file in ("known.json", "found.json")
        for row in corpus(file)
    ]
    best: dict[str, list[tuple[float, Attack]]] = {}
    ends = time.monotonic() + options.seconds
    costs: dict[str, Callable[[Attack], float | None]] = {
        "seconds": seconds_of,
        "rate": rate_of,
        "memory": memory_of,
    }
    tried = 0
    while time.monotonic() < ends:
        kind = rng.choice([kind for kind in costs if kind in options.kinds])
        here = rng.choice(known) if rng.random() < 0.3 else candidate(rng)
        worst = costs[kind](here) or 0.0
        vain = 0
        while vain < PATIENCE and time.monotonic() < ends:
            other = mutated(rng, here)
            cost = costs[kind](other)
            tried += 1
            if cost is not None and cost > worst * 1.02:
                here, worst, vain = other, cost, 0
            else:
                vain += 1
        found = best.setdefault(kind, [])
        found.append((worst, here))
        found.sort(key=lambda one: -one[0])
        del found[options.keep :]
        if found[0][1] is here:
            print(f"{tried} tried, {kind}: {worst:.3g}", file=sys.stderr, flush=True)
    print(json.dumps(_told(best), indent=1, ensure_ascii=True))
    return int(
        any(
            one["cost"] > options.bounds[kind]
            for kind, found in _told(best).items()
            for one in found
        )
    )


def _told(best: dict[str, list[tuple[float, Attack]]]) -> dict[str, list[dict[str, Any]]]:
    return {
        kind: [
            {"cost": round(cost, 9), "schema": one.schema, "arguments": one.arguments}
            for cost, one in found
        ]
        for kind, found in best.items()
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make adversary", description=main.__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600, help="of the clock; default 600")
    parser.add_argument("--keep", type=int, default=8, help="the worst of each kind; default 8")
    parser.add_argument("--kinds", default="seconds,rate,memory")
    options = parser.parse_args()
    # Twice what is promised: a shared machine is noisy.
    options.bounds = {"seconds": 2.0, "rate": 2e-6, "memory": 64 * 2**20}
    return options


def _stop(_signal: int, _frame: Any) -> None:
    raise Stopped


def _ready(attack: Attack) -> tuple[Any, Any] | None:
    """The catalog and the arguments of a candidate that counts."""
    try:
        catalog = attack.catalog()
        if TOOL not in catalog.tools:
            return None
        arguments = build(attack.arguments)
    except (MemoryError, OverflowError, KeyError, TypeError, ValueError, AttributeError):
        return None
    if type(arguments) is not dict or not isinstance(charge(arguments, Limits()), Charge):
        return None
    return catalog, arguments


def _timed(run: Callable[[], Any]) -> float:
    gc.collect()
    signal.setitimer(signal.ITIMER_PROF, STOPPED)
    started = time.process_time()
    try:
        run()
    except Stopped:
        return float(STOPPED)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return time.process_time() - started


def seconds_of(attack: Attack) -> float | None:
    """Processor seconds of a whole verdict; None for a candidate that does not count."""
    ready = _ready(attack)
    if ready is None:
        return None
    catalog, arguments = ready
    taken = _timed(lambda: catalog.check(TOOL, arguments))
    # What looks bad is asked again: the smaller of two is less noise.
    return min(taken, _timed(lambda: catalog.check(TOOL, arguments))) if taken > 0.5 else taken


def rate_of(attack: Attack) -> float | None:
    """Processor seconds a step of the schema alone."""
    ready = _ready(attack)
    if ready is None:
        return None
    catalog, arguments = ready
    counted: list[int] = []
    taken = _timed(lambda: counted.append(steps(catalog, arguments)))
    if not counted:
        return taken / FEW
    return taken / max(counted[0], FEW)


def memory_of(attack: Attack) -> float | None:
    """Bytes at the peak of a verdict, above what was there before it."""
    ready = _ready(attack)
    if ready is None:
        return None
    catalog, arguments = ready
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        _timed(lambda: catalog.check(TOOL, arguments))
        return float(tracemalloc.get_traced_memory()[1] - before)
    finally:
        tracemalloc.stop()


if __name__ == "__main__":
    sys.exit(main())
