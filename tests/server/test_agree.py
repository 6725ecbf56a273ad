"""
A server's handlers held to a published catalog: what agrees, and how each difference is told.

Each server is an ``MCPServer`` with one tool, ``note.add``; each catalog is a folder of files.
"""

import enum
import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import anyio
import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import Context, MCPServer
from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

import weighbridge
from weighbridge.agree_mcp import agreement, assert_agrees
from weighbridge.agree_report import lines
from weighbridge.mcp import META_KEY, install

DIALECT = "https://json-schema.org/draft/2020-12/schema"
BASE = "https://example.test/schemas/"

TEXT = {"type": "string", "maxLength": 200}

#: Generated calls of one tool: enough for each difference below, and few.
TRIES = 12


def schema(properties: dict[str, Any], required: tuple[str, ...] = (), **more: Any) -> Any:
    """
    The published schema of ``note.add``.
    """
    return {
        "$schema": DIALECT,
        "$id": f"{BASE}note-add.schema.json",
        "x-weighbridge-tool": "note.add",
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    } | more


@pytest.fixture
def published(tmp_path: Path) -> Callable[..., weighbridge.Catalog]:
    """
    Writes schemas, and exceptions where there are some, and reads the folder.
    """

    def write(*schemas: Any, exceptions: tuple[Any, ...] = ()) -> weighbridge.Catalog:
        for number, one in enumerate(schemas):
            (tmp_path / f"{number}.schema.json").write_text(json.dumps(one), encoding="utf-8")
        settings = json.dumps({"exceptions": list(exceptions)})
        (tmp_path / "catalog.json").write_text(settings, encoding="utf-8")
        return weighbridge.Catalog.read(tmp_path)

    return write


def serving(*handlers: Callable[..., Any], name: str = "note.add") -> MCPServer[Any]:
    """
    A server with these handlers; a single one is called ``note.add``.
    """
    server: MCPServer[Any] = MCPServer("notes", log_level="ERROR")
    for one in handlers:
        server.add_tool(one, name if len(handlers) == 1 else one.__name__.replace("_", "."))
    return server


def told(server: MCPServer[Any], catalog: weighbridge.Catalog, **more: Any) -> list[Any]:
    """
    Every difference as rule, place and witness.
    """
    found = agreement(server, catalog, tries=TRIES, **more).as_dict()["differences"]
    return [(one["rule"], one["place"], one["witness"]) for one in found]


class Kind(enum.Enum):
    """
    What a note can be, as an annotation says it.
    """

    RULE = "rule"
    GUIDE = "guide"


#: The same, as a constant that the code looks into.
KINDS = ("rule", "guide")


class Author(TypedDict):
    """
    Who wrote a note.
    """

    name: str
    team: NotRequired[str]


class Closed(BaseModel):
    """
    An object that refuses keys that it does not declare.
    """

    model_config = ConfigDict(extra="forbid")

    name: str


def plain(text: str, labels: list[str] = [], pinned: bool = False) -> str:  # noqa: B006, FBT001, FBT002
    return text


PLAIN = {
    "text": TEXT,
    "labels": {"type": "array", "maxItems": 8, "items": TEXT},
    "pinned": {"type": "boolean"},
}


# -- What agrees


def test_a_schema_that_constrains_more_than_the_annotations_agrees(published):
    tighter = {
        "text": {"type": "string", "minLength": 3, "maxLength": 40, "pattern": "^[a-z]+$"},
        "labels": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"enum": ["a", "b"]}},
        "pinned": {"const": True},
    }

    assert told(serving(plain), published(schema(tighter, ("text",)))) == []


def test_what_is_given_to_a_handler_by_the_server_is_no_parameter(published):
    def add(text: str, ctx: Context) -> str:
        return text

    assert told(serving(add), published(schema({"text": TEXT}, ("text",)))) == []


def test_optional_is_spelled_in_two_ways_and_is_one(published):
    def add(number: int | None = None, count: int = 1) -> str:
        return ""

    fields = {"number": {"type": ["integer", "null"]}, "count": {"type": "integer"}}

    assert told(serving(add), published(schema(fields))) == []


# -- Each control, in plain words


