"""
A key that the catalog names as a client's own note is off a call before anything looks at it.
"""

import json
import math

import pytest

from tests.catalogs import folder, input_schema, published, told
from weighbridge import Catalog, CatalogError, Charge

NOTES = {
    "bookkeeping": [
        {"key": "toolCallId", "reason": "A workflow engine adds it to every call."},
        {"key": "sessionId", "reason": "The same."},
    ]
}
FIELDS = {"properties": {"a": {"type": "string"}}, "maxProperties": 1}

#: Text of the arguments, and what is judged of them: None for a text that keeps what it has.
TAKEN = [
    ('{"toolCallId": "call-1"}', "{}"),
    ('{"a": "x", "sessionId": null}', '{"a": "x"}'),
    ('{"sessionId": 1.5, "a": 1, "toolCallId": true}', '{"a": 1}'),
    ('{"sessionId": NaN, "toolCallId": 1e400}', "{}"),
    ('{"sessionId": "\\ud800"}', "{}"),
    ('{"sessionId": ' + json.dumps("s" * 20_000_000) + "}", "{}"),
]
KEPT = [
    '{"sessionID": "s"}',
    '{"a": {"sessionId": "s"}}',
    '{"sessionId": []}',
    '{"sessionId": {"toolCallId": "x"}}',
    '{"sessionId": ' + "[" * 40 + "]" * 40 + "}",
    '[{"sessionId": "s"}]',
    '"sessionId"',
    "null",
    '{"sessionId": "s", "sessionId": "s"}',
    '{"sessionId": ' + "9" * 4301 + "}",
]


@pytest.fixture
def catalog(tmp_path):
    return published(tmp_path / "noted", NOTES, **FIELDS)


def short(text):
    return text[:40]


@pytest.mark.parametrize(("text", "judged"), TAKEN, ids=short)
def test_a_note_is_neither_charged_nor_judged_at_either_door(catalog, text, judged):
    expected = catalog.check_text("t", judged).to_json()
    assert catalog.check_text("t", text).to_json() == expected
    assert catalog.check("t", json.loads(text)).to_json() == expected
    assert catalog.without_bookkeeping(json.loads(text)) == json.loads(judged)


@pytest.mark.parametrize("text", KEPT, ids=short)
def test_what_is_no_note_at_the_root_is_judged_as_without_the_list(catalog, tmp_path, text):
    strict = published(tmp_path / "strict", **FIELDS)
    for one in (catalog, strict):
        verdict = one.check_text("t", text)
        assert verdict.admitted is (text == "null")
    noted, plain = (json.loads(one.check_text("t", text).to_json()) for one in (catalog, strict))
    assert noted | {"catalog": None} == plain | {"catalog": None}


def test_the_charge_speaks_of_the_arguments_as_judged(catalog):
    verdict = catalog.check("t", {"a": "x", "toolCallId": "call-1"})
    assert (verdict.admitted, verdict.charge) == (True, Charge(nesting=2, nodes=3, rendered=2))


def test_the_callers_own_object_keeps_its_notes(catalog):
    given = {"a": "x", "toolCallId": "call-1"}
    catalog.check("t", given)
    assert given == {"a": "x", "toolCallId": "call-1"}


def test_without_a_note_the_arguments_are_not_copied(catalog):
    given = {"a": "x"}
    assert catalog.without_bookkeeping(given) is given
    other = Catalog.bundled()
    noted = {"toolCallId": "call-1"}
    assert other.without_bookkeeping(noted) is noted


def test_nobody_asked_for_it_so_the_sample_contract_refuses_a_note():
    verdict = Catalog.bundled().check("project.list", {"toolCallId": "call-1"})
    assert told(verdict) == [("", "additionalProperties")]


class Sly(dict):
    """Not JSON: what is read from it is its own affair."""

    def __contains__(self, key):
        """It has every name."""
        return True

    def __getitem__(self, key):
        """It has one value for all."""
        return "note"


@pytest.mark.parametrize("given", [Sly(), {1: "a", "toolCallId": "n"}, {"a": math.nan}])
def test_values_that_are_not_json_stay_not_json(catalog, given):
    verdict = catalog.check("t", given)
    assert verdict.refusal.code == "not-json"


