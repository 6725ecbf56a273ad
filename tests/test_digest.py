"""
One short name for everything that can change a verdict, and for nothing else.
"""

import hashlib
import json

import pytest

from tests.catalogs import folder, foreign, input_schema
from weighbridge import Catalog, Limits
from weighbridge.canonical import canonical
from weighbridge.digest import shape
from weighbridge.limits import RANGES, as_dict

SETTINGS = {
    "limits": {"nodes": 5_000},
    "tools": {"t": {"limits": {"nodes": 50}, "reason": "It takes one field."}},
    "exceptions": [{"rule": "open-root", "schema": "s.json", "reason": "It is composed."}],
}
SHARED = {"$id": "s.json", "type": "object", "properties": {"p": {"type": "string"}}}
SCHEMA = {
    **input_schema(
        **{"$id": "t.json"},
        title="T",
        description="D",
        allOf=[{"$ref": "s.json"}],
        properties={
            "a": {
                "type": "integer",
                "minimum": 1.0,
                "default": 3,
                "examples": [5],
                "x-maxBytes": 9,
            },
            "title": {"enum": ["x", {"title": "y"}], "$comment": "c"},
        },
        required=["a"],
    ),
    "unevaluatedProperties": False,
}
del SCHEMA["additionalProperties"]


def catalog(where, schema=SCHEMA, shared=SHARED, settings=SETTINGS):
    return Catalog.read(
        folder(where, {"t.json": schema, "s.json": shared, "catalog.json": settings})
    )


def changed(value, path, new):
    """
    A copy with one place changed; ``...`` takes it away.
    """
    copy = json.loads(json.dumps(value))
    here = copy
    for step in path[:-1]:
        here = here[step]
    if new is ...:
        del here[path[-1]]
    else:
        here[path[-1]] = new
    return copy


def test_the_digest_is_taken_as_the_contract_says(tmp_path):
    """
    Worked out here anew, from the files alone.
    """
    whole = {
        "contract": 1,
        "limits": {**as_dict(Limits()), "nodes": 5_000},
        "schemas": {"t.json": SCHEMA, "s.json": SHARED},
        "tools": {"t": {"limits": {"nodes": 50}}},
    }
    text = json.dumps(whole, sort_keys=True, separators=(",", ":")).replace("1.0", "1")
    assert catalog(tmp_path).digest == "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()


def test_the_digest_of_a_tool_is_taken_over_what_is_listed(tmp_path):
    tool = catalog(tmp_path).tools["t"]
    listed = {"name": "t", "inputSchema": tool.published}
    text = json.dumps(listed, sort_keys=True, separators=(",", ":")).replace("1.0", "1")
    assert tool.digest == "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()


@pytest.mark.parametrize(
    ("part", "path", "new"),
    [
        ("schema", ("properties", "a", "minimum"), 2),
        ("schema", ("properties", "a", "x-maxBytes"), 8),
        ("schema", ("properties", "a", "format"), "date"),
        ("schema", ("properties", "b"), {}),
        ("schema", ("properties", "title", "enum", 1, "title"), "z"),
        ("schema", ("properties", "title"), ...),
        ("schema", ("required",), ...),
        ("schema", ("x-weighbridge-tool",), "t2"),
        ("shared", ("properties", "p", "maxLength"), 7),
        ("settings", ("limits", "nodes"), 5_001),
        ("settings", ("tools", "t", "limits", "nodes"), 49),
        ("settings", ("tools", "t", "limits", "rendered"), 49),
    ],
)
def test_what_can_change_a_verdict_changes_both_digests(part, path, new, tmp_path):
    parts = {"schema": SCHEMA, "shared": SHARED, "settings": SETTINGS}
    if path == ("x-weighbridge-tool",):
        parts["settings"] = changed(SETTINGS, ("tools",), {})
        before = catalog(tmp_path / "a", **parts)
    else:
        before = catalog(tmp_path / "a")
    parts[part] = changed(parts[part], path, new)
    after = catalog(tmp_path / "b", **parts)
    assert after.digest != before.digest
    assert after.shape_digest != before.shape_digest


