"""
The relation without any SDK: hand-written handlers, and schemas read side by side.
"""

import json
import re

import pytest

import weighbridge
from tests.support.machine import ROOT as ROOT_OF_ALL
from weighbridge import CatalogError, lint
from weighbridge.agree import Handler, Refused, Taken, Wrong, judge
from weighbridge.agree_recorded import placed
from weighbridge.agree_rules import missing
from weighbridge.agree_shapes import (
    MOST,
    closures,
    drops_unknown,
    listed,
    listed_at,
    names,
    parts,
    pointer,
    required,
    silent_keywords,
    spots,
)
from weighbridge.agree_sides import place_of, without_large_floats
from weighbridge.agree_witness import at, has, put, taken_off
from weighbridge.reading import DIFFERENCES

URI = "https://example.test/note-add.schema.json"

#: What is published, and what a handler of the same shape derives.
PUBLISHED = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": URI,
    "x-weighbridge-tool": "note.add",
    "type": "object",
    "properties": {
        "text": {"type": "string", "maxLength": 40},
        "tags": {"type": "array", "maxItems": 4, "items": {"type": "string", "maxLength": 9}},
    },
    "required": ["text"],
    "additionalProperties": False,
}
DERIVED = {
    "type": "object",
    "properties": {
        "text": {"title": "Text", "type": "string"},
        "tags": {"items": {"type": "string"}, "type": "array"},
    },
    "required": ["text"],
}


@pytest.fixture
def catalog(tmp_path):
    """
    Reads a folder with one schema, changed, and what it records.
    """

    def read(exceptions=(), **changes):
        (tmp_path / "a.schema.json").write_text(json.dumps(PUBLISHED | changes), encoding="utf-8")
        settings = json.dumps({"exceptions": list(exceptions)})
        (tmp_path / "catalog.json").write_text(settings, encoding="utf-8")
        return weighbridge.Catalog.read(tmp_path)

    return read


def handler(refuses=lambda arguments: (), derived=DERIVED, **more):
    """
    A handler whose model takes every call but those that ``refuses`` finds something wrong with.
    """

    def ask(arguments):
        wrong = tuple(refuses(arguments))
        known = {name: arguments[name] for name in derived["properties"] if name in arguments}
        return Refused(wrong) if wrong else Taken(known)

    return Handler(name="note.add", derived=derived, ask=ask, **more)


def told(catalog, *handlers, tries=6):
    found = judge(handlers, catalog, tries=tries)
    return [(one.rule, pointer(one.place), one.witness) for one in found.differences]


def test_a_model_that_takes_every_call_agrees(catalog):
    assert told(catalog(), handler()) == []


def test_a_model_that_refuses_something_is_shown_by_the_least_call_that_it_refuses(catalog):
    def refuses(arguments):
        for index, tag in enumerate(arguments.get("tags", ())):
            if "b" in tag:
                yield Wrong(("tags", index), "no_b")

    ((rule, place, witness),) = told(catalog(), handler(refuses), tries=60)

    assert (rule, place) == ("handler-refuses", "/properties/tags/items")
    assert len(witness["tags"]) == 1


def test_two_places_are_two_differences_each_with_a_witness_of_its_own(catalog):
    def refuses(arguments):
        if arguments["text"] == "":
            yield Wrong(("text",), "empty")
        if arguments.get("tags") == []:
            yield Wrong(("tags",), "empty")

    assert [(rule, place) for rule, place, _ in told(catalog(), handler(refuses), tries=30)] == [
        ("handler-refuses", "/properties/tags"),
        ("handler-refuses", "/properties/text"),
    ]


def test_a_place_that_the_schema_does_not_describe_is_told_at_what_holds_it(catalog):
    def refuses(arguments):
        yield Wrong(("text", "deeper", 3), "odd")

    ((rule, place, _),) = told(catalog(), handler(refuses))
    assert (rule, place) == ("handler-refuses", "/properties/text")


def test_a_schema_of_which_no_call_can_be_made_is_told_as_that(catalog):
    never = catalog(properties={"text": {"type": "string", "enum": ["a"], "maxLength": 0}})

    assert ("no-call", "", None) in told(never, handler())


def test_bookkeeping_keys_are_off_before_a_model_is_asked(tmp_path):
    (tmp_path / "a.schema.json").write_text(json.dumps(PUBLISHED), encoding="utf-8")
    keys = {"bookkeeping": [{"key": "callId", "reason": "A client adds it."}]}
    (tmp_path / "catalog.json").write_text(json.dumps(keys), encoding="utf-8")
    seen = set()

    def refuses(arguments):
        seen.update(arguments)
        return ()

    assert told(weighbridge.Catalog.read(tmp_path), handler(refuses)) == []
    assert seen <= {"text", "tags"}


