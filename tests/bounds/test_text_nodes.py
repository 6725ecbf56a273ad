"""
A text that spells many times the values a call may have is refused before they are made.
"""

import json
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bounds.tables import rows
from weighbridge import Catalog
from weighbridge.charge import Charge, Passed, charge
from weighbridge.limits import TEXT_NODES, Limits
from weighbridge.text import NotStrict, Parsed, loads, parse
from weighbridge.text_scan import past

TOOL = "t"
OPEN = Catalog.from_tools([{"name": TOOL, "inputSchema": {"type": "object"}}], "as-published")
FEW = Limits(nodes=50)
MOST = TEXT_NODES * FEW.nodes
MIB = 2**20

#: What a hostile text repeats, and what of its values that takes.
UNITS = {
    "empty objects": "{},",
    "empty lists": "[],",
    "lists of one list": "[[]],",
    "objects of one object": '{"a":{}},',
    "floats": "1.5,",
    "empty texts": '"",',
}

VALUES = st.recursive(
    st.sampled_from((None, True, 1, -1.5, "", "x", '"', "\\", "[,]", '{":"}', "\\\\", "\u20ac\U0001f600")),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(("", "a", "[", ",:", '"', "\\")), inner, max_size=4),
    max_leaves=30,
)  # fmt: skip
LAYOUTS = st.sampled_from(
    ({}, {"separators": (",", ":")}, {"indent": 1}, {"separators": (" ,\r\n", "\t: ")})
)


def filled(unit: str, size: int) -> str:
    """A text of at most so many characters, with as many of the unit as fit."""
    return '{"a":[' + unit * ((size - 10) // len(unit)) + "1]}"


@settings(max_examples=400, deadline=None)
@given(VALUES, LAYOUTS, st.booleans())
def test_the_nodes_of_a_well_formed_text_are_counted_exactly(value, layout, ascii_only):
    spread = Limits(nesting=100)
    text = json.dumps(value, ensure_ascii=ascii_only, **layout)
    cost = charge(value, spread)
    assert isinstance(cost, Charge)
    assert past(text, 100, cost.nodes) is None
    assert past(text, 100, cost.nodes - 1) == "nodes"


def test_they_are_counted_across_the_pieces_of_a_long_text():
    """
    Brackets that close at once, strings and blanks where a piece ends.
    """
    for shift in range(40):
        blanks = " " * (65_520 + shift)
        long = '"' + "[{,:" * 40_000 + '"'
        text = f'{{"a":[[{blanks}],[1],{{}},"{"x" * 65_500}",{long},[{blanks}2]]}}'
        cost = charge(json.loads(text), Limits())
        assert isinstance(cost, Charge)
        assert past(text, 100, cost.nodes) is None
        assert past(text, 100, cost.nodes - 1) == "nodes"


def doubled(nodes: int) -> str:
    """A text of so many nodes with a key written twice, which parsing would refuse."""
    return '{"a":1,"a":[' + ",".join("1" * (nodes - 5)) + "]}"


def test_the_edge_is_parsed_and_one_node_more_is_not():
    assert parse(doubled(MOST), FEW) == NotStrict("duplicate", key="a")
    assert parse(doubled(MOST + 1), FEW) == Passed("nodes")


def test_past_the_edge_both_doors_give_the_same_bytes():
    for many in (Limits().nodes, TEXT_NODES * Limits().nodes, TEXT_NODES * Limits().nodes + 1):
        text = '{"a":[' + "1," * many + "1]}"
        verdict = OPEN.check_text(TOOL, text)
        assert verdict.to_json() == OPEN.check(TOOL, json.loads(text)).to_json()
        assert verdict.refusal.limit == "nodes"
        assert verdict.charge is None


def test_below_the_edge_the_walk_keeps_its_own_order_of_limits():
    """
    A number that is not finite stands a level higher, so the walk tells it first.
    """
    text = '{"b":NaN,"a":[' + "1," * (2 * FEW.nodes) + "1]}"
    assert isinstance(parse(text, FEW), Parsed)


@pytest.mark.parametrize("text", ["[]" * 200, '""' * 201, "]" * 201, "," * 201, ":" * 201])
def test_what_is_not_well_formed_ends_soon_too(text):
    """
    No text of so many brackets or strings has fewer nodes.
    """
    assert parse("[]" * 40 + text, FEW) == Passed("nodes")
    assert isinstance(parse(text[: len(text) // 4], FEW), NotStrict)


def test_the_bound_passed_first_is_told():
    deep, wide = "[" * 33, "1," * 500_000
    assert past(f"{deep}{wide}", 32, MOST) == "nesting"
    assert past(f"[{wide}{deep}", 32, MOST) == "nodes"


def held(run) -> int:
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.no_cover
@pytest.mark.parametrize("name", UNITS)
def test_a_text_of_the_body_limit_costs_the_text_door_what_its_row_says(name):
    (cells,) = [cells for cells in rows("docs/memory.md", "values") if cells[0] == name]
    text = filled(UNITS[name], Limits().text)
    assert held(lambda: OPEN.check_text(TOOL, text)) < int(cells[1].split()[0]) * MIB
    # A sixteenth of it is parsed to see what the whole would have taken.
    part = filled(UNITS[name], Limits().text // 16)
    assert 16 * held(lambda: loads(part)) > int(cells[2].split()[0]) * MIB


@pytest.mark.no_cover
@pytest.mark.parametrize("name", UNITS)
def test_a_text_just_below_the_edge_holds_less_than_the_document_says(name):
    unit = UNITS[name]
    nodes = charge(json.loads(f"[{unit}1]"), Limits()).nodes - 2
    text = '{"a":[' + unit * (TEXT_NODES * Limits().nodes // nodes - 4) + "1]}"
    (cells,) = [cells for cells in rows("docs/memory.md", "values") if cells[0] == name]
    assert isinstance(parse(text, Limits()), Parsed)
    assert held(lambda: OPEN.check_text(TOOL, text)) < int(cells[3].split()[0]) * MIB


def test_the_document_has_a_row_for_every_unit():
    assert [cells[0] for cells in rows("docs/memory.md", "values")] == list(UNITS)
