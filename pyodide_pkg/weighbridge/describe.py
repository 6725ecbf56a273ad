"""
A catalog and a verdict in lines that a person reads at a prompt.

Nothing here decides anything, and nothing that a caller wrote passes through it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from weighbridge.catalog import Catalog
from weighbridge.compare import Comparison
from weighbridge.gate import Tool, Verdict

#: Keywords that a field's line leaves to its type, to its description, or to its inside.
UNSAID = frozenset({"type", "title", "description", "examples", "$comment", "properties"})

#: Characters of one bound on a field's line; the whole of it is in the JSON.
BOUND = 60

Lines = Iterator[str]


def admitted(verdict: Verdict) -> str:
    """
    One line for an admitted call: the tool, and what its arguments were charged.
    """
    charge = verdict.charge
    if charge is None:
        return f"admitted: {verdict.tool}"
    costs = f"nesting {charge.nesting}, nodes {charge.nodes}, rendered {charge.rendered}"
    return f"admitted: {verdict.tool} ({costs})"


def digests(catalog: Catalog) -> Lines:
    """
    Every digest of a catalog, one a line, what it is of last.
    """
    yield f"{catalog.digest} digest"
    yield f"{catalog.shape_digest} shapeDigest"
    for name, one in catalog.tools.items():
        yield f"{one.digest} {name}"


def listed(tool: Tool) -> dict[str, Any]:
    """
    A tool as ``tools/list`` serves it.
    """
    return {
        "name": tool.name,
        "description": tool.published.get("description", ""),
        "inputSchema": dict(tool.published),
    }


def fields(tool: Tool) -> Lines:
    """
    A tool in lines: its name, digest and description, then a line for each field.
    """
    yield f"{tool.name}  {tool.digest}"
    if "description" in tool.published:
        yield f"  {tool.published['description']}"
    properties = tool.published.get("properties", {})
    width = max(map(len, properties), default=0)
    for name, schema in properties.items():
        need = "required" if name in tool.published.get("required", ()) else "optional"
        yield f"  {name:<{width}}  {need}  {_bounds(schema)}"
    if not properties:
        yield "  takes no fields"
    yield ""


def _bounds(schema: Any) -> str:
    if not isinstance(schema, Mapping):
        return "anything" if schema else "nothing"
    kind = schema.get("type", "anything")
    said = kind if isinstance(kind, str) else " or ".join(kind)
    bounds = [f"{keyword} {_short(schema[keyword])}" for keyword in schema if keyword not in UNSAID]
    return " ".join((said, ", ".join(bounds))).rstrip()


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= BOUND else f"{text[: BOUND - 3]}..."


def comparison(found: Comparison) -> list[str]:
    """
    How a server's list stands to a catalog, a line for each tool and each other thing.
    """
    lines = [f"added     {name}" for name in found.added]
    lines += [f"removed   {name}" for name in found.removed]
    lines += [f"changed   {name}" for name in found.changed]
    if found.omitted:
        lines.append(f"and {found.omitted} more names")
    lines += [f"other     {name}" for name in found.others]
    return [*lines, found.outcome]