def test_tries_are_at_least_one(catalog):
    with pytest.raises(ValueError, match="at least 1"):
        judge([], catalog(), tries=0)


def test_a_record_of_a_rule_that_does_not_exist_fails_the_catalog(catalog):
    one = {"rule": "handler-hates", "schema": URI, "reason": "Because."}
    with pytest.raises(CatalogError, match="there is no such rule"):
        catalog([one])


def test_a_record_without_a_reason_fails_the_catalog(catalog):
    with pytest.raises(CatalogError, match="say why in reason"):
        catalog([{"rule": "handler-lacks", "schema": URI}])


def test_a_record_changes_no_digest_and_no_remark_of_the_linter(catalog, tmp_path):
    plain, remarks = catalog(), lint.of_folder(tmp_path)
    one = {"rule": "no-handler", "schema": URI, "reason": "It comes in spring."}
    recorded = catalog([one])

    assert (recorded.digest, recorded.shape_digest) == (plain.digest, plain.shape_digest)
    assert lint.of_folder(tmp_path) == remarks
    (found,) = judge([], recorded).differences
    assert (found.rule, found.reason) == ("no-handler", "It comes in spring.")


# -- Two schemas side by side

ROOT = {
    "type": "object",
    "allOf": [{"required": ["a"]}],
    "required": ["b"],
    "properties": {
        "a": {"$ref": "#/$defs/word"},
        "b": {"anyOf": [{"type": "array", "items": {"const": 1}}, {"type": "null"}]},
        "c": {"type": "array", "prefixItems": [{"enum": ["x"]}], "items": {"enum": ["y"]}},
        "me": {"$ref": "#"},
    },
    "$defs": {"word": {"anyOf": [{"enum": ["p", "q"]}, {"type": "null"}], "title": "Word"}},
}


def test_every_place_is_found_once_however_it_is_spelled():
    assert [pointer(one.place) for one in spots(ROOT, {})] == [
        "",
        "/properties/a",
        "/properties/b",
        "/properties/c",
        "/properties/me",
        "/properties/b/items",
        "/properties/c/prefixItems/0",
        "/properties/c/items",
    ]


def test_a_schema_that_holds_itself_is_gone_into_once():
    tree = {
        "properties": {"top": {"$ref": "#/$defs/tree"}},
        "$defs": {
            "tree": {
                "properties": {
                    "name": {"type": "string"},
                    "below": {"type": "array", "items": {"$ref": "#/$defs/tree"}},
                }
            }
        },
    }

    assert [pointer(one.place) for one in spots(tree, tree)] == [
        "",
        "/properties/top",
        "/properties/top/properties/below",
        "/properties/top/properties/name",
        "/properties/top/properties/below/items",
    ]


def test_a_schema_of_very_many_places_is_followed_to_so_many_of_them():
    wide = {"properties": {f"n{number}": {} for number in range(2 * MOST)}}

    assert len({one.place for one in spots(wide, wide)}) == MOST


@pytest.mark.parametrize(
    ("place", "whole", "values"),
    [
        (("properties", "a"), True, ["p", "q", None]),
        (("properties", "a"), False, ["p", "q"]),
        (("properties", "b", "items"), True, [1]),
        (("properties", "c", "prefixItems", "0"), True, ["x"]),
        (("properties", "c", "prefixItems", "1"), True, ["y"]),
        (("properties", "c"), True, None),
        (("properties", "absent"), True, None),
        ((), True, None),
    ],
)
def test_the_values_that_are_listed_at_a_place(place, whole, values):
    assert listed_at(place, ROOT, whole=whole) == values


def test_a_list_beside_something_open_is_whole_only_to_who_serves_it():
    schema = {"anyOf": [{"enum": ["a"]}, {"type": "integer"}]}

    assert listed(schema, schema, whole=True) is None
    assert listed(schema, schema, whole=False) == ["a"]


def test_what_is_required_is_what_every_composed_schema_requires():
    assert required(ROOT, ROOT) == {"a", "b"}
    assert required({"anyOf": [{"required": ["a"]}]}, {}) == frozenset()


