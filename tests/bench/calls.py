"""
The calls that are measured, with the schemas that they are held to.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from weighbridge import Catalog
from weighbridge.reading import bundled_folder, load, registry_of

SEARCH = "knowledge.search"
WRITE = "knowledge.proposeChange"

_CLOSED = {"type": "object", "additionalProperties": False}

#: A row of a table, as a spreadsheet or an issue tracker publishes one.
_ROW = {
    **_CLOSED,
    "properties": {
        "id": {"type": "integer", "minimum": 1},
        "title": {"type": "string", "maxLength": 200},
        "state": {"enum": ["open", "closed", "merged"]},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
        "assignee": {"type": ["string", "null"], "maxLength": 100},
    },
    "required": ["id", "title", "state"],
}


def _nested(levels: int) -> dict[str, Any]:
    inside: dict[str, Any] = {"type": "string", "maxLength": 100}
    for _ in range(levels):
        inside = {
            **_CLOSED,
            "properties": {
                "name": {"type": "string", "maxLength": 100},
                "tags": {
                    "type": "array",
                    "items": {"type": "string", "maxLength": 40},
                    "maxItems": 8,
                },
                "child": inside,
            },
            "required": ["name"],
        }
    return inside


def _nest(levels: int) -> Any:
    inside: Any = "leaf"
    for level in range(levels):
        inside = {"name": f"level {level}", "tags": ["one", "two", "three"], "child": inside}
    return inside


#: Schemas of our own beside the ten, by tool.
OWN: dict[str, dict[str, Any]] = {
    "bench.rows": {
        **_CLOSED,
        "properties": {"rows": {"type": "array", "items": _ROW, "maxItems": 5_000}},
        "required": ["rows"],
    },
    "bench.nested": _nested(10),
}

_PARAGRAPH = "Retries are capped at five, with jitter; the queue keeps what was not delivered.\n"


@dataclass(frozen=True, slots=True)
class Case:
    """
    One call.
    """

    name: str
    tool: str
    arguments: dict[str, Any]


def small() -> dict[str, Any]:
    """Arguments of a small search call."""
    return {"projectId": "demo", "query": "retry policy", "limit": 10, "useDense": True}


def write(body: str) -> dict[str, Any]:
    """Arguments that propose a text."""
    return {
        "projectId": "demo",
        "itemId": "billing.retry-policy",
        "title": "Retry policy of the billing service",
        "kind": "rule",
        "owner": "billing",
        "author": "Ada",
        "description": "Says how often, and what happens then.",
        "body": body,
        "contentType": "text/markdown",
        "evidence": {
            "agentId": "agent-7",
            "taskId": "task-42",
            "model": "model-2026-01",
            "reasoning": "The incident of May showed that the text was wrong.",
        },
    }


def rows(count: int) -> dict[str, Any]:
    """Arguments that hold so many objects."""
    states = ("open", "closed", "merged")
    return {
        "rows": [
            {
                "id": at + 1,
                "title": f"Issue number {at}",
                "state": states[at % 3],
                "score": at / count,
                "assignee": None if at % 2 else "ada",
            }
            for at in range(count)
        ]
    }


def text_of(characters: int) -> str:
    """A text of so many ASCII characters, in lines."""
    return (_PARAGRAPH * (characters // len(_PARAGRAPH) + 1))[:characters]


def admitted() -> list[Case]:
    """The calls that hold."""
    return [
        Case("small search call", SEARCH, small()),
        Case("10 KB write", WRITE, write(text_of(10_000))),
        Case("1,000 objects", "bench.rows", rows(1_000)),
        Case("nested, ten levels", "bench.nested", _nest(10)),
    ]


def refused() -> list[Case]:
    """The same calls with one fault each."""
    wrong_rows = rows(1_000)
    wrong_rows["rows"][700]["state"] = "lost"
    unknown = {**small(), "limitt": 5}
    missing = {"projectId": "demo", "limit": "10"}
    deep = _nest(10)
    deep["child"]["child"]["tags"] = [1]
    return [
        Case("unknown key", SEARCH, unknown),
        Case("name missing, one type wrong", SEARCH, missing),
        Case("one object of 1,000 wrong", "bench.rows", wrong_rows),
        Case("one tag wrong, nested", "bench.nested", deep),
    ]


@dataclass(frozen=True, slots=True)
class Held:
    """
    The tools, and each schema as others take it.
    """

    catalog: Catalog

    #: As it stands in its file, references and all.
    documents: dict[str, dict[str, Any]]

    registry: Any


def held() -> Held:
    """Load the ten tools, and ours beside them."""
    documents, _settings = load(bundled_folder())
    ours = [{"name": name, "inputSchema": schema} for name, schema in OWN.items()]
    foreign = Catalog.from_tools(ours)
    sample = Catalog.bundled()
    catalog = Catalog(
        limits=sample.limits,
        digest=sample.digest,
        shape_digest=sample.shape_digest,
        tools={**sample.tools, **foreign.tools},
    )
    by_tool = {one.tool: one.schema for one in documents if one.tool is not None}
    return Held(catalog, {**by_tool, **OWN}, registry_of(documents))


def plain(value: Any) -> Any:
    """A copy that shares nothing, so that no contender meets warm objects of another."""
    return json.loads(json.dumps(value))
