"""
Whether a published schema is closed, at its root and at every object inside.

An object that says nothing about unknown names lets a misspelt one through, and
nobody learns of it.
"""

from __future__ import annotations

from typing import Any

from weighbridge.dialects import IN_PLACE
from weighbridge.errors import CatalogError
from weighbridge.node import Node

_CLOSURES = ("additionalProperties", "unevaluatedProperties")


def require_closed(root: Node, file: str) -> None:
    """
    Hold one input schema to the rules of a published catalog.

    Raises:
        CatalogError: the root is no object schema, is open, or is closed by a
            keyword that cannot see what it composes; an inner object declares
            properties and does not say whether it is closed.
    """
    schema: Any = root.schema
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise CatalogError(file, "", "an input schema is an object schema", 'add "type": "object"')
    composes = sorted(schema.keys() & IN_PLACE)
    if schema.get("unevaluatedProperties") is False:
        pass
    elif schema.get("additionalProperties") is not False:
        raise CatalogError(
            file, "", "its root is open to unknown names", 'add "unevaluatedProperties": false'
        )
    elif composes:
        raise CatalogError(
            file,
            "/additionalProperties",
            f"it cannot see the names that {composes[0]} brings in",
            'write "unevaluatedProperties": false instead',
        )
    _require_inside(root, file)


def _require_inside(root: Node, file: str) -> None:
    seen: set[tuple[int, bool]] = set()
    waiting = [(root, False)]
    while waiting:
        node, closed = waiting.pop()
        if (id(node), closed) in seen:
            continue
        seen.add((id(node), closed))
        schema: Any = node.schema
        if not isinstance(schema, dict):
            continue
        says = closed or any(keyword in schema for keyword in _CLOSURES)
        if schema.get("properties") and not says:
            raise CatalogError(
                file,
                node.pointer,
                "an object declares properties and does not say whether it is closed",
                'add "additionalProperties": false, or true where any name is meant',
            )
        in_place = {id(below) for _keyword, below in node.in_place}
        waiting += [(below, says) for _keyword, below in node.in_place]
        waiting += [(below, False) for below in children(node) if id(below) not in in_place]


def children(node: Node) -> list[Node]:
    """The schemas that a node applies to other values than its own."""
    found: list[Node] = []
    for _keyword, fact in node.keywords:
        waiting = [fact.ready]
        while waiting:
            one = waiting.pop()
            if isinstance(one, Node):
                found.append(one)
            elif isinstance(one, tuple):
                waiting += one
            elif hasattr(one, "node"):
                found.append(one.node)
    return found