@pytest.mark.parametrize(
    ("schema", "drops"),
    [
        ({"type": "object", "properties": {}}, True),
        ({"type": "object"}, True),
        ({"type": "object", "additionalProperties": True}, False),
        ({"type": "object", "properties": {}, "additionalProperties": False}, False),
        ({"type": "object", "patternProperties": {"^x": {}}}, False),
        ({"type": "string"}, False),
        ({}, False),
        ({"title": "Anything"}, False),
        ({"anyOf": [{"type": "object", "properties": {}}, {"type": "null"}]}, True),
        ({"anyOf": [{"type": "object", "properties": {}}, {"title": "Anything"}]}, False),
    ],
)
def test_who_writes_an_object_without_closure_reads_what_it_declares(schema, drops):
    assert drops_unknown(parts(schema, schema)) == drops


def test_names_closures_and_silent_keywords_are_those_of_schemas_not_of_values():
    schema = {
        "title": "A",
        "default": {"additionalProperties": False, "examples": 1},
        "properties": {"title": {"type": "object", "additionalProperties": False}},
        "$defs": {"d": {"unevaluatedProperties": False}},
    }

    assert names(parts(schema, schema)) == ("title",)
    assert closures(schema) == (
        "/$defs/d/unevaluatedProperties",
        "/properties/title/additionalProperties",
    )
    assert silent_keywords(schema) == {"title", "default", "$defs"}


def test_served_values_are_compared_as_json_compares_them():
    assert missing([1, "a"], [1.0, True, "a", "b", "b"]) == [True, "b"]


# -- Places in a call

CALL = {"items": [{"name": "x"}, {"name": "y"}], "properties": {"items": 1}}


def test_a_place_is_found_changed_and_emptied_and_the_call_stays_as_it_was():
    inside = ("properties", "items", "items", "properties", "name")
    named_so = ("properties", "properties", "properties", "items")
    before = json.dumps(CALL)

    assert at(CALL, inside) == ["x"]
    assert at(CALL, named_so) == [1]
    assert has(CALL, ("properties", "items", "prefixItems", "1"))
    assert not has(CALL, ("properties", "items", "prefixItems", "2"))
    assert put(CALL, inside, 7)["items"] == [{"name": 7}, {"name": "y"}]
    assert put(CALL, ("properties", "items", "items"), 7)["items"] == [7, {"name": "y"}]
    assert put(CALL, ("properties", "new"), 7) == {**CALL, "new": 7}
    assert put(CALL, ("properties", "absent", "properties", "x"), 7) == CALL
    assert taken_off(CALL, inside)["items"] == [{}, {"name": "y"}]
    assert taken_off(CALL, ("properties", "items", "items")) == CALL
    assert json.dumps(CALL) == before


def test_what_a_model_names_in_between_is_no_place():
    arguments = {"a": [{"b": 1}]}
    deepest = ("properties", "a", "items", "properties", "b")

    assert place_of(("a", "list[Model]", 0, "Model", "b"), arguments) == (deepest, 1)
    assert place_of(("a", 0, "absent"), arguments) == (deepest[:3], {"b": 1})
    assert place_of((), arguments) == ((), arguments)


def test_large_integral_floats_are_written_as_integers_and_no_other_number_is():
    arguments = {"a": [2.0**63, 1e19, -(2.0**63)], "b": 2.0**63 - 1024, "c": 1.5, "d": 2**64}
    written, places = without_large_floats(arguments)

    assert written == {"a": [2**63, 10**19, -(2**63)], "b": 2.0**63 - 1024, "c": 1.5, "d": 2**64}
    assert [type(one) for one in written["a"]] == [int, int, int]
    assert type(written["b"]) is float
    assert places == {("properties", "a", "items")}


@pytest.mark.parametrize(
    ("pointed", "place"),
    [
        ("", ()),
        ("/properties/a~1b", ("properties", "a/b")),
        ("/allOf/1/properties/a/items", ("properties", "a", "items")),
        (
            "/properties/a/prefixItems/0/properties/b",
            ("properties", "a", "items", "properties", "b"),
        ),
        (
            "/properties/properties/properties/items",
            ("properties", "properties", "properties", "items"),
        ),
    ],
)
def test_a_place_in_a_file_is_a_place_in_the_flat_form(pointed, place):
    assert placed(pointed) == place


# -- The page about it


def first_cells(heading):
    """
    The names in the first column of the table under a heading of the page.
    """
    text = (ROOT_OF_ALL / "docs" / "agree.md").read_text(encoding="utf-8")
    section = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return set(re.findall(r"^\| `([a-z-]+)` \|", section, re.MULTILINE))


def test_the_page_lists_every_rule_and_everything_outside(catalog):
    found = judge([handler()], catalog(), tries=1)

    assert first_cells("The relation") == DIFFERENCES | {"no-call", "stale-exception"}
    assert first_cells("What stands outside") == set(found.outside.as_dict())
