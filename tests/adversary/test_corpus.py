"""
Calls that were made, or found, to cost as much as they can: what each costs is counted.

No test here looks at a clock: the count decides when a verdict ends, and it is
the same in every seat.  ``make adversary`` looks at the clock, and for worse calls.
"""

import pytest

from tests.adversary.attack import Attack, corpus, outcome
from tests.adversary.genes import fitted
from tests.adversary.published import PUBLISHED, costly, hostile
from tests.adversary.record import DRAWN, drawn
from tests.adversary.spelling import build, size
from weighbridge.charge import Charge, charge
from weighbridge.limits import Limits

pytestmark = pytest.mark.no_cover

ROWS = [*corpus("known.json"), *corpus("found.json")]
NAMES = [row["name"] for row in ROWS]


def attack(row):
    return Attack(row["name"], row["schema"], row["arguments"])


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_an_attack_ends_at_its_recorded_step_with_its_recorded_verdict(row):
    came = outcome(attack(row))
    assert (came.verdict, came.steps) == (row["verdict"], row["steps"])
    # Work is what ends a call, and nothing else ends one that costs so much.
    assert (came.verdict == "work") == (came.steps > Limits().work)


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_an_attack_is_inside_every_other_limit(row):
    assert isinstance(charge(build(row["arguments"]), Limits()), Charge)


@pytest.mark.parametrize("seed", DRAWN)
def test_a_drawn_call_takes_the_recorded_steps(seed):
    came = outcome(drawn(seed))
    assert [came.verdict, came.steps] == corpus("drawn.json")[seed]


def test_what_is_drawn_is_admitted_and_refused_and_takes_few_steps_and_many():
    verdicts, counts = zip(*corpus("drawn.json"), strict=True)
    assert {"admitted", "mismatch"} <= set(verdicts)
    assert min(filter(None, counts)) < Limits().work // 10_000
    assert max(counts) > Limits().work // 10


def test_no_two_attacks_have_one_name():
    assert len(set(NAMES)) == len(ROWS)


def test_a_size_is_known_before_anything_is_built():
    for row in ROWS:
        made, wrote = size(row["arguments"])
        cost = charge(build(row["arguments"]), Limits())
        assert isinstance(cost, Charge)
        assert cost.nodes // 3 <= made <= 3 * cost.nodes
        assert wrote >= cost.rendered // 12


def test_a_spelling_that_no_smaller_count_makes_fit_is_given_back():
    """
    It is then no candidate; looking for smaller counts for ever would be worse.
    """
    assert fitted({"~": "list", "n": 3, "of": 1}, nodes=0) == {"~": "list", "n": 0, "of": 1}


def test_hostile_arguments_for_every_published_tool_take_the_recorded_steps():
    assert costly() == corpus("published.json")


def test_every_published_tool_is_attacked_at_every_field():
    asked = {name.split(":")[0] for name, _, _ in hostile()}
    assert asked == {
        f"{tool} {field}"
        for tool, one in PUBLISHED.tools.items()
        for field in ("nothing", *one.published.get("properties", ()))
    }
    assert len(PUBLISHED.tools) == 10
