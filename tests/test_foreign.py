"""
What somebody else published is taken one tool at a time, and takes nothing else down.
"""

import json
import logging

import pytest

from tests.catalogs import foreign, told
from tests.support.counted import no_hang
from weighbridge import Catalog, Code

GOOD = {"type": "object", "properties": {"a": {"type": "string"}}}


def nested(schema, keyword, times):
    for _ in range(times):
        schema = {keyword: schema}
    return schema


def nested_list(levels):
    value = []
    for _ in range(levels):
        value = [value]
    return value


UNUSABLE = {
    "no schema": (None, "it is no JSON object"),
    "a list": ([], "it is no JSON object"),
    "true": (True, "it is no JSON object"),
    "text": ("{}", "it is no JSON object"),
    "a tuple": ({"enum": (1,)}, "is not JSON"),
    "a number that is not finite": ({"maximum": float("inf")}, "is not JSON"),
    "a lone surrogate": ({"title": "\ud800"}, "is not JSON"),
    "a root of another type": ({"type": "array"}, "an input schema is an object schema"),
    "a dialect that nobody knows": ({"$schema": "urn:x"}, "its dialect is not applied here"),
    "draft-04": (
        {"$schema": "http://json-schema.org/draft-04/schema#"},
        "its dialect is not applied here",
    ),
    "a type that nobody knows": ({"properties": {"x": {"type": "any"}}}, "by enum"),
    "a reference to nowhere": ({"properties": {"x": {"$ref": "#/none"}}}, "leads nowhere"),
    "a reference to a file": (
        {"properties": {"x": {"$ref": "file:///etc/passwd"}}},
        "leads nowhere",
    ),
    "a reference that is no URI": ({"properties": {"x": {"$ref": "http://["}}}, "leads nowhere"),
    "an identifier that is no URI": ({"$id": "http://["}, "could not be applied"),
    "a reference to itself": ({"$ref": "#"}, "without end"),
    "a pattern that is none": ({"properties": {"x": {"pattern": "("}}}, "not usable"),
    "schemas nested too deep to be read": ({"not": nested({}, "not", 70)}, "passes nesting"),
    "a list in a list in a list": ({"enum": nested_list(70)}, "passes nesting"),
    "more values than are read": ({"enum": [0] * 200_001}, "passes nodes"),
    "more text than is read": ({"title": "x" * 12_600_000}, "passes rendered"),
    "a chain of too many references": (
        {
            "properties": {"x": {"$ref": "#/$defs/d0"}},
            "$defs": {f"d{at}": {"$ref": f"#/$defs/d{at + 1}"} for at in range(160)} | {"d160": {}},
        },
        "schemas apply inside one another",
    ),
}


@pytest.mark.parametrize("fault", UNUSABLE)
def test_a_tool_that_cannot_be_used_is_listed_with_its_reason_and_refused(fault):
    schema, reason = UNUSABLE[fault]
    catalog = Catalog.from_tools(
        [{"name": "bad", "inputSchema": schema}, {"name": "good", "inputSchema": GOOD}]
    )
    assert list(catalog.tools) == ["good"]
    assert list(catalog.unusable) == ["bad"]
    assert reason in catalog.unusable["bad"]
    verdict = catalog.check("bad", {})
    assert verdict.refusal.code is Code.UNUSABLE_SCHEMA
    assert "operator" in verdict.refusal.message
    assert catalog.check("good", {"a": "x"}).admitted


def test_a_reason_is_bounded_and_cannot_forge_a_line():
    name = "x\n\x1b[31m\u202e" + "y" * 5_000
    for schema in (
        {"properties": {name: {"type": "any"}}},
        {"properties": {"x": {"$ref": "#/" + name}}},
        {"properties": {"x": {"pattern": "(" + name}}},
        {"$schema": name},
    ):
        catalog = foreign(schema)
        assert len(catalog.unusable["t"]) < 500
        assert catalog.unusable["t"].isprintable()
        message = catalog.check("t", {}).refusal.message
        assert message.isprintable()
        assert len(message) <= catalog.limits.refusal


