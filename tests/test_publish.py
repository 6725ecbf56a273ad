"""
The flat form that clients are shown judges exactly as the source does.
"""

import copy
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.catalogs import CLOSED, folder, input_schema
from tests.schemas import NAMES, instances, names, schemas
from tests.suites.apply import node
from weighbridge import Catalog, CatalogError
from weighbridge.dialects import DIALECTS, DRAFT202012
from weighbridge.evaluation import Evaluation
from weighbridge.gate import smallest
from weighbridge.publish import NotFlat, flat
from weighbridge.reading import document_of, registry_of

ID = "https://example.org/schemas/"

#: What an object schema may say at its root and still be merged.
bounds = st.fixed_dictionaries(
    {},
    optional={
        "required": st.lists(names, max_size=2, unique=True),
        "minProperties": st.integers(0, 2),
        "maxProperties": st.integers(1, 4),
        "dependentRequired": st.dictionaries(
            names, st.lists(names, max_size=2, unique=True), max_size=2
        ),
        "propertyNames": st.sampled_from(
            ({"maxLength": 1}, {"pattern": "^[a-c]", "maxLength": 5}, True)
        ),
        "patternProperties": st.dictionaries(
            st.sampled_from(("^b", "c")),
            st.sampled_from(({"type": "string"}, False, {"const": 1})),
            max_size=2,
        ),
        "title": st.just("T"),
    },
)


def _alone(schema):
    """
    The drawn schema of ``v``, its definitions beside it.
    """
    return schema["properties"]["v"], schema["$defs"]


@st.composite
def members(draw, *, of):
    """
    One object schema with properties, some of them references to its own definitions.
    """
    schema, defs = _alone(draw(schemas))
    properties = {
        draw(names): schema,
        draw(names): draw(st.sampled_from((True, {"type": "string"}, {"$ref": "#/$defs/two"}))),
    }
    return {"type": "object", **draw(bounds), "properties": properties, "$defs": defs, **of}


@st.composite
def contracts(draw):
    """
    A shared schema, and an input schema that composes it with what it adds.
    """
    shared = draw(members(of={"$id": f"{ID}shared.schema.json"}))
    branches = [{"$ref": "shared.schema.json"}]
    if draw(st.booleans()):
        inline = draw(members(of={}))
        # Its references lead to the definitions of the document around it.
        del inline["$defs"]
        branches.append(inline)
    own = draw(members(of={"$id": f"{ID}t-input.schema.json", "x-weighbridge-tool": "t"}))
    own |= {"allOf": branches, "unevaluatedProperties": False}
    return shared, own


def documents_of(*several):
    return [
        document_of(f"{at}.json", json.loads(json.dumps(one))) for at, one in enumerate(several)
    ]


def applied(form, uri, registry):
    """
    The node of one form of an input schema, by the rules for what is ours but the
    costs of its patterns.
    """
    return node(form, uri, DIALECTS[DRAFT202012], registry)


def holds(node, instance):
    return not smallest(node, instance, Evaluation(10**9))[0]


calls = st.dictionaries(st.sampled_from((*NAMES, "bb", "zz")), instances, max_size=4)


@pytest.mark.no_cover
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(contracts(), st.lists(calls, min_size=6, max_size=8))
def test_the_flat_form_admits_what_the_source_admits_and_nothing_else(contract, several):
    documents = documents_of(*contract)
    registry = registry_of(documents)
    source = documents[1]
    form = flat(source.schema, source.uri, registry)
    before, after = (
        applied(source.schema, source.uri, registry),
        applied(form, source.uri, registry),
    )
    for instance in [{}, *several]:
        assert holds(before, instance) == holds(after, instance)
    # One object schema, closed, that refers to nothing outside itself.
    assert form["type"] == "object"
    assert form["additionalProperties"] is False
    assert not form.keys() & {"allOf", "anyOf", "oneOf", "not", "if", "$ref", "$id", "$schema"}
    assert "example.org" not in json.dumps(form)
    assert "shared.schema.json" not in json.dumps(form)


def test_the_comparison_of_the_two_forms_can_fail():
    """
    With one merged name left out of the flat form, a call tells them apart.
    """
    shared = {"$id": f"{ID}shared.schema.json", "type": "object", "properties": {"a": {}}}
    own = {
        **CLOSED,
        "$id": f"{ID}t-input.schema.json",
        "x-weighbridge-tool": "t",
        "allOf": [{"$ref": "shared.schema.json"}],
        "unevaluatedProperties": False,
    }
    del own["additionalProperties"]
    documents = documents_of(shared, own)
    registry = registry_of(documents)
    source = documents[1]
    form = flat(source.schema, source.uri, registry)
    damaged = copy.deepcopy(form)
    del damaged["properties"]["a"]
    before = applied(source.schema, source.uri, registry)
    assert holds(before, {"a": 1})
    assert holds(applied(form, source.uri, registry), {"a": 1})
    assert not holds(applied(damaged, source.uri, registry), {"a": 1})


