"""
A catalog held here beside what a server lists: the same, or what is not.
"""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.catalogs import folder, input_schema
from weighbridge import Catalog
from weighbridge.advertise import CATALOG_KEY, TOOL_KEY, tools_list
from weighbridge.compare import NAMES, UNKNOWN, Comparison, compare, compare_text

TEXT = {"type": "string", "maxLength": 20}

FILES = {
    "a-input.schema.json": input_schema(
        "a", properties={"x": {**TEXT, "x-maxBytes": 30}}, description="What a does."
    ),
    "b-input.schema.json": input_schema("b", properties={"y": {"type": "integer"}}),
    "catalog.json": {"tools": {"b": {"limits": {"nodes": 50}, "reason": "b is small"}}},
}


def catalog_of(tmp_path, changed=None, *, name="held"):
    return Catalog.read(folder(tmp_path / name, {**FILES, **(changed or {})}))


def listed_by(catalog):
    """
    The result of ``tools/list`` of a server that is guarded by ``catalog``.
    """
    tools = [{"name": name, "inputSchema": {}} for name in catalog.tools]
    return json.loads(json.dumps(tools_list({"tools": tools}, catalog)[0]))


@pytest.fixture
def held(tmp_path):
    return catalog_of(tmp_path)


@pytest.fixture
def other(tmp_path):
    """
    Another catalog, and what its server lists.
    """

    def made(changed):
        return listed_by(catalog_of(tmp_path, changed, name="other"))

    return made


def of_a(**more):
    return {"a-input.schema.json": {**FILES["a-input.schema.json"], **more}}


def test_a_catalog_is_the_same_as_its_own_list(held):
    assert compare(held, listed_by(held)) == Comparison("same")
    assert not Comparison("same").advisory


def test_order_of_tools_and_keys_does_not_matter(held):
    listed = listed_by(held)
    listed["tools"].reverse()
    turned = json.dumps(listed, sort_keys=True)
    assert compare_text(held, turned) == Comparison("same")


@pytest.mark.parametrize("kept", ["list", "tools"])
def test_a_client_may_drop_one_of_the_two_places(held, kept):
    listed = listed_by(held)
    if kept == "list":
        for tool in listed["tools"]:
            del tool["_meta"]
    else:
        del listed["_meta"]
    assert compare(held, listed) == Comparison("same")


def test_a_list_with_no_record_is_of_a_server_that_nothing_is_known_of(held):
    listed = listed_by(held)
    del listed["_meta"]
    for tool in listed["tools"]:
        del tool["_meta"]
    assert compare(held, listed) == UNKNOWN
    assert UNKNOWN.advisory


def test_another_description_is_another_text_and_no_other_verdict(held, other):
    found = compare(held, other(of_a(description="What a really does.")))
    assert found == Comparison("text differs")
    assert not found.advisory


@pytest.mark.parametrize(
    "changed",
    [
        of_a(properties={"x": {"type": "string", "maxLength": 21, "x-maxBytes": 30}}),
        of_a(properties={"x": {**TEXT, "x-maxBytes": 31}}),
        of_a(required=["x"]),
    ],
)
def test_another_shape_names_the_tool_that_changed(held, other, changed):
    found = compare(held, other(changed))
    assert (found.outcome, found.changed) == ("differs", ("a",))
    assert (found.added, found.removed, found.advisory) == ((), (), True)


def test_narrower_limits_of_one_tool_are_a_change_of_it(held, other):
    narrower = {
        "catalog.json": {"tools": {"b": {"limits": {"nodes": 49}, "reason": "b is smaller"}}}
    }
    assert compare(held, other(narrower)).changed == ("b",)


def test_other_limits_of_the_whole_catalog_are_named(held, other):
    settings = {**FILES["catalog.json"], "limits": {"nodes": 1_000}}
    found = compare(held, other({"catalog.json": settings}))
    assert (found.outcome, found.changed) == ("differs", ())
    assert "limits" in found.others


def test_tools_of_one_side_alone_are_named(held, other):
    more = input_schema("c")
    assert compare(held, other({"c-input.schema.json": more})).added == ("c",)
    less = listed_by(held)
    less["tools"] = less["tools"][:1]
    assert compare(held, less).removed == ("b",)


def test_a_schema_that_was_rewritten_on_the_way_is_seen_behind_its_digest(held):
    """
    The record says what the server meant to list; what was listed decides.
    """
    listed = listed_by(held)
    listed["tools"][0]["inputSchema"]["additionalProperties"] = True
    assert compare(held, listed).changed == ("a",)


@pytest.mark.parametrize("key", ["contract", "version", "shapeDigest"])
def test_another_judge_is_not_known_to_give_the_same_verdicts(held, key):
    listed = listed_by(held)
    listed["_meta"][CATALOG_KEY][key] = "another"
    assert compare(held, listed) == Comparison("unknown", others=(key,))
    del listed["_meta"][CATALOG_KEY][key]
    assert compare(held, listed).outcome == "unknown"


def test_records_of_tools_that_contradict_one_another_say_nothing(held):
    listed = listed_by(held)
    del listed["_meta"]
    listed["tools"][1]["_meta"][TOOL_KEY]["version"] = "9"
    assert compare(held, listed) == UNKNOWN


def test_a_name_that_is_listed_twice_says_nothing(held):
    listed = listed_by(held)
    listed["tools"].append(copy.deepcopy(listed["tools"][0]))
    assert compare(held, listed) == UNKNOWN


def test_true_is_not_one(held):
    listed = listed_by(held)
    listed["_meta"][CATALOG_KEY]["contract"] = True
    assert compare(held, listed).others == ("contract",)


@pytest.mark.parametrize(
    "text",
    ["", "[", "null", "[]", "{}", '{"tools": 7}', '{"tools": [7]}', '{"tools": [{"name": 7}]}',
     '{"tools": [{"name": "a"}]}', '{"tools": [], "_meta": 7}', "[" * 200 + "]" * 200,
     '{"tools": [{"name": "a", "inputSchema": {}, "_meta": []}], "_meta": {}}', "NaN"],
)  # fmt: skip
def test_whatever_else_a_server_says_is_not_known_to_be_the_same(held, text):
    assert compare_text(held, text) == UNKNOWN


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inside: st.lists(inside) | st.dictionaries(
            st.sampled_from(["tools", "name", "inputSchema", "_meta", CATALOG_KEY, TOOL_KEY]), inside
        ),
    )
)  # fmt: skip
def test_no_list_makes_it_raise(listed):
    assert compare(BUNDLED, listed).advisory


BUNDLED = Catalog.bundled()


def test_names_are_escaped_cut_and_few(held):
    listed = listed_by(held)
    extra = [f"{at:04}\n\u202e" + "x" * 300 for at in range(NAMES + 7)]
    listed["tools"] += [{"name": name, "inputSchema": {}} for name in extra]
    found = compare(held, listed)
    assert (len(found.added), found.omitted) == (NAMES, 7)
    assert all(len(name) <= 120 and name.isprintable() for name in found.added)


def test_it_is_said_in_canonical_text(held):
    assert compare(held, listed_by(held)).to_json() == (
        '{"added":[],"advisory":false,"changed":[],"omitted":0,"others":[],'
        '"outcome":"same","removed":[]}'
    )