def test_the_keys_are_part_of_both_digests(tmp_path):
    def digests(name, settings):
        one = published(tmp_path / name, settings, description="D", **FIELDS)
        return one.digest, one.shape_digest

    plain = digests("plain", {})
    noted = digests("noted", NOTES)
    backwards = digests("backwards", {"bookkeeping": NOTES["bookkeeping"][::-1]})
    fewer = digests("fewer", {"bookkeeping": NOTES["bookkeeping"][:1]})
    assert backwards == noted
    assert len({*plain, *noted, *fewer}) == 6
    assert digests("empty", {"bookkeeping": []}) == plain


def test_a_page_is_told_the_keys(catalog):
    assert json.loads(catalog.to_json())["bookkeeping"] == ["sessionId", "toolCallId"]


@pytest.mark.parametrize(
    ("value", "place", "fact"),
    [
        ({}, "/bookkeeping", "it is no list"),
        (["toolCallId"], "/bookkeeping/0", "it is no JSON object"),
        ([{"reason": "r"}], "/bookkeeping/0/key", "it is no key"),
        ([{"key": "", "reason": "r"}], "/bookkeeping/0/key", "it is no key"),
        ([{"key": "k" * 121, "reason": "r"}], "/bookkeeping/0/key", "it is no key"),
        ([{"key": "k"}], "/bookkeeping/0", "it gives no reason"),
        ([{"key": "k", "reason": " "}], "/bookkeeping/0", "it gives no reason"),
        ([{"key": "k", "reason": "r", "tool": "t"}], "/bookkeeping/0/tool", "it is no setting"),
        ([{"key": "k", "reason": "r"}] * 2, "/bookkeeping/1/key", "is listed twice"),
    ],
)
def test_a_list_that_says_nothing_fails_the_catalog(tmp_path, value, place, fact):
    with pytest.raises(CatalogError) as caught:
        published(tmp_path, {"bookkeeping": value})
    assert (caught.value.file, caught.value.place) == ("catalog.json", place)
    assert fact in caught.value.fact


def composed(**inside):
    return {
        "t-input.schema.json": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "x-weighbridge-tool": "t",
            "type": "object",
            "allOf": [{"$ref": "https://example.org/context.json"}],
            "unevaluatedProperties": False,
        },
        "context.json": {"$id": "https://example.org/context.json", "type": "object", **inside},
    }


DECLARED = {
    "a property": (
        {"t-input.schema.json": input_schema(properties={"sessionId": {"type": "string"}})},
        "t-input.schema.json",
        "/properties",
    ),
    "a pattern of names": (
        {"t-input.schema.json": input_schema(patternProperties={"^s": {"type": "string"}})},
        "t-input.schema.json",
        "/patternProperties",
    ),
    "a property of the context": (
        composed(properties={"sessionId": {"type": "string"}}),
        "context.json",
        "/properties",
    ),
}


@pytest.mark.parametrize(("files", "file", "place"), DECLARED.values(), ids=DECLARED)
def test_a_key_that_a_tool_takes_cannot_be_a_note(tmp_path, files, file, place):
    Catalog.read(folder(tmp_path / "without", files))
    settings = {"bookkeeping": [{"key": "sessionId", "reason": "r"}]}
    exception = {"rule": "open-root", "schema": "https://example.org/context.json", "reason": "r"}
    if "context.json" in files:
        settings["exceptions"] = [exception]
    with pytest.raises(CatalogError) as caught:
        Catalog.read(folder(tmp_path / "with", {**files, "catalog.json": settings}))
    assert (caught.value.file, caught.value.place) == (file, place)
    assert "sessionId" in str(caught.value)


def test_a_property_of_an_inner_object_may_have_the_name_of_a_note(tmp_path):
    inner = {
        "type": "object",
        "properties": {"sessionId": {"type": "string"}},
        "additionalProperties": False,
    }
    catalog = published(tmp_path, NOTES, properties={"about": inner})
    verdict = catalog.check("t", {"sessionId": "s", "about": {"sessionId": "s"}})
    assert (verdict.admitted, verdict.charge) == (True, Charge(nesting=3, nodes=5, rendered=15))