def test_a_required_name_that_was_dropped_is_shown_by_a_call_without_it(published):
    catalog = published(schema(PLAIN))

    assert told(serving(plain), catalog) == [("required-apart", "/properties/text", {})]
    assert only(serving(plain), catalog) == (
        "note.add at /properties/text: the handler requires 'text', and the schema admits a call "
        "without it. Witness: {}. Add the name to required, or give the parameter a default. "
        "(required-apart)"
    )


def only(server: MCPServer[Any], catalog: weighbridge.Catalog, **more: Any) -> str:
    """
    The one difference, as it is told.
    """
    (found,) = agreement(server, catalog, tries=TRIES, **more).differences
    return str(found)


def test_a_required_name_that_the_handler_has_a_default_for_is_shown_by_a_call_that_it_takes(
    published,
):
    catalog = published(schema(PLAIN, ("text", "pinned")))

    assert told(serving(plain), catalog) == [("required-apart", "/properties/pinned", {"text": ""})]
    assert only(serving(plain), catalog) == (
        "note.add at /properties/pinned: the schema requires 'pinned', and the handler takes a call "
        'without it. Witness: {"text": ""}. Take the name out of required, or take the '
        "parameter's default away. (required-apart)"
    )


def test_a_parameter_that_the_handler_requires_and_nobody_publishes_is_shown(published):
    def add(text: str, owner: str) -> str:
        return text

    catalog = published(schema({"text": TEXT}, ("text",)))

    assert told(serving(add), catalog) == [("required-apart", "/properties/owner", {"text": ""})]


@pytest.mark.parametrize(
    ("widened", "witness"),
    [
        ({"text": {"type": ["string", "null"], "maxLength": 200}}, {"text": None}),
        ({"text": {"type": ["string", "integer"], "maxLength": 200}}, {"text": 0}),
        ({"text": {}}, {"text": None}),
    ],
)
def test_a_type_that_was_widened_is_shown_by_a_value_of_the_added_type(published, widened, witness):
    catalog = published(schema(PLAIN | widened, ("text",)))

    assert told(serving(plain), catalog) == [("handler-refuses", "/properties/text", witness)]
    assert only(serving(plain), catalog) == (
        "note.add at /properties/text: the schema admits what the handler's argument model refuses "
        f"(string_type). Witness: {json.dumps(witness)}. Narrow the schema there, or widen the "
        "handler's annotation. (handler-refuses)"
    )


def test_a_type_that_was_widened_inside_a_list_is_shown_by_one_item(published):
    wide = {"labels": {"type": "array", "maxItems": 8, "items": {"type": ["string", "boolean"]}}}
    ((rule, place, witness),) = told(serving(plain), published(schema(PLAIN | wide, ("text",))))

    assert (rule, place) == ("handler-refuses", "/properties/labels/items")
    assert witness in ({"text": "", "labels": [False]}, {"text": "", "labels": [True]})


def test_a_parameter_that_was_published_and_does_not_exist_is_named(published):
    catalog = published(schema(PLAIN | {"colour": TEXT}, ("text",)))

    assert told(serving(plain), catalog) == [
        ("handler-lacks", "/properties/colour", {"text": "", "colour": ""})
    ]
    assert only(serving(plain), catalog) == (
        "note.add at /properties/colour: the schema names 'colour', and the handler has nothing "
        "that reads it: what a caller sends there is dropped without a word. Witness: "
        '{"colour": "", "text": ""}. Give the handler a parameter of that name, or take the '
        "property out of the schema. (handler-lacks)"
    )


def test_a_field_that_was_published_inside_an_object_and_does_not_exist_is_named(published):
    def add(author: Author) -> str:
        return author["name"]

    author = {
        "type": "object",
        "properties": {"name": TEXT, "mail": TEXT},
        "required": ["name"],
        "additionalProperties": False,
    }
    catalog = published(schema({"author": author}, ("author",)))

    assert told(serving(add), catalog) == [
        (
            "handler-lacks",
            "/properties/author/properties/mail",
            {"author": {"name": "", "mail": ""}},
        )
    ]


class Person(BaseModel):
    """
    An object whose field goes by a second name, which the derived schema does not tell.
    """

    name: str = Field(validation_alias=AliasChoices("name", "fullName"))


def test_a_field_that_is_read_by_a_second_name_is_not_missed(published):
    def add(person: Person) -> str:
        return person.name

    person = {
        "type": "object",
        "properties": {"fullName": TEXT},
        "required": ["fullName"],
        "additionalProperties": False,
    }

    assert told(serving(add), published(schema({"person": person}, ("person",)))) == []


