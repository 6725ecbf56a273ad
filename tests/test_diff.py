"""
What one catalog admits and another refuses: found, shown by a call, and never claimed unproven.
"""

import json
import random

import pytest

from tests.catalogs import folder, input_schema
from tests.changed_schemas import changes
from weighbridge import Catalog
from weighbridge.diff import as_json, diff
from weighbridge.diff_report import lines
from weighbridge.diff_search import Search

TRIES = 20

#: Every so many of the changes of the ten published tools are tried in the suite.
EVERY = 29


def catalog(where, *tools, settings=None):
    files = {f"{at}-input.schema.json": one for at, one in enumerate(tools)}
    if settings is not None:
        files["catalog.json"] = settings
    return Catalog.read(folder(where, files))


def told(tmp_path, old, new, *, before=None, after=None):
    """
    Standing of the tool ``t``, and the smallest witnesses of both directions.
    """
    found = diff(
        catalog(tmp_path / "old", input_schema(**old), settings=before),
        catalog(tmp_path / "new", input_schema(**new), settings=after),
        tries=TRIES,
    )
    [one] = found.tools
    return (
        one.standing,
        None if one.narrower is None else one.narrower.arguments,
        None if one.wider is None else one.wider.arguments,
    )


def of(**schema):
    return {"properties": {"a": schema}}


TEXT = of(type="string", maxLength=3)

