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
from tests.adversary.genes import candidate, crossed, mutated
from tests.adversary.spelling import build
from weighbridge.charge import Charge, charge
from weighbridge.limits import Limits

#: Seconds of processor time after which a candidate is stopped and told as it is.
STOPPED = 20

#: How often a parent is one of the worst so far, how often two attacks are made one,
#: and how often a parent is of the corpus; else the candidate is new.
WORST, CROSSED, KNOWN = 0.45, 0.15, 0.25

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
    worst: dict[str, list[tuple[float, Attack]]] = {kind: [] for kind in COSTS}
    ends = time.monotonic() + options.seconds
    tried = 0
    while time.monotonic() < ends:
        kind = rng.choice(sorted(COSTS))
        kept = worst[kind]
        parent, one = _next(rng, kept, known)
        cost = COSTS[kind](one)
        tried += 1
        if cost is None:
            continue
        if parent is not None and cost > parent[0]:
            # A child that is worse stands for its parent: no family fills the list.
            kept.remove(parent)
        kept.append((cost, one))
        kept.sort(key=lambda each: -each[0])
        del kept[options.keep :]
        if kept[0][1] is one:
            print(f"{tried} tried, {kind}: {cost:.3g}", file=sys.stderr, flush=True)
    print(json.dumps(_told(worst), ensure_ascii=True))
    passed = [kind for kind, kept in worst.items() if kept and kept[0][0] > BOUNDS[kind]]
    for kind in passed:
        print(f"{kind} passes {BOUNDS[kind]:g}: {worst[kind][0][0]:g}", file=sys.stderr)
    return int(bool(passed))


def _next(
    rng: random.Random, kept: list[tuple[float, Attack]], known: list[Attack]
) -> tuple[tuple[float, Attack] | None, Attack]:
    """The parent, where it is one of the worst so far, and the candidate to try."""
    drawn = rng.random()
    if kept and drawn < WORST:
        parent = rng.choice(kept)
        return parent, mutated(rng, parent[1])
    if drawn < WORST + CROSSED:
        return None, crossed(rng.choice(known), rng.choice([*known, *(one for _, one in kept)]))
    if drawn < WORST + CROSSED + KNOWN:
        return None, mutated(rng, rng.choice(known))
    return None, candidate(rng)


def _told(worst: dict[str, list[tuple[float, Attack]]]) -> list[dict[str, Any]]:
    return [
        {"sought": kind, "cost": cost, "schema": one.schema, "arguments": one.arguments}
        for kind, kept in worst.items()
        for cost, one in kept
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make adversary", description=main.__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600, help="of the clock; default 600")
    parser.add_argument("--keep", type=int, default=8, help="the worst of each kind; default 8")
    return parser.parse_args()


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


COSTS: dict[str, Callable[[Attack], float | None]] = {
    "seconds": seconds_of,
    "rate": rate_of,
    "memory": memory_of,
}

#: What no call may take. Seconds are twice what is promised: machines are shared.
BOUNDS = {"seconds": 2.0, "rate": 2e-6, "memory": 64 * 2**20}


if __name__ == "__main__":
    sys.exit(main())
