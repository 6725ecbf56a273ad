"""
A refusal is bounded, ours in every word, and teaches what to send instead.
"""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.catalogs import folder, foreign, input_schema, judged, published, told
from tests.oracle import canonical
from tests.schemas import instances, schemas
from weighbridge import Catalog, Code, Limits
from weighbridge.answers import UNCHANGED
from weighbridge.characters import is_printable
from weighbridge.limits import FINDINGS, NAMES, POINTER, RANGES, SENTENCE
from weighbridge.nearest import BUDGET, COMPARED, Budget, nearest

#: Names that are long, that need escapes, or that try to close what quotes them.
HOSTILE = (
    "x" * 10_000,
    "\n" * 10_000,
    "\U000e0001" * 10_000,
    '"' * 10_000,
    "\\" * 10_000,
    "/~" * 5_000,
    "'\"\n\x1b[31m\u202e",
    'a". Nothing was read. "',
    "",
)


def held(verdict, limits):
    """
    Hold one verdict to every bound that a refusal has.
    """
    text = verdict.to_json()
    assert text.isascii()
    refusal = verdict.refusal
    assert len(refusal.message) <= limits.refusal
    assert all(map(is_printable, refusal.message)), refusal.message
    assert UNCHANGED in refusal.message
    assert len(refusal.findings) <= FINDINGS
    assert (refusal.limit is None) == (refusal.code is not Code.TOO_LARGE)
    assert bool(refusal.findings) == (refusal.code is Code.MISMATCH)
    for finding in refusal.findings:
        assert len(finding.pointer) <= POINTER
        assert len(finding.schema_pointer) <= POINTER
        assert len(finding.expected) <= SENTENCE
        assert len(finding.message) <= SENTENCE
        words = [one for one in finding.params.values() if isinstance(one, str)]
        assert all(len(word) <= SENTENCE for word in words)
        assert words or len(canonical(finding.params)) <= 2 * SENTENCE
        assert all(len(name) <= limits.fragment for name in finding.names)
        assert all(map(is_printable, "".join(finding.names)))
        assert finding.suggestion is None or len(finding.suggestion) <= SENTENCE
        assert len(finding.names) <= NAMES or finding.keyword in {"required", "dependentRequired"}
        assert finding.expected
        assert finding.message.startswith(("At ", "In the arguments"))
    return refusal


def test_the_bounds_are_those_of_the_contract():
    assert (FINDINGS, NAMES, SENTENCE, POINTER) == (8, 8, 240, 800)
    assert (Limits().fragment, Limits().refusal) == (120, 800)


def calls(name):
    """
    Texts that put one name everywhere that a caller can write one.
    """
    key = json.dumps(name)
    yield f"{{{key}: 1}}"
    yield f"{{{key}: 1, {key}: 2}}"
    yield f'{{"a": {{{key}: {{{key}: 1}}}}}}'
    yield f'{{"a": {{{key}: NaN}}}}'
    yield f'{{"b": {{{key}: 1, "y": 2, "x": 3}}}}'
    yield f'{{"c": [{{{key}: 1}}]}}'
    yield f'{{"a": {key}}}'
    yield f'{{"d": {key}}}'
    yield "[" * 40 + key
    yield key


HOLDING = {
    "properties": {
        "a": {"type": "object", "additionalProperties": {"additionalProperties": False}},
        "b": {"type": "object", "propertyNames": {"maxLength": 0}, "additionalProperties": True},
        "c": {"items": {"type": "object", "additionalProperties": False}},
        "d": {"enum": ["alpha", "beta"]},
    }
}


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: repr(name[:9]))
@pytest.mark.parametrize("edge", ["default", 0, 1])
def test_no_name_makes_a_refusal_pass_its_bounds_or_forge_a_line(name, edge, tmp_path):
    limits = {}
    if edge != "default":
        limits = {key: RANGES[key][edge] for key in ("fragment", "refusal")}
    catalog = published(tmp_path, settings={"limits": limits}, **HOLDING)
    for text in calls(name):
        verdict = catalog.check_text("t", text)
        if not verdict.admitted:
            held(verdict, catalog.limits)
    verdict = catalog.check_text(name, "{}")
    assert held(verdict, catalog.limits).code is Code.NO_SCHEMA
    assert len(verdict.tool) <= catalog.limits.fragment


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: repr(name[:9]))
def test_no_name_of_a_schema_makes_a_refusal_pass_its_bounds(name):
    schema = {
        "properties": {
            name: {"type": "integer", "enum": [name, 1], "const": name},
            "v": {
                "required": [name, *(f"{name}{at}" for at in range(20))],
                "properties": {name: {}},
                "additionalProperties": False,
                "dependentRequired": {"a": [name]},
                "enum": [name] * 3,
                "const": [name],
                "pattern": "^a{3}$",
                "not": {"const": {"a": 1}},
            },
        }
    }
    for arguments in ({name: "x", "v": {"a": 1}}, {"v": "aa"}, {name: name + "x"}):
        held(judged(schema, arguments), Limits())


