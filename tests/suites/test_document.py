"""
What ``docs/held-by.md`` says was counted is what a run, or the recorded one, comes to.
"""

import json
import re

import pytest

from tests.differential.reasons import REASONS
from tests.mutants.__main__ import SEED as MUTANTS_SEED
from tests.suites.apply import DRAFTS, answers
from tests.suites.official import PARTS, outcome, part, question
from tests.support.machine import ROOT

DOCUMENT = (ROOT / "docs" / "held-by.md").read_text("utf-8")
FUZZED = json.loads((ROOT / "tests/differential/recorded.json").read_text("utf-8"))
MUTATED = json.loads((ROOT / "tests/mutants/recorded.json").read_text("utf-8"))
SURVIVORS = json.loads((ROOT / "tests/mutants/survivors.json").read_text("utf-8"))


def table(title):
    """
    The cells of the rows under a heading, without the heads.
    """
    section = DOCUMENT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line[:1] == "|"]
    heads = {number for number, row in enumerate(rows) if set(row[0]) == {"-"}}
    return [row for number, row in enumerate(rows) if not {number, number + 1} & heads]


@pytest.mark.parametrize("draft", DRAFTS)
def test_the_counts_of_the_suite_are_those_of_a_run(draft):
    counted = []
    for name in PARTS:
        asked = part(draft, name)
        told = outcome(asked, answers(question(draft, asked)))
        cases = sum(len(group["tests"]) for _, group in asked)
        counts = (cases, told.right, len(told.otherwise), told.of_refused)
        counted.append([draft, name, *(f"{count:,}" for count in counts)])
    assert [row for row in table("The official suite") if row[0] == draft] == counted


def test_the_counts_beside_other_implementations_are_those_of_the_recorded_run():
    rows = table("Beside other implementations")
    calls = {row[0]: row[2:] for row in rows if row[1] in {"here", "Chromium"}}
    compared = {peer: [f"{count:,}", "0"] for peer, count in FUZZED["compared"].items()}
    assert calls == compared
    assert FUZZED["unexplained"] == 0
    assert min(FUZZED["compared"].values()) >= 50_000
    assert f"seed {FUZZED['seed']}" in DOCUMENT
    assert f"{FUZZED['admitted']:,}" in DOCUMENT


def test_every_reason_stands_in_the_table_with_its_count_of_the_recorded_run():
    counts = {(peer, why): count for peer, why, count in FUZZED["explained"]}
    rows = [row for row in table("Beside other implementations") if row[1] in REASONS]
    assert {(peer, why): int(count.replace(",", "")) for peer, why, _, count in rows} == {
        (peer, why): counts.get((peer, why), 0)
        for why, (peers, _) in REASONS.items()
        for peer in peers
    }


def test_the_counts_of_mutants_are_those_of_the_recorded_run():
    assert MUTATED["seed"] == MUTANTS_SEED
    (said,) = re.findall(
        r"seed (\d+), ([\d,]+) of ([\d,]+) mutants run, ([\d,]+) killed, ([\d,]+) survived",
        DOCUMENT,
    )
    assert [int(number.replace(",", "")) for number in said] == [
        MUTATED[name] for name in ("seed", "run", "of", "killed", "survived")
    ]
    assert MUTATED["killed"] >= 0.9 * MUTATED["run"]


def test_every_survivor_is_listed_with_its_reason():
    listed = {row[0].strip("`").replace("\\|", "|"): row[1] for row in table("Mutants")}
    assert listed == SURVIVORS
    assert all(len(why) > 20 for why in SURVIVORS.values())