def test_the_form_that_is_shown_is_the_form_that_is_judged(root):
    """
    A finding of every listed tool points into the schema that a client holds.
    """
    catalog = Catalog.read(root / "schemas" / "mcp")
    assert catalog.bundled_forms == frozenset()
    for name, tool in catalog.tools.items():
        (finding, *_) = catalog.check(name, {"zz-unknown": 1}).refusal.findings[-1:]
        here = tool.published
        for token in finding.schema_pointer.split("/")[1:]:
            here = here[token]


#: A schema that says nothing but a bound in bytes, as it is listed.
K = {"description": "At most 3 bytes of UTF-8."}


def test_what_a_client_need_not_see_is_not_shown(tmp_path):
    catalog = Catalog.read(
        folder(
            tmp_path,
            {
                "s.json": {
                    "$id": f"{ID}s",
                    "type": "object",
                    "unevaluatedProperties": False,
                    "$comment": "ours",
                    "properties": {"k": {"$anchor": "k", "$comment": "c", "x-maxBytes": 3}},
                },
                "t.json": input_schema(
                    **{
                        "$id": f"{ID}t",
                        "$comment": "ours",
                        "title": "T",
                        "description": "D",
                        "x-note": 1,
                        "properties": {
                            "x-prop": {"$ref": "s"},
                            "$id": {"$ref": "s#k", "description": "kept"},
                            "enum": {"enum": [{"$comment": "a value", "x-y": 1}]},
                        },
                    }
                ),
            },
        )
    )
    assert catalog.tools["t"].published == {
        "title": "T",
        "description": "D",
        "type": "object",
        "properties": {
            "x-prop": {"$ref": "#/$defs/s"},
            "$id": {"$ref": "#/$defs/k", "description": "kept"},
            "enum": {"enum": [{"$comment": "a value", "x-y": 1}]},
        },
        "additionalProperties": False,
        "$defs": {
            "s": {"type": "object", "unevaluatedProperties": False, "properties": {"k": K}},
            "k": K,
        },
    }
    # What is not shown is judged all the same.
    assert catalog.check("t", {"$id": "abc"}).admitted
    assert not catalog.check("t", {"$id": "abcd"}).admitted
    assert not catalog.check("t", {"x-prop": {"z": 1}}).admitted


def bounded(most, **more):
    return {"type": "string", "maxLength": 9, "x-maxBytes": most, **more}


def test_a_bound_in_bytes_is_said_in_words_and_listed_by_its_place(tmp_path):
    """
    JSON Schema has no word for it, and a client that is not told finds out by a refusal.
    """
    properties = {
        "plain": bounded(1),
        "told": bounded(20, description="A text."),
        "open": bounded(20, description="A text"),
        "a/b~c": {"type": "array", "maxItems": 2, "items": bounded(7, description=" ")},
        "either": {"anyOf": [{"type": "null"}, bounded(8)]},
        "again": {"$ref": "#/$defs/short"},
        "none": {"type": "string", "description": "A text"},
    }
    schema = input_schema(properties=properties, **{"$defs": {"short": bounded(4)}})
    tool = Catalog.read(folder(tmp_path, {"t.json": schema})).tools["t"]

    def said(words):
        return {"type": "string", "maxLength": 9, "description": words}

    assert tool.published["properties"] == {
        "plain": said("At most 1 byte of UTF-8."),
        "told": said("A text. At most 20 bytes of UTF-8."),
        "open": said("A text. At most 20 bytes of UTF-8."),
        "a/b~c": {"type": "array", "maxItems": 2, "items": said("At most 7 bytes of UTF-8.")},
        "either": {"anyOf": [{"type": "null"}, said("At most 8 bytes of UTF-8.")]},
        "again": {"$ref": "#/$defs/short"},
        "none": {"type": "string", "description": "A text"},
    }
    assert tool.published["$defs"] == {"short": said("At most 4 bytes of UTF-8.")}
    assert dict(tool.byte_bounds) == {
        "/properties/plain": 1,
        "/properties/told": 20,
        "/properties/open": 20,
        "/properties/a~1b~0c/items": 7,
        "/properties/either/anyOf/1": 8,
        "/$defs/short": 4,
    }


def test_the_word_by_which_a_client_mirrors_a_value_in_a_header_is_the_protocols(tmp_path):
    region = {"type": "string", "maxLength": 9, "x-mcp-header": "Region"}
    catalog = Catalog.read(
        folder(tmp_path, {"t.json": input_schema(properties={"region": region})})
    )
    assert catalog.tools["t"].published["properties"] == {"region": region}