def of_literal(kind: Literal["rule", "guide"]) -> str:
    return kind


def of_literal_or_none(kind: Literal["rule", "guide"] | None = None) -> str:
    return str(kind)


def of_enum(kind: Kind) -> str:
    return kind.value


def of_constant(kind: str) -> str:
    if kind not in KINDS:
        raise ValueError(kind)
    return kind


def of_annotation(kind: Annotated[str, Field(json_schema_extra={"enum": list(KINDS)})]) -> str:
    return kind


SERVING = [of_literal, of_literal_or_none, of_enum, of_constant, of_annotation]


@pytest.mark.parametrize("handler", SERVING, ids=lambda one: one.__name__)
def test_an_enum_that_is_shorter_than_what_a_handler_serves_is_shown_by_the_word_it_lacks(
    published, handler
):
    needed = () if handler is of_literal_or_none else ("kind",)
    catalog = published(schema({"kind": {"type": "string", "enum": ["rule"]}}, needed))

    assert told(serving(handler), catalog) == [
        ("enum-narrower", "/properties/kind", {"kind": "guide"})
    ]
    assert only(serving(handler), catalog) == (
        "note.add at /properties/kind: the schema's list is shorter than what the handler serves: "
        'it leaves out "guide", and the gate refuses that. Witness: {"kind": "guide"}. Add what '
        "is missing to the schema's enum, or take it from what the handler serves. (enum-narrower)"
    )


@pytest.mark.parametrize("handler", SERVING, ids=lambda one: one.__name__)
def test_an_enum_that_is_what_a_handler_serves_agrees(published, handler):
    needed = () if handler is of_literal_or_none else ("kind",)
    catalog = published(schema({"kind": {"type": "string", "enum": ["guide", "rule"]}}, needed))

    assert told(serving(handler), catalog) == []


@pytest.mark.parametrize("handler", [of_literal, of_enum], ids=lambda one: one.__name__)
def test_an_enum_that_is_longer_than_what_an_annotation_lists_is_shown_by_the_word_too_many(
    published, handler
):
    words = {"type": "string", "enum": ["rule", "guide", "pitfall"]}
    catalog = published(schema({"kind": words}, ("kind",)))

    ((rule, place, witness),) = told(serving(handler), catalog)
    assert (rule, place, witness) == ("handler-refuses", "/properties/kind", {"kind": "pitfall"})


class Box(BaseModel):
    """
    An object inside an object, with a word inside.
    """

    inner: dict[str, int] = {}
    kind: Literal["rule", "guide"] = "rule"


def test_a_list_deep_inside_is_compared_whatever_else_is_optional(published):
    def add(text: str, first: str = "", second: str = "", box: Box | None = None) -> str:
        return text

    box = {
        "type": "object",
        "properties": {"kind": {"enum": ["guide"]}},
        "additionalProperties": False,
    }
    fields = {"text": TEXT, "first": TEXT, "second": TEXT, "box": box}
    catalog = published(schema(fields, ("text",)))

    assert told(serving(add), catalog) == [
        ("enum-narrower", "/properties/box/properties/kind", {"text": "", "box": {"kind": "rule"}})
    ]


def test_a_constant_that_the_code_does_not_show_can_be_named(published):
    def add(kind: str) -> str:
        return kind

    catalog = published(schema({"kind": {"type": "string", "enum": ["rule"]}}, ("kind",)))

    assert told(serving(add), catalog) == []
    for name in ("kind", "note.add/kind"):
        assert told(serving(add), catalog, serves={name: KINDS}) == [
            ("enum-narrower", "/properties/kind", {"kind": "guide"})
        ]
    with pytest.raises(ValueError, match="serves names sort"):
        agreement(serving(add), catalog, serves={"sort": KINDS})


def test_a_tool_that_is_published_and_not_served_is_named(published):
    catalog = published(schema(PLAIN, ("text",)))

    assert told(serving(plain, name="note.put"), catalog) == [("no-handler", "", None)]
    found = agreement(serving(plain, name="note.put"), catalog, tries=TRIES)
    assert found.outside.unpublished == {"note.put"}


def test_a_text_that_the_sdk_reads_as_json_is_told_as_that(published):
    def add(note: str | None = None) -> str:
        return str(note)

    catalog = published(schema({"note": {"type": ["string", "null"], "maxLength": 20}}))

    ((rule, place, witness),) = told(serving(add), catalog)
    assert (rule, place) == ("read-as-json", "/properties/note")
    assert json.loads(witness["note"]) in ([], {})


