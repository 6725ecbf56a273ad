"""
Lookup, text, charge, schema: the first that refuses answers, and nothing is ever raised.
"""

import dataclasses
import json
import logging
import math
import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.catalogs import foreign, judged, published, told
from tests.schemas import instances, schemas
from weighbridge import Catalog, Charge, Code, Limits
from weighbridge.evaluation import CURRENT, Evaluation, WorkPassed
from weighbridge.gate import smallest

ANY = {"properties": {"a": {}}}


@pytest.fixture
def catalog(tmp_path):
    return published(tmp_path, properties={"a": {}, "n": {"type": "integer"}}, required=["n"])


def codes(verdict):
    refusal = verdict.refusal
    return None if refusal is None else (str(refusal.code), refusal.limit)


@pytest.mark.parametrize(
    ("tool", "text", "answer"),
    [
        # Each text has every later fault as well.
        ("u", "[" * 40, ("no-schema", None)),
        ("t", "[" * 40 + '{"a":1,"a":2', ("too-large", "nesting")),
        ("t", '{"a":NaN,"a":2}', ("not-json", None)),
        ("t", '{"a":[' + "0," * 100_000 + "0]}", ("too-large", "nodes")),
        ("t", '{"a":NaN}', ("not-json", None)),
        ("t", '{"a":1}', ("mismatch", None)),
        ("t", '{"n":1}', None),
    ],
)
def test_the_first_gate_that_refuses_gives_the_refusal(tool, text, answer, catalog):
    assert codes(catalog.check_text(tool, text)) == answer


def test_every_key_of_a_verdict_is_always_there(catalog):
    shape = {"admitted", "advisory", "tool", "catalog", "charge", "refusal"}
    for text in ('{"n":1}', "{}", "{", "[" * 40, '{"n":NaN}'):
        verdict = json.loads(catalog.check_text("t", text).to_json())
        assert verdict.keys() == shape
        assert verdict["catalog"] == {"contract": 1, "digest": catalog.digest}
        if verdict["refusal"] is not None:
            assert verdict["refusal"].keys() == {
                *("code", "limit", "message", "truncated", "findings")
            }
            for finding in verdict["refusal"]["findings"]:
                assert finding.keys() == {
                    *("pointer", "exact", "keyword", "schemaPointer", "expected", "params"),
                    *("received", "names", "omitted", "suggestion", "message"),
                }


def test_an_admitted_call_is_told_whole(catalog):
    assert json.loads(catalog.check("t", {"n": 7, "a": "x'\""}).to_json()) == {
        "admitted": True,
        "advisory": False,
        "tool": "t",
        "catalog": {"contract": 1, "digest": catalog.digest},
        "charge": {"nesting": 2, "nodes": 5, "rendered": 7},
        "refusal": None,
    }


def test_a_refused_call_is_told_whole(catalog):
    assert json.loads(catalog.check("t", {"n": "secret"}).to_json()) == {
        "admitted": False,
        "advisory": False,
        "tool": "t",
        "catalog": {"contract": 1, "digest": catalog.digest},
        "charge": {"nesting": 2, "nodes": 3, "rendered": 7},
        "refusal": {
            "code": "mismatch",
            "limit": None,
            "truncated": False,
            "message": 'The call to "t" was refused before it ran: its arguments do not match the '
            "published schema. At /n: expected an integer; a string came. Send it without "
            "quotation marks. Nothing was read and nothing was changed. Mend the arguments and "
            "call again.",
            "findings": [
                {
                    "pointer": "/n",
                    "exact": True,
                    "keyword": "type",
                    "schemaPointer": "/properties/n/type",
                    "expected": "an integer",
                    "params": {"type": "integer"},
                    "received": "string",
                    "names": [],
                    "omitted": 0,
                    "suggestion": None,
                    "message": "At /n: expected an integer; a string came. Send it without "
                    "quotation marks.",
                }
            ],
        },
    }


def test_absent_and_null_arguments_are_the_empty_object(tmp_path):
    catalog = published(tmp_path)
    empty = catalog.check("t", {}).to_json()
    assert json.loads(empty)["charge"] == {"nesting": 1, "nodes": 1, "rendered": 0}
    assert catalog.check("t", None).to_json() == empty
    for text in (None, "null", " null\n", b"null", "{}", b" {} "):
        assert catalog.check_text("t", text).to_json() == empty


@pytest.mark.parametrize("root", [[], "x", 1, 1.5, True, [{}]])
def test_a_root_that_is_no_object_misses_type_at_the_root(root, catalog):
    verdict = catalog.check("t", root)
    assert told(verdict) == [("", "type")]
    assert verdict.to_json() == catalog.check_text("t", json.dumps(root)).to_json()