CHANGES = {
    "a longer text": (TEXT, of(type="string", maxLength=4), None, {"a": "aaaa"}),
    "a shorter text": (TEXT, of(type="string", maxLength=2), {"a": "aaa"}, None),
    "another length": (
        TEXT,
        of(type="string", minLength=1, maxLength=4),
        {"a": ""},
        {"a": "aaaa"},
    ),
    "a value less": (of(enum=["x", "y"]), of(enum=["x"]), {"a": "y"}, None),
    "a value for another": (of(enum=["x", "y"]), of(enum=["x", "z"]), {"a": "y"}, {"a": "z"}),
    "true for one": (of(enum=["x", 1]), of(enum=["x", True]), {"a": 1}, {"a": True}),
    "an expression": (
        of(type="string", maxLength=9, pattern="^[a-z]*$"),
        of(type="string", maxLength=9, pattern="^[a-y]*$"),
        {"a": "z"},
        None,
    ),
    "an integral number": (
        of(type="integer", minimum=1, maximum=9),
        of(type="integer", minimum=2, maximum=10),
        {"a": 1},
        {"a": 10},
    ),
    "a multiple": (of(type="integer"), of(type="integer", multipleOf=5), {"a": 1}, None),
    "a type more": (TEXT, of(type=["string", "null"], maxLength=3), None, {"a": None}),
    "a required name": (TEXT, {**TEXT, "required": ["a"]}, {}, None),
    "an optional name": (
        TEXT,
        {"properties": {**TEXT["properties"], "b": {"type": "boolean"}}},
        None,
        {"b": False},
    ),
    "an object that opens": (
        of(type="object", properties={}, additionalProperties=False),
        of(type="object", properties={}, additionalProperties=True),
        None,
        {"a": {"a": None}},
    ),
    "a list of more": (
        of(type="array", maxItems=2, items={"type": "boolean"}),
        of(type="array", maxItems=3, items={"type": "boolean"}),
        None,
        {"a": [False, False, False]},
    ),
    "fewer bytes": (
        of(type="string", maxLength=8, **{"x-maxBytes": 8}),
        of(type="string", maxLength=8, **{"x-maxBytes": 7}),
        {"a": "aaaaaaaa"},
        None,
    ),
    "a branch less": (
        of(anyOf=[{"type": "boolean"}, {"type": "null"}]),
        of(anyOf=[{"type": "null"}]),
        {"a": False},
        None,
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_shown_by_the_smallest_call_in_its_direction(tmp_path, change):
    old, new, narrower, wider = CHANGES[change]
    assert told(tmp_path, old, new) == ("changed", narrower, wider)


@pytest.mark.parametrize("change", CHANGES)
def test_the_reverse_change_has_the_reverse_witnesses(tmp_path, change):
    old, new, narrower, wider = CHANGES[change]
    standing, *both = told(tmp_path, new, old)
    assert (standing, [one is None for one in both]) == (
        "changed",
        [wider is None, narrower is None],
    )


def test_every_witness_is_admitted_by_one_gate_and_refused_by_the_other(tmp_path):
    for at, (old, new, _narrower, _wider) in enumerate(CHANGES.values()):
        before = catalog(tmp_path / f"old{at}", input_schema(**old))
        after = catalog(tmp_path / f"new{at}", input_schema(**new))
        [one] = diff(before, after, tries=TRIES).tools
        for witness, admits, refuses in (
            (one.narrower, before, after),
            (one.wider, after, before),
        ):
            if witness is not None:
                text = json.dumps(witness.arguments)
                refusal = refuses.check_text("t", text).refusal
                assert admits.check_text("t", text).admitted
                assert refusal is not None
                assert witness.code == refusal.code == "mismatch"
                assert witness.keyword == refusal.findings[0].keyword


def test_a_change_that_no_call_can_show_is_not_called_equal(tmp_path):
    """
    A length that the expression bounds already: the same calls, in another shape.
    """
    old = of(type="string", maxLength=2, pattern="^[a-z]{2}$")
    new = of(type="string", maxLength=3, pattern="^[a-z]{2}$")
    found = diff(
        catalog(tmp_path / "old", input_schema(**old)),
        catalog(tmp_path / "new", input_schema(**new)),
        tries=TRIES,
    )
    assert [one.standing for one in found.tools] == ["unproven"]
    assert not found.admits_the_same
    said = list(lines(found))
    assert said[0] == "unproven  t"
    assert said[1].startswith("  no witness found in ")
    assert said[-1] == "not proven to admit the same"


def test_other_words_are_proven_to_admit_the_same(tmp_path):
    assert told(tmp_path, TEXT, {**TEXT, "description": "Other words."}) == ("text", None, None)
    assert told(tmp_path / "again", TEXT, TEXT) == ("same", None, None)


def test_a_limit_that_neither_schema_reaches_is_proven_to_change_nothing(tmp_path):
    after = {"limits": {"nodes": 50}}
    assert told(tmp_path, TEXT, TEXT, after=after) == ("same", None, None)


def test_a_smaller_body_is_never_proven_to_change_nothing(tmp_path):
    """
    A text may hold blanks without end, and no schema says anything of them.
    """
    after = {"limits": {"body": 1_000_000}}
    assert told(tmp_path, TEXT, TEXT, after=after) == ("unproven", None, None)


LISTED = of(type="array", maxItems=90, items={"type": "boolean"})
FREE = of(type="object", additionalProperties=True)


@pytest.mark.parametrize(
    ("schema", "after", "limit"),
    [
        (LISTED, {"limits": {"nodes": 50}}, "nodes"),
        (of(type="string", maxLength=900), {"limits": {"rendered": 700}}, "rendered"),
        (FREE, {"limits": {"nesting": 9}}, "nesting"),
        (of(type="string", maxLength=900), {"limits": {"body": 65_536 + 300}}, "body"),
    ],
)
def test_a_narrower_limit_is_shown_by_a_call_at_it(tmp_path, schema, after, limit):
    found = diff(
        catalog(tmp_path / "old", input_schema(**schema)),
        catalog(tmp_path / "new", input_schema(**schema), settings=after),
        tries=TRIES,
    )
    [one] = found.tools
    assert one.standing == "changed"
    assert one.wider is None
    assert one.narrower is not None
    assert (one.narrower.code, one.narrower.limit) == ("too-large", limit)


def test_tools_come_go_and_change_their_names(tmp_path):
    kept, old, new = (input_schema(name, **TEXT) for name in ("kept", "old.name", "new.name"))
    found = diff(catalog(tmp_path / "old", kept, old), catalog(tmp_path / "new", kept, new))
    assert list(lines(found)) == ["added     new.name", "removed   old.name", "differs"]
    assert (found.breaking, found.admits_the_same) == (True, False)


def test_keys_that_are_no_longer_taken_off_are_shown(tmp_path):
    keys = {"bookkeeping": [{"key": "toolCallId", "reason": "A client adds it."}]}
    assert told(tmp_path, TEXT, TEXT, before=keys) == ("changed", {"toolCallId": None}, None)


def test_the_same_seed_gives_the_same_answer_and_all_of_it_is_json(tmp_path):
    old = catalog(tmp_path / "old", input_schema(**CHANGES["another length"][0]))
    new = catalog(tmp_path / "new", input_schema(**CHANGES["another length"][1]))
    first = as_json(diff(old, new, seed=3, tries=TRIES))
    assert json.loads(json.dumps(first)) == as_json(diff(old, new, seed=3, tries=TRIES))
    assert first["breaking"] is True


def bare(schema):
    return Catalog.from_tools([{"name": "t", "inputSchema": schema}], "as-published")


def changed_schemas():
    """
    Every so many of the changes of the published tools, as name, label, before and after.
    """
    every = [
        (name, label, schema, changed)
        for name, tool in Catalog.bundled().tools.items()
        for schema in [json.loads(json.dumps(tool.published, default=dict))]
        for label, changed in changes(schema)
        if not says_nothing(label)
    ]
    return every[::EVERY]


def says_nothing(label):
    """
    Whether a change leaves what is admitted as it is, or leaves no input schema.

    Arguments are an object whatever the root's type, and a snapshot's expression
    bounds its length to 64 already.
    """
    return label in (
        "/ without type",
        "/ type with null",
        "/properties/snapshotId without maxLength",
        "/properties/snapshotId maxLength by +1",
    )


@pytest.mark.no_cover
def test_every_change_of_a_published_schema_that_is_tried_is_found():
    missed = []
    for name, label, schema, changed in changed_schemas():
        search = Search(bare(schema), bare(changed), "t", random.Random(1))
        search.run(TRIES, enough=1)
        if not search.found:
            missed.append((name, label))
    assert missed == []


def test_less_than_one_try_is_refused(tmp_path):
    one = catalog(tmp_path / "old", input_schema(**TEXT))
    with pytest.raises(ValueError, match="tries"):
        diff(one, one, tries=0)