NOT_FLAT = {
    "a choice at the root": {"anyOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]},
    "a condition at the root": {"if": {"required": ["a"]}, "then": {"required": ["b"]}},
    "a negation at the root": {"not": {"required": ["a"]}},
    "a dynamic anchor inside": {
        "properties": {"a": {"$dynamicRef": "#n"}},
        "$defs": {"n": {"$dynamicAnchor": "n"}},
    },
    "a member that says it is open": {
        "allOf": [{"properties": {"a": {}}, "additionalProperties": True}]
    },
    "a member that bounds strings": {"allOf": [{"properties": {"a": {}}, "minLength": 1}]},
    "a member of two types": {"allOf": [{"type": ["object", "null"], "properties": {"a": {}}}]},
    "a member that is true": {"allOf": [True], "properties": {"a": {}}},
    "a resource inside": {"properties": {"a": {"$id": "inner", "type": "string"}}},
}


@pytest.mark.parametrize("name", NOT_FLAT)
def test_what_cannot_be_merged_exactly_is_shown_bundled_and_judged_as_it_says(name, tmp_path):
    schema = input_schema(**NOT_FLAT[name])
    schema["unevaluatedProperties"] = schema.pop("additionalProperties")
    catalog = Catalog.read(folder(tmp_path, {"t.json": schema}))
    assert catalog.bundled_forms == {"t"}
    documents = documents_of(schema)
    registry = registry_of(documents)
    with pytest.raises(NotFlat):
        flat(schema, documents[0].uri, registry)
    source = applied(documents[0].schema, documents[0].uri, registry)
    for call in ({}, {"a": "x"}, {"b": 1}, {"a": "x", "b": 1}, {"c": 1}, {"a": 1}):
        assert catalog.check("t", call).admitted == holds(source, call)


def test_a_bundled_form_carries_what_it_refers_to(tmp_path):
    shared = {"$id": f"{ID}s.json", "type": "string", "maxLength": 2}
    schema = input_schema(**{"$id": f"{ID}t.json", "not": {"required": ["b"]}})
    schema["properties"] = {"a": {"$ref": "s.json"}, "b": {}}
    schema["unevaluatedProperties"] = schema.pop("additionalProperties")
    catalog = Catalog.read(folder(tmp_path, {"s.json": shared, "t.json": schema}))
    assert catalog.tools["t"].published["$defs"] == {f"{ID}s.json": shared}
    assert catalog.check("t", {"a": "xy"}).admitted
    assert not catalog.check("t", {"a": "xyz"}).admitted
    assert not catalog.check("t", {"a": "x", "b": 1}).admitted
    # A client that knows nothing but the listed form can resolve it.
    alone = applied(catalog.tools["t"].published, f"{ID}t.json", registry_of([]))
    assert not holds(alone, {"a": "xyz"})


def test_two_definitions_of_one_name_are_both_kept(tmp_path):
    one = {"$id": f"{ID}a/kind.schema.json", "type": "string"}
    other = {"$id": f"{ID}b/kind.schema.json", "type": "integer"}
    schema = input_schema(
        **{"$id": f"{ID}t.json", "$defs": {"kind": {"type": "null"}}},
        properties={
            "x": {"$ref": "a/kind.schema.json"},
            "y": {"$ref": "b/kind.schema.json"},
            "z": {"$ref": "#/$defs/kind"},
        },
    )
    catalog = Catalog.read(folder(tmp_path, {"a.json": one, "b.json": other, "t.json": schema}))
    assert len(catalog.tools["t"].published["$defs"]) == 3
    assert catalog.check("t", {"x": "s", "y": 1, "z": None}).admitted
    for wrong in ({"x": 1}, {"y": "s"}, {"z": 1}):
        assert not catalog.check("t", wrong).admitted


def test_a_schema_that_refers_to_itself_inside_is_flat(tmp_path):
    schema = input_schema(
        **{
            "$defs": {
                "node": {
                    "type": "object",
                    "properties": {"next": {"$ref": "#/$defs/node"}},
                    "additionalProperties": False,
                }
            }
        },
        properties={"head": {"$ref": "#/$defs/node"}},
    )
    catalog = Catalog.read(folder(tmp_path, {"t.json": schema}))
    assert catalog.bundled_forms == frozenset()
    assert catalog.check("t", {"head": {"next": {"next": {}}}}).admitted
    assert not catalog.check("t", {"head": {"next": {"nxt": {}}}}).admitted


def test_a_chain_of_references_is_as_long_as_a_file_may_be(tmp_path):
    """
    How far one definition leads to the next is no depth of the interpreter's.
    """
    links = 2_000
    chain = {
        f"d{at}": {
            "type": "object",
            "properties": {"x": {"$ref": f"#/$defs/d{at + 1}"}},
            "additionalProperties": False,
        }
        for at in range(links)
    }
    chain[f"d{links}"] = {"type": "string"}
    schema = input_schema(properties={"x": {"$ref": "#/$defs/d0"}}, **{"$defs": chain})
    catalog = Catalog.read(folder(tmp_path, {"t.json": schema}))
    assert catalog.bundled_forms == frozenset()
    assert catalog.tools["t"].published["$defs"] == chain
    assert catalog.check("t", {"x": {"x": {}}}).admitted
    assert not catalog.check("t", {"x": {"x": {"y": 1}}}).admitted


def test_a_reference_to_the_whole_input_schema_is_applied_as_it_is(tmp_path):
    schema = input_schema(properties={"again": {"$ref": "#"}, "n": {"type": "integer"}})
    try:
        catalog = Catalog.read(folder(tmp_path, {"t.json": schema}))
    except CatalogError as error:
        pytest.fail(str(error))
    assert catalog.check("t", {"again": {"again": {"n": 1}}}).admitted
    assert not catalog.check("t", {"again": {"again": {"m": 1}}}).admitted
