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
from weighbridge.digest import shape
from weighbridge.gate import Tool, Verdict
from weighbridge.limits import as_dict

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


def difference(old: Catalog, new: Catalog) -> tuple[list[str], bool]:
    """
    What a person should know between two catalogs, and whether they may judge differently.
    """
    if old.digest == new.digest:
        return ["same"], False
    if old.shape_digest == new.shape_digest:
        return [*_texts(old, new), "text differs"], False
    lines = [*_limits(old, new), *_tools(old, new)]
    if not lines:
        lines = ["other     what tools/list does not show, such as x-maxBytes or an exception"]
    return [*lines, "differs"], True


def _texts(old: Catalog, new: Catalog) -> Lines:
    for name, one in new.tools.items():
        if old.tools[name].digest != one.digest:
            yield f"text      {name}"


def _limits(old: Catalog, new: Catalog) -> Lines:
    before, after = as_dict(old.limits), as_dict(new.limits)
    for name, most in after.items():
        if before[name] != most:
            yield f"limit     {name} {before[name]} -> {most}"


def _tools(old: Catalog, new: Catalog) -> Lines:
    for name in sorted({*old.tools, *new.tools}):
        if name not in old.tools:
            yield f"added     {name}"
        elif name not in new.tools:
            yield f"removed   {name}"
        elif _judged_by(old, name) != _judged_by(new, name):
            yield f"changed   {name}"


def _judged_by(catalog: Catalog, name: str) -> tuple[Any, dict[str, int] | None]:
    one = catalog.tools[name]
    # Limits that are the catalog's own are told once, for the catalog.
    narrower = None if one.limits == catalog.limits else as_dict(one.limits)
    return shape(dict(one.published)), narrower
