"""
What looks like a mistake in a published schema, rule by rule, and what does not.
"""

import json

import pytest

from tests.catalogs import CLOSED, folder, input_schema, published
from tests.support.machine import ROOT
from weighbridge import Catalog, CatalogError, audit, lint, lint_report
from weighbridge.reading import REMARKS

TEXT = {"type": "string", "maxLength": 9}
NUMBER = {"type": "integer"}


def inside(schema):
    """The schema of one property ``p``."""
    return {"properties": {"p": schema}}


def of(**named):
    """A closed object schema with these properties."""
    return {"type": "object", "properties": named, "additionalProperties": False}


P = "/properties/p"

#: Rule, a schema that breaks it, where, and one that is nearly the same and does not.
RULES = [
    ("misspelt", {"descripton": "x"}, "/descripton", {"description": "x"}),
    ("misspelt", inside({**TEXT, "maxLenght": 3}), f"{P}/maxLenght", inside({**TEXT, "x-len": 3})),
    ("misspelt", inside({**TEXT, "zebra": 3}), f"{P}/zebra", inside({**TEXT, "readOnly": True})),
    (
        "misspelt",
        inside(of(a=NUMBER) | {"dependencies": {"a": ["a"]}}),
        f"{P}/dependencies",
        inside(of(a=NUMBER) | {"dependentRequired": {"a": ["a"]}}),
    ),
    (
        "no-effect",
        inside({**TEXT, "then": True}),
        f"{P}/then",
        inside({**TEXT, "if": True, "then": True}),
    ),
    (
        "no-effect",
        inside({**NUMBER, "maxLength": 3}),
        f"{P}/maxLength",
        inside({**NUMBER, "maximum": 3}),
    ),
    (
        "no-effect",
        inside({"type": ["integer", "null"], "minLength": 3}),
        f"{P}/minLength",
        inside({"type": ["string", "null"], "minLength": 3, "maxLength": 9}),
    ),
    (
        "closed-beside",
        inside(of(a=NUMBER) | {"allOf": [{"properties": {"b": NUMBER}}]}),
        f"{P}/additionalProperties",
        inside(of(a=NUMBER, b=True) | {"allOf": [{"properties": {"b": NUMBER}}]}),
    ),
    (
        "float-step",
        inside({"type": "number", "multipleOf": 0.1}),
        f"{P}/multipleOf",
        inside({"type": "number", "multipleOf": 2.0}),
    ),
    ("no-type", inside({"description": "x"}), P, inside({"enum": ["x"]})),
    (
        "no-type",
        {"properties": {"p": True}},
        P,
        inside({"$ref": "#/$defs/a"}) | {"$defs": {"a": NUMBER}},
    ),
    (
        "no-type",
        inside({"type": "array", "maxItems": 2, "items": {}}),
        f"{P}/items",
        inside({"type": "array", "maxItems": 2, "items": NUMBER}),
    ),
    ("no-bound", inside({"type": "string"}), P, inside(TEXT)),
    ("no-bound", inside({"type": "string"}), P, inside({"type": "string", "x-maxBytes": 9})),
    (
        "no-bound",
        inside({"type": "string", "pattern": "[a-z]{3}"}),
        P,
        inside({"type": "string", "pattern": "^[a-z]{3}$"}),
    ),
    (
        "no-bound",
        inside({"type": "string", "format": "uri"}),
        P,
        inside({"type": "string", "format": "date"}),
    ),
    (
        "no-bound",
        inside({"type": "array", "items": NUMBER}),
        P,
        inside({"type": "array", "prefixItems": [NUMBER], "items": False}),
    ),
    (
        "no-bound",
        inside({"type": "object", "additionalProperties": NUMBER}),
        P,
        inside(
            {
                "type": "object",
                "additionalProperties": NUMBER,
                "maxProperties": 3,
                "propertyNames": TEXT,
            }
        ),
    ),
    (
        "no-bound",
        inside({"type": "object", "additionalProperties": NUMBER, "maxProperties": 3}),
        P,
        inside(
            {
                "type": "object",
                "patternProperties": {"^[a-z]{3}$": NUMBER},
                "additionalProperties": False,
                "maxProperties": 3,
            }
        ),
    ),
    (
        "no-bound",
        inside(
            {
                "type": "object",
                "additionalProperties": NUMBER,
                "maxProperties": 3,
                "propertyNames": {"minLength": 1},
            }
        ),
        f"{P}/propertyNames",
        inside(
            {
                "type": "object",
                "additionalProperties": NUMBER,
                "maxProperties": 3,
                "propertyNames": {"maxLength": 4},
            }
        ),
    ),
    (
        "unique-unbounded",
        inside({"type": "array", "items": NUMBER, "uniqueItems": True}),
        f"{P}/uniqueItems",
        inside({"type": "array", "items": NUMBER, "uniqueItems": True, "maxItems": 4}),
    ),
    (
        "undeclared",
        {**inside(NUMBER), "required": ["q"]},
        "/required",
        {**inside(NUMBER), "required": ["p"]},
    ),
    (
        "undeclared",
        inside(of(a=NUMBER) | {"dependentRequired": {"a": ["b"]}}),
        f"{P}/dependentRequired",
        inside(of(a=NUMBER, b=NUMBER) | {"dependentRequired": {"a": ["b"]}}),
    ),
    (
        "undeclared",
        inside(of(a=NUMBER) | {"anyOf": [{"required": ["b"]}]}),
        f"{P}/anyOf/0/required",
        inside(of(a=NUMBER, b=NUMBER) | {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
    ),
    ("unreachable", inside({**TEXT, "minLength": 10}), P, inside({**TEXT, "minLength": 9})),
    (
        "unreachable",
        inside({**NUMBER, "minimum": 2, "maximum": 1}),
        P,
        inside({**NUMBER, "minimum": 1, "maximum": 1}),
    ),
    (
        "unreachable",
        inside({"type": "number", "exclusiveMinimum": 1, "maximum": 1}),
        P,
        inside({"type": "number", "minimum": 1, "maximum": 1}),
    ),
    (
        "unreachable",
        inside({"allOf": [TEXT, NUMBER]}),
        P,
        inside({"allOf": [TEXT, {"type": ["string", "integer"]}]}),
    ),
    (
        "unreachable",
        inside({"allOf": [{"enum": ["a"]}, {"const": "b"}]}),
        P,
        inside({"allOf": [{"enum": ["a", "b"]}, {"const": "b"}]}),
    ),
    (
        "unreachable",
        inside({**TEXT, "anyOf": [{"type": "integer"}, {"minLength": 1}]}),
        f"{P}/anyOf/0",
        inside({**TEXT, "anyOf": [{"minLength": 1}, {"minLength": 2}]}),
    ),
    (
        "unreachable",
        inside({"anyOf": [{**TEXT, "minLength": 10}, NUMBER]}),
        f"{P}/anyOf/0",
        inside({"anyOf": [{**TEXT, "minLength": 9}, NUMBER]}),
    ),
    (
        "unreachable",
        inside({"type": "array", "items": TEXT, "minItems": 3, "maxItems": 2}),
        P,
        inside({"type": "array", "items": TEXT, "minItems": 2, "maxItems": 2}),
    ),
    (
        "listed",
        inside({"type": "string", "enum": ["a", 1]}),
        f"{P}/enum/1",
        inside({"type": ["string", "integer"], "enum": ["a", 1.0]}),
    ),
    (
        "listed",
        inside({**TEXT, "enum": ["a", "x" * 10]}),
        f"{P}/enum/1",
        inside({**TEXT, "enum": ["a", "x" * 9]}),
    ),
    ("listed", inside({**NUMBER, "const": 1.5}), f"{P}/const", inside({**NUMBER, "const": 1.0})),
]


def remarks(where, schema):
    named = {"$id": "https://example.org/t", **schema}
    return lint.of_folder(folder(where, {"t-input.schema.json": input_schema(**named)}))


@pytest.mark.parametrize(
    ("rule", "broken", "place", "held"),
    RULES,
    ids=[f"{at}-{row[0]}" for at, row in enumerate(RULES)],
)
def test_a_rule_speaks_where_it_is_broken_and_is_silent_beside(tmp_path, rule, broken, place, held):
    found = [one for one in remarks(tmp_path / "broken", broken) if one.rule == rule]
    assert [(one.file, one.place) for one in found] == [("t-input.schema.json", place)]
    assert all(one.message and one.cure for one in found)
    silent = [one for one in remarks(tmp_path / "held", held) if one.rule == rule]
    assert silent == []


def test_every_rule_has_a_row_or_a_test_of_its_own():
    others = {"not-flat", "stale-exception", "unknown-format"}
    assert lint.RULES.keys() == {row[0] for row in RULES} | others
    assert lint.RULES.keys() - {"stale-exception", "unknown-format"} == REMARKS


def test_a_schema_that_no_rule_speaks_of_has_no_remark(tmp_path):
    assert remarks(tmp_path, inside(TEXT)) == ()


def test_a_misspelt_keyword_names_the_one_that_is_meant(tmp_path):
    (one,) = remarks(tmp_path, inside({**TEXT, "minLenght": 1}))
    assert (one.message, one.cure) == (
        "no keyword is called 'minLenght', so it does nothing",
        "write minLength",
    )


def test_a_required_name_that_is_misspelt_names_the_property(tmp_path):
    (one,) = [
        o
        for o in remarks(
            tmp_path, {**inside(TEXT), "properties": {"query": TEXT}, "required": ["qeury"]}
        )
        if o.rule == "undeclared"
    ]
    assert one.cure == "write 'query'"


def test_a_tool_without_a_flat_form_is_told_with_its_cure(tmp_path):
    composed = {**inside(TEXT), "anyOf": [{"required": ["p"]}], "unevaluatedProperties": False}
    schema = {k: v for k, v in input_schema(**composed).items() if k != "additionalProperties"}
    where = folder(tmp_path, {"t-input.schema.json": schema})
    assert [(one.file, one.place, one.rule) for one in lint.of_folder(where)] == [
        ("t-input.schema.json", "", "not-flat")
    ]
    assert [(one.file, one.rule) for one in lint.of_catalog(Catalog.read(where))] == [
        ("t", "not-flat")
    ]


def test_a_format_that_is_not_asserted_fails_a_published_catalog_and_is_told_of_a_foreign_one(
    tmp_path,
):
    schema = inside({"type": "string", "maxLength": 9, "format": "hostname"})
    with pytest.raises(CatalogError):
        remarks(tmp_path, schema)
    listed = [{"name": "t", "inputSchema": {**CLOSED, **schema}}]
    (one,) = lint.of_catalog(Catalog.from_tools(listed))
    assert (one.file, one.place, one.rule) == ("t", f"{P}/format", "unknown-format")
    listed[0]["inputSchema"]["properties"]["p"]["format"] = "date"
    assert lint.of_catalog(Catalog.from_tools(listed)) == ()


def test_what_stands_behind_a_reference_is_told_once_by_the_file_that_holds_it(tmp_path):
    shared = {
        "$id": "https://example.org/shared",
        "type": "object",
        "properties": {"p": {"type": "string"}},
        "additionalProperties": False,
    }
    files = {
        f"{name}-input.schema.json": input_schema(
            name, **{"$id": f"https://example.org/{name}", "properties": {"s": {"$ref": "shared"}}}
        )
        for name in ("a", "b")
    }
    found = lint.of_folder(folder(tmp_path, {"shared.json": shared, **files}))
    assert [(one.file, one.place, one.rule) for one in found] == [
        ("shared.json", "/properties/p", "no-bound")
    ]


def test_a_recorded_reason_is_shown_with_its_remark_and_one_that_nothing_needs_is_told(tmp_path):
    kept = {
        "rule": "no-bound",
        "schema": "https://example.org/t",
        "place": P,
        "reason": "It is free.",
    }
    schema = input_schema(**{"$id": "https://example.org/t"}, **inside({"type": "string"}))
    where = folder(
        tmp_path, {"t-input.schema.json": schema, "catalog.json": {"exceptions": [kept]}}
    )
    (one,) = lint.of_folder(where)
    assert (one.rule, one.reason) == ("no-bound", "It is free.")
    schema["properties"]["p"]["maxLength"] = 4
    folder(tmp_path, {"t-input.schema.json": schema})
    (one,) = lint.of_folder(where)
    assert (one.file, one.place, one.rule) == ("catalog.json", "/exceptions", "stale-exception")


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"rule": "no-such"}, "/exceptions/0/rule"),
        ({"reason": " "}, "/exceptions/0"),
        ({"place": 3}, "/exceptions/0/place"),
        ({"rule": "open-root"}, "/exceptions/0/place"),
    ],
)
def test_an_exception_that_cannot_be_read_fails_the_catalog(tmp_path, change, place):
    kept = {
        "rule": "no-bound",
        "schema": "https://example.org/t",
        "place": P,
        "reason": "It is free.",
    }
    files = {
        "t-input.schema.json": input_schema(),
        "catalog.json": {"exceptions": [{**kept, **change}]},
    }
    with pytest.raises(CatalogError) as caught:
        lint.of_folder(folder(tmp_path, files))
    assert (caught.value.file, caught.value.place) == ("catalog.json", place)