@pytest.mark.parametrize("root", [[], "x", 1, True])
@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"properties": {"a": {}}},
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "$ref": "#/definitions/any",
            "definitions": {"any": {}},
        },
    ],
)
def test_a_foreign_root_that_is_no_object_misses_type_whatever_its_schema_forgot(schema, root):
    assert told(foreign(schema).check("t", root)) == [("", "type")]


def test_the_charge_is_null_unless_the_walk_finished(catalog):
    for arguments in ({"a": math.nan}, {"a": [0] * 100_000}, {"a": (1,)}):
        assert catalog.check("t", arguments).charge is None
    assert catalog.check("u", {}).charge is None
    assert catalog.check("t", {}).charge == Charge(nesting=1, nodes=1, rendered=0)


def test_a_verdict_speaks_of_the_arguments_as_they_were_judged(catalog):
    arguments = {"n": ["x"], "zz": [1, 2]}
    verdict = catalog.check("t", arguments)
    before = verdict.to_json()
    arguments["n"].append("y" * 1000)
    arguments["n"] = 1
    arguments["later"] = {}
    del arguments["zz"]
    assert verdict.to_json() == before
    assert verdict.charge == Charge(nesting=3, nodes=8, rendered=6)


def test_a_judged_call_is_left_as_it_came(catalog):
    arguments = {"n": [1, {"b": None}], "a": {"z": [], "y": {}}}
    copy = json.loads(json.dumps(arguments))
    catalog.check("t", arguments)
    assert arguments == copy
    assert list(arguments["a"]) == ["z", "y"]


@pytest.mark.parametrize(
    "tool", [None, 1, 1.5, True, [], {}, b"t", ("t",), object(), "\ud800", "T", "t ", "x" * 10_000]
)
def test_a_tool_that_is_not_published_is_refused_whatever_it_is(tool, catalog):
    verdict = catalog.check(tool, {"n": 1})
    assert verdict.refusal.code is Code.NO_SCHEMA
    assert len(verdict.tool) <= catalog.limits.fragment
    assert verdict.to_json().isascii()
    assert catalog.check_text(tool, "{").to_json() == verdict.to_json()


class Hostile(dict):
    """
    Raises from everything that a caller could make us touch.
    """

    def items(self):
        """Never to be called."""
        raise ZeroDivisionError("secret")

    __iter__ = __len__ = __contains__ = __getitem__ = __repr__ = __hash__ = items


def test_a_value_of_a_hostile_type_is_refused_untouched(catalog):
    for arguments in (Hostile(), {"a": Hostile()}, {"a": [Hostile()]}):
        assert codes(catalog.check("t", arguments)) == ("not-json", None)


@pytest.mark.parametrize("text", [5, 1.5, [], object(), bytearray(b"{}"), memoryview(b"{}")])
def test_a_text_that_is_no_text_is_refused_and_nothing_is_raised(text, catalog, caplog):
    assert not catalog.check_text("t", text).admitted
    assert all("{}" not in record.getMessage() for record in caplog.records)


def test_what_our_own_code_raises_is_a_fixed_refusal_and_a_line_without_values(catalog, caplog):
    """
    A node that cannot be applied stands for any fault of ours.
    """
    tool = catalog.tools["t"]
    broken = dataclasses.replace(tool.root, validator=None)
    tools = {"t": dataclasses.replace(tool, root=broken)}
    damaged = dataclasses.replace(catalog, tools=tools)
    with caplog.at_level(logging.DEBUG):
        verdict = damaged.check("t", {"n": "secret", "secretname": 1})
    assert verdict.refusal.code is Code.UNUSABLE_SCHEMA
    assert "operator" in verdict.refusal.message
    assert "secret" not in verdict.to_json() + caplog.text
    assert [record.getMessage() for record in caplog.records] == [
        "a call could not be judged: AttributeError"
    ]
    assert CURRENT.get(None) is None


def from_below(frames, run):
    return from_below(frames - 1, run) if frames else run()


def nots(count, inner):
    for _ in range(count):
        inner = {"not": inner}
    return inner


def deep_schema(kind, levels, chain):
    """
    ``levels`` of arrays or objects, and at their bottom ``chain`` negations of one value.
    """
    defs = {}
    here = {"type": ["string", "number"]}
    while chain > 0:
        name = f"n{len(defs)}"
        defs[name] = nots(min(chain, 20), here)
        here = {"$ref": f"#/$defs/{name}"}
        chain -= 20
    for level in range(levels):
        defs[f"l{level}"] = (
            {"contains": here} if kind is list else {"patternProperties": {"k": here}}
        )
        here = {"$ref": f"#/$defs/l{level}"}
    return {"type": "object", "properties": {"v": here}, "$defs": defs}


