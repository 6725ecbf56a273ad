"""
The published files as these tests read them: plain JSON, walked without the package.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "schemas" / "mcp"
BASE = "https://theurian.dev/schemas/mcp/"
CONTEXT = "tool-context.schema.json"

#: Where a schema holds schemas: one, a list of them, or one for each name.
_ONE = ("items", "additionalProperties", "unevaluatedProperties", "propertyNames", "not")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_NAMED = ("properties", "patternProperties", "$defs", "dependentSchemas")


@cache
def documents() -> dict[str, dict[str, Any]]:
    """
    Each schema file by its name.
    """
    return {path.name: json.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.schema.json")}


def tools() -> dict[str, dict[str, Any]]:
    """
    Each tool's document by the tool's name on the wire.
    """
    return {
        document["x-weighbridge-tool"]: document
        for document in documents().values()
        if "x-weighbridge-tool" in document
    }


def scoped() -> dict[str, dict[str, Any]]:
    """
    The documents that reference the context, by file name.
    """
    return {
        file: document
        for file, document in documents().items()
        if {"$ref": CONTEXT} in document.get("allOf", [])
    }


def fields(document: dict[str, Any]) -> dict[str, Any]:
    """
    A tool's fields, those of the context among them.
    """
    context = documents()[CONTEXT]["properties"] if document.get("allOf") else {}
    return {**context, **document["properties"]} if "properties" in document else context


def required(document: dict[str, Any]) -> set[str]:
    """
    The names that a call of that tool must have.
    """
    context = documents()[CONTEXT]["required"] if document.get("allOf") else []
    return {*context, *document.get("required", [])}


def subschemas(schema: Any, pointer: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """
    Every schema object inside a schema, itself first, each with its JSON Pointer.
    """
    if not isinstance(schema, dict):
        return
    yield pointer, schema
    for keyword in _ONE:
        yield from subschemas(schema.get(keyword), f"{pointer}/{keyword}")
    for keyword in _LISTS:
        for index, inner in enumerate(schema.get(keyword, [])):
            yield from subschemas(inner, f"{pointer}/{keyword}/{index}")
    for keyword in _NAMED:
        for name, inner in schema.get(keyword, {}).items():
            yield from subschemas(inner, f"{pointer}/{keyword}/{name}")
