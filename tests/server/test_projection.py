"""
What a server lists admits exactly what the published files admit, bounds in bytes aside.

The files are read as a stranger would read them: plain jsonschema, with a
registry of the raw files, and nothing of this package.  The list comes from a
server that runs.  Calls are generated: valid ones, and ones with a single fault.
"""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import mcp_types as types
import pytest
import referencing
from mcp.server.lowlevel import Server

from tests import generate
from tests.catalogs import folder
from tests.server import wire
from tests.support.machine import ROOT
from weighbridge import Catalog
from weighbridge.cli import main
from weighbridge.mcp import install

Schema = dict[str, Any]
Judge = Callable[[Any], bool]

SEED = 20_261_202

#: Valid calls drawn for each tool; each brings every fault that can be put into it.
VALID = 3

BASE = "https://example.test/"
DRAFT = "https://json-schema.org/draft/2020-12/schema"


def shared(name: str, **more: Any) -> Schema:
    """A schema that others refer to."""
    return {"$schema": DRAFT, "$id": BASE + name, **more}


def composed(tool: str, **more: Any) -> Schema:
    """An input schema that composes what it refers to."""
    named = {"$schema": DRAFT, "$id": f"{BASE}{tool}-input.schema.json", "x-weighbridge-tool": tool}
    return {**named, "type": "object", "unevaluatedProperties": False, **more}


#: Shapes that our own files do not have: names that clash, references inside what is referred
#: to, several branches, a file that refers to itself.
SHAPES: dict[str, Schema] = {
    "context.schema.json": shared(
        "context.schema.json",
        type="object",
        properties={
            "scope": {"$ref": "#/$defs/name"},
            "more": {"$ref": "tree.schema.json"},
            "tags": {"type": "array", "maxItems": 3, "items": {"$ref": "#/$defs/name"}},
        },
        required=["scope"],
        **{"$defs": {"name": {"type": "string", "minLength": 1, "maxLength": 8}}},
    ),
    "tree.schema.json": shared(
        "tree.schema.json",
        type="object",
        properties={
            "label": {"enum": ["x", "y"]},
            "below": {"type": "array", "maxItems": 2, "items": {"$ref": "#"}},
        },
        required=["label"],
        additionalProperties=False,
    ),
    "branches.json": composed(
        "branches",
        allOf=[
            {"$ref": "context.schema.json"},
            {"type": "object", "properties": {"count": {"type": "integer", "minimum": 1}}},
            {"type": "object", "required": ["count"]},
        ],
        properties={"name": {"$ref": "#/$defs/name"}},
        **{"$defs": {"name": {"type": "string", "pattern": "^[a-c]+$", "maxLength": 5}}},
    ),
    "reference.json": composed(
        "reference",
        **{"$ref": "context.schema.json"},
        properties={"scope": {"type": "string", "maxLength": 4}},
        description="Narrows a field of what it refers to.",
    ),
    "alone.json": composed(
        "alone",
        properties={
            "when": {"type": ["string", "null"], "maxLength": 20},
            "pairs": {
                "type": "array",
                "uniqueItems": True,
                "minItems": 1,
                "maxItems": 4,
                "items": {"$ref": "tree.schema.json"},
            },
        },
        required=["pairs"],
    ),
}

#: One that no flat form says exactly, so it is listed with all that it refers to.
NOT_FLAT: dict[str, Schema] = {
    "context.schema.json": SHAPES["context.schema.json"],
    "tree.schema.json": SHAPES["tree.schema.json"],
    "either.json": composed(
        "either",
        allOf=[{"$ref": "context.schema.json"}],
        anyOf=[{"required": ["a"]}, {"required": ["b"]}],
        properties={"a": {"type": "integer"}, "b": {"type": "string", "maxLength": 4}},
    ),
}


def sample() -> dict[str, Schema]:
    """The ten tools, as raw files."""
    found = (ROOT / "schemas" / "mcp").glob("*.schema.json")
    return {path.name: json.loads(path.read_text("utf-8")) for path in found}


FILES: dict[str, Callable[[], dict[str, Schema]]] = {
    "the ten tools": sample,
    "other shapes": lambda: SHAPES,
    "no flat form": lambda: NOT_FLAT,
}


async def on_call_tool(ctx: Any, params: Any) -> types.CallToolResult:
    """Nobody calls here."""
    return types.CallToolResult(content=[])


def server_of(names: list[str]) -> Server[Any]:
    """A server of tools by those names, each with a schema that is not the published one."""

    async def on_list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
        tools = [types.Tool(name=name, input_schema={"type": "object"}) for name in names]
        return types.ListToolsResult(tools=tools)

    return Server("projection", on_list_tools=on_list_tools, on_call_tool=on_call_tool)


