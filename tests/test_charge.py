"""
The charge is exact, level by level, and never below what an interpreter renders.
"""

import itertools
import math
import random
import sys
import tracemalloc
from json.encoder import encode_basestring, encode_basestring_ascii

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import oracle
from tests.plans import drawn
from weighbridge.characters import CHUNK
from weighbridge.charge import Charge, NotJson, Passed, charge, charge_of_leaf
from weighbridge.charge_small import charge_of_small
from weighbridge.limits import INTEGER_DIGITS, WIRE_RATIO, Limits

UNBOUNDED = 1 << 30

WHOLE = st.characters(exclude_categories=["Cs"])
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=-(10**40), max_value=10**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(WHOLE, max_size=12)
)
JSON = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(WHOLE, max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(JSON)
def test_the_charge_is_what_the_contract_works_out_to(value):
    expected = oracle.charge(value)
    assert charge(value, Limits()) == Charge(**expected)


@settings(max_examples=300, deadline=None)
@given(LEAVES)
def test_no_leaf_is_charged_less_than_it_renders(leaf):
    quotes = 2 if isinstance(leaf, str) else 0
    assert charge_of_leaf(leaf, UNBOUNDED) >= len(repr(leaf)) - quotes


@pytest.mark.parametrize("digits", [1, 2, 18, 19, 20, 300, 3000, 4299, 4300])
@pytest.mark.parametrize("sign", [1, -1])
def test_an_integer_is_never_charged_less_than_its_digits(digits, sign):
    for number in (10 ** (digits - 1), 10**digits - 1, 10**digits // 3):
        charged = charge_of_leaf(sign * number, UNBOUNDED)
        assert len(str(sign * number)) <= charged <= len(str(sign * number)) + 1


@pytest.mark.parametrize(
    ("leaf", "charged"),
    [
        (None, 4),
        (True, 4),
        (False, 5),
        (0, 1),
        (-0, 1),
        (-0.0, 4),
        (1.0, 3),
        (5e-324, 6),
        (1e308, 6),
        (-1.7976931348623157e308, 24),
        (7, 1),
        (-7, 2),
        ("", 0),
        ("'", 1),
        ('"', 1),
        ("'\"", 3),
        ("\\", 2),
        ("\t\n\r", 6),
        ("\0\x1b\x7f\x85\xa0\xad", 24),
        ("\u0378\u200b\u202e\u2028\ufeff", 30),
        ("\U000e0001\U0010ffff", 20),
        ("\xe9\u6f22\U0001f600", 3),
        ({}, 0),
        ([], 0),
    ],
)
def test_a_leaf_is_charged_by_the_table(leaf, charged):
    assert charge_of_leaf(leaf, UNBOUNDED) == charged


def test_true_is_charged_as_a_word_and_not_as_the_integer_it_equals():
    assert charge({"a": True}, Limits()) == Charge(nesting=2, nodes=3, rendered=5)
    assert charge({"a": 1}, Limits()) == Charge(nesting=2, nodes=3, rendered=2)


@pytest.mark.parametrize(
    ("value", "levels", "nodes"),
    [
        ({}, 1, 1),
        ([], 1, 1),
        (None, 1, 1),
        ({"a": 1}, 2, 3),
        ({"a": {}}, 2, 3),
        ({"labels": ["a"]}, 3, 4),
        ([[[]]], 3, 3),
        ({"a": [1, 2], "b": [3]}, 3, 8),
    ],
)
def test_levels_and_nodes_count_containers_keys_and_values(value, levels, nodes):
    charged = charge(value, Limits())
    assert isinstance(charged, Charge)
    assert (charged.nesting, charged.nodes) == (levels, nodes)


def nested(levels):
    value = {}
    for _ in range(levels - 1):
        value = {"k": value}
    return value


def test_each_limit_admits_its_edge_and_refuses_one_past_it():
    assert charge(nested(32), Limits()).nesting == 32
    assert charge(nested(33), Limits()) == Passed("nesting")
    assert charge([0] * 9, Limits(nodes=10)).nodes == 10
    assert charge([0] * 10, Limits(nodes=10)) == Passed("nodes")
    assert charge(["x" * 10], Limits(rendered=10)).rendered == 10
    assert charge(["x" * 11], Limits(rendered=10)) == Passed("rendered")
    assert charge(["\n" * 5], Limits(rendered=10)).rendered == 10
    assert charge(["\n" * 6], Limits(rendered=10)) == Passed("rendered")


def test_children_are_counted_before_they_are_visited():
    """
    A caller who sends a million values does not make us visit them.
    """
    tracemalloc.start()
    try:
        many = [0] * 1_000_000
        value = {"a": many, "b": many, "c": many}
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        assert charge(value, Limits(nodes=10)) == Passed("nodes")
        assert tracemalloc.get_traced_memory()[1] - before < 10_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("value", "first"),
    [
        # Too deep one level further down than there are too many.
        ({"many": [0] * 20, "deep": [[[[]]]]}, Passed("nodes")),
        # Too many on the level that is too deep.
        ([[[[0] * 20]]], Passed("nesting")),
        # Too long by code points alone on the level of what is not JSON.
        (["x" * 101, math.nan], Passed("rendered")),
        # Not JSON on the level that is too long only when rendered exactly.
        (["\n" * 60, math.nan], NotJson("number", (1,))),
        # Not JSON one level above what is too deep.
        ([[math.inf, [[[]]]]], NotJson("number", (0, 0))),
    ],
)
def test_on_each_level_the_limits_are_asked_in_the_order_of_the_contract(value, first):
    assert charge(value, Limits(nesting=4, nodes=12, rendered=100)) == first


def test_the_answer_does_not_depend_on_the_order_of_keys():
    members = {"z": math.nan, "a": "\ud800", "m": [0] * 50, "y": [[[[[[]]]]]], "x": "\n" * 60}
    for limits in (Limits(), Limits(nodes=40), Limits(rendered=100), Limits(nesting=3)):
        answers = {
            charge({key: members[key] for key in order}, limits)
            for order in itertools.permutations(members)
        }
        assert len(answers) == 1, answers


class Text(str):
    """
    A string that is not exactly one.
    """

    __slots__ = ()


class Items(list):
    """
    A list that is not exactly one.
    """

    __slots__ = ()


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ({"a": (1,)}, NotJson("type", ("a",))),
        ({"a": {1, 2}}, NotJson("type", ("a",))),
        ({"a": b"x"}, NotJson("type", ("a",))),
        ({"a": 1j}, NotJson("type", ("a",))),
        ({"a": Text("x")}, NotJson("type", ("a",))),
        ({"a": Items()}, NotJson("type", ("a",))),
        ({"a": {1: 2}}, NotJson("key", ("a",))),
        ({"a": {Text("k"): 2}}, NotJson("key", ("a",))),
        ({"a": math.nan}, NotJson("number", ("a",))),
        ({"a": [0, -math.inf]}, NotJson("number", ("a", 1))),
        ({"a": "x\udfff"}, NotJson("surrogate", ("a",))),
        ({"a": {"\ud800": 1}}, NotJson("surrogate-key", ("a",))),
        ({"a": 10**INTEGER_DIGITS}, NotJson("digits", ("a",))),
        ({"a": -(10**INTEGER_DIGITS)}, NotJson("digits", ("a",))),
        ((), NotJson("type", ())),
    ],
)
def test_only_exact_json_types_are_json(value, fault):
    assert charge(value, Limits()) == fault


