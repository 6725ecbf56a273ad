"""
The ten reference tools held to the published contract, and what stands outside, from both sides.
"""

import functools
import inspect
import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.tools import Tool

from tests.reference import bounds
from tests.server import spoil
from tests.support.machine import ROOT
from weighbridge import Catalog
from weighbridge.agree import Agreement
from weighbridge.agree_mcp import agreement
from weighbridge.agree_sides import LARGE
from weighbridge.reference.refusals import VOCABULARIES
from weighbridge.reference.store import open_store
from weighbridge.reference.tools import Service, handlers

SCHEMAS = ROOT / "schemas" / "mcp"
CONTEXT = "tool-context.schema.json"

#: The fields of the context that a handler may do without, and the words left to handlers.
CONTEXT_FIELDS = {"snapshotId", "agentId", "taskId"}
WORDS = {"kind", "reviewer", "severity", "threadState"}

#: Tools that are about no project take no context.
WITHOUT_CONTEXT = {"project.list", "system.capabilities"}

#: Few calls where one difference is looked for; the whole contract gets more.
TRIES = 8


@pytest.fixture(scope="module")
def ten(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Callable[..., Any]]:
    """
    The ten handlers over a database of their own.
    """
    return handlers(Service(open_store(tmp_path_factory.mktemp("agree") / "x.sqlite3"), {}))


def serving(ten: dict[str, Callable[..., Any]]) -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("ten", log_level="ERROR")
    for name, handler in ten.items():
        server.add_tool(handler, name)
    return server


@pytest.fixture(scope="module")
def found(ten: dict[str, Callable[..., Any]]) -> Agreement:
    """
    The whole contract against all ten.
    """
    return agreement(serving(ten), SCHEMAS, tries=40)


@pytest.fixture(scope="module")
def derived(ten: dict[str, Callable[..., Any]]) -> dict[str, Any]:
    """
    What the SDK derives from each signature.
    """
    return {name: Tool.from_function(one, name).parameters for name, one in ten.items()}


def below(value: Any) -> Iterator[dict[str, Any]]:
    """
    Every JSON object inside a value.
    """
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    for one in value if isinstance(value, list) else []:
        yield from below(one)


def test_the_ten_tools_take_what_is_published_and_nothing_is_recorded(found: Agreement):
    assert found.differences == ()
    assert Catalog.read(SCHEMAS).differences == {}
    assert set(found.judged) == set(Catalog.read(SCHEMAS).tools)


def test_every_tool_was_asked_at_every_place_and_took_each_call_that_was_admitted(
    found: Agreement,
):
    for name, asked in found.judged.items():
        assert asked.taken == asked.admitted >= 40, name
        assert asked.reached == asked.places, name
    assert found.judged["review.generateKnowledgeCandidate"].places == 33


def test_what_stands_outside_is_this_and_no_more(found: Agreement):
    assert found.outside.as_dict() == {
        "closures": {},
        "silent": ["$defs", "default", "description", "title"],
        "unread": [],
        "vocabulary": {
            "kind": ["knowledge.proposeChange", "review.generateKnowledgeCandidate"],
            "reviewer": ["review.findings"],
            "severity": ["review.findings"],
            "threadState": ["review.search"],
        },
        "floats": {},
        "unpublished": [],
    }


def test_no_derived_schema_carries_a_closure_and_every_published_one_does(derived: dict[str, Any]):
    closing = ("additionalProperties", "unevaluatedProperties")
    assert not [
        one
        for schema in derived.values()
        for one in below(schema)
        for k in closing
        if one.get(k) is False
    ]
    for tool in Catalog.read(SCHEMAS).tools.values():
        assert tool.published["additionalProperties"] is False


def test_titles_and_definitions_are_the_derived_side_s_alone(derived: dict[str, Any]):
    published = {name: tool.published for name, tool in Catalog.read(SCHEMAS).tools.items()}
    properties = {
        side: [one for schema in schemas.values() for one in below(schema.get("properties", {}))]
        for side, schemas in (("derived", derived), ("published", published))
    }

    assert {name for name, schema in derived.items() if "$defs" in schema} == {
        "knowledge.generateMigrationDraft",
        "knowledge.proposeChange",
        "review.generateKnowledgeCandidate",
    }
    assert not [name for name, schema in published.items() if "$defs" in schema]
    assert any("title" in one for one in properties["derived"])
    # A property may be called title; an annotation is a text.
    assert not [one for one in properties["published"] if isinstance(one.get("title"), str)]


# -- Context


def test_the_context_fields_that_a_handler_may_do_without_are_three_on_either_side(
    derived: dict[str, Any],
):
    context = json.loads((SCHEMAS / CONTEXT).read_text(encoding="utf-8"))
    assert set(context["properties"]) - set(context["required"]) == CONTEXT_FIELDS

    scoped = [schema for name, schema in derived.items() if name not in WITHOUT_CONTEXT]
    common = set.intersection(*(set(one["properties"]) for one in scoped))
    needed = set.intersection(*(set(one["required"]) for one in scoped))
    assert common - needed == CONTEXT_FIELDS


def without(handler: Callable[..., Any], names: set[str]) -> Callable[..., Any]:
    """
    The same handler without some of its parameters.
    """
    signature = inspect.signature(handler, eval_str=True)
    left = [one for name, one in signature.parameters.items() if name not in names]

    @functools.wraps(handler)
    def taking_less(**given: Any) -> Any:
        return handler(**given)

    taking_less.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
    return taking_less