@pytest.mark.parametrize("limit", RANGES)
def test_every_limit_is_in_the_digest(limit, tmp_path):
    before = catalog(tmp_path / "a", settings={})
    after = catalog(tmp_path / "b", settings={"limits": {limit: RANGES[limit][1]}})
    expected = RANGES[limit][1] != getattr(before.limits, limit)
    assert (after.digest != before.digest) is expected


@pytest.mark.parametrize(
    ("part", "path", "new"),
    [
        ("schema", ("title",), "Another"),
        ("schema", ("description",), ...),
        ("schema", ("$comment",), "new"),
        ("schema", ("properties", "a", "default"), 4),
        ("schema", ("properties", "a", "examples"), ...),
        ("schema", ("properties", "title", "$comment"), ...),
        ("shared", ("description",), "new"),
    ],
)
def test_what_only_readers_see_changes_the_digest_and_not_the_shape(part, path, new, tmp_path):
    parts = {"schema": SCHEMA, "shared": SHARED}
    parts[part] = changed(parts[part], path, new)
    before, after = catalog(tmp_path / "a"), catalog(tmp_path / "b", **parts)
    assert after.digest != before.digest
    assert after.shape_digest == before.shape_digest


@pytest.mark.parametrize(
    ("path", "new"),
    [
        (("$comment",), "Why these limits."),
        (("tools", "t", "reason"), "Another."),
        (("exceptions", 0, "reason"), "Another."),
    ],
)
def test_what_says_why_changes_neither(path, new, tmp_path):
    before = catalog(tmp_path / "a")
    after = catalog(tmp_path / "b", settings=changed(SETTINGS, path, new))
    assert (after.digest, after.shape_digest) == (before.digest, before.shape_digest)


def test_the_spelling_of_a_file_changes_nothing(tmp_path):
    before = catalog(tmp_path / "a")
    turned = {key: SCHEMA[key] for key in reversed(SCHEMA)}
    where = folder(
        tmp_path / "b",
        {
            "other-name.json": json.dumps(turned, indent=4).replace('"integer"', '"\\u0069nteger"'),
            "s.json": json.dumps(SHARED) + "\n\n",
            "catalog.json": SETTINGS,
        },
    )
    after = Catalog.read(where)
    assert (after.digest, after.shape_digest) == (before.digest, before.shape_digest)
    assert after.tools["t"].digest == before.tools["t"].digest


def test_a_property_that_is_called_like_an_annotation_stays_in_the_shape():
    schema = {
        "title": "gone",
        "properties": {
            "title": {"title": "gone", "type": "string"},
            "default": {"const": {"title": 1}},
        },
        "allOf": [{"description": "gone"}],
        "examples": [{"title": 1}],
        "enum": [{"description": "stays"}],
        "$defs": {"examples": {"$comment": "gone"}},
    }
    assert shape(schema) == {
        "properties": {"title": {"type": "string"}, "default": {"const": {"title": 1}}},
        "allOf": [{}],
        "enum": [{"description": "stays"}],
        "$defs": {"examples": {}},
    }


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [1.0, -0.0, 1.5]}, '{"a":[1,0,1.5],"b":1}'),
        (
            {"\U0001f600": 1, "\uffff": 2, "Z": 3, "é": 4},
            '{"Z":3,"\\u00e9":4,"\\uffff":2,"\\ud83d\\ude00":1}',
        ),
        (1e22, "10000000000000000000000"),
        (10**30, "1" + "0" * 30),
        (1e-7, "1e-07"),
        ([True, None, '\x7f\u2028"'], '[true,null,"\\u007f\\u2028\\""]'),
        ((1, (2.0,)), "[1,[2]]"),
    ],
)
def test_one_value_has_one_spelling(value, text):
    """
    Keys by code point, not by UTF-16 unit; whole numbers as integers; ASCII.
    """
    assert canonical(value) == text


def test_a_foreign_catalog_is_named_by_what_it_takes_and_what_it_cannot():
    tool = {"name": "t", "inputSchema": {"type": "object"}}
    one = Catalog.from_tools([tool])
    assert one.digest == Catalog.from_tools([tool, tool | {"name": "u"}][:1]).digest
    different = {
        one.digest,
        foreign({"type": "object"}).digest,
        Catalog.from_tools([tool, {"name": "u"}]).digest,
        Catalog.from_tools([tool, tool | {"name": "u"}]).digest,
        Catalog.from_tools([]).digest,
    }
    assert len(different) == 5
