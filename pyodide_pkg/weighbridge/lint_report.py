"""
What ``catalog lint`` prints: a table of what each tool admits, and every remark.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from weighbridge import audit
from weighbridge.audit import AUDITED, Extent
from weighbridge.audit_values import Most
from weighbridge.catalog import Catalog
from weighbridge.lint import Remark

Lines = Iterator[str]


def lines(catalog: Catalog, remarks: Sequence[Remark]) -> Lines:
    """
    That a catalog can be used, the table, what passes a limit, and the remarks.
    """
    found = extents(catalog)
    yield f"usable: {len(catalog.tools)} tools, {catalog.digest}"
    yield ""
    yield from _table(catalog, found)
    past = list(_past(catalog, found))
    if past:
        yield ""
        yield from past
    yield ""
    yield from map(str, remarks)
    open_ones = sum(not one.reason for one in remarks)
    yield f"{open_ones} remarks, and {len(remarks) - open_ones} kept with a reason"


def as_json(catalog: Catalog, remarks: Sequence[Remark]) -> str:
    """
    The same as one JSON text: ``digest``, ``tools`` by name and ``remarks``.
    """
    tools = {
        name: {measure: _figure(found, measure, catalog.tools[name].limits) for measure in AUDITED}
        for name, found in extents(catalog).items()
    }
    told = [one.as_dict() for one in remarks]
    return json.dumps({"digest": catalog.digest, "tools": tools, "remarks": told}, indent=2)


def extents(catalog: Catalog) -> dict[str, Extent]:
    """
    The audit of every tool of a catalog, by its name, each under its own limits.
    """
    tools = catalog.tools.items()
    return {name: audit.extent(tool.root, tool.limits) for name, tool in tools}


def _figure(found: Extent, measure: str, limits: Any) -> dict[str, Any]:
    most: Most = getattr(found, measure)
    return {
        "most": most.value,
        "exact": most.exact,
        "limit": audit.most_of(measure, limits),
        "proven": audit.is_inside(found, measure, limits),
        "place": most.place,
        "missing": most.missing,
    }


def _table(catalog: Catalog, found: dict[str, Extent]) -> Lines:
    general = [f"{audit.most_of(one, catalog.limits):,}" for one in AUDITED]
    rows = [["tool", *AUDITED], ["(limit)", *general]]
    for name, one in found.items():
        limits = catalog.tools[name].limits
        rows.append([name, *(_cell(one, measure, limits) for measure in AUDITED)])
    widths = [max(len(row[at]) for row in rows) for at in range(len(AUDITED) + 1)]
    for row in rows:
        cells = [row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]
        yield "  ".join(cells)


def _cell(found: Extent, measure: str, limits: Any) -> str:
    most: Most = getattr(found, measure)
    if most.value is None:
        return "unbounded"
    text = f"{most.value:,}" if most.exact else f"<= {most.value:,}"
    return text if audit.is_inside(found, measure, limits) else f"{text} !"


def _past(catalog: Catalog, found: dict[str, Extent]) -> Lines:
    for name, one in found.items():
        tool = catalog.tools[name]
        for measure in AUDITED:
            most: Most = getattr(one, measure)
            if audit.is_inside(one, measure, tool.limits):
                continue
            if most.value is None:
                where = f"at {most.place}" if most.place else "at its root"
                yield f"{name}: {measure} has no bound; {where} it needs {most.missing}"
                continue
            limit = audit.most_of(measure, tool.limits)
            told = f"{name}: {measure} can pass {limit:,}"
            heavy = audit.heaviest(tool.root, measure)
            yield f"{told}; most of it is at {heavy}, lower its bounds" if heavy else told
