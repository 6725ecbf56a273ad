"""
What schemas say together: which types they take, which of them collect.

Worked out over the schemas that apply to one and the same value.  A reference
that comes back to its own schema there would never end, and is found here.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from weighbridge.errors import CatalogError
from weighbridge.limits import EVALUATION_DEPTH
from weighbridge.node import TYPES, Node, reached_in_place, type_of

if TYPE_CHECKING:
    from weighbridge.node import Resource
    from weighbridge.ready import Dynamic

#: References that another resource can take over: followed where none can.
_OPEN = frozenset({"$dynamicRef", "$recursiveRef"})

#: Schemas that may be looked at while the names at every closed place are gathered.
REACHED = 1_000_000

_UNEVALUATED = ("unevaluatedItems", "unevaluatedProperties")


def settle(nodes: list[Node], file: str) -> None:
    """
    Fill in what each node's neighbours decide.

    Args:
        nodes: every node, that of the root first.
        file: its name in an error.

    Raises:
        CatalogError: a schema that is applied to the same value again and again,
            or a chain deeper than an evaluation may go.  One that is too deep only
            where it stands, inside others, ends the calls that reach it, as work.
    """
    depths: dict[int, int] = {}
    anchors = _anchors(nodes)
    for node in _innermost_first(nodes, file, anchors):
        below = [depths[id(one)] for one in _certain(node, anchors)]
        depths[id(node)] = 1 + max(below, default=0)
        if depths[id(node)] > EVALUATION_DEPTH:
            raise CatalogError(
                file,
                node.pointer,
                f"more than {EVALUATION_DEPTH} schemas apply inside one another, each through the last",
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


@dataclass(frozen=True, slots=True)
class _Anchors:
    """What is known of dynamic references before any call."""

    #: The resource that is outermost in every evaluation.
    root: Resource

    #: Names that lead to one schema alone: whether ``$recursiveRef`` asks, and the name.
    sole: frozenset[tuple[bool, str]]

    def target(self, ready: Dynamic) -> Node | None:
        """Where a reference leads in every call; None where that depends on the call."""
        if not ready.anchor:
            return ready.node
        outermost = ready.target_in(self.root)
        if outermost is None and (ready.recursive, ready.anchor) in self.sole:
            return ready.node
        return outermost


def _anchors(nodes: list[Node]) -> _Anchors:
    led: dict[tuple[bool, str], set[int]] = {}
    for resource in {id(node.resource): node.resource for node in nodes}.values():
        for name, node in resource.anchors.items():
            led.setdefault((False, name), set()).add(id(node))
        if resource.recursive:
            led.setdefault((True, "#"), set()).add(id(resource.anchors.get("")))
    sole = frozenset(key for key, targets in led.items() if len(targets) == 1)
    return _Anchors(nodes[0].resource, sole)


def _certain(node: Node, anchors: _Anchors) -> list[Node]:
    """
    The schemas that a node leads to on the same value in every call.
    """
    settled = [one for keyword, one in node.in_place if keyword not in _OPEN]
    for keyword, fact in node.keywords:
        target = anchors.target(fact.ready) if keyword in _OPEN else None
        if target is not None:
            settled.append(target)
    return settled


def _innermost_first(nodes: list[Node], file: str, anchors: _Anchors) -> list[Node]:
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
            waiting += [(one, False) for one in _certain(node, anchors)]
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
