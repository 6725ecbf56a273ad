"""
Work is counted and bounded: the families that keep an engine busy that counts nothing.
"""

import tracemalloc
from contextlib import suppress

import pytest

from tests.catalogs import foreign, published
from tests.support.counted import functions, no_hang
from weighbridge import Code, Limits
from weighbridge.charge import charge
from weighbridge.evaluation import Evaluation, WorkPassed
from weighbridge.gate import smallest

PRIME = 2**61 - 1
MANY = 48_000


def array(**items):
    return {"properties": {"a": {"type": "array", **items}}}


def each(schema):
    return array(items=schema)


def chain(levels):
    value = {}
    for _ in range(levels):
        value = {"c": value}
    return value


def recursive(**node):
    return {"$defs": {"n": node}, "properties": {"c": {"$ref": "#/$defs/n"}}}


AGAIN = {"c": {"$ref": "#/$defs/n"}}

#: Schema, arguments, and the refusal: none, the keyword that is told, or the work limit.
FAMILIES = {
    "objects that differ": (
        array(uniqueItems=True),
        {"a": [{"k": at} for at in range(20_000)]},
        None,
    ),
    "integers that share one hash": (
        array(uniqueItems=True),
        {"a": [at * PRIME for at in range(MANY)]},
        None,
    ),
    "texts that differ at their end": (
        array(uniqueItems=True),
        {"a": ["x" * 100 + str(at) for at in range(MANY)]},
        None,
    ),
    "mixed values": (
        array(uniqueItems=True),
        {"a": [None, True, *map(str, range(20_000)), *(at / 3 for at in range(20_000))]},
        None,
    ),
    "the last of many equal": (
        array(uniqueItems=True),
        {"a": [*({"k": at} for at in range(20_000)), {"k": 0}]},
        "uniqueItems",
    ),
    "every item fails": (each({"type": "string"}), {"a": [0] * 97_000}, "work"),
    "every item misses six names": (
        each({"required": list("abcdef")}),
        {"a": [{}] * 97_000},
        "work",
    ),
    "unknown keys by the ten thousand": (
        {"properties": {"a": {"additionalProperties": False}}},
        {"a": {f"k{at}": 1 for at in range(45_000)}},
        "additionalProperties",
    ),
    "every unknown value fails": (
        {"properties": {"a": {"additionalProperties": {"type": "string"}}}},
        {"a": {f"k{at}": 1 for at in range(45_000)}},
        "work",
    ),
    "recursion through allOf and unevaluatedProperties": (
        recursive(allOf=[{"properties": AGAIN}], unevaluatedProperties=False),
        chain(30),
        None,
    ),
    "recursion through two branches": (
        recursive(
            properties={
                "c": {
                    "oneOf": [
                        {"$ref": "#/$defs/n"},
                        {"allOf": [{"$ref": "#/$defs/n"}], "additionalProperties": False},
                    ]
                }
            }
        ),
        chain(30),
        "work",
    ),
    "recursion through a condition": (
        recursive(
            **{"if": {"properties": AGAIN, "required": ["c"]}, "then": {"properties": AGAIN}}
        ),
        chain(30),
        "work",
    ),
    "patternProperties and unevaluatedProperties": (
        {"properties": {"a": {"patternProperties": {"^k": {}}, "unevaluatedProperties": False}}},
        {"a": {f"k{at}": 1 for at in range(45_000)}},
        None,
    ),
    "contains and unevaluatedItems": (
        array(contains={"type": "integer"}, unevaluatedItems=False),
        {"a": list(range(MANY))},
        None,
    ),
    "twenty schemas that a name brings": (
        each({"dependentSchemas": {f"p{at}": {"additionalProperties": False} for at in range(20)}}),
        {"a": [{"p0": 1}] * 33_000},
        "work",
    ),
    "names that fail": (
        {"properties": {"a": {"propertyNames": {"maxLength": 3}}}},
        {"a": {f"kkkk{at}": 1 for at in range(45_000)}},
        "propertyNames",
    ),
    "a count past its bound": (
        array(contains={"type": "string"}, minContains=5, maxContains=10),
        {"a": ["s"] * MANY},
        "maxContains",
    ),
    "valid by the last of twenty branches": (
        each({"anyOf": [{"type": "object", "required": [f"r{at}"]} for at in range(20)]}),
        {"a": [{"r19": 1}] * 33_000},
        "work",
    ),
    "twenty-four branches over one huge string": (
        {"properties": {"a": {"anyOf": [{"type": "string", "maxLength": at} for at in range(24)]}}},
        {"a": "x" * 12_000_000},
        "anyOf",
    ),
    "an enum of a hundred objects": (
        each({"enum": [{"a": at} for at in range(100)]}),
        {"a": [{"a": 100}] * 30_000},
        "work",
    ),
    "twenty schemas for every item": (
        each({"allOf": [{"type": "integer"}] * 20}),
        {"a": [0] * 97_000},
        "work",
    ),
    "a pattern over a huge string": (
        {"properties": {"a": {"pattern": "^[a-z ]*$"}}},
        {"a": "x" * 12_000_000},
        "work",
    ),
    "blanks before something else": (
        {"properties": {"a": {"pattern": "\\s+$"}}},
        {"a": " " * 30_000 + "x"},
        "pattern",
    ),
    "a pattern that is exponential elsewhere": (
        {"properties": {"a": {"pattern": "^([a-z0-9]+-?)+$"}}},
        {"a": "x" * 30_000 + "!"},
        "pattern",
    ),
    "bytes of a huge string": (
        {"properties": {"a": {"x-maxBytes": 9_000_000}}},
        {"a": "é" * 12_000_000},
        "x-maxBytes",
    ),
    "steps too small for huge numbers": (
        each({"multipleOf": 7e-300}),
        {"a": [1.7e308] * 90_000},
        "work",
    ),
}