@pytest.mark.parametrize(
    ("tools", "usable", "unusable"),
    [
        ([], [], {}),
        (
            [None, 5, "t", [], {}],
            [],
            dict.fromkeys(["#0", "#1", "#2", "#3", "#4"], "it has no name"),
        ),
        ([{"name": 5, "inputSchema": GOOD}], [], {"#0": "it has no name"}),
        (
            [{"name": "t", "inputSchema": GOOD}] * 3,
            [],
            {"t": "two tools of this name are listed"},
        ),
        (
            [{"name": "", "inputSchema": GOOD}, {"name": "\ud800", "inputSchema": GOOD}],
            ["", "\ud800"],
            {},
        ),
    ],
)
def test_entries_of_any_kind_are_taken_or_listed(tools, usable, unusable):
    catalog = Catalog.from_tools(tools)
    assert list(catalog.tools) == usable
    assert dict(catalog.unusable) == unusable
    json.loads(catalog.to_json())


def test_tools_past_ten_thousand_are_listed_and_not_read():
    catalog = Catalog.from_tools({"name": f"t{at}"} for at in range(10_003))
    assert {name for name, why in catalog.unusable.items() if "more than" in why} == {
        *("t10000", "t10001", "t10002")
    }


def test_unknown_keys_are_refused_or_as_published_and_nothing_else():
    with pytest.raises(ValueError, match="as-published"):
        Catalog.from_tools([], unknown_keys="ignore")


def both(schema, arguments):
    """
    What is told when unknown root keys are refused, and as published.
    """
    tools = [{"name": "t", "inputSchema": schema}]
    strict = Catalog.from_tools(tools)
    loose = Catalog.from_tools(tools, unknown_keys="as-published")
    assert not strict.unusable
    return told(strict.check("t", arguments)), told(loose.check("t", arguments))


UNKNOWN = [("", "additionalProperties")]


@pytest.mark.parametrize(
    ("schema", "answer"),
    [
        (GOOD, UNKNOWN),
        ({"type": "object"}, UNKNOWN),
        ({}, UNKNOWN),
        ({"patternProperties": {"^z": {}}}, []),
        ({"patternProperties": {"^y": {}}}, UNKNOWN),
        ({"allOf": [{"properties": {"zz": {}}}]}, []),
        ({"anyOf": [{"properties": {"zz": {}}}, {"properties": {"a": {}}}]}, []),
        ({"if": {"properties": {"zz": {}}}}, []),
        ({"dependentSchemas": {"q": {"properties": {"zz": {}}}}}, []),
        ({"$ref": "#/$defs/d", "$defs": {"d": {"properties": {"zz": {}}}}}, []),
        ({"properties": {"a": {"properties": {"zz": {}}}}}, UNKNOWN),
        ({"propertyNames": {"enum": ["zz"]}}, UNKNOWN),
        ({"additionalProperties": True}, []),
        ({"additionalProperties": {"type": "integer"}}, []),
        ({"unevaluatedProperties": True}, []),
        (
            {
                "$schema": "http://json-schema.org/draft-07/schema#",
                "definitions": {"d": {"properties": {"zz": {}}}},
                "$ref": "#/definitions/d",
            },
            [],
        ),
    ],
)
def test_a_root_key_is_unknown_when_nothing_in_place_names_it(schema, answer):
    assert both(schema, {"zz": 1}) == (answer, [])


def test_an_unknown_key_is_told_beside_the_rest_with_the_name_that_was_meant():
    catalog = Catalog.from_tools([{"name": "t", "inputSchema": GOOD}])
    verdict = catalog.check("t", {"A": "x"})
    (finding,) = verdict.refusal.findings
    assert (finding.names, finding.suggestion) == (("A",), "a")


def test_every_verdict_is_advisory():
    catalog = Catalog.from_tools([{"name": "t", "inputSchema": GOOD}, {"name": "u"}])
    for tool in ("t", "u", "v"):
        assert catalog.check(tool, {"a": 1}).advisory
        assert json.loads(catalog.check(tool, {}).to_json())["advisory"] is True
    assert json.loads(catalog.to_json())["advisory"] is True


@pytest.mark.parametrize(
    ("dialect", "schema", "holds", "misses"),
    [
        ("draft-07", {"items": [{"type": "string"}], "additionalItems": False}, ["a"], ["a", 1]),
        ("draft-07", {"dependencies": {"a": ["b"]}}, {"a": 1, "b": 1}, {"a": 1}),
        ("draft-07", {"dependencies": {"a": {"minProperties": 2}}}, {"a": 1, "b": 1}, {"a": 1}),
        ("draft-07", {"$ref": "#/definitions/s", "maxLength": 1}, "long", 1),
        ("draft-06", {"exclusiveMinimum": 3, "if": False, "else": False}, 4, 3),
        ("2019-09", {"items": [True], "unevaluatedItems": False}, [1], [1, 2]),
        ("2019-09", {"dependentRequired": {"a": ["b"]}}, {"a": 1, "b": 1}, {"a": 1}),
    ],
)
def test_an_older_dialect_is_applied_as_declared(dialect, schema, holds, misses):
    uri = (
        f"http://json-schema.org/{dialect}/schema#"
        if dialect.startswith("draft")
        else f"https://json-schema.org/draft/{dialect}/schema"
    )
    catalog = foreign(
        {
            "$schema": uri,
            "type": "object",
            "properties": {"v": schema},
            "definitions": {"s": {"type": "string"}},
        }
    )
    assert not catalog.unusable
    assert catalog.check("t", {"v": holds}).admitted
    assert not catalog.check("t", {"v": misses}).admitted


