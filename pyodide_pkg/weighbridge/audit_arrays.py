"""
What schemas that all apply to one array say of its items.
"""

from __future__ import annotations

from weighbridge import audit_shapes as shapes
from weighbridge.audit_shapes import Together
from weighbridge.node import Node, reached_in_place


def most_items(nodes: Together) -> int | None:
    """The items that an array may have; None for no bound."""
    found = [int(fact.value) for fact in shapes.said(nodes, "maxItems")]
    found += [fact.ready[0] for fact in shapes.said(nodes, "items") if fact.ready[1].forbids]
    for fact in shapes.said(nodes, "prefixItems"):
        found += [at for at, node in enumerate(fact.ready) if node.forbids]
    for node in nodes:
        for keyword, fact in node.keywords:
            if keyword == "unevaluatedItems" and fact.ready.forbids:
                reached = list(reached_in_place(node))
                words = {word for one in reached for word, _ in one.keywords}
                if not words & {"items", "contains", "$dynamicRef", "$recursiveRef"}:
                    prefixes = shapes.said(frozenset(reached), "prefixItems")
                    found.append(max((len(one.ready) for one in prefixes), default=0))
    return min(found, default=None)


def positions(nodes: Together) -> int:
    """The first positions of an array that have schemas of their own."""
    return max((len(fact.ready) for fact in shapes.said(nodes, "prefixItems")), default=0)


def item(nodes: Together, at: int) -> Together:
    """The schemas of the item at one position."""
    found: set[Node] = set()
    for node in nodes:
        for keyword, fact in node.keywords:
            if keyword == "prefixItems" and at < len(fact.ready):
                found.add(fact.ready[at])
            elif keyword == "items" and at >= fact.ready[0]:
                found.add(fact.ready[1])
    return frozenset(found)