def test_what_a_validator_of_one_s_own_refuses_is_shown_whatever_it_raises(published):
    def check(value: Any) -> Any:
        if value == "":
            raise RuntimeError("empty")
        return value

    def add(text: Annotated[str, BeforeValidator(check)]) -> str:
        return text

    catalog = published(schema({"text": TEXT}, ("text",)))

    assert told(serving(add), catalog) == [("handler-refuses", "", {"text": ""})]


@pytest.mark.parametrize(
    ("annotation", "published_as", "at_edge"),
    [
        (Annotated[str, Field(max_length=5)], {"maxLength": 6}, lambda value: len(value) == 6),
        (Annotated[str, Field(min_length=2)], {"maxLength": 6}, lambda value: len(value) < 2),
        (Annotated[str, Field(pattern="^[a-f]*$")], {"maxLength": 6}, lambda value: True),
        (
            Annotated[int, Field(le=10)],
            {"type": "integer", "maximum": 11},
            lambda value: value > 10,
        ),
        (Annotated[int, Field(ge=0)], {"type": "integer", "maximum": 9}, lambda value: value < 0),
        (
            Annotated[list[int], Field(max_length=2)],
            {"type": "array", "maxItems": 3, "items": {"type": "integer"}},
            lambda value: len(value) == 3,
        ),
    ],
)
def test_a_bound_that_is_wider_than_the_annotation_s_is_shown_past_its_edge(
    published, annotation, published_as, at_edge
):
    def add(value) -> str:
        return str(value)

    add.__annotations__["value"] = annotation
    catalog = published(schema({"value": {"type": "string"} | published_as}, ("value",)))

    ((rule, place, witness),) = told(serving(add), catalog)
    assert (rule, place, list(witness)) == ("handler-refuses", "/properties/value", ["value"])
    assert at_edge(witness["value"])


# -- Outside the relation, found each time


def test_a_closure_that_a_derived_schema_carries_is_told_and_its_object_is_asked(published):
    def add(author: Closed) -> str:
        return author.name

    author = {"type": "object", "properties": {"name": TEXT}, "required": ["name"]}
    closed = published(schema({"author": author | {"additionalProperties": False}}, ("author",)))
    found = agreement(serving(add), closed, tries=TRIES)
    assert found.differences == ()
    assert found.outside.closures == {"note.add": ("/$defs/Closed/additionalProperties",)}

    opened = published(
        schema({"author": author | {"maxProperties": 3, "additionalProperties": True}}, ("author",))
    )
    ((rule, _place, witness),) = told(serving(add), opened)
    assert rule == "handler-refuses"
    assert len(witness["author"]) == 2


def test_a_float_that_pydantic_does_not_read_as_an_integer_for_its_size_is_outside(published):
    def add(number: int) -> str:
        return str(number)

    catalog = published(schema({"number": {"type": "integer"}}, ("number",)))
    found = agreement(serving(add), catalog, tries=TRIES)

    assert found.differences == ()
    assert found.outside.floats == {"note.add": ("/properties/number",)}


def test_a_handler_that_reads_large_floats_as_integers_has_none_outside(published):
    def whole(value: Any) -> Any:
        return int(value) if isinstance(value, float) and value.is_integer() else value

    def add(number: Annotated[int, BeforeValidator(whole)]) -> str:
        return str(number)

    catalog = published(schema({"number": {"type": "integer"}}, ("number",)))
    found = agreement(serving(add), catalog, tries=TRIES)

    assert (found.differences, dict(found.outside.floats)) == ((), {})


CONTEXT = {
    "$schema": DIALECT,
    "$id": f"{BASE}context.schema.json",
    "type": "object",
    "properties": {"project": TEXT, "agent": TEXT, "task": TEXT},
    "required": ["project"],
}

IN_CONTEXT = schema(
    {"text": TEXT}, ("text",), allOf=[{"$ref": "context.schema.json"}], unevaluatedProperties=False
)
del IN_CONTEXT["additionalProperties"]

COUNT = IN_CONTEXT | {
    "$id": f"{BASE}note-count.schema.json",
    "x-weighbridge-tool": "note.count",
    "properties": {},
    "required": [],
}