def test_an_unknown_format_is_an_annotation():
    catalog = foreign({"type": "object", "properties": {"v": {"format": "color"}}})
    assert catalog.check("t", {"v": "no colour"}).admitted


def test_a_foreign_schema_may_describe_schemas():
    """
    A reference to the metaschema leads to it, offline.
    """
    meta = "https://json-schema.org/draft/2020-12/schema"
    catalog = foreign({"type": "object", "properties": {"v": {"$ref": meta}}})
    assert not catalog.unusable
    assert catalog.check("t", {"v": {"type": "string", "properties": {"a": True}}}).admitted
    assert told(catalog.check("t", {"v": {"properties": {"a": {"maxLength": -1}}}})) == [
        ("/v/properties/a/maxLength", "minimum")
    ]


def test_what_was_listed_is_not_changed_and_later_changes_are_not_seen():
    schema = {"type": "object", "properties": {"a": {"enum": [1, 2]}}, "required": ["a"]}
    before = json.dumps(schema)
    catalog = foreign(schema)
    digest = catalog.digest
    assert json.dumps(schema) == before
    schema["properties"]["a"]["enum"].append(3)
    schema["required"].clear()
    assert not catalog.check("t", {"a": 3}).admitted
    assert told(catalog.check("t", {})) == [("", "required")]
    assert catalog.digest == digest


HEAVY = {
    "closures": {
        "$defs": {
            "all": {"allOf": [{"$ref": f"#/$defs/s{at}"} for at in range(1_500)]},
            **{f"s{at}": {"properties": {f"p{at}": {}}} for at in range(1_500)},
            **{
                f"u{at}": {"$ref": "#/$defs/all", "unevaluatedProperties": False}
                for at in range(1_500)
            },
        }
    },
    "objects that should be names": {"required": [{"a": at} for at in range(15_000)]},
    "an enum of draft-06": {
        "$schema": "http://json-schema.org/draft-06/schema#",
        "enum": [{"a": at} for at in range(15_000)],
    },
    "many references": {
        "properties": {f"p{at}": {"$ref": "#/$defs/d"} for at in range(10_000)},
        "$defs": {"d": {"type": "string"}},
    },
    "a long reference": {"properties": {"x": {"$ref": "#" + "/a" * 1_000_000}}},
    "a long anchor": {
        "$anchor": "a" * 1_000_000,
        "properties": {"x": {"$ref": "#" + "a" * 1_000_000}},
    },
    "many resources": {"$defs": {f"d{at}": {"$id": f"d{at}"} for at in range(7_000)}},
    "many dynamic anchors": {
        "$defs": {
            f"d{at}": {"$dynamicAnchor": f"d{at}", "$dynamicRef": "#d0"} for at in range(7_000)
        }
    },
    "branches of branches": {
        "$defs": {
            **{
                f"d{at}": {
                    "anyOf": [{"$ref": f"#/$defs/d{at + 1}"}, {"$ref": f"#/$defs/d{at + 1}"}]
                }
                for at in range(60)
            },
            "d60": {"type": "string"},
        },
        "properties": {"v": {"$ref": "#/$defs/d0"}},
    },
    "texts that are no schema": {"$defs": {f"d{at}": "x" for at in range(15_000)}},
}


@pytest.mark.no_cover
@pytest.mark.parametrize("name", HEAVY)
def test_a_schema_made_to_be_slow_is_answered(name, caplog):
    """
    Loading and two calls: none goes on without end, and none is a fault of ours.
    """
    with caplog.at_level(logging.DEBUG), no_hang():
        catalog = foreign({"type": "object", **HEAVY[name]})
        verdicts = [catalog.check("t", {"v": 1}), catalog.check("t", {"p1": 1})]
    unusable = "t" in catalog.unusable
    said = {one.refusal.code == "unusable-schema" for one in verdicts if one.refusal}
    assert said <= {unusable}
    assert caplog.text == ""