def test_the_sample_contract_has_no_remark_without_a_recorded_reason():
    found = lint.of_folder(ROOT / "schemas" / "mcp")
    assert [(one.file, one.place, one.rule) for one in found if one.reason] == [
        ("knowledge-generate-migration-draft-input.schema.json", "/properties/document", "no-bound")
    ]
    assert [one for one in found if not one.reason] == []


def test_a_remark_is_data_and_a_sentence(tmp_path):
    (one,) = remarks(tmp_path, inside({"type": "string"}))
    assert one.as_dict() == {
        "file": "t-input.schema.json",
        "place": P,
        "rule": "no-bound",
        "message": "a string of any length is admitted",
        "cure": "add maxLength, and x-maxBytes if bytes count",
        "reason": "",
    }
    assert str(one) == (
        "t-input.schema.json at /properties/p: a string of any length is admitted. "
        "add maxLength, and x-maxBytes if bytes count. (no-bound)"
    )
    assert json.loads(json.dumps(one.as_dict())) == one.as_dict()


# --- what is printed ------------------------------------------------------------


def printed(where):
    """The lines of ``catalog lint`` for a folder."""
    return list(lint_report.lines(Catalog.read(where), lint.of_folder(where)))


def test_what_passes_a_limit_is_told_with_the_place_that_makes_up_most_of_it():
    lines = printed(ROOT / "schemas" / "mcp")
    assert (
        "knowledge.proposeChange: rendered can pass 12,582,912; "
        "most of it is at /properties/body, lower its bounds"
    ) in lines
    assert (
        "knowledge.generateMigrationDraft: nodes has no bound; "
        "at /properties/document/additionalProperties it needs a type"
    ) in lines


