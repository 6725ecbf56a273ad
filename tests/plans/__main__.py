"""
Random calls judged with a plan and without: ``make plans`` runs 100,000 of them.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from tests.plans.compared import CALLS, compare

#: Schemas between two lines about how far it is.
ROUND = 250


def main() -> int:
    """Compare, say what came of it, and end with 1 where bytes differ."""
    options = argparse.ArgumentParser(prog="python -m tests.plans", description=__doc__)
    options.add_argument("--calls", type=int, default=100_000, help="calls to judge at least")
    options.add_argument("--seed", type=int, default=1, help="of the first round")
    given = options.parse_args()
    calls: Counter[str] = Counter()
    schemas: Counter[str] = Counter()
    seed = given.seed
    while calls.total() < given.calls:
        tally = compare(seed, min(ROUND, (given.calls - calls.total()) // CALLS + 1))
        calls += tally.calls
        schemas += tally.schemas
        if tally.differing:
            print(f"seed {seed}: {len(tally.differing)} differ; the first:\n{tally.differing[0]!r}")
            return 1
        print(f"{calls.total()} calls, none differs", file=sys.stderr, flush=True)
        seed += 1
    print(", ".join(f"{name}: {count}" for name, count in sorted(calls.items())))
    print("schemas: " + ", ".join(f"{count} {name}" for name, count in sorted(schemas.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
