"""
ajv, in the same page as the bundle's interpreter, decides as the gate does, or differs
for a listed reason.
"""

import pytest

from tests.differential.browser import pairing
from tests.differential.compare import Tally, answers
from tests.differential.drawn import every_keyword, published
from tests.differential.reasons import REASONS
from tests.differential.test_peers import SEED, one

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def pair(browser, dist):
    with pairing(browser, dist) as both:
        yield both


@pytest.mark.parametrize(
    "drawn",
    [published(SEED + 1, 1_000), every_keyword(SEED + 1, 125, 8)],
    ids=["our schemas and foreign shapes", "every keyword"],
)
def test_a_thousand_drawn_calls_are_decided_alike_or_for_a_listed_reason(pair, drawn):
    """
    And the gate in the page says of each what it says here.
    """
    ours = pair.ours(drawn)
    assert ours == answers(drawn)
    tally = Tally()
    tally.add("ajv", drawn, ours, pair.ajv(drawn))
    assert tally.compared == {"ajv": 1_000}
    assert tally.unexplained == [], tally.told()


SHOWN = [
    ("formats are annotations there", {"format": "date"}, "2026-02-30"),
    ("multiples through parseInt", {"multipleOf": 0.25}, 2.5e20),
    ("multiples through parseInt", {"multipleOf": 0.01}, 4.35),
    (
        "an empty array beside prefixItems",
        {"prefixItems": [{"const": 1}], "contains": {"const": 1}},
        [],
    ),
    (
        "if without then and else",
        {"if": {"additionalProperties": True}, "unevaluatedProperties": False},
        {"a": 1},
    ),
    ("what contains evaluates", {"contains": {"const": 1}, "unevaluatedItems": False}, [1, 2]),
    (
        "what contains evaluates",
        {"contains": {"const": 1}, "minContains": 0, "unevaluatedItems": False},
        [1],
    ),
    ("integers that are no doubles", {"const": 2**53}, 2**53 + 1),
]


@pytest.mark.parametrize("row", SHOWN, ids=lambda row: f"{row[0]} {row[2]!r}")
def test_each_reason_is_a_fact_about_ajv(pair, row):
    name, schema, value = row
    drawn = one(schema, value)
    tally = Tally()
    tally.add("ajv", drawn, answers(drawn), pair.ajv(drawn))
    assert tally.unexplained == []
    assert list(tally.explained) == [("ajv", name)]


def test_every_reason_about_ajv_is_shown():
    assert {name for name, *_ in SHOWN} == {
        name for name, (peers, _) in REASONS.items() if "ajv" in peers
    }
