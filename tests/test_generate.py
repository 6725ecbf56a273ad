"""
Generated calls: what a schema draws is admitted, and every labelled fault is told.
"""

from __future__ import annotations

import json
import random

import jsonschema
import pytest

import weighbridge
from tests import generate
from tests.oracle import charge, strict
from tests.parity.compare import bundled, expected, generated

#: Shapes of schemas that servers which are not ours publish.
FOREIGN = {
    "numbers": {
        "type": "object",
        "properties": {
            "page": {"type": "integer", "minimum": 1, "maximum": 100},
            "price": {"type": "number", "exclusiveMinimum": 0},
            "step": {"type": "number", "multipleOf": 0.25},
            "ratio": {"type": "number", "exclusiveMaximum": 1},
        },
        "required": ["page", "step"],
        "additionalProperties": False,
    },
    "strings": {
        "type": "object",
        "properties": {
            "code": {"type": "string", "pattern": "^(?:ab|c)[0-9]{2,4}-[^-x]?$", "maxLength": 12},
            "name": {"type": "string", "minLength": 3, "maxLength": 9},
            "note": {"type": ["string", "null"], "maxLength": 0},
            "mode": {"enum": ["A", "B", None, 3]},
            "kind": {"const": "only"},
        },
        "required": ["code", "name", "mode", "kind"],
        "additionalProperties": False,
    },
    "formats": {
        "type": "object",
        "properties": {name: {"type": "string", "format": name} for name in generate.OF_FORMAT},
        "required": sorted(generate.OF_FORMAT),
        "additionalProperties": False,
    },
    "lists": {
        "type": "object",
        "properties": {
            "tags": {
                "type": "array",
                "uniqueItems": True,
                "minItems": 1,
                "maxItems": 5,
                "items": {"type": "string", "maxLength": 30},
            },
            "pair": {
                "type": "array",
                "prefixItems": [{"type": "string"}, {"type": "integer"}],
                "items": {"type": "boolean"},
                "minItems": 2,
                "maxItems": 4,
            },
            "grid": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
        },
        "required": ["tags", "pair"],
        "additionalProperties": False,
    },
    "tree": {
        "type": "object",
        "properties": {"root": {"$ref": "#/$defs/node"}},
        "required": ["root"],
        "additionalProperties": False,
        "$defs": {
            "node": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "minLength": 1, "maxLength": 20},
                    "children": {
                        "type": "array",
                        "maxItems": 2,
                        "items": {"$ref": "#/$defs/node"},
                    },
                    "note": {"anyOf": [{"type": "string", "maxLength": 5}, {"type": "null"}]},
                },
                "required": ["name"],
                "additionalProperties": False,
            }
        },
    },
}


@pytest.fixture(scope="module")
def foreign() -> weighbridge.Catalog:
    tools = [{"name": name, "inputSchema": schema} for name, schema in FOREIGN.items()]
    catalog = weighbridge.Catalog.from_tools(tools)
    assert dict(catalog.unusable) == {}
    return catalog


@pytest.fixture(scope="module")
def strangers() -> list[generate.Call]:
    return generate.calls(FOREIGN, seed=7, count=1_500)


def admitted(text: str) -> bool:
    return json.loads(text)["admitted"]


def told(text: str, fault: generate.Fault) -> bool:
    """Whether a verdict's findings hold the fault's place, keyword and name."""
    refusal = json.loads(text)["refusal"] or {"findings": []}
    return any(
        finding["pointer"] == fault.pointer
        and finding["keyword"] == fault.keyword
        and (fault.name is None or fault.name in finding["names"])
        for finding in refusal["findings"]
    )


def wrong(calls: list[generate.Call], verdicts: list[str]) -> list[object]:
    """The calls whose verdict is not what their label says."""
    return [
        (call.tool, call.label, call.fault, call.text[:200], text[:400])
        for call, text in zip(calls, verdicts, strict=True)
        if not (admitted(text) if call.fault is None else told(text, call.fault))
    ]


@pytest.mark.no_cover
def test_valid_calls_of_our_tools_are_admitted_and_every_fault_is_told():
    assert wrong(list(generated()), list(expected())) == []