@pytest.mark.parametrize("kind", [list, dict])
@pytest.mark.parametrize("chain", [20, 60, 75, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 90, 120])
def test_a_verdict_does_not_move_with_the_stack_of_the_caller(kind, chain):
    """
    The dearest frames a schema application can cost, up to the depth that is counted.
    """
    catalog = foreign(deep_schema(kind, 29, chain))
    assert not catalog.unusable
    value = "x"
    for _ in range(29):
        value = [value] if kind is list else {"k": value}
    verdict = catalog.check("t", {"v": value})
    assert verdict.refusal is None or verdict.refusal.code is not Code.UNUSABLE_SCHEMA
    below = from_below(200, lambda: catalog.check("t", {"v": value}).to_json())
    assert below == verdict.to_json()


def test_depth_is_refused_as_work_and_not_as_a_fault_of_ours():
    refused = foreign(deep_schema(list, 29, 120)).check("t", {"v": "x"})
    assert refused.admitted
    value = "x"
    for _ in range(29):
        value = [value]
    verdict = foreign(deep_schema(list, 29, 120)).check("t", {"v": value})
    assert codes(verdict) == ("too-large", "work")
    # The walk had finished: the charge stands.
    assert verdict.charge == Charge(nesting=31, nodes=32, rendered=2)


def turned(value, rng):
    if isinstance(value, dict):
        keys = list(value)
        rng.shuffle(keys)
        return {key: turned(value[key], rng) for key in keys}
    return [turned(one, rng) for one in value] if isinstance(value, list) else value


GENERATED = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@GENERATED
@given(schemas, instances, st.integers())
def test_both_doors_and_every_order_of_keys_give_the_same_bytes(schema, instance, seed):
    rng = random.Random(seed)
    listed = {"type": "object", **schema}
    catalog = Catalog.from_tools([{"name": "t", "inputSchema": listed}])
    other = Catalog.from_tools([{"name": "t", "inputSchema": turned(listed, rng)}])
    arguments = {"v": instance, "w": [instance, {}]}
    verdict = catalog.check("t", arguments).to_json()
    assert catalog.check("t", turned(arguments, rng)).to_json() == verdict
    assert other.check("t", turned(arguments, rng)).to_json() == verdict
    assert catalog.check_text("t", json.dumps(arguments)).to_json() == verdict
    text = json.dumps(turned(arguments, rng), ensure_ascii=False, indent=1)
    assert catalog.check_text("t", text.encode()).to_json() == verdict


@GENERATED
@given(schemas, instances, st.integers())
def test_the_count_of_work_does_not_depend_on_any_order_of_keys(schema, instance, seed):
    rng = random.Random(seed)
    listed = {"type": "object", **schema}
    root = foreign(listed).tools["t"].root
    other = foreign(turned(listed, rng)).tools["t"].root
    spent = set()
    for node, value in (
        (root, instance),
        (root, turned(instance, rng)),
        (other, turned(instance, rng)),
    ):
        evaluation = Evaluation(10**9)
        smallest(node, {"v": value}, evaluation)
        spent.add(evaluation.spent)
        # Whatever was left in the middle is put back.
        assert (evaluation.path, evaluation.scope, evaluation.muted) == ([], [], 0)
        with pytest.raises(WorkPassed):
            smallest(node, {"v": value}, Evaluation(evaluation.spent - 1))
    assert len(spent) == 1


@GENERATED
@given(schemas, instances)
def test_the_findings_are_the_smallest_by_the_total_order(schema, instance):
    root = foreign({"type": "object", **schema}).tools["t"].root
    every, more = smallest(root, {"v": instance}, Evaluation(10**9), most=10**6)
    assert not more
    order = [(-len(one.tokens), one.tokens, one.keyword, one.schema_pointer) for one in every]
    assert order == sorted(set(order))
    few, more = smallest(root, {"v": instance}, Evaluation(10**9), most=2)
    assert few == every[:2]
    assert more == (len(every) > 2)


def test_indices_are_ordered_as_numbers_and_deeper_places_come_first():
    schema = {
        "properties": {
            "a": {"type": "array", "items": {"type": "string"}},
            "b": {"type": "integer"},
            "c": {"items": {"properties": {"d": {"type": "null"}}}},
        }
    }
    verdict = judged(schema, {"a": [0] * 12, "b": "x", "c": [{"d": 1}]})
    assert told(verdict) == [
        ("/c/0/d", "type"),
        *((f"/a/{at}", "type") for at in range(7)),
    ]
    assert verdict.refusal.truncated


