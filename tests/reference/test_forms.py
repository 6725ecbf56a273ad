"""
Of the forms that could compose a tool with its context, one works.

The stock validator judges, so that the choice stands on the specification and not on us.
"""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

#: What a tool shares with others: open, as it is published, and closed in the two ways there are.
CONTEXT = {
    "type": "object",
    "properties": {"projectId": {"type": "string"}},
    "required": ["projectId"],
}
CONTEXTS = {
    "open": CONTEXT,
    "closed by additionalProperties": {**CONTEXT, "additionalProperties": False},
    "closed by unevaluatedProperties": {**CONTEXT, "unevaluatedProperties": False},
}

#: A tool's own part.
OWN = {"properties": {"query": {"type": "string"}}, "required": ["query"]}

#: Every way to put the two together, and to close what comes of it.
FORMS: dict[str, dict[str, Any]] = {
    f"{joined}, {closed}": {"type": "object", **form, **closing}
    for joined, form in {
        "allOf": {"allOf": [{"$ref": "context"}], **OWN},
        "allOf of both": {"allOf": [{"$ref": "context"}, OWN]},
        "$ref": {"$ref": "context", **OWN},
        "anyOf": {"anyOf": [{"$ref": "context"}], **OWN},
        "properties alone": OWN,
    }.items()
    for closed, closing in {
        "left open": {},
        "additionalProperties": {"additionalProperties": False},
        "unevaluatedProperties": {"unevaluatedProperties": False},
    }.items()
}

VALID = {"projectId": "demo", "query": "retry"}
UNKNOWN = {**VALID, "colour": "red"}
WITHOUT_CONTEXT = {"query": "retry"}


def judge(form: dict[str, Any], context: dict[str, Any], call: dict[str, Any]) -> bool:
    registry = Registry().with_resource("context", DRAFT202012.create_resource(context))
    return Draft202012Validator(form, registry=registry).is_valid(call)


def works(form: dict[str, Any], context: dict[str, Any]) -> bool:
    return (
        judge(form, context, VALID)
        and not judge(form, context, UNKNOWN)
        and not judge(form, context, WITHOUT_CONTEXT)
    )


def test_a_form_works_only_if_it_closes_by_unevaluated_properties_over_an_open_context():
    """
    The published form is among them; the others are the same reference in other clothes.
    """
    found = {
        (form, context)
        for form, schema in FORMS.items()
        for context, referent in CONTEXTS.items()
        if works(schema, referent)
    }

    assert found == {
        ("allOf, unevaluatedProperties", "open"),
        ("allOf of both, unevaluatedProperties", "open"),
        ("$ref, unevaluatedProperties", "open"),
        ("anyOf, unevaluatedProperties", "open"),
    }


@pytest.mark.parametrize("context", CONTEXTS)
def test_a_tool_left_open_admits_an_unknown_key_or_nothing_at_all(context: str):
    """
    Over a closed context it refuses even the valid call: each side sees only its own names.
    """
    admitted = judge(FORMS["allOf, left open"], CONTEXTS[context], UNKNOWN)
    refused = not judge(FORMS["allOf, left open"], CONTEXTS[context], VALID)

    assert (admitted, refused) == (context == "open", context != "open")


@pytest.mark.parametrize("context", CONTEXTS)
def test_additional_properties_does_not_see_through_a_reference(context: str):
    assert not judge(FORMS["allOf, additionalProperties"], CONTEXTS[context], VALID)


@pytest.mark.parametrize(
    "context", ["closed by additionalProperties", "closed by unevaluatedProperties"]
)
def test_a_context_that_closes_itself_cannot_be_composed(context: str):
    assert not judge(FORMS["allOf, unevaluatedProperties"], CONTEXTS[context], VALID)