@pytest.mark.no_cover
@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_that_costs_others_minutes_is_answered_inside_the_work_limit(name):
    """
    What the steps take of a clock is recorded in ``docs/limits.md``.
    """
    schema, arguments, answer = FAMILIES[name]
    catalog = foreign({"type": "object", **schema})
    assert not catalog.unusable
    with no_hang():
        verdict = catalog.check("t", arguments)
    evaluation = Evaluation(Limits().work)
    with suppress(WorkPassed):
        smallest(catalog.tools["t"].root, arguments, evaluation)
    # One keyword, at the most, is past the limit before it is told.
    assert (evaluation.spent > Limits().work) == (answer == "work")
    assert evaluation.spent < 14 * Limits().work
    refusal = verdict.refusal
    if refusal is None:
        assert answer is None
    elif refusal.code is Code.TOO_LARGE:
        assert (answer, refusal.limit) == ("work", "work")
    else:
        assert answer == refusal.findings[0].keyword


@pytest.mark.no_cover
@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_inside_the_size_limits_is_what_it_says(name):
    """
    No family is refused before its schema is applied.
    """
    assert charge(FAMILIES[name][1], Limits()).nodes <= Limits().nodes


def spent(schema, arguments):
    evaluation = Evaluation(10**9)
    smallest(foreign({"type": "object", **schema}).tools["t"].root, arguments, evaluation)
    return evaluation.spent


GROWING = {
    "objects that differ": lambda n: (
        array(uniqueItems=True),
        {"a": [{"k": at} for at in range(n)]},
    ),
    "mixed values": lambda n: (
        array(uniqueItems=True),
        {"a": [None, *range(n), *map(str, range(n))]},
    ),
    "failing items": lambda n: (each({"type": "string"}), {"a": [0] * n}),
    "unknown keys": lambda n: (
        {"properties": {"a": {"additionalProperties": False}}},
        {"a": {f"k{at}": 1 for at in range(n)}},
    ),
    "patterns and closure": lambda n: (
        {"properties": {"a": {"patternProperties": {"^k": {}}, "unevaluatedProperties": False}}},
        {"a": {f"k{at}": 1 for at in range(n)}},
    ),
    "contains and closure": lambda n: (
        array(contains={"const": 1}, unevaluatedItems={"type": "integer"}),
        {"a": list(range(n))},
    ),
    "failing names": lambda n: (
        {"properties": {"a": {"propertyNames": False}}},
        {"a": {f"k{at}": 1 for at in range(n)}},
    ),
    "a regular pattern": lambda n: (
        {"properties": {"a": {"pattern": "^([a-z]+-?)+$"}}},
        {"a": "x" * n},
    ),
}


@pytest.mark.parametrize("name", GROWING)
def test_the_count_grows_with_the_size_and_not_with_its_square(name):
    one, ten = (spent(*GROWING[name](size)) for size in (300, 3_000))
    assert ten < 13 * one