OPEN = {"rule": "open-root", "schema": CONTEXT["$id"], "reason": "Each tool closes it."}


def note_add(project: str, text: str) -> str:
    return text


def note_count(project: str) -> str:
    return project


def test_the_context_fields_that_no_handler_reads_are_outside(published):
    catalog = published(CONTEXT, IN_CONTEXT, COUNT, exceptions=(OPEN,))
    found = agreement(serving(note_add, note_count), catalog, tries=TRIES)

    assert found.differences == ()
    assert found.outside.unread == {"agent", "task"}


def test_a_context_field_that_one_handler_reads_is_missed_in_the_others(published):
    def note_count(project: str, agent: str = "") -> str:
        return agent

    catalog = published(CONTEXT, IN_CONTEXT, COUNT, exceptions=(OPEN,))
    found = agreement(serving(note_add, note_count), catalog, tries=TRIES)

    assert [(one.tool, one.rule, one.place) for one in found.differences] == [
        ("note.add", "handler-lacks", ("properties", "agent"))
    ]
    assert found.outside.unread == {"task"}


def test_a_required_context_field_is_never_outside(published):
    def note_add(text: str) -> str:
        return text

    def note_count() -> str:
        return ""

    catalog = published(CONTEXT, IN_CONTEXT, COUNT, exceptions=(OPEN,))
    found = agreement(serving(note_add, note_count), catalog, tries=TRIES)

    assert [(one.tool, one.rule, one.place) for one in found.differences] == [
        (tool, "handler-lacks", ("properties", "project")) for tool in ("note.add", "note.count")
    ]


def test_words_that_a_handler_s_code_lists_and_the_schema_does_not_are_outside(published):
    catalog = published(schema({"kind": TEXT}, ("kind",)))
    found = agreement(serving(of_constant), catalog, tries=TRIES)

    assert (found.differences, dict(found.outside.vocabulary)) == ((), {"kind": ("note.add",)})
    assert "outside, vocabulary: kind (note.add)" in lines(found)


# -- Recorded


def record(rule: str, place: str, uri: str = f"{BASE}note-add.schema.json") -> dict[str, str]:
    return {"rule": rule, "schema": uri, "place": place, "reason": "Known, until spring."}


@pytest.mark.parametrize(
    ("rule", "place", "properties", "required"),
    [
        ("handler-lacks", "/properties/colour", PLAIN | {"colour": TEXT}, ("text",)),
        ("required-apart", "/properties/text", PLAIN, ()),
        ("handler-refuses", "/properties/text", PLAIN | {"text": {}}, ("text",)),
    ],
)
def test_a_recorded_difference_is_told_with_its_reason_and_fails_nothing(
    published, rule, place, properties, required
):
    without = published(schema(properties, required))
    catalog = published(schema(properties, required), exceptions=(record(rule, place),))
    found = agreement(serving(plain), catalog, tries=TRIES)

    assert [(one.rule, one.reason) for one in found.differences] == [(rule, "Known, until spring.")]
    assert found.agrees
    assert catalog.digest == without.digest
    assert_agrees(serving(plain), catalog, tries=TRIES)


def test_a_recorded_difference_that_no_witness_needs_fails(published):
    catalog = published(
        schema(PLAIN, ("text",)), exceptions=(record("handler-refuses", "/properties/text"),)
    )

    assert only(serving(plain), catalog) == (
        "catalog.json: it records handler-refuses in 'https://example.test/schemas/"
        "note-add.schema.json' at /properties/text, and no witness needs it. Drop the entry, or "
        "name the place that needs it. (stale-exception)"
    )
    assert not agreement(serving(plain), catalog, tries=TRIES).agrees


def test_one_record_in_a_shared_schema_speaks_of_every_tool_that_composes_it(published):
    def note_count(project: str, agent: str = "") -> str:
        return agent

    shared = record("handler-lacks", "/properties/agent", CONTEXT["$id"])
    catalog = published(CONTEXT, IN_CONTEXT, COUNT, exceptions=(OPEN, shared))
    found = agreement(serving(note_add, note_count), catalog, tries=TRIES)

    assert [(one.tool, one.reason) for one in found.differences] == [
        ("note.add", "Known, until spring.")
    ]


# -- As a test of one's own


