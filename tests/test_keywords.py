"""
Each keyword decides as the specification says, and its finding says what the schema wants.
"""

import json
from fractions import Fraction

import jsonschema
import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.catalogs import foreign, judged, told
from tests.schemas import instances, schemas
from weighbridge.multiples import is_multiple

GENERATED = settings(
    max_examples=400,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@GENERATED
@given(schemas, st.lists(instances, min_size=4, max_size=6))
def test_two_other_implementations_decide_the_same(schema, several):
    """
    About two thousand instances; every keyword, and references.
    """
    listed = {"type": "object", **schema}
    ours = foreign(listed)
    declared = {"$schema": "https://json-schema.org/draft/2020-12/schema", **listed}
    python = jsonschema.Draft202012Validator(declared)
    rust = jsonschema_rs.Draft202012Validator(declared)
    for instance in several:
        arguments = {"v": instance}
        answers = (
            ours.check("t", arguments).admitted,
            python.is_valid(arguments),
            rust.is_valid(arguments),
        )
        assert len(set(answers)) == 1, (answers, arguments)


DECIMALS = st.one_of(
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.decimals(-1000, 1000, places=3).map(float),
    st.sampled_from((0, -0.0, 5e-324, 1e308, 10**400, 10.1, 0.3, 2**53 + 1)),
)


@settings(max_examples=400, deadline=None)
@given(DECIMALS, DECIMALS.filter(lambda number: number > 0))
def test_a_multiple_is_decided_on_the_shortest_decimals(number, step):
    expected = (Fraction(str(number)) / Fraction(str(step))).denominator == 1
    assert is_multiple(number, step) is expected


@settings(max_examples=200, deadline=None)
@given(st.integers(-(10**6), 10**6), DECIMALS.filter(lambda number: 0 < number < 1e300))
def test_a_whole_number_of_steps_is_a_multiple(times, step):
    product = Fraction(str(step)) * times
    if product.denominator == 1:
        assert is_multiple(int(product), step)
    exact = float(product)
    if Fraction(str(exact)) == product:
        assert is_multiple(exact, step)


#: Keyword, a value that holds, one that does not, and the finding that it gets.
TABLE = [
    ("type", "integer", 1.0, 1.5, "an integer", {"type": "integer"}),
    ("type", ["string", "null"], None, 1, "a string or null", {"type": ["string", "null"]}),
    ("enum", ["a", 1, None], 1.0, True, 'one of "a", 1, null', {"allowedValues": ["a", 1, None]}),
    (
        "enum",
        [[1, {"a": 2}]],
        [1.0, {"a": 2}],
        [1, {"a": True}],
        "a fixed array",
        {"allowedValues": [[1, {"a": 2}]]},
    ),
    ("const", False, False, 0, "false", {"allowedValue": False}),
    ("const", "x", "x", "X", '"x"', {"allowedValue": "x"}),
    ("const", None, None, False, "null", {"allowedValue": None}),
    ("multipleOf", 0.1, 10.1, 0.25, "a multiple of 0.1", {"multipleOf": 0.1}),
    ("maximum", 3, 3.0, 3.5, "a number of at most 3", {"limit": 3}),
    ("exclusiveMaximum", 3, 2.5, 3, "a number below 3", {"limit": 3}),
    ("minimum", -1.5, -1.5, -2, "a number of at least -1.5", {"limit": -1.5}),
    ("exclusiveMinimum", 0, 5e-324, -0.0, "a number above 0", {"limit": 0}),
    ("maxLength", 2, "😀😀", "abc", "at most 2 characters", {"limit": 2}),
    ("maxLength", 1.0, "a", "ab", "at most 1 character", {"limit": 1}),
    ("minLength", 2, "😀😀", "😀", "at least 2 characters", {"limit": 2}),
    ("x-maxBytes", 4, "😀", "😀a", "at most 4 bytes of UTF-8", {"limit": 4}),
    ("pattern", "^a$", "a", "a\n", 'text that matches the pattern "^a$"', {"pattern": "^a$"}),
    ("format", "date", "2026-02-28", "2026-02-30", None, {"format": "date"}),
    ("maxItems", 1, [0], [0, 1], "at most 1 item", {"limit": 1}),
    ("minItems", 2, [0, 1], [0], "at least 2 items", {"limit": 2}),
    (
        "uniqueItems",
        True,
        [1, True, "1", None, 0, False],
        [0, 1, -0.0],
        "items that all differ",
        {"i": 2, "j": 0},
    ),
    (
        "contains",
        {"type": "null"},
        [1, None],
        [1],
        "at least 1 item that matches the schema of contains",
        {"minContains": 1},
    ),
    ("maxProperties", 1, {"a": 1}, {"a": 1, "b": 2}, "at most 1 name", {"limit": 1}),
    ("minProperties", 1, {"a": 1}, {}, "at least 1 name", {"limit": 1}),
    ("required", ["b", "a"], {"a": 1, "b": 2}, {"b": 2}, 'the name "a"', {"missingProperty": "a"}),
    (
        "dependentRequired",
        {"a": ["c", "b"]},
        {"b": 1},
        {"a": 1},
        'the names "b", "c"',
        {"missingProperty": "b"},
    ),
    (
        "propertyNames",
        {"maxLength": 1},
        {"a": 1},
        {"ab": 1},
        "names that match the schema of propertyNames",
        {},
    ),
    ("not", {"type": "null"}, 1, None, "a value that the schema under not does not match", {}),
    (
        "anyOf",
        [{"minimum": 5}, {"maximum": 1}],
        6,
        3,
        "one of the 2 forms that the schema lists there",
        {},
    ),
    (
        "oneOf",
        [{"minimum": 5}, {"minimum": 6}],
        5,
        7,
        "exactly one of the 2 forms that the schema lists there, not several at once",
        {},
    ),
    ("additionalProperties", False, {}, {"a": 1}, "no names at all", {}),
    ("unevaluatedProperties", False, {}, {"a": 1}, "no names at all", {}),
]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]}-{json.dumps(row[3])}")
def test_a_keyword_admits_and_refuses_and_says_what_it_wants(row):
    keyword, value, holds, misses, expected, params = row
    schema = {"properties": {"v": {keyword: value}}}
    assert judged(schema, {"v": holds}).admitted
    verdict = judged(schema, {"v": misses})
    (finding,) = verdict.refusal.findings
    assert (finding.pointer, finding.keyword) == ("/v", keyword)
    assert finding.schema_pointer == f"/properties/v/{keyword}"
    assert finding.params == params
    if expected is not None:
        assert finding.expected == expected
    assert finding.message in verdict.refusal.message


