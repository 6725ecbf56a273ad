"""
What is smaller, and that the smallest is found that something is true of.
"""

import json
import random

import pytest

from weighbridge.instances import value as drawn
from weighbridge.shrinking import shrunk, weight_of

ORDER = [
    *(None, False, True, 0, 1, -1, 12, 10**30, 0.5, "", "a", "b", "aa", [], {}),
    *([None], [0], [""], {"": None}, {"a": None}, ["", ""]),
    *({"a": [None]}, {"a": None, "b": None}),
]

BACKWARDS = ORDER[::-1]

BEGINNING = {
    "name": "Bz5xv\t_\u200b",
    "tags": ["x" * 300, "", "needle in here", None, 7.0],
    "deep": {"list": [{"n": 4_611_686_018_427_387_904, "f": 3.5}, True]},
    "flag": True,
}


def test_values_have_one_order_and_fewer_come_first():
    assert sorted(BACKWARDS, key=weight_of) == ORDER


def tags(one):
    """
    The list of tags of something, where it has one.
    """
    found = one.get("tags") if isinstance(one, dict) else None
    return found if isinstance(found, list) else []


@pytest.mark.parametrize(
    ("holds", "smallest"),
    [
        (lambda one: True, None),
        (lambda one: isinstance(one, dict), {}),
        (lambda one: isinstance(one, dict) and "flag" in one, {"flag": None}),
        (lambda one: any("needle" in str(tag) for tag in tags(one)), {"tags": ["needle"]}),
        (lambda one: len(tags(one)) > 2, {"tags": [None, None, None]}),
        (lambda one: "4611686018427387904" in json.dumps(one), 2**62),
    ],
)
def test_the_smallest_value_is_found_wherever_it_began(holds, smallest):
    assert holds(BEGINNING)
    assert shrunk(BEGINNING, holds) == smallest


@pytest.mark.parametrize(
    ("beginning", "holds", "smallest"),
    [
        (5_000, lambda one: isinstance(one, int) and one > 41, 42),
        (-5_000, lambda one: isinstance(one, int) and one < -41, -42),
        (1e300, lambda one: isinstance(one, float) and one > 3, 4.0),
        (7.0, lambda one: isinstance(one, int | float) and one > 6, 7),
        ("\u6f22" * 5_000, lambda one: isinstance(one, str) and len(one) > 200, "a" * 201),
        ("xyz7abc", lambda one: isinstance(one, str) and "7" in one, "7"),
        ([1, 2, [3, [4]]], lambda one: "4" in json.dumps(one), 4),
    ],
)
def test_numbers_texts_and_lists_come_to_their_least(beginning, holds, smallest):
    assert shrunk(beginning, holds) == smallest


def test_what_is_found_holds_and_is_never_larger_than_where_it_began():
    rng = random.Random(7)
    for _ in range(60):
        beginning = {"a": drawn({}, {}, rng), "b": drawn({"type": "object"}, {}, rng)}

        def holds(one, first=beginning["a"]):
            return isinstance(one, dict) and "a" in one and type(one["a"]) is type(first)

        found = shrunk(beginning, holds)
        assert holds(found)
        assert set(found) == {"a"}
        assert weight_of(found) <= weight_of(beginning)


def test_it_is_asked_no_more_often_than_was_said():
    asked = []

    def holds(one):
        asked.append(one)
        return isinstance(one, list) and len(one) > 50

    found = shrunk(["x"] * 100, holds, asked=40)

    assert len(asked) <= 40
    assert 50 < len(found) <= 100


def test_where_it_began_stays_as_it_was():
    before = json.dumps(BEGINNING)
    shrunk(BEGINNING, lambda one: isinstance(one, dict))
    assert json.dumps(BEGINNING) == before