def test_one_line_of_a_test_passes_or_says_tool_relation_witness_and_cure(published):
    assert_agrees(serving(plain), published(schema(PLAIN, ("text",))), tries=TRIES)

    with pytest.raises(AssertionError) as caught:
        assert_agrees(serving(plain), published(schema(PLAIN)), tries=TRIES)
    said = str(caught.value).splitlines()
    assert said[0].startswith("does not agree: 1 difference")
    assert said[1] == (
        "note.add at /properties/text: the handler requires 'text', and the schema admits a call "
        "without it. Witness: {}. Add the name to required, or give the parameter a default. "
        "(required-apart)"
    )


def test_a_long_witness_is_cut_in_a_line_and_whole_as_data(published):
    def add(text: Annotated[str, Field(max_length=700)]) -> str:
        return text

    catalog = published(schema({"text": {"type": "string", "maxLength": 900}}, ("text",)))
    (found,) = agreement(serving(add), catalog, tries=TRIES).differences

    assert found.as_dict()["witness"] == {"text": "a" * 701}
    assert f'Witness: {{"text": "{"a" * 390}... (713 characters).' in str(found)


def test_a_folder_can_be_named_in_place_of_a_catalog(published, tmp_path):
    published(schema(PLAIN, ("text",)))

    assert_agrees(serving(plain), tmp_path, tries=TRIES)
    assert_agrees(serving(plain), str(tmp_path), tries=TRIES)


def test_a_server_without_argument_models_is_told_so(published):
    with pytest.raises(TypeError, match="no argument model to agree with"):
        assert_agrees(Server("low"), published(schema(PLAIN, ("text",))))


@pytest.mark.parametrize(
    ("annotation", "published_as", "rule"),
    [
        (str, {}, "handler-refuses"),
        (str | None, {"type": ["string", "null"], "maxLength": 9}, "read-as-json"),
        (
            Author,
            {"type": ["string", "object"], "maxLength": 9, "maxProperties": 3},
            "handler-refuses",
        ),
    ],
)
def test_a_witness_that_is_sent_passes_the_gate_and_fails_before_the_handler(
    published, annotation, published_as, rule
):
    ran = []

    def add(value) -> str:
        ran.append(value)
        return ""

    add.__annotations__["value"] = annotation
    catalog = published(schema({"value": published_as}, ("value",)))
    server = serving(add)
    found = [one for one in agreement(server, catalog, tries=TRIES).differences if one.rule == rule]
    install(server, catalog)

    async def send(witness):
        async with Client(server) as client:
            return await client.call_tool("note.add", witness)

    for one in found:
        answer = anyio.run(send, dict(one.witness))
        assert answer.is_error
        assert answer.content[0].text.startswith(
            "Error executing tool note.add: 1 validation error"
        )
        assert META_KEY not in (answer.meta or {})
    assert (len(found) > 0, ran) == (True, [])


def test_a_place_that_no_call_had_a_value_at_is_told(published):
    def add(text: str, anything: dict[str, Any] = {}) -> str:  # noqa: B006
        return text

    inner = {"type": "object", "properties": {"a": {"not": {}}}, "additionalProperties": False}
    catalog = published(schema({"text": TEXT, "anything": inner}, ("text",)))
    found = agreement(serving(add), catalog, tries=TRIES)

    assert (found.judged["note.add"].places, found.judged["note.add"].reached) == (3, 2)
    assert "not asked, note.add: 1 place of 3 had no value in any call" in lines(found)


def test_no_handler_is_run(published):
    def add(text: str) -> str:
        raise SystemExit(text)

    assert told(serving(add), published(schema({"text": TEXT}, ("text",)))) == []


def test_the_same_seed_gives_the_same_answer_to_the_letter(published):
    catalog = published(schema(PLAIN | {"text": {}, "colour": TEXT}))
    first, second = (
        agreement(serving(plain), catalog, seed=7, tries=TRIES).as_dict() for _ in range(2)
    )

    assert first == second
    assert first["judged"]["note.add"]["calls"] > TRIES


def test_a_witness_is_a_call_that_the_gate_admits_and_the_sdk_refuses(published):
    catalog = published(schema(PLAIN | {"text": {}}, ("text",)))
    server = serving(plain)
    ((_rule, _place, witness),) = told(server, catalog)

    assert catalog.check("note.add", witness).admitted
    with pytest.raises(ValueError, match="string_type"):
        server._tool_manager.get_tool("note.add").fn_metadata.validate_arguments(witness)