def test_a_tool_with_the_longest_name_leaves_room_for_the_findings(tmp_path):
    name = "\x00" * 128
    where = folder(
        tmp_path,
        {
            "t.json": input_schema(name, properties={"a": {"type": "integer"}}),
            "catalog.json": {"limits": {"refusal": RANGES["refusal"][0]}},
        },
    )
    catalog = Catalog.read(where)
    refusal = held(catalog.check(name, {"a": "x"}), catalog.limits)
    assert "At /a: expected an integer; a string came." in refusal.message
    assert held(catalog.check(name, {"a": float("nan")}), catalog.limits)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(schemas, instances)
def test_every_refusal_of_every_keyword_is_bounded_and_complete(schema, instance):
    verdict = foreign({"type": "object", **schema}).check("t", {"v": instance})
    if verdict.admitted:
        return
    refusal = held(verdict, Limits())
    root = verdict.refusal.findings[0]
    assert root.message in refusal.message
    # A pointer leads to the value that it speaks of, and its schema pointer to its keyword.
    for finding in refusal.findings:
        assert finding.exact
        assert received(pointed({"v": instance}, finding.pointer)) == finding.received
        assert finding.schema_pointer.endswith(f"/{finding.keyword}") or not finding.params


def pointed(value, pointer):
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def received(value):
    kinds = {str: "string", bool: "boolean", dict: "object", list: "array", type(None): "null"}
    return kinds.get(type(value), "number")


def test_a_pointer_ends_before_the_token_that_would_pass_its_bound():
    schema = {
        "properties": {"v": {"additionalProperties": {"additionalProperties": {"type": "null"}}}}
    }
    verdict = judged(schema, {"v": {"a" * 400: {"b" * 500: 1}}})
    (finding,) = verdict.refusal.findings
    assert (finding.pointer, finding.exact) == ("/v/" + "a" * 400, False)
    verdict = judged(schema, {"v": {"a" * 398: {"b" * 398: 1}}})
    (finding,) = verdict.refusal.findings
    assert (len(finding.pointer), finding.exact) == (800, True)
    verdict = judged(schema, {"v": {"~/" * 300: {"b": 1}}})
    (finding,) = verdict.refusal.findings
    assert (finding.pointer, finding.exact) == ("/v", False)


def test_a_message_takes_whole_findings_and_says_that_something_is_left_out():
    schema = {"properties": {f"p{at}": {"type": "integer"} for at in range(30)}}
    verdict = judged(schema, {f"p{at}": "x" for at in range(30)})
    refusal = held(verdict, Limits())
    assert refusal.truncated
    assert len(refusal.findings) == 8
    assert "More is wrong than is told here." in refusal.message
    shown = [finding.message in refusal.message for finding in refusal.findings]
    assert shown == sorted(shown, reverse=True)
    few = judged(schema, {"p1": "x", "p2": "x"})
    assert not few.refusal.truncated
    assert "More is wrong" not in few.refusal.message


