"""
What schemas say together is settled when they load: no call finds that they never end.
"""

import pytest

from weighbridge import Catalog
from weighbridge.limits import EVALUATION_DEPTH

OLD = "https://json-schema.org/draft/2019-09/schema"
AGAIN = {"$dynamicRef": "#m"}
LEAF = {"maxProperties": 5, "maximum": 5}


def within(outer: dict, inner: dict) -> dict:
    """Two resources that have the anchor, the outer one applying the inner."""
    named = {"$id": "https://example.com/outer", "$ref": "inner", **outer}
    return {**named, "$defs": {"inner": {"$id": "inner", "$dynamicAnchor": "m", **inner}}}


def foreign(schema: dict) -> Catalog:
    """The schema as it is published: no root is closed for it."""
    return Catalog.from_tools([{"name": "t", "inputSchema": schema}], "as-published")


#: References that lead back to their own schema on the same value, in every call.
ENDLESS = {
    "an anchor at the root": {"$dynamicAnchor": "m", **AGAIN},
    "no anchor at all": {"$dynamicRef": "#"},
    "through allOf": {"$dynamicAnchor": "m", "allOf": [AGAIN]},
    "through a branch": {"$dynamicAnchor": "m", "anyOf": [{"type": "object"}, AGAIN]},
    "through a condition": {"$dynamicAnchor": "m", "if": AGAIN},
    "at a child": {
        "$defs": {"a": {"$dynamicAnchor": "m", "allOf": [AGAIN]}},
        "properties": {"a": {"$ref": "#/$defs/a"}},
    },
    "through the outermost resource": within({"$dynamicAnchor": "m"}, {"allOf": [AGAIN]}),
    "recursively, with its anchor": {
        "$schema": OLD,
        "$recursiveAnchor": True,
        "anyOf": [{"$recursiveRef": "#"}],
    },
    "recursively, without one": {"$schema": OLD, "allOf": [{"$recursiveRef": "#"}]},
}

#: The same references where each step leads to a child of the value.
ENDING = {
    "an anchor at the root": {"$dynamicAnchor": "m", "properties": {"c": AGAIN}},
    "through the outermost resource": within({"$dynamicAnchor": "m"}, {"properties": {"c": AGAIN}}),
    "recursively": {
        "$schema": OLD,
        "$recursiveAnchor": True,
        "properties": {"c": {"$recursiveRef": "#"}},
    },
}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_dynamic_reference_that_returns_to_its_own_value_is_found_when_it_loads(name):
    catalog = foreign({"type": "object", **ENDLESS[name]})
    assert "this schema is applied to the same value without end" in catalog.unusable["t"]


@pytest.mark.parametrize("name", ENDING)
def test_one_that_leads_to_a_child_ends_with_the_value(name):
    catalog = foreign({"type": "object", **ENDING[name]})
    assert catalog.check("t", {"c": {"c": {"c": {}}}}).admitted


def test_where_it_leads_depends_on_the_call_it_ends_as_work():
    """
    Which of two resources has the anchor is known only where the reference is met.
    """
    schema = {
        "$id": "https://example.com/root",
        "properties": {"a": {"$ref": "one"}, "b": {"$ref": "two"}},
        "$defs": {
            "one": {"$id": "one", "$dynamicAnchor": "m", "type": "integer"},
            "two": {"$id": "two", "$dynamicAnchor": "m", "allOf": [AGAIN]},
        },
    }
    catalog = foreign({"type": "object", **schema})
    assert catalog.check("t", {"a": 1}).admitted
    assert catalog.check("t", {"b": 1}).refusal.limit == "work"


def chain(length: int) -> dict:
    """Definitions of which each refers to the next; the last says something."""
    links = {f"d{at}": {"$ref": f"#/$defs/d{at + 1}"} for at in range(length - 1)}
    return {**links, f"d{length - 1}": LEAF}


PLACES = {
    "the root": ({"$ref": "#/$defs/d0"}, 1, {}, {str(at): 0 for at in range(6)}),
    "a child": ({"properties": {"a": {"$ref": "#/$defs/d0"}}}, 2, {"a": 5}, {"a": 6}),
    "an item": (
        {"properties": {"a": {"items": {"$ref": "#/$defs/d0"}}}},
        3,
        {"a": [5]},
        {"a": [6]},
    ),
}


@pytest.mark.parametrize("place", PLACES)
def test_the_longest_chain_that_can_be_applied_admits_and_refuses(place):
    """
    One reference more, and a call that meets it is refused for work; others are judged.
    """
    schema, around, fits, misses = PLACES[place]
    longest = EVALUATION_DEPTH - around
    whole = {"type": "object", **schema}
    catalog = foreign({**whole, "$defs": chain(longest)})
    assert catalog.check("t", fits).admitted
    assert catalog.check("t", misses).refusal.code == "mismatch"
    longer = foreign({**whole, "$defs": chain(longest + 1)})
    if place == "the root":
        # No call could be admitted: it is not loaded.
        assert f"more than {EVALUATION_DEPTH} schemas apply" in longer.unusable["t"]
    else:
        assert longer.check("t", fits).refusal.limit == "work"
        assert longer.check("t", {}).admitted


def test_a_chain_where_no_value_can_be_keeps_nobody_out():
    """
    A schema may describe more levels than a call may have.
    """
    levels = {
        f"d{at}": {"allOf": [LEAF], "properties": {"c": {"$ref": f"#/$defs/d{at + 1}"}}}
        for at in range(EVALUATION_DEPTH)
    }
    deep = {"type": "object", "$ref": "#/$defs/d0", "$defs": levels}
    deep["$defs"][f"d{EVALUATION_DEPTH}"] = LEAF
    assert foreign(deep).check("t", {"c": {"c": {}}}).admitted