@pytest.mark.parametrize(
    ("schema", "heavy"),
    [
        ({"type": "array", "maxItems": 9, "items": {"type": "string", "maxLength": 9}}, f"{P}/items"),
        ({"type": "array", "maxItems": 2, "items": False, "prefixItems": [TEXT, NUMBER]}, f"{P}/prefixItems/1"),
        (of(a={"type": "string", "maxLength": 20}, b={"type": "string", "maxLength": 20}), P),
        (of(a={"type": "string", "maxLength": 50}, b=TEXT), f"{P}/properties/a"),
    ],
)  # fmt: skip
def test_the_innermost_place_that_makes_up_most_of_a_bound_is_found(tmp_path, schema, heavy):
    tool = published(tmp_path, properties={"p": schema, "q": {"type": "boolean"}}).tools["t"]
    assert audit.heaviest(tool.root, "rendered") == heavy
    assert audit.heaviest(tool.root, "work") == ""


def test_a_figure_that_is_no_more_than_a_bound_is_marked_so(tmp_path):
    where = folder(
        tmp_path,
        {
            "t-input.schema.json": input_schema(
                properties={"p": {**TEXT, "not": {"const": "a"}}, "q": {"type": "boolean"}}
            ),
            "catalog.json": {"limits": {"nodes": 4}},
        },
    )
    (row,) = [line.split() for line in printed(where) if line.startswith("t ")]
    assert row[:8] == ["t", "2", "<=", "5", "!", "<=", "97", "<="]
