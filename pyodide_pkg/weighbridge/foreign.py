"""
A catalog that somebody else published: taken as it is, one tool at a time.

What cannot be applied is listed with its reason and refused; nothing that a
server lists can take its neighbours or the process down.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from weighbridge import digest as digests
from weighbridge.characters import fragment
from weighbridge.charge import Charge, Passed, charge
from weighbridge.dialects import dialect_of
from weighbridge.errors import CatalogError, bounded
from weighbridge.gate import Tool
from weighbridge.limits import Limits
from weighbridge.metaschema import METASCHEMAS, metaschema_fault
from weighbridge.node import Node, Resource, reached_in_place
from weighbridge.prepare import AUTHORITY, prepare
from weighbridge.reading import FILE
from weighbridge.ready import Additional, Fact

_logger = logging.getLogger("weighbridge")

#: Tools of one list that are looked at.
TOOLS = 10_000

#: Characters of a place in a reason.
PLACE = 120

_CLOSURES = frozenset({"additionalProperties", "unevaluatedProperties"})


def tools_of(
    tools: Iterable[Mapping[str, Any]], limits: Limits, unknown_keys: str
) -> tuple[dict[str, Tool], dict[str, str]]:
    """
    The tools that can be judged, and why the others cannot, by name.

    Raises:
        ValueError: ``unknown_keys`` is neither ``refuse`` nor ``as-published``.
    """
    if unknown_keys not in ("refuse", "as-published"):
        raise ValueError('unknown_keys is "refuse" or "as-published"')
    usable: dict[str, Tool] = {}
    unusable: dict[str, str] = {}
    for at, listed in enumerate(tools):
        entry: Any = listed
        name = entry.get("name") if isinstance(entry, Mapping) else None
        if not isinstance(name, str):
            unusable[f"#{at}"] = "it has no name"
        elif at >= TOOLS:
            unusable[name] = f"more than {TOOLS} tools are listed"
        elif name in usable or name in unusable:
            usable.pop(name, None)
            unusable[name] = "two tools of this name are listed"
        else:
            reason = _take(name, entry.get("inputSchema"), limits, unknown_keys, usable)
            if reason is not None:
                unusable[name] = reason
    return usable, unusable


def _take(
    name: str, schema: Any, limits: Limits, unknown_keys: str, usable: dict[str, Tool]
) -> str | None:
    """Make one tool; the reason where it cannot be made."""
    try:
        charged = charge(schema, FILE)
        if not isinstance(charged, Charge):
            what = f"passes {charged.limit}" if isinstance(charged, Passed) else "is not JSON"
            return f"its schema {what}"
        own = json.loads(json.dumps(schema))
        root = _root_of(own, limits)
        if unknown_keys == "refuse":
            root = _closed(root)
    except CatalogError as fault:
        place = fragment(fault.place, PLACE) if fault.place else "its schema"
        return f"{place}: {bounded(fault.fact)}"
    except Exception as fault:  # noqa: BLE001 - one bad schema takes nothing else down
        _logger.warning("a listed schema could not be applied: %s", type(fault).__name__)
        return "its schema could not be applied"
    identity = digests.tool_digest(name, own)
    usable[name] = Tool(name, own, identity, limits, root)
    return None


def _root_of(schema: Any, limits: Limits) -> Node:
    if not isinstance(schema, dict):
        raise CatalogError("", "", "it is no JSON object", "list an object schema")
    if schema.get("type", "object") != "object":
        raise CatalogError("", "/type", "an input schema is an object schema", "use object")
    dialect = dialect_of(schema)
    if dialect is None:
        raise CatalogError("", "/$schema", "its dialect is not applied here", "use 2020-12")
    fault = metaschema_fault(schema, dialect)
    if fault is not None:
        raise CatalogError("", *fault, "mend it")
    own = dialect.specification.id_of(schema)
    uri = own.removesuffix("#") if isinstance(own, str) and own else "urn:weighbridge:foreign"
    resource = dialect.specification.create_resource(schema)
    root = prepare(
        schema,
        file=fragment(uri, 80),
        uri=uri,
        registry=METASCHEMAS.with_resource(uri, resource).crawl(),
        limits=limits,
        published=False,
        vouch=metaschema_fault,
    )
    if any(keyword == "type" for keyword, _fact in root.keywords):
        return root
    ready = Fact("type", "/type", "object", frozenset({"object"}))
    return _with(root, (("type", ready), *root.keywords))


def _with(root: Node, keywords: tuple[tuple[str, Fact], ...]) -> Node:
    """
    The root with other keywords; a reference to the root still means what it says.
    """
    top = replace(root, keywords=keywords)
    top.validator = AUTHORITY(schema=top, _resolver=top)  # type: ignore[arg-type, call-arg]
    return top


def _closed(root: Node) -> Node:
    """
    Refuse a root key that nothing names, unless the root writes its own closure.
    """
    schema: Any = root.schema
    if schema.keys() & _CLOSURES:
        return root
    named: set[str] = set()
    patterns: list[Any] = []
    for node in reached_in_place(root):
        for keyword, fact in node.keywords:
            if keyword == "properties":
                named.update(name for name, _ in fact.ready)
            elif keyword == "patternProperties":
                patterns += [entry.pattern for entry in fact.ready]
    nothing = Node("/additionalProperties", Resource(""), forbids=True, schema=False)
    ready = Additional(nothing, frozenset(named), tuple(patterns))
    fact = Fact("additionalProperties", "/additionalProperties", False, ready)  # noqa: FBT003
    top = _with(root, (*root.keywords, ("additionalProperties", fact)))
    top.properties = tuple(sorted(named))
    return top