def test_one_finding_tells_every_missing_name_of_an_object():
    schema = {"required": ["c", "a", "b"], "properties": {"x": {"required": ["z"]}}}
    verdict = judged(schema, {"b": 1, "x": {}})
    assert [(one.pointer, one.names) for one in verdict.refusal.findings] == [
        ("/x", ("z",)),
        ("", ("a", "c")),
    ]


def test_unknown_names_are_told_up_to_eight_and_the_rest_counted(tmp_path):
    catalog = published(tmp_path)
    verdict = catalog.check("t", {f"k{at:02}": 0 for at in reversed(range(20))})
    (finding,) = verdict.refusal.findings
    assert finding.names == tuple(f"k{at:02}" for at in range(8))
    assert finding.omitted == 12


LIMITED = {
    "nesting": ({"a": [[]]}, {"a": [[[]]]}, 3),
    "nodes": ({"a": [1, 2]}, {"a": [1, 2, 3]}, 5),
    "rendered": ({"a": "123456789"}, {"a": "1234567890"}, 10),
}


@pytest.mark.parametrize("limit", LIMITED)
def test_each_limit_is_passed_at_one_more_and_named(limit, tmp_path):
    edge, past, value = LIMITED[limit]
    catalog = published(tmp_path, settings={"limits": {limit: value}}, **ANY)
    assert catalog.check("t", edge).admitted
    assert codes(catalog.check("t", past)) == ("too-large", limit)
    assert catalog.check_text("t", json.dumps(past)).to_json() == catalog.check("t", past).to_json()


def test_the_work_limit_is_passed_at_one_more_step(tmp_path):
    catalog = published(tmp_path, properties={"a": {"items": {"type": "integer"}}})
    evaluation = Evaluation(10**9)
    smallest(catalog.tools["t"].root, {"a": [1, 2, 3]}, evaluation)
    for most, answer in ((evaluation.spent, None), (evaluation.spent - 1, ("too-large", "work"))):
        narrow = published(
            tmp_path,
            settings={"limits": {"work": most}},
            properties={"a": {"items": {"type": "integer"}}},
        )
        assert codes(narrow.check("t", {"a": [1, 2, 3]})) == answer


def test_the_body_limit_belongs_to_the_text_door_alone(tmp_path):
    catalog = published(tmp_path, settings={"limits": {"body": 65_536 + 10}}, **ANY)
    assert catalog.check_text("t", '{"a":1234}').admitted
    assert codes(catalog.check_text("t", '{"a":12345}')) == ("too-large", "body")
    assert catalog.check("t", {"a": 12345}).admitted


@pytest.mark.parametrize(
    "number",
    [1e308, -1e308, 5e-324, -5e-324, -0.0, 0, 10**400, -(10**400), 10**4299, 2**53 + 1, 1.0, 1e16],
)
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer"},
        {"multipleOf": 0.1},
        {"multipleOf": 1e-300},
        {"multipleOf": 1e308},
        {"multipleOf": 10**300},
        {"maximum": 1e308},
        {"minimum": 10**300},
        {"exclusiveMinimum": 5e-324},
        {"enum": [0, 1, 1e308, 10**400]},
        {"uniqueItems": True, "type": ["number", "array"]},
    ],
    ids=str,
)
def test_no_number_makes_us_raise(number, schema):
    verdict = judged({"properties": {"v": schema}}, {"v": number})
    assert verdict.refusal is None or verdict.refusal.code is Code.MISMATCH


def test_the_limits_of_a_verdict_are_those_of_the_contract():
    assert Limits() == Limits(
        nesting=32,
        nodes=100_000,
        rendered=12_582_912,
        work=Limits().work,
        body=26_214_400,
        fragment=120,
        refusal=800,
    )
    assert Limits().text == Limits().body - 65_536


def test_calls_judged_at_once_do_not_see_each_other(tmp_path):
    """
    One catalog, many threads: every verdict is the one it would be alone.
    """
    catalog = published(
        tmp_path,
        properties={
            "a": {"items": {"anyOf": [{"type": "string"}, {"type": "string", "minLength": 3}]}},
            "b": {
                "type": "object",
                "propertyNames": {"maxLength": 9},
                "patternProperties": {"^k": {"type": "integer"}},
            },
        },
    )
    calls = [{"a": ["x"] * at, "b": {f"k{at}": at % 3 or "x"}, f"z{at % 2}": 0} for at in range(60)]
    alone = [catalog.check("t", call).to_json() for call in calls]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            together = pool.map(lambda call: catalog.check("t", call).to_json(), calls)
            assert list(together) == alone