@pytest.fixture(scope="module", params=FILES)
def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Schema], dict[str, Schema], Catalog]:
    """The raw files, the schemas that a server lists for them by tool, and the catalog."""
    files = FILES[request.param]()
    settings = {}
    if "tool-context.schema.json" not in files:
        rule = {"rule": "open-root", "schema": f"{BASE}context.schema.json", "reason": "r"}
        settings = {"catalog.json": {"exceptions": [rule]}}
    where: Path = tmp_path_factory.mktemp("files")
    if request.param == "the ten tools":
        catalog = Catalog.read(ROOT / "schemas" / "mcp")
    else:
        catalog = Catalog.read(folder(where, {**files, **settings}))
    server = server_of(list(catalog.tools))
    install(server, catalog)
    with wire.http_server(server, stateless=True) as port:
        listed = wire.Http(port, wire.NEWEST).send("tools/list", {}).result["tools"]
    return files, {one["name"]: one["inputSchema"] for one in listed}, catalog


def from_files(files: dict[str, Schema], tool: str) -> Judge:
    """What the raw files admit for one tool."""
    registry: referencing.Registry[Any] = referencing.Registry().with_resources(
        (one["$id"], referencing.Resource.from_contents(one)) for one in files.values()
    )
    (source,) = [one for one in files.values() if one.get("x-weighbridge-tool") == tool]
    return jsonschema.Draft202012Validator(source, registry=registry).is_valid


def from_list(schema: Schema) -> Judge:
    """What a listed schema admits, with nothing else to look at."""
    return jsonschema.Draft202012Validator(schema, registry=referencing.Registry()).is_valid


def generated(tool: str, schema: Schema) -> list[generate.Call]:
    """Valid calls of one tool, and every single fault of each."""
    rng = random.Random(f"{SEED} {tool}")
    made = []
    for _ in range(VALID):
        arguments = generate.value(schema, schema, rng)
        made.append(generate.Call(tool=tool, arguments=arguments, label="valid"))
        made += generate.faults(tool, schema, arguments, rng)
    return made


def shape_for_calls(catalog: Catalog, tool: str, listed: Schema) -> Schema:
    """What calls are drawn from: the listed schema, or a merge by hand where it is not."""
    if tool == "reference":
        # It bounds a string twice.
        scope = {"type": "string", "minLength": 1, "maxLength": 4}
        return listed | {"properties": listed["properties"] | {"scope": scope}}
    if tool not in catalog.bundled_forms:
        return listed
    properties = {"scope": {"type": "string", "minLength": 1, "maxLength": 8}}
    own = {name: listed["properties"][name] for name in ("a", "b")}
    return {
        "type": "object",
        "properties": properties | own,
        "required": ["scope", "a"],
        "additionalProperties": False,
    }


def differing(calls: list[generate.Call], one: Judge, other: Judge) -> list[str]:
    """The calls that only one of two judges admits."""
    return [
        f"{call.tool}: {call.label}: {call.text[:200]}"
        for call in calls
        if one(call.arguments) is not other(call.arguments)
    ]


@pytest.mark.no_cover
def test_the_list_and_the_files_admit_the_same_calls(
    both: tuple[dict[str, Schema], dict[str, Schema], Catalog],
):
    files, listed, catalog = both
    assert listed.keys() == catalog.tools.keys()
    found, admitted, refused = [], 0, 0
    for tool, schema in listed.items():
        calls = generated(tool, shape_for_calls(catalog, tool, schema))
        judge = from_files(files, tool)
        found += differing(calls, judge, from_list(schema))
        found += differing(calls, judge, lambda given, tool=tool: gate(catalog, tool, given))
        admitted += sum(judge(call.arguments) for call in calls if call.label == "valid")
        refused += sum(not judge(call.arguments) for call in calls if call.label != "valid")
    assert found == []
    assert admitted == VALID * len(listed)
    assert refused > 5 * admitted


def gate(catalog: Catalog, tool: str, given: Any) -> bool:
    """What the gate itself admits."""
    return catalog.check(tool, given).admitted


#: Rules of a listed schema that one call alone can break.
RULES = {
    *("additionalProperties", "enum", "maxItems", "maxLength", "minItems", "minLength"),
    *("minimum", "pattern", "required", "type", "uniqueItems"),
}


