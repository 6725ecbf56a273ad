"""
Small catalogs for tests: a folder of schema files, or one foreign tool called ``t``.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from weighbridge import Catalog, Verdict

#: The least that a published input schema says.
CLOSED = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "additionalProperties": False,
}


def input_schema(tool: str = "t", **more: Any) -> dict[str, Any]:
    """
    A closed input schema that names its tool.
    """
    return {**CLOSED, "x-weighbridge-tool": tool, **more}


def folder(where: Path, files: Mapping[str, Any]) -> Path:
    """
    Write ``files`` by name: text and bytes as they are, anything else as JSON.
    """
    where.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        if isinstance(content, bytes):
            (where / name).write_bytes(content)
        else:
            text = content if isinstance(content, str) else json.dumps(content)
            (where / name).write_text(text, "utf-8")
    return where


def published(where: Path, settings: Mapping[str, Any] | None = None, **more: Any) -> Catalog:
    """
    A catalog of one tool ``t`` whose input schema says ``more``.
    """
    files: dict[str, Any] = {"t-input.schema.json": input_schema(**more)}
    if settings is not None:
        files["catalog.json"] = settings
    return Catalog.read(folder(where, files))


def foreign(schema: Any) -> Catalog:
    """
    A foreign catalog of one tool ``t``, kept to as published.
    """
    return Catalog.from_tools([{"name": "t", "inputSchema": schema}], unknown_keys="as-published")


def judged(schema: Mapping[str, Any], arguments: object) -> Verdict:
    """
    The verdict on ``arguments`` by a foreign schema, which must be usable.
    """
    catalog = foreign({"type": "object", **schema})
    assert not catalog.unusable, catalog.unusable
    return catalog.check("t", arguments)


def told(verdict: Verdict) -> list[tuple[str, str]]:
    """
    Pointer and keyword of each finding, in order.
    """
    if verdict.refusal is None:
        return []
    return [(one.pointer, one.keyword) for one in verdict.refusal.findings]
