from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from tests.reference import bounds, published
from weighbridge.limits import ENVELOPE

#: Every keyword of Draft 2020-12 that bounds a value, and ours.
BOUNDING = {
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "x-maxBytes",
}

Named = Mapping[str, Mapping[str, str]]


def text(most: str, **others: str) -> dict[str, str]:
    return {"maxLength": most, **others}


def within(place: str, named: Named) -> dict[str, Mapping[str, str]]:
    return {f"{place}/properties/{name}": keywords for name, keywords in named.items()}


SHORT = text("SHORT_TEXT_CHARACTERS")
BODY = text("BODY_CHARACTERS", **{"x-maxBytes": "BODY_BYTES"})

_WHO = text("EVIDENCE_NAME_CHARACTERS", minLength="EVIDENCE_CHARACTERS_MIN")
_WHY = text("EVIDENCE_REASONING_CHARACTERS", minLength="EVIDENCE_CHARACTERS_MIN")
EVIDENCE = within(
    "/properties/evidence", {"agentId": _WHO, "taskId": _WHO, "model": _WHO, "reasoning": _WHY}
)
ANCHORS = {
    "/properties/sourceAnchors": {"maxItems": "ANCHORS"},
    **within(
        "/properties/sourceAnchors/items",
        {
            "provider": text("ANCHOR_PROVIDER_CHARACTERS"),
            "sourceUri": text("ANCHOR_URI_CHARACTERS"),
            "repository": text("REPOSITORY_CHARACTERS"),
            "commitSha": text("COMMIT_CHARACTERS"),
            "filePath": text("ANCHOR_PATH_CHARACTERS"),
        },
    ),
}
FILED = {
    "/properties/labels": {"maxItems": "LABELS"},
    "/properties/labels/items": text("LABEL_CHARACTERS"),
    "/properties/scopePaths": {"maxItems": "SCOPE_PATHS"},
    "/properties/scopePaths/items": text("SCOPE_PATH_CHARACTERS"),
}
PROPOSED = {
    **EVIDENCE,
    **FILED,
    **within(
        "",
        {
            "itemId": text("ITEM_ID_CHARACTERS"),
            "title": text("TITLE_CHARACTERS"),
            "kind": SHORT,
            "owner": SHORT,
            "author": SHORT,
            "description": text("DESCRIPTION_CHARACTERS"),
            "body": BODY,
            "namespace": SHORT,
            "expectedRevision": SHORT,
        },
    ),
}
FINDING = ("reviewer", "severity", "family", "specialist", "commitSha", "q")
THREAD = ("repository", "threadState", "author", "filePath", "q")

#: The name in `bounds` of each bound that a file states, by file, place and keyword.
NAMES: dict[str, Named] = {
    "tool-context.schema.json": within(
        "",
        {
            "projectId": text("PROJECT_ID_CHARACTERS", pattern="PROJECT_ID_PATTERN"),
            "snapshotId": text("SNAPSHOT_ID_CHARACTERS", pattern="SNAPSHOT_ID_PATTERN"),
            "agentId": text("CALLER_CHARACTERS"),
            "taskId": text("CALLER_CHARACTERS"),
        },
    ),
    "knowledge-search-input.schema.json": within(
        "",
        {
            "query": text("QUERY_CHARACTERS", minLength="QUERY_CHARACTERS_MIN"),
            "asOf": text("AS_OF_CHARACTERS"),
        },
    ),
    "knowledge-get-input.schema.json": within("", {"itemId": text("ITEM_ID_CHARACTERS")}),
    "review-findings-input.schema.json": within(
        "", dict.fromkeys(FINDING, text("FINDING_FILTER_CHARACTERS"))
    ),
    "review-search-input.schema.json": within(
        "", dict.fromkeys(THREAD, text("THREAD_FILTER_CHARACTERS"))
    ),
    "knowledge-propose-change-input.schema.json": {
        **PROPOSED,
        **ANCHORS,
        **within(
            "",
            {
                "contentType": {"enum": "CONTENT_TYPES"},
                "trustLevel": SHORT,
                "sensitivity": SHORT,
            },
        ),
    },
    "knowledge-generate-migration-draft-input.schema.json": EVIDENCE,
    "review-generate-knowledge-candidate-input.schema.json": {
        **PROPOSED,
        **ANCHORS,
        "/properties/sourceAnchors": {"maxItems": "ANCHORS", "minItems": "ANCHORS_MIN"},
        **within(
            "",
            {
                "repository": text("REPOSITORY_CHARACTERS"),
                "recordKey": text("RECORD_KEY_CHARACTERS"),
                "fixCommit": text("COMMIT_CHARACTERS"),
                "category": {"enum": "CATEGORIES"},
            },
        ),
    },
}