def rules(schema: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The place of each rule that a generated fault can break."""
    if isinstance(schema, list):
        for at, inner in enumerate(schema):
            yield from rules(inner, (*path, at))
    if not isinstance(schema, dict):
        return
    named = bool(path) and path[-1] in ("properties", "$defs")
    for keyword, inner in schema.items():
        if not named and keyword in RULES and is_reached(schema, keyword, path):
            yield (*path, keyword)
        if keyword not in ("enum", "required"):
            yield from rules(inner, (*path, keyword))


def is_reached(schema: Schema, keyword: str, path: tuple[Any, ...]) -> bool:
    """Whether a fault of that rule is no fault of another one beside it, and small enough."""
    if keyword == "type":
        # A call that is no object never comes so far, and an enumeration names its own types.
        return bool(path) and "enum" not in schema
    if keyword == "maxLength" and "pattern" in schema:
        return re.search(schema["pattern"], "x" * (schema[keyword] + 1)) is not None
    if keyword == "maxItems" and schema.get("uniqueItems"):
        # The item that is one too many is there twice.
        return False
    if keyword in ("maxLength", "maxItems"):
        return schema[keyword] < generate.REACH
    if keyword == "additionalProperties":
        return schema[keyword] is False
    # What is too short, or too long, for a pattern that says so too.
    return keyword != "minLength" or "pattern" not in schema


def without(schema: Schema, path: tuple[Any, ...]) -> Schema:
    """The schema less one rule."""
    damaged = copy.deepcopy(schema)
    here: Any = damaged
    for step in path[:-1]:
        here = here[step]
    del here[path[-1]]
    return damaged


def fullest(schema: Any) -> Any:
    """A narrower schema, whose calls hold every field, none of them null and no list empty."""
    if isinstance(schema, list):
        return [fullest(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {keyword: fullest(inner) for keyword, inner in schema.items()}
    if isinstance(schema.get("type"), list):
        made["type"] = [one for one in schema["type"] if one != "null"]
    if schema.get("type") == "array":
        made["minItems"] = max(1, schema.get("minItems", 0))
    if isinstance(schema.get("properties"), dict):
        made["required"] = list(schema["properties"])
    return made


@pytest.mark.no_cover
def test_a_list_that_lacks_any_one_rule_is_told_from_the_files():
    """
    The control: each rule of the ten tools, left out by itself, lets a generated call through.
    """
    unseen, tried = [], 0
    for tool, one in Catalog.read(ROOT / "schemas" / "mcp").tools.items():
        schema: Schema = one.published
        rng = random.Random(f"{SEED} {tool}")
        narrow = fullest(schema)
        arguments = generate.value(narrow, narrow, rng)
        judge = from_files(sample(), tool)
        calls = list(generate.faults(tool, schema, arguments, rng))
        assert judge(arguments)
        assert not any(judge(call.arguments) for call in calls)
        for path in rules(schema):
            tried += 1
            damaged = from_list(without(schema, path))
            asked = [call for call in calls if call.fault and call.fault.keyword == path[-1]]
            if not any(damaged(call.arguments) for call in asked):
                unseen.append(f"{tool} {'/'.join(map(str, path))}")
    assert unseen == []
    assert tried > 200


def test_a_bound_in_bytes_is_the_one_thing_that_the_list_admits_and_the_gate_refuses(
    tmp_path: Path,
):
    text = {"type": "string", "maxLength": 10, "x-maxBytes": 20}
    schema = composed("t", properties={"a": text, "b": {"type": "array", "items": text}})
    catalog = Catalog.read(folder(tmp_path, {"t.json": schema}))
    listed = from_list(catalog.tools["t"].published)
    for given, bytes_alone in (
        ({"a": "\u00e9" * 10}, False),
        ({"a": "\u6f22" * 6 + "ab"}, False),
        ({"a": "\u6f22" * 6 + "abc"}, True),
        ({"b": ["x", "\u6f22" * 7]}, True),
        ({"a": "x" * 11}, False),
        ({"a": "\u6f22" * 11}, False),
    ):
        rules_told = {one.keyword for one in findings(catalog, given)}
        assert (listed(given) and not gate(catalog, "t", given)) is bytes_alone, given
        assert not bytes_alone or rules_told == {"x-maxBytes"}


def findings(catalog: Catalog, given: Any) -> tuple[Any, ...]:
    """What the gate finds."""
    refusal = catalog.check("t", given).refusal
    return () if refusal is None else refusal.findings


def test_the_one_without_a_flat_form_is_listed_bundled_and_lint_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    rule = {"rule": "open-root", "schema": f"{BASE}context.schema.json", "reason": "r"}
    where = folder(tmp_path, {**NOT_FLAT, "catalog.json": {"exceptions": [rule]}})
    catalog = Catalog.read(where)
    assert catalog.bundled_forms == {"either"}
    listed = catalog.tools["either"].published
    assert listed["$defs"].keys() == {
        f"{BASE}context.schema.json",
        f"{BASE}tree.schema.json",
    }
    assert main(["catalog", "lint", str(where)]) == 0
    assert re.search("either.*flat", capsys.readouterr().out, re.DOTALL)
