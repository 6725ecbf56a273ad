"""
What schemas say together: which types they take, which of them collect.

Worked out over the schemas that apply to one and the same value.  A reference
that comes back to its own schema there would never end, and is found here.
"""

from __future__ import annotations

from itertools import islice

from weighbridge.errors import CatalogError
from weighbridge.limits import EVALUATION_DEPTH
from weighbridge.node import TYPES, Node, reached_in_place, type_of

#: References that another resource can take over: not followed here.
_OPEN = frozenset({"$dynamicRef", "$recursiveRef"})

#: Schemas that may be looked at while the names at every closed place are gathered.
REACHED = 1_000_000

_UNEVALUATED = ("unevaluatedItems", "unevaluatedProperties")


def settle(nodes: list[Node], file: str) -> None:
    """
    Fill in what each node's neighbours decide.

    Raises:
        CatalogError: a schema that is applied to the same value again and again,
            or a chain deeper than an evaluation may go.
    """
    depths: dict[int, int] = {}
    for node in _innermost_first(nodes, file):
        below = [depths[id(one)] for keyword, one in node.in_place if keyword not in _OPEN]
        depths[id(node)] = 1 + max(below, default=0)
        if depths[id(node)] > EVALUATION_DEPTH:
            raise CatalogError(
                file,
                node.pointer,
                f"more than {EVALUATION_DEPTH} schemas apply to one value, each through the last",
                "refer to the innermost schema directly",
            )
        node.takes = _takes(node)
        node.collects = _collects(node)
        for keyword, fact in node.keywords:
            if keyword == "propertyNames":
                node.longest_name = fact.ready.max_length
    left = REACHED
    for node in nodes:
        if any(keyword == "unevaluatedProperties" for keyword, _ in node.keywords):
            reached = list(islice(reached_in_place(node), left + 1))
            left -= len(reached) + sum(len(one.properties) for one in reached)
            if left < 0:
                raise CatalogError(
                    file,
                    node.pointer,
                    "too many schemas apply to the values of too many places",
                    "compose fewer schemas",
                )
            node.properties = tuple(sorted({name for one in reached for name in one.properties}))


def _innermost_first(nodes: list[Node], file: str) -> list[Node]:
    """
    The nodes, each after every node that it applies to the same value.
    """
    order: list[Node] = []
    done: set[int] = set()
    for start in nodes:
        open_now: set[int] = set()
        waiting: list[tuple[Node, bool]] = [(start, False)]
        while waiting:
            node, leaving = waiting.pop()
            if leaving:
                open_now.discard(id(node))
                done.add(id(node))
                order.append(node)
                continue
            if id(node) in done:
                continue
            if id(node) in open_now:
                raise CatalogError(
                    file,
                    node.pointer,
                    "this schema is applied to the same value without end",
                    "let the reference lead to another schema, or to a child of the value",
                )
            open_now.add(id(node))
            waiting.append((node, True))
            waiting += [(one, False) for keyword, one in node.in_place if keyword not in _OPEN]
    return order


def _takes(node: Node) -> frozenset[str]:
    if node.forbids:
        return frozenset()
    takes = TYPES
    for keyword, fact in node.keywords:
        if keyword == "type":
            takes &= {"number" if one == "integer" else one for one in fact.ready}
        elif keyword in ("enum", "const"):
            listed = fact.ready
            values = [value for _, value in listed.leaves] + list(listed.containers)
            takes &= {type_of(value) for value in values}
        elif keyword in ("anyOf", "oneOf"):
            takes &= frozenset().union(*(one.takes for one in fact.ready.nodes))
    for keyword, one in node.in_place:
        if keyword in ("allOf", "$ref"):
            takes &= one.takes
    return takes


def _collects(node: Node) -> bool:
    own = any(keyword in _UNEVALUATED or keyword in _OPEN for keyword, _ in node.keywords)
    return own or any(one.collects for _, one in node.in_place)
