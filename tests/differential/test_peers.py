"""
Two implementations in Python and Rust decide as the gate does, or differ for a listed reason.
"""

import json

import pytest

from tests.differential.compare import Tally, answers, beside_peers
from tests.differential.drawn import Call, Drawn, every_keyword, published
from tests.differential.reasons import REASONS

#: Other calls than ``make fuzz`` draws.
SEED = 20_261_202


@pytest.mark.parametrize(
    "drawn",
    [published(SEED, 1_000), every_keyword(SEED, 125, 8)],
    ids=["our schemas and foreign shapes", "every keyword"],
)
def test_a_thousand_drawn_calls_are_decided_alike_or_for_a_listed_reason(drawn):
    tally = Tally()
    beside_peers(drawn, tally)
    assert tally.compared == {"jsonschema": 1_000, "jsonschema-rs": 1_000}
    assert 100 < tally.admitted < 900
    assert tally.unexplained == [], tally.told()


#: Reason and peer to the least schema of ``v`` and value that show it.
SHOWN = [
    ("formats are annotations there", "jsonschema", {"format": "date"}, "2026-02-30"),
    ("multiples by a float quotient", "jsonschema", {"multipleOf": 0.1}, 10.1),
    ("multiples by a float quotient", "jsonschema", {"multipleOf": 0.1}, 1e308),
    ("multiples of binary doubles", "jsonschema-rs", {"multipleOf": 1e300}, 1e308),
    ("the end before a newline", "jsonschema", {"pattern": "a$"}, "a\n"),
    ("classes of Unicode", "jsonschema", {"pattern": "^\\d$"}, "\u0665"),
    ("classes of Unicode", "jsonschema", {"pattern": "^.$"}, "\u2028"),
    ("classes of Unicode", "jsonschema-rs", {"pattern": "a\\b"}, "a\u00e9"),
]


@pytest.mark.parametrize("row", SHOWN, ids=lambda row: f"{row[1]}: {row[0]} {row[3]!r}")
def test_each_reason_is_a_fact_about_its_peer(row):
    """
    If the peer changed its mind, the reason would have to go.
    """
    name, peer, schema, value = row
    drawn = one(schema, value)
    tally = Tally()
    beside_peers(drawn, tally)
    assert tally.unexplained == []
    assert (peer, name) in tally.explained


def one(schema, value):
    """
    One call of one tool whose argument ``v`` is held to ``schema``.
    """
    return Drawn(
        {"t": {"type": "object", "properties": {"v": schema}}},
        [Call("t", json.dumps({"v": value}))],
    )


def test_every_reason_about_these_peers_is_shown():
    shown = {(name, peer) for name, peer, _schema, _value in SHOWN}
    named = {(name, peer) for name, (peers, _) in REASONS.items() for peer in peers}
    assert shown == {(name, peer) for name, peer in named if peer != "ajv"}


def test_an_answer_turned_round_is_unexplained():
    """
    The negative control: what every peer says of each call, turned round.
    """
    drawn = every_keyword(SEED, 30, 4)
    ours = answers(drawn)
    for peer in ("ajv", "jsonschema", "jsonschema-rs"):
        tally = Tally()
        tally.add(peer, drawn, ours, [refused_by != [] for refused_by in ours])
        assert sum(tally.explained.values()) < 30
        assert len(tally.unexplained) == 120 - sum(tally.explained.values())