@pytest.mark.parametrize("name", GROWING)
def test_few_functions_run_for_each_step(name):
    """
    Hidden work would show here: calls that no step stands for.
    """
    schema, arguments = GROWING[name](2_000)
    root = foreign({"type": "object", **schema}).tools["t"].root
    evaluation = Evaluation(10**9)
    assert functions(lambda: smallest(root, arguments, evaluation)) < 6 * evaluation.spent


def test_the_count_is_the_same_each_time_and_stops_at_the_first_step_past_the_limit():
    schema, arguments = GROWING["failing items"](500)
    root = foreign({"type": "object", **schema}).tools["t"].root
    whole = spent(schema, arguments)
    assert whole == spent(schema, arguments)
    evaluation = Evaluation(whole)
    smallest(root, arguments, evaluation)
    for most in (0, 1, whole // 2, whole - 1):
        with pytest.raises(WorkPassed):
            smallest(root, arguments, Evaluation(most))


def test_length_is_settled_before_a_pattern_is_charged():
    """
    A string that is too long costs nothing to match.
    """
    short = {"properties": {"a": {"maxLength": 10, "pattern": "^[a-z]*$"}}}
    assert spent(short, {"a": "x" * 1_000_000}) < 100
    assert spent({"properties": {"a": {"pattern": "^[a-z]*$"}}}, {"a": "x" * 1_000_000}) > 10_000


NAMED = {"propertyNames": {"maxLength": 10}, "patternProperties": {"^[a-z]*$": {"type": "null"}}}


@pytest.mark.parametrize(
    "closed", [{}, {"additionalProperties": False}, {"unevaluatedProperties": False}]
)
def test_a_name_that_is_too_long_is_matched_by_no_pattern_either(closed):
    """
    Nor is it told as unknown beside that, or its value by a pattern's schema.
    """
    long = {"a": {"x" * 1_000_000: 1}}
    schema = {"properties": {"a": {**NAMED, **closed}}}
    assert spent(schema, long) < 100
    (told,) = foreign({"type": "object", **schema}).check("t", long).refusal.findings
    assert (told.pointer, told.keyword) == ("/a", "propertyNames")


def test_a_name_at_its_bound_is_matched():
    schema = {"type": "object", "properties": {"a": {**NAMED, "additionalProperties": False}}}
    catalog = foreign(schema)
    assert catalog.check("t", {"a": {"x" * 10: None}}).admitted
    (told,) = catalog.check("t", {"a": {"x" * 10: 1}}).refusal.findings
    assert told.keyword == "type"
    (told,) = catalog.check("t", {"a": {"X": None}}).refusal.findings
    assert told.keyword == "additionalProperties"


def test_a_bound_beside_a_reference_that_hides_it_bounds_no_name():
    """
    In draft-07 the neighbours of a ``$ref`` say nothing.
    """
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "definitions": {"any": {}},
        "properties": {
            "a": {
                "propertyNames": {"$ref": "#/definitions/any", "maxLength": 1},
                "patternProperties": {"^x": {"type": "null"}},
            }
        },
    }
    (told,) = foreign(schema).check("t", {"a": {"xx": 1}}).refusal.findings
    assert told.keyword == "type"


def test_a_published_pattern_stays_under_the_work_limit_at_its_longest(tmp_path):
    catalog = published(tmp_path, properties={"a": {"pattern": "\\s+$", "maxLength": 400}})
    verdict = catalog.check("t", {"a": " " * 399 + "x"})
    assert [one.keyword for one in verdict.refusal.findings] == ["pattern"]


@pytest.mark.parametrize(
    "name",
    [
        "twenty-four branches over one huge string",
        "bytes of a huge string",
        "unknown keys by the ten thousand",
    ],
)
def test_a_refusal_holds_little_beside_the_arguments(name):
    """
    Nothing renders an instance, and no branch keeps what it found.
    """
    schema, arguments, _answer = FAMILIES[name]
    catalog = foreign({"type": "object", **schema})
    catalog.check("t", {})
    tracemalloc.start()
    try:
        catalog.check("t", arguments)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8 * 1_048_576


def test_failing_items_keep_no_more_than_the_findings_that_are_told():
    schema, arguments = GROWING["failing items"](20_000)
    catalog = foreign({"type": "object", **schema})
    catalog.check("t", {})
    tracemalloc.start()
    try:
        verdict = catalog.check("t", arguments)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(verdict.refusal.findings) == 8
    assert peak < 1_048_576