@pytest.mark.parametrize(
    ("schema", "value", "keyword", "pointer"),
    [
        ({"items": False}, [1], "items", "/v/0"),
        ({"prefixItems": [True, False]}, [1, 2], "prefixItems", "/v/1"),
        ({"properties": {"a": False}}, {"a": 1}, "properties", "/v/a"),
        ({"patternProperties": {"^a": False}}, {"ab": 1}, "patternProperties", "/v/ab"),
        ({"unevaluatedItems": False}, [1], "unevaluatedItems", "/v/0"),
        ({"dependentSchemas": {"a": False}}, {"a": 1}, "dependentSchemas", "/v"),
        ({"allOf": [False]}, 1, "allOf", "/v"),
        ({"anyOf": [False, False]}, 1, "anyOf", "/v"),
        ({"if": True, "then": False}, 1, "then", "/v"),
        ({"if": False, "else": False}, 1, "else", "/v"),
        ({"$ref": "#/$defs/no"}, 1, "$ref", "/v"),
        ({"propertyNames": False}, {"a": 1}, "propertyNames", "/v"),
    ],
)
def test_a_false_schema_is_told_as_the_keyword_that_led_to_it(schema, value, keyword, pointer):
    verdict = judged({"properties": {"v": schema}, "$defs": {"no": False}}, {"v": value})
    assert told(verdict) == [(pointer, keyword)]


