from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.reference import published

#: The contract, as one reads it: the fields of each tool, the required ones with a star.
CONTEXT = "*projectId snapshotId agentId taskId "
FIELDS = {
    "knowledge.search": CONTEXT + "*query limit includeUnapproved maxTokens useDense asOf",
    "knowledge.get": CONTEXT + "*itemId includeUnapproved",
    "knowledge.status": CONTEXT,
    "project.list": "",
    "system.capabilities": "",
    "review.findings": CONTEXT
    + "reviewer severity family specialist commitSha q pullRequest limit",
    "review.search": CONTEXT + "repository threadState author filePath q pullRequest limit",
    "knowledge.proposeChange": CONTEXT
    + "*itemId *title *kind *owner *author *description *body *contentType *evidence sourceAnchors"
    " labels scopePaths namespace trustLevel sensitivity expectedRevision local",
    "knowledge.generateMigrationDraft": CONTEXT + "*document *evidence local",
    "review.generateKnowledgeCandidate": CONTEXT
    + "*repository *recordKey *fixCommit *itemId *title *body *kind *category *owner *author"
    " *description *evidence *sourceAnchors labels scopePaths namespace expectedRevision",
}


def spelled(document: dict[str, Any]) -> set[str]:
    must = published.required(document)
    return {f"*{name}" if name in must else name for name in published.fields(document)}


def test_the_ten_tools_have_the_fields_of_the_contract():
    found = {tool: spelled(document) for tool, document in published.tools().items()}

    assert found == {tool: set(names.split()) for tool, names in FIELDS.items()}


@pytest.mark.parametrize("file", sorted(published.documents()))
def test_a_file_is_a_schema_of_draft_2020_12_under_its_own_name(file: str):
    document = published.documents()[file]
    Draft202012Validator.check_schema(document)

    assert (document["$schema"], document["$id"]) == (
        "https://json-schema.org/draft/2020-12/schema",
        published.BASE + file,
    )


def test_the_context_is_open_and_everything_that_references_it_closes_it():
    """
    An open context is safe for exactly as long as this holds.
    """
    context = published.documents()[published.CONTEXT]
    referrers = published.scoped()

    assert len(referrers) == 8
    assert context.keys().isdisjoint({"additionalProperties", "unevaluatedProperties"})
    assert {file: d.get("unevaluatedProperties") for file, d in referrers.items()} == dict.fromkeys(
        referrers, False
    )


def test_nothing_references_the_context_from_anywhere_but_a_root():
    """
    A reference from inside would escape the test above.
    """
    places = {
        pointer
        for document in published.documents().values()
        for pointer, schema in published.subschemas(document)
        if "$ref" in schema
    }

    assert places == {"/allOf/0"}


def test_a_tool_without_context_is_closed_by_additional_properties():
    alone = {
        tool: document.get("additionalProperties")
        for tool, document in published.tools().items()
        if "allOf" not in document
    }

    assert alone == {"project.list": False, "system.capabilities": False}


def test_every_inner_object_says_whether_it_is_closed():
    silent = [
        f"{file}#{pointer}"
        for file, document in published.documents().items()
        for pointer, schema in published.subschemas(document)
        if pointer and schema.get("type") == "object" and "additionalProperties" not in schema
    ]

    assert silent == []


def test_the_one_open_root_is_recorded_with_its_reason():
    recorded = json.loads((published.FOLDER / "catalog.json").read_text("utf-8"))
    open_roots = {
        document["$id"]
        for document in published.documents().values()
        if document.keys().isdisjoint({"additionalProperties", "unevaluatedProperties"})
    }

    # One with a place keeps a remark of the linter, and sets no rule aside.
    of_load = [e for e in recorded["exceptions"] if "place" not in e]
    assert {(e["rule"], e["schema"]) for e in of_load} == {
        ("open-root", root) for root in open_roots
    }
    assert all(exception["reason"] for exception in recorded["exceptions"])


def test_string_or_null_is_one_type_and_never_a_choice_of_schemas():
    choices = [
        f"{file}#{pointer}"
        for file, document in published.documents().items()
        for pointer, schema in published.subschemas(document)
        if schema.keys() & {"anyOf", "oneOf", "not", "if"}
    ]

    assert choices == []


def test_every_field_of_every_depth_is_described():
    """
    The description is all that a model reads.
    """
    mute = [
        f"{file}#{pointer}"
        for file, document in published.documents().items()
        for pointer, schema in published.subschemas(document)
        if "$ref" not in schema and len(schema.get("description", "")) < len("One label.")
    ]

    assert mute == []


@pytest.mark.parametrize("field", ["evidence", "body", "labels", "scopePaths", "itemId", "kind"])
def test_a_field_of_several_tools_is_the_same_in_each(field: str):
    """
    Each file can be read alone, at the price of repeating what it shares.
    """
    proposing = [
        document["properties"][field]
        for document in published.tools().values()
        if "evidence" in document.get("properties", {}) and field in document["properties"]
    ]

    assert len(proposing) > 1
    assert [one for one in proposing if one != proposing[0]] == []


def test_only_evidence_refuses_an_empty_string_beside_a_query():
    """
    Nothing else may: what is too short is for the service to say.
    """
    refusing = {
        pointer.rpartition("/")[2]
        for document in published.documents().values()
        for pointer, schema in published.subschemas(document)
        if "minLength" in schema
    }

    assert refusing == {"query", "agentId", "taskId", "model", "reasoning"}


def test_the_readme_lists_the_files_with_their_tools():
    readme = (published.FOLDER / "README.md").read_text("utf-8")
    rows = [
        f"| `{file}` | `{document['x-weighbridge-tool']}` |"
        for file, document in published.documents().items()
        if "x-weighbridge-tool" in document
    ]

    assert len(rows) == 10
    assert [row for row in rows if row not in readme] == []