def test_every_published_bound_is_a_named_constant_and_no_other_bound_is_published():
    """
    Equal as whole sets: a bound without a name fails, and so does a name without its bound.
    """
    found = {
        (file, pointer, keyword): tuple(value) if isinstance(value, list) else value
        for file, document in published.documents().items()
        for pointer, schema in published.subschemas(document)
        for keyword, value in schema.items()
        if keyword in BOUNDING
    }
    named = {
        (file, pointer, keyword): getattr(bounds, name)
        for file, places in NAMES.items()
        for pointer, keywords in places.items()
        for keyword, name in keywords.items()
    }

    assert found == named


def test_no_constant_is_left_that_no_schema_publishes():
    used = {
        name
        for places in NAMES.values()
        for keywords in places.values()
        for name in keywords.values()
    }

    assert {name for name in vars(bounds) if name.isupper()} == used


def test_every_string_and_every_list_has_a_bound():
    """
    What a schema admits at most can only be computed if nothing in it is without end.
    """
    unbounded = [
        f"{file}#{pointer}"
        for file, document in published.documents().items()
        for pointer, schema in published.subschemas(document)
        for kind, bound in (("string", "maxLength"), ("array", "maxItems"))
        if kind in schema.get("type", ()) and not schema.keys() & {bound, "enum", "const"}
    ]

    assert unbounded == []


#: Bytes of one code point at worst: an astral one, escaped as two surrogates.
WORST_BYTES = len(json.dumps("\U00010000")) - 2

#: Bytes of an integer: as many digits as any reader takes, and a sign.
INTEGER_BYTES = 4_301

#: What is left for an inline body, or for a document that only the limits bound.
ELSEWHERE = ("body", "document")


def most_bytes(schema: Mapping[str, object], name: str = "") -> int:
    """
    The most bytes that compact JSON of an admitted value can take.
    """
    if name in ELSEWHERE:
        return len('""')
    if "enum" in schema:
        return max(len(json.dumps(value)) for value in schema["enum"])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    sizes = {"null": len("null"), "boolean": len("false"), "integer": INTEGER_BYTES}
    if "string" in kinds:
        sizes["string"] = len('""') + WORST_BYTES * schema["maxLength"]
    if "array" in kinds:
        sizes["array"] = len("[]") + schema["maxItems"] * (len(",") + most_bytes(schema["items"]))
    if "object" in kinds:
        sizes["object"] = len("{}") + sum(
            len(f'"{name}":,') + most_bytes(inner, name)
            for name, inner in published.fields(schema).items()
        )
    return max(sizes[kind] for kind in kinds)


@pytest.mark.parametrize("tool", sorted(published.tools()))
def test_all_that_stands_beside_a_body_fits_what_the_body_limit_leaves_for_it(tool: str):
    """
    The body limit is three bytes for each byte of a body, and one mebibyte for everything else.
    """
    assert most_bytes(published.tools()[tool]) <= 1_048_576 - ENVELOPE


def test_the_worst_code_point_takes_twelve_bytes():
    """
    The sum above stands on this number: no code point takes more, under either encoder.
    """
    points = [chr(point) for point in range(0, 0x110000, 7) if not 0xD800 <= point <= 0xDFFF]
    ascii_only = max(len(json.dumps(point)) - 2 for point in points)
    raw = max(len(json.dumps(point, ensure_ascii=False).encode()) - 2 for point in points)

    assert max(ascii_only, raw) == WORST_BYTES == 12