def test_the_fault_that_is_told_lies_at_the_smallest_place():
    value = {"b": math.nan, "a": [math.nan, 1], "A": [1, math.inf], "c": "\ud800"}
    assert charge(value, Limits()) == NotJson("number", ("b",))
    del value["b"], value["c"]
    assert charge(value, Limits()) == NotJson("number", ("A", 1))
    assert charge([0] * 3 + [math.nan] * 9, Limits()) == NotJson("number", (3,))


def test_an_integer_of_exactly_the_most_digits_is_json():
    assert isinstance(charge([10**INTEGER_DIGITS - 1], Limits()), Charge)
    assert isinstance(charge([1 - 10**INTEGER_DIGITS], Limits()), Charge)


def test_the_sizes_of_an_integer_are_charged_without_spelling_it():
    """
    A process may forbid itself to spell long integers; the charge never asks.
    """
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert isinstance(charge([10**4000], Limits()), Charge)
    finally:
        sys.set_int_max_str_digits(before)


@pytest.mark.parametrize("unit", ["a", "\n", "\xe9", "\u200b", "\U0001f600", "\U000e0001", "'\"\\"])
def test_a_long_string_is_charged_exactly_in_bounded_memory(unit):
    text = unit * (4_000_000 // len(unit))
    expected = oracle.string(unit * 2) // 2 * (len(text) // len(unit))
    tracemalloc.start()
    try:
        assert charge_of_leaf(text, 1 << 40) == expected
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from("a'\"\\\t\x00\xad\u200b\U000e0001\U0001f600"), max_size=6), st.data()
)
def test_where_a_string_is_cut_for_the_count_changes_nothing(some, data):
    """
    The pieces that a charge looks at meet in the middle of everything once.
    """
    before = data.draw(st.integers(CHUNK - 6, CHUNK))
    text = "b" * before + "".join(some) + "'" * 3 + "c" * CHUNK
    assert charge_of_leaf(text, UNBOUNDED) == oracle.string(text)


def test_what_a_charge_allows_really_renders_under_the_composed_ceiling():
    limits = Limits()
    value = {"k" * 5: [{"a": "'\"" * 10, "b": [True, None, 1.5, -3]}] * 50, "e": [[], {}] * 20}
    charged = charge(value, limits)
    rendered = len(repr(value))
    assert rendered <= charged.rendered + 4 * charged.nodes
    assert limits.composed == 12_982_912
    # The dearest node beside what it renders: an empty string in a list, two
    # quotation marks, comma and space.
    dearest = [""] * 999
    charged = charge(dearest, limits)
    assert charged.rendered + 4 * charged.nodes - 10 <= len(repr(dearest))
    assert len(repr(dearest)) <= charged.rendered + 4 * charged.nodes


def test_the_text_of_json_is_never_smaller_than_a_third_of_what_it_lands():
    """
    Body allows three wire bytes for each landed one; only control characters take more.
    """
    over = set()
    for point in range(0x110000):
        if 0xD800 <= point <= 0xDFFF:
            continue
        char = chr(point)
        landed = len(char.encode())
        for spelt in (encode_basestring_ascii, encode_basestring):
            if len(spelt(char).encode()) - 2 > WIRE_RATIO * landed:
                over.add(point)
    assert over == (set(range(0x20)) - set(b"\b\t\n\f\r")) | {0x7F}


def test_the_charge_of_small_arguments_is_that_of_the_walk(monkeypatch):
    """
    A look at each value and the walk by levels say the same, or the look says nothing.
    """
    rng = random.Random(5)
    drawn_calls = [drawn.anything(rng, 3) for _ in range(3_000)]
    quick = [charge(call, Limits()) for call in drawn_calls]
    answered = sum(charge_of_small(call) is not None for call in drawn_calls)
    monkeypatch.setattr("weighbridge.charge.charge_of_small", lambda _arguments: None)
    assert quick == [charge(call, Limits()) for call in drawn_calls]
    assert len(drawn_calls) / 4 < answered < len(drawn_calls)