def test_valid_calls_of_foreign_shapes_are_admitted_and_every_fault_is_told(foreign, strangers):
    verdicts = [foreign.check_text(call.tool, call.text).to_json() for call in strangers]
    assert wrong(strangers, verdicts) == []


def test_admitting_agrees_with_plain_jsonschema_on_the_published_form():
    """
    Where plain jsonschema means the same: it knows no ``x-maxBytes`` and lets ``$`` stand
    before a last newline, and no generated call leans on either.
    """
    judges = {
        name: jsonschema.Draft202012Validator(plain(tool.published))
        for name, tool in bundled().tools.items()
    }
    differing = [
        (call.label, call.text[:200])
        for call, text in zip(generated(), expected(), strict=True)
        if judges[call.tool].is_valid(json.loads(call.text)) is not admitted(text)
    ]
    assert differing == []


def test_admitting_foreign_shapes_agrees_with_plain_jsonschema(foreign, strangers):
    """
    But for formats, which plain jsonschema does not assert.
    """
    judges = {name: jsonschema.Draft202012Validator(schema) for name, schema in FOREIGN.items()}
    differing = [
        (call.label, call.text[:200])
        for call in strangers
        if call.label != "format missed"
        and judges[call.tool].is_valid(json.loads(call.text))
        is not foreign.check_text(call.tool, call.text).admitted
    ]
    assert differing == []


def plain(published: object) -> object:
    """A published schema as the dictionaries and lists that jsonschema knows."""
    return json.loads(json.dumps(published, default=dict))


def test_the_generated_calls_are_the_same_in_every_run_and_reach_every_tool():
    tools = {name: tool.published for name, tool in bundled().tools.items()}
    again = generate.calls(tools, 20_261_201, 300)
    assert list(generated()[:300]) == again
    assert {call.tool for call in again} == set(bundled().tools)
    assert {call.fault.keyword for call in generated() if call.fault} == {
        "additionalProperties",
        "enum",
        "maxItems",
        "maxLength",
        "minItems",
        "minLength",
        "pattern",
        "required",
        "type",
        "uniqueItems",
    }
    assert sum(call.fault is None for call in generated()) > 400


@pytest.mark.no_cover
def test_every_charge_is_the_naive_one():
    """
    The walk counts as the contract's table does, whatever the call and its shape.
    """
    rng = random.Random(11)
    calls = [call.arguments for call in generated()] + [document(rng) for _ in range(1_000)]
    wrong = []
    for arguments in calls:
        verdict = json.loads(bundled().check("system.capabilities", arguments).to_json())
        assert strict(arguments)
        if verdict["charge"] != charge(arguments):
            wrong.append((str(arguments)[:200], verdict["charge"], charge(arguments)))
    assert wrong == []


def document(rng: random.Random) -> dict[str, object]:
    """A free document: every type, every class of characters, some levels."""

    def part(depth: int) -> object:
        kind = rng.randrange(8 if depth < 9 else 6)
        if kind == 6:
            return [part(depth + 1) for _ in range(rng.randrange(4))]
        if kind == 7:
            return {text(rng): part(depth + 1) for _ in range(rng.randrange(4))}
        return [
            text(rng),
            rng.random() * 10 ** rng.randint(-30, 30),
            whole(rng),
            None,
            True,
            False,
        ][kind]

    return {text(rng): part(2) for _ in range(5)}


def text(rng: random.Random) -> str:
    return "".join(rng.choices(generate.ALPHABET, k=rng.randrange(12)))


def whole(rng: random.Random) -> int:
    return rng.choice((1, -1)) * rng.getrandbits(rng.choice((1, 8, 53, 64, 400)))


def test_the_comparison_with_labels_can_fail():
    call = generated()[0]
    mislabelled = generate.Call(
        tool=call.tool,
        arguments=call.arguments,
        label="mislabelled",
        fault=generate.Fault(pointer="/nowhere", keyword="type"),
    )
    assert wrong([mislabelled], [expected()[0]]) != []


def test_strings_drawn_from_an_expression_match_it():
    rng = random.Random(1)
    source = "^(?:ab|c)[0-9]{2,4}-[^-x]?$"
    judge = jsonschema.Draft202012Validator({"pattern": source})
    drawn = {generate.matching(source, rng) for _ in range(200)}
    assert len(drawn) > 50
    assert all(judge.is_valid(text) for text in drawn)
