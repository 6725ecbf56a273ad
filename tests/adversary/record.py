"""
Writes down what came of every attack of the corpus: ``python -m tests.adversary.record``.

Run after a weight or a limit was changed on purpose; the difference is what to
read before committing it.
"""

from __future__ import annotations

import json
import random

from tests.adversary.attack import CORPUS, Attack, corpus, outcome
from tests.adversary.genes import candidate
from tests.adversary.published import costly

#: Candidates that the suite draws, by their seeds.
DRAWN = range(60)

#: Attacks whose seconds are kept, the longest: for ``docs/limits.md``.
WORST = 6


def drawn(seed: int) -> Attack:
    """The candidate of one seed, the same on every Python."""
    return candidate(random.Random(seed))


def main() -> None:
    """Judge everything anew and write it down."""
    seconds: dict[str, float] = {}
    for file in ("known.json", "found.json"):
        rows = []
        for row in corpus(file):
            came = outcome(Attack(row["name"], row["schema"], row["arguments"]))
            rows.append({**row, "verdict": came.verdict, "steps": came.steps})
            seconds[row["name"]] = round(came.seconds, 1)
            print(f"{row['name']:60} {came.verdict:10} {came.steps:>9} {came.seconds:.2f}s")
        text = ",\n".join(json.dumps(row) for row in rows)
        (CORPUS / file).write_text(f"[\n{text}\n]\n" if rows else "[]\n", "utf-8")
    worst = sorted(seconds, key=lambda name: -seconds[name])[:WORST]
    measured = {name: seconds[name] for name in worst}
    (CORPUS / "measured.json").write_text(json.dumps(measured, indent=1) + "\n", "utf-8")
    costs = json.dumps(costly(), indent=1)
    (CORPUS / "published.json").write_text(costs + "\n", "utf-8")
    told = []
    for seed in DRAWN:
        came = outcome(drawn(seed))
        told.append([came.verdict, came.steps])
        print(f"seed {seed:<55} {came.verdict:10} {came.steps:>9} {came.seconds:.2f}s")
    (CORPUS / "drawn.json").write_text(json.dumps(told) + "\n", "utf-8")


if __name__ == "__main__":
    main()
