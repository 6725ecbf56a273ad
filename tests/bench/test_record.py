"""
What the page of benchmarks says is what was measured.
"""

import json

import pytest

from tests.bench import calls, growth, record, requests
from tests.bench.paired import Measured, measure


@pytest.fixture(scope="module")
def recorded():
    return json.loads(record.RECORD.read_text("utf-8"))


def test_the_page_is_made_from_the_record_and_no_hand_has_been_there(recorded):
    assert record.PAGE.read_text("utf-8") == record.page(recorded)


def test_so_are_its_plots(recorded):
    drawn = {one.name: one.read_text("utf-8") for one in record.PLOTS.iterdir()}
    assert drawn == record.plots(recorded)


def test_everything_that_is_measured_stands_in_the_record(recorded):
    named = {(one["kind"], one["call"]) for one in recorded["admitting"]}
    assert named == {("admitted", one.name) for one in calls.admitted()} | {
        ("refused", one.name) for one in calls.refused()
    }
    asked = {(one["body"], one["era"]) for one in recorded["requests"]}
    assert asked == {(one.name, era) for one in requests.bodies() for era in requests.ERAS}
    axes = {one["axis"]: [at["at"] for at in one["points"]] for one in recorded["growth"]}
    assert axes == {one.name: list(one.points) for one in growth.AXES}
    assert recorded["page"].keys() == {"first verdict", "second visit", "round trips", "heap"}


def test_the_calls_are_admitted_and_refused_as_they_are_told():
    held = calls.held()
    for case in calls.admitted():
        assert held.catalog.check(case.tool, case.arguments).admitted, case.name
    for case in calls.refused():
        assert held.catalog.check(case.tool, case.arguments).refusal.code == "mismatch", case.name


def test_each_contender_has_a_turn_in_every_round():
    seen = []
    measured = measure({"one": lambda: seen.append(1), "other": lambda: seen.append(2)}, rounds=5)
    assert {name: len(turns) for name, turns in measured.turns.items()} == {"one": 5, "other": 5}
    assert set(seen) == {1, 2}


def test_a_ratio_is_of_turns_of_the_same_round():
    """
    A machine that is three times as slow in one round moves no ratio.
    """
    measured = Measured({"one": [2.0, 6.0, 2.0, 2.0], "other": [1.0, 3.0, 1.0, 1.0]})
    assert measured.ratio("one", "other").as_dict() == {"median": 2.0, "low": 2.0, "high": 2.0}
