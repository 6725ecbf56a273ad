"""
Makes the gate wrong in one place at a time, and counts what the fast tests notice.

    python -m tests.mutants [--seed N] [--cpu SECONDS] [--modules charge,text] [--all] [--share I/N]

A sample is drawn by the seed and run until the CPU seconds are spent. Whatever
survives a first showing is shown to every test that reaches its line.
Results stand in ``.build/mutants``; a survivor that ``survivors.json`` does not
explain is a failure.
"""

import argparse
import hashlib
import json
import os
import random
import sys
from collections import Counter
from pathlib import Path

from tests.mutants.reach import Reach
from tests.mutants.sites import Mutant, applied, mutants
from tests.mutants.zygote import PACKAGE, Finder, Only, forked, tests
from tests.support.machine import ROOT

SEED = 20_261_201

MODULES = (
    *("charge", "characters", "text", "syntax"),
    *("patterns", "assertions", "applicators", "evaluation", "equality", "multiples"),
    *("wording", "expected", "answers", "refusal", "nearest", "gate"),
)

#: Quick enough to be asked about every mutant, and wide enough to notice most.
FAST = (
    "test_charge.py",
    "test_characters.py",
    "test_text.py",
    "test_syntax.py",
    "test_keywords.py",
    "test_gate.py",
    "test_refusal.py",
    "test_leaks.py",
    "test_patterns.py",
    "test_work.py",
    "parity/test_table.py",
    "mutants/test_gaps.py",
    "test_official_suite.py",
)

#: Tests slower than this many CPU seconds with few examples are not asked.
SLOW = 2.0

#: Tests of a mutant's first showing; the second has all that reach its line.
FIRST = 15

#: Generated examples a test, on the first showing and on the second.
FEW = 20
MORE = 40

OUT = ROOT / ".build" / "mutants"
EXPLAINED = Path(__file__).with_name("survivors.json")


def of_sources() -> str:
    """A digest of the package and of the fast tests."""
    files = [*PACKAGE.glob("*.py"), *(ROOT / "tests" / one for one in FAST)]
    return hashlib.sha256(b"".join(file.read_bytes() for file in sorted(files))).hexdigest()


def reached() -> dict[str, dict]:
    """What each fast test reaches, measured once for the present sources and kept."""
    kept = OUT / "reach.json"
    present = of_sources()
    if kept.exists() and (found := json.loads(kept.read_text()))["of"] == present:
        return found
    fast = [f"tests/{one}" for one in FAST]

    def measure() -> int:
        plugin = Reach()
        tests(fast, FEW, [plugin], OUT / "reach.log", None)
        kept.write_text(json.dumps({"of": present, **plugin.as_dict()}))
        return 0

    # Watching costs memory, and tests that measure memory may fail under it: what
    # must pass is the same run unwatched.
    watched, _ = forked(900, measure)
    plain, _ = forked(900, lambda: tests(fast, FEW, [], OUT / "plain.log", None))
    if watched or plain:
        sys.exit(f"the fast tests fail without any mutant; see {OUT / 'plain.log'}")
    return json.loads(kept.read_text())


class Showings:
    """
    Shows mutants to tests: those that reach the line, or all for what runs at import.

    The quickest come first, and before them those that have told many mutants.
    """

    def __init__(self, reach: dict[str, dict], sources: dict[str, str]) -> None:
        """Nothing is spent yet, and no test has told anything."""
        self._sources = sources
        self._seconds = {test: took for test, took in reach["seconds"].items() if took < SLOW}
        names = list(reach["seconds"])
        self._lines = {
            line: [names[number] for number in numbers] for line, numbers in reach["lines"].items()
        }
        # The table is worth asking early, before anything is known.
        self._told = Counter(dict.fromkeys((one for one in names if "test_table" in one), 2))
        self.spent = 0.0

    def survives(self, mutant: Mutant) -> bool:
        """Whether every test passes that is asked."""
        of_line = self._lines.get(f"{mutant.module}:{mutant.line}", [])
        asked = [test for test in of_line or self._seconds if self._seconds.get(test, SLOW) < SLOW]
        asked.sort(key=lambda test: (self._seconds[test] + 0.02) / (1 + 9 * self._told[test]))
        change = Finder(mutant.module, applied(self._sources[mutant.module], mutant))
        return all(
            self._passes(shown, most, change)
            for shown, most in ((asked[:FIRST], FEW), (asked, MORE))
            if shown
        )

    def _passes(self, shown: list[str], most: int, change: Finder) -> bool:
        log = OUT / f"last-{os.getpid()}.log"
        files = list(dict.fromkeys(test.partition("::")[0] for test in shown))
        code, seconds = forked(90, lambda: tests(files, most, [Only(shown)], log, change))
        self.spent += seconds
        for line in log.read_text("utf-8", "replace").splitlines():
            if line.startswith("FAILED "):
                self._told[line.removeprefix("FAILED ").partition(" - ")[0]] += 1
        # Whatever is not a clean pass, an import that breaks or a run without end
        # among it, has been noticed.
        return code == 0


def main() -> int:
    """
    Run the sample; 1 if anything survives that is not explained.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--cpu", type=float, default=900, help="seconds of CPU to spend")
    parser.add_argument("--modules", default=",".join(MODULES))
    parser.add_argument("--share", default="0/1", help="I/N: each N-th mutant, from the I-th on")
    parser.add_argument("--resume", action="store_true", help="go on after the results so far")
    parser.add_argument("--all", action="store_true", help="every mutant, whatever it costs")
    options = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    sources = {name: (PACKAGE / f"{name}.py").read_text() for name in options.modules.split(",")}
    every = [mutant for name, source in sources.items() for mutant in mutants(name, source)]
    sample = list(every)
    random.Random(options.seed).shuffle(sample)
    first, _, step = options.share.partition("/")
    sample = sample[int(first) :: int(step)]
    showings = Showings(reached(), sources)
    explained = json.loads(EXPLAINED.read_text())
    kept = OUT / f"results-{first}.jsonl"
    done = kept.read_text().splitlines() if options.resume and kept.exists() else []
    lines = [json.loads(line) for line in done]
    survivors = [m for m, told in zip(sample, lines, strict=False) if told["survived"]]
    run = len(lines)
    with kept.open("a" if run else "w") as results:
        for mutant in sample[run:]:
            if showings.spent > options.cpu and not options.all:
                break
            alive = showings.survives(mutant)
            run += 1
            survivors += [mutant] if alive else []
            told = {"mutant": mutant.name, "line": mutant.line, "survived": alive}
            results.write(json.dumps(told) + "\n")
            results.flush()
    unexplained = [mutant for mutant in survivors if mutant.name not in explained]
    for mutant in unexplained:
        print(f"survived, unexplained: {mutant.module}.py:{mutant.line} {mutant.name}")
    killed = run - len(survivors)
    print(
        f"seed {options.seed}: {run} of {len(every)} mutants run, {killed} killed "
        f"({killed / max(run, 1):.1%}), {len(survivors)} survived, "
        f"{len(unexplained)} of them unexplained; {showings.spent:.0f} CPU seconds"
    )
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