def test_handlers_that_read_none_of_the_three_agree_and_the_three_are_told_as_outside(
    ten: dict[str, Callable[..., Any]],
):
    server = serving({name: without(one, CONTEXT_FIELDS) for name, one in ten.items()})
    found = agreement(server, SCHEMAS, tries=TRIES)

    assert found.differences == ()
    assert found.outside.unread == CONTEXT_FIELDS
    assert set(found.outside.vocabulary) == WORDS


# -- Words


def test_the_words_left_to_handlers_are_four_on_either_side(found: Agreement):
    published = Catalog.read(SCHEMAS).tools

    assert set(found.outside.vocabulary) == set(VOCABULARIES) == WORDS
    for name, tools in found.outside.vocabulary.items():
        for tool in tools:
            assert "enum" not in published[tool].published["properties"][name]
    listed = {
        name
        for tool in published.values()
        for name, one in tool.published["properties"].items()
        if "enum" in one
    }
    assert listed == {"contentType", "category"}


Alone = Callable[..., tuple[MCPServer[Any], Catalog]]


@pytest.fixture
def alone(tmp_path: Path, ten: dict[str, Callable[..., Any]]) -> Alone:
    """
    One tool of the ten by itself, its published schema changed.
    """

    def write(stem: str, change: Callable[[Any], None]) -> tuple[MCPServer[Any], Catalog]:
        schema = json.loads((SCHEMAS / f"{stem}-input.schema.json").read_text(encoding="utf-8"))
        change(schema)
        (tmp_path / f"{stem}-input.schema.json").write_text(json.dumps(schema), encoding="utf-8")
        if "allOf" in schema:
            context = (SCHEMAS / CONTEXT).read_text(encoding="utf-8")
            (tmp_path / CONTEXT).write_text(context, encoding="utf-8")
        name = schema["x-weighbridge-tool"]
        return serving({name: ten[name]}), Catalog.read(tmp_path)

    return write


@pytest.mark.parametrize(
    ("stem", "field"),
    [
        ("knowledge-propose-change", "kind"),
        ("review-generate-knowledge-candidate", "kind"),
        ("review-findings", "reviewer"),
        ("review-findings", "severity"),
        ("review-search", "threadState"),
    ],
)
def test_an_enum_that_leaves_out_a_word_of_a_handler_is_told(alone: Alone, stem: str, field: str):
    words = [*VOCABULARIES[field]]

    def shorten(schema: Any) -> None:
        schema["properties"][field] = {"enum": words[1:]}

    (told,) = agreement(*alone(stem, shorten), tries=TRIES).differences

    assert (told.rule, told.place) == ("enum-narrower", ("properties", field))
    assert told.witness is not None
    assert told.witness[field] == words[0]


@pytest.mark.parametrize(
    ("stem", "field", "words"),
    [
        ("knowledge-propose-change", "contentType", bounds.CONTENT_TYPES),
        ("review-generate-knowledge-candidate", "category", bounds.CATEGORIES),
    ],
)
def test_a_published_list_is_the_constant_that_is_named_for_it(
    alone: Alone, stem: str, field: str, words: tuple[str, ...]
):
    server, catalog = alone(stem, lambda schema: None)

    assert agreement(server, catalog, serves={field: words}, tries=TRIES).differences == ()
    (told,) = agreement(server, catalog, serves={field: (*words, "more")}, tries=TRIES).differences
    assert (told.rule, told.place) == ("enum-narrower", ("properties", field))


# -- Numbers


def reads(annotation: Any, value: Any) -> bool:
    """
    Whether the SDK's reading of a parameter of that annotation takes a value.
    """

    def handler(number) -> None:
        pass

    handler.__annotations__["number"] = annotation
    try:
        Tool.from_function(handler, "n").fn_metadata.validate_arguments({"number": value})
    except ValueError:
        return False
    return True


def test_pydantic_stops_reading_integral_floats_as_integers_exactly_there():
    for sign in (1, -1):
        assert reads(int, math.nextafter(sign * LARGE, 0))
        assert not reads(int, sign * LARGE)
        assert reads(int, int(sign * LARGE))


def test_every_integer_of_the_ten_reads_them_so_none_is_outside(
    ten: dict[str, Callable[..., Any]], derived: dict[str, Any]
):
    asked = 0
    for name, schema in derived.items():
        for field, one in schema["properties"].items():
            if any(inner.get("type") == "integer" for inner in below(one)):
                annotation = (
                    inspect.signature(ten[name], eval_str=True).parameters[field].annotation
                )
                assert reads(annotation, LARGE), (name, field)
                assert reads(annotation, -1e300), (name, field)
                asked += 1
    assert asked == 6


# -- Each control on the real contract

#: Of each rule the first, one from the middle and the last; ``spoil.py`` goes through all.
OF_RULE = [
    [one for one in spoil.every() if one.told[0] == rule]
    for rule in ("required-apart", "handler-refuses", "handler-lacks")
]
SOME = [found[at] for found in OF_RULE for at in (0, len(found) // 2, -1)]


@pytest.mark.parametrize("spoilt", SOME, ids=lambda one: f"{one.stem} {one.label}")
def test_a_contract_that_was_spoilt_in_one_place_is_told_at_that_place(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, spoilt: spoil.Spoilt
):
    service = Service(open_store(tmp_path_factory.mktemp("store") / "x.sqlite3"), {})
    found = spoil.asked(spoilt, service, tmp_path, tries=TRIES)

    assert [(one.rule, one.place) for one in found.differences] == [spoilt.told]