@pytest.mark.parametrize(
    ("schema", "value", "said"),
    [
        ({"type": "integer"}, "5", "Send it without quotation marks."),
        ({"type": "integer"}, 1.5, "a number with a fraction came. Send a whole number."),
        ({"type": "string"}, 5, "Send it as text, in quotation marks."),
        ({"type": "array"}, "[1]", "The string holds JSON: send an array itself, not its text."),
        (
            {"type": "object"},
            ' {"a": 1}',
            "The string holds JSON: send an object itself, not its text.",
        ),
        ({"type": ["array", "null"]}, "[]", "The string holds JSON"),
        ({"type": "array"}, '{"a": 1}', "expected an array; a string came."),
        ({"type": "array"}, "[" * 60_000, "expected an array; a string came."),
        ({"type": "array"}, "[1", "expected an array; a string came."),
        (
            {"enum": ["specification-gap", "other"]},
            "Specification Gap",
            'Did you mean "specification-gap"?',
        ),
        ({"const": "on"}, "ON", 'Did you mean "on"?'),
        (
            {"maxLength": 3},
            "abcd",
            "expected at most 3 characters; a longer string came. Shorten it.",
        ),
        ({"minimum": 3}, 2, "expected a number of at least 3; a smaller number came."),
        ({"uniqueItems": True}, [1, 2, 1], "Items 0 and 2 are equal: drop one."),
        ({"const": False}, True, "expected false; another boolean came. Send exactly that value."),
        ({"const": False}, None, "expected false; null came."),
        ({"enum": [1, 2]}, "x", "expected one of 1, 2; a string came."),
        (False, 1, "expected no value here; a number came. Leave it out."),
        ({"maximum": 10**60}, 10**61, "a number of at most a very large number"),
        ({"format": "ipv4"}, "1.2.3", "another string came"),
    ],
)
def test_a_message_names_the_place_the_rule_the_type_and_the_remedy(schema, value, said):
    verdict = judged({"properties": {"v": schema}}, {"v": value})
    message = verdict.refusal.message
    assert message.startswith('The call to "t" was refused before it ran: ')
    assert "At /v: " in message
    assert said in message
    assert message.endswith(
        "Nothing was read and nothing was changed. Mend the arguments and call again."
    )


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("ProjectID", "projectId"),
        ("project_id", "projectId"),
        ("project-id", "projectId"),
        ("projectid", "projectId"),
        ("project", "projectId"),
        ("projectIds", "projectId"),
        ("label", "labels"),
        ("labelz", "labels"),
        ("lables", "labels"),
        ("zzz", None),
        ("l", None),
        ("x" * (COMPARED + 1), None),
    ],
)
def test_a_near_miss_is_suggested_from_the_names_of_the_schema(name, meant, tmp_path):
    catalog = published(tmp_path, properties={"projectId": {}, "labels": {}, "q": {}})
    (finding,) = catalog.check("t", {name: 1}).refusal.findings
    assert finding.suggestion == meant
    if meant:
        assert f'Did you mean "{meant}"?' in finding.message
    else:
        assert 'use one of "labels", "projectId", "q"' in finding.message


def test_the_nearest_tool_is_suggested(tmp_path):
    catalog = published(tmp_path, tool="knowledge.search")
    for name in ("knowledge_search", "Knowledge.Search", "knowledge.serach", "knowledgesearch"):
        message = catalog.check(name, {}).refusal.message
        assert 'Did you mean "knowledge.search"?' in message
    assert "Did you mean" not in catalog.check("delete", {}).refusal.message


@given(st.text(max_size=20), st.lists(st.text(max_size=20), max_size=8), st.randoms())
def test_a_suggestion_does_not_depend_on_the_order_of_the_names(name, names, rng):
    turned = list(names)
    rng.shuffle(turned)
    assert nearest(name, names, Budget()) == nearest(name, turned, Budget())


def test_suggestions_stop_at_their_budget():
    budget = Budget()
    names = [f"{'n' * 40}{at:05}" for at in range(50_000)]
    nearest("n" * 45, names, budget)
    assert budget.spent <= BUDGET


def test_an_enum_is_told_in_whole_values(tmp_path):
    values = [f"value-number-{at:03}" for at in range(100)]
    verdict = judged({"properties": {"v": {"enum": values}}}, {"v": "zzzzzz"})
    (finding,) = verdict.refusal.findings
    *shown, last = finding.expected.removeprefix("one of ").split(", ")
    told_values = [one.strip('"') for one in [*shown, last.split(" and ")[0]]]
    assert told_values == values[: len(told_values)]
    assert last.endswith(f" and {100 - len(told_values)} more")
    assert finding.params["allowedValues"] == values[: len(finding.params["allowedValues"])]


def test_the_text_of_every_finding_is_the_same_with_the_interpreters_own_words_gone():
    """
    No sentence of another library: theirs would name a class or quote a value.
    """
    schema = {"properties": {"v": {"type": "integer", "enum": [1], "multipleOf": 2}}}
    text = judged(schema, {"v": "secret"}).to_json()
    for word in ("secret", "is not", "Error", "jsonschema", "dict", "str'"):
        assert word not in text
    assert told(judged(schema, {"v": "secret"})) == [("/v", "enum"), ("/v", "type")]