def test_a_string_that_is_too_long_is_never_matched():
    schema = {"properties": {"v": {"maxLength": 3, "pattern": "^a*$", "format": "date"}}}
    assert told(judged(schema, {"v": "bbbb"})) == [("/v", "maxLength")]
    assert told(judged(schema, {"v": "bbb"})) == [("/v", "format"), ("/v", "pattern")]


def test_one_branch_that_takes_the_type_is_told_instead_of_the_choice():
    either = {"anyOf": [{"type": "null"}, {"type": "object", "required": ["a"]}, {"type": "array"}]}
    schema = {"properties": {"v": either}}
    assert told(judged(schema, {"v": {}})) == [("/v", "required")]
    verdict = judged(schema, {"v": "x"})
    assert told(verdict) == [("/v", "anyOf")]
    assert verdict.refusal.findings[0].expected == "an array or an object or null"


def test_a_branch_that_failed_does_not_also_report_its_own_keys_as_unknown():
    schema = {
        "anyOf": [
            {"properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"properties": {"b": {"type": "string"}}, "required": ["b"]},
        ],
        "unevaluatedProperties": False,
    }
    assert told(judged(schema, {"a": 1})) == [("", "anyOf")]
    assert told(judged(schema, {"a": 1, "c": 1})) == [
        ("", "anyOf"),
        ("", "unevaluatedProperties"),
    ]
    verdict = judged(schema, {"a": 1, "c": 1})
    assert verdict.refusal.findings[1].names == ("c",)


def test_what_a_failed_branch_evaluated_counts_for_nothing():
    schema = {
        "anyOf": [
            {"properties": {"a": {"const": 1}, "b": True}, "required": ["b"]},
            {"properties": {"c": True}},
        ],
        "unevaluatedProperties": False,
    }
    assert told(judged(schema, {"c": 1, "a": 1})) == [("", "unevaluatedProperties")]
    assert judged(schema, {"c": 1, "a": 1, "b": 1}).admitted


def test_items_equal_by_value_are_found_whatever_their_hashes():
    modulus = 2**61 - 1
    schema = {"properties": {"v": {"uniqueItems": True}}}
    assert judged(schema, {"v": [at * modulus for at in range(2_000)]}).admitted
    assert not judged(schema, {"v": [*range(2_000), 1999.0]}).admitted
    assert not judged(schema, {"v": [{"a": 1, "b": [2]}, {"b": [2.0], "a": 1.0}]}).admitted
    assert judged(schema, {"v": [[], {}, "", 0, False, None, [[]], [{}], {"": 0}]}).admitted


def test_the_pair_that_is_told_is_the_first_repeat_with_its_first():
    schema = {"properties": {"v": {"uniqueItems": True}}}
    (finding,) = judged(schema, {"v": ["c", "b", "a", "b", "c", "b"]}).refusal.findings
    assert finding.params == {"i": 3, "j": 1}


def test_a_dynamic_reference_is_taken_over_by_the_outermost_resource():
    tree = {
        "$id": "https://example.org/tree",
        "$dynamicAnchor": "node",
        "type": "object",
        "properties": {"children": {"items": {"$dynamicRef": "#node"}}},
    }
    schema = {
        "$id": "https://example.org/strict",
        "$dynamicAnchor": "node",
        "$ref": "tree",
        "unevaluatedProperties": False,
        "$defs": {"tree": tree},
    }
    assert judged(schema, {"children": [{"children": []}]}).admitted
    assert told(judged(schema, {"children": [{"daat": 1}]})) == [
        ("/children/0", "unevaluatedProperties")
    ]


def test_a_schema_inside_a_property_called_like_a_keyword_is_no_keyword():
    schema = {
        "properties": {"properties": {"const": 1}, "$ref": {"const": 2}, "enum": {"const": 3}}
    }
    assert judged(schema, {"properties": 1, "$ref": 2, "enum": 3}).admitted
    assert told(judged(schema, {"properties": 2, "$ref": 2, "enum": 4})) == [
        ("/enum", "const"),
        ("/properties", "const"),
    ]
