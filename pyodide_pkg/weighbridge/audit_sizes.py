"""
The largest value that a schema admits: how deep, how many nodes, how long its text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from weighbridge import audit_arrays as arrays
from weighbridge import audit_shapes as shapes
from weighbridge.audit_leaves import WORST, leaf, number, string
from weighbridge.audit_maps import LargestObject
from weighbridge.audit_shapes import Together
from weighbridge.audit_values import (
    MEASURES,
    Most,
    Sizes,
    collected,
    cost,
    largest,
    unbounded,
)
from weighbridge.closure import children
from weighbridge.evaluation import CURRENT, Evaluation, WorkPassed
from weighbridge.limits import RANGES
from weighbridge.node import Node
from weighbridge.regex_sets import EVERYTHING

#: Names and sets of schemas that one audit looks at, and steps of trying values.
NAMES = 100_000
TRIED = 1_000_000

#: Levels past which nothing is looked at: no limit may be set so deep.
DEEPEST = RANGES["nesting"][1]


@dataclass(slots=True)
class Audit:
    """
    One audit under way.
    """

    known: dict[Together, Sizes | None] = field(default_factory=dict)
    open: list[Together] = field(default_factory=list)
    tried: int = 0
    names: int = 0

    def sizes(self, nodes: Together, beside: str = "") -> Sizes | None:
        """
        The most of each measure over all values that meet ``nodes``; None if none does.

        ``beside`` is where nothing is said, when there are no schemas.
        """
        nodes = shapes.direct(nodes)
        if not nodes:
            return dict.fromkeys(MEASURES, unbounded(beside, "a type"))
        if nodes in self.known:
            return self.known[nodes]
        why = ""
        if nodes in self.open:
            why = "a schema that ends"
        elif len(self.open) >= DEEPEST or self.names > NAMES:
            why = "a simpler schema"
        if why:
            return dict.fromkeys(MEASURES, unbounded(shapes.place(nodes), why))
        self.names += 1
        self.open.append(nodes)
        sets, whole = shapes.alternatives(nodes)
        found = [self._one(nodes, one) for one in sets]
        self.open.pop()
        self.known[nodes] = largest(found, whole=whole)
        return self.known[nodes]

    def _one(self, asked: Together, nodes: Together) -> Sizes | None:
        values = shapes.listed(nodes)
        if values is not None:
            return self._of_values(nodes, values)
        if all(not node.keywords for node in nodes):
            return dict.fromkeys(MEASURES, unbounded(shapes.place(asked), "a type"))
        narrowed = shapes.narrows(nodes)
        place = shapes.place(asked)
        found: list[Sizes | None] = []
        for kind in sorted(shapes.kinds(nodes)):
            if kind == "object":
                found.append(LargestObject(self, nodes, place).sizes())
            elif kind == "array":
                found.append(self._array(nodes, place))
            elif kind == "string":
                found.append(string(nodes, place))
            elif kind == "number":
                found.append(number(nodes))
            else:
                found.append(leaf(5 if kind == "boolean" else 4))
        return largest(found, whole=not narrowed)

    def _of_values(self, nodes: Together, values: list[Any]) -> Sizes | None:
        admitted = [one for one in values if self.holds(nodes, one)]
        exact = self.tried <= TRIED
        found = [
            {measure: Most(cost(value, measure), exact) for measure in MEASURES}
            for value in admitted
        ]
        return largest(found)

    def holds(self, nodes: Together, value: Any) -> bool:
        """Whether a listed value meets all of them; true where that is not found out."""
        for node in nodes:
            evaluation = Evaluation(TRIED - self.tried, log=[] if node.collects else None)
            entered = CURRENT.set(evaluation)
            try:
                if not evaluation.holds(node, value, ""):
                    return False
            except WorkPassed:
                self.tried = TRIED + 1
                return True
            finally:
                CURRENT.reset(entered)
            self.tried += evaluation.spent
        return True

    def _array(self, nodes: Together, place: str) -> Sizes | None:
        count = arrays.most_items(nodes)
        least = max((fact.value for fact in shapes.said(nodes, "minItems")), default=0)
        first = arrays.positions(nodes)
        parts: list[Sizes] = []
        for at in range(first if count is None else min(first, count)):
            one = self.sizes(arrays.item(nodes, at), place)
            if one is None:
                count = at
                break
            parts.append(one)
        rest = (
            self.sizes(arrays.item(nodes, first), place) if count is None or count > first else None
        )
        if count is None and rest is None:
            count = first
        many = 0 if rest is None else None if count is None else count - first
        if count is not None and least > len(parts) + (many or 0):
            return None
        unique = any(fact.value for fact in shapes.said(nodes, "uniqueItems"))
        exact = not unique or self._differ(arrays.item(nodes, first), first, many)
        return {
            measure: collected(
                measure,
                [one[measure] for one in parts],
                None if rest is None else rest[measure],
                many,
                exact=exact and all(one[measure].exact for one in parts),
                end=unbounded(place, "maxItems"),
            )
            for measure in MEASURES
        }

    def _differ(self, items: Together, first: int, many: int | None) -> bool:
        """Whether so many largest items can be found that all differ."""
        sets, _whole = shapes.alternatives(items)
        if first or many is None or len(sets) != 1 or shapes.listed(sets[0]) is not None:
            return many == 1 and not first
        text = shapes.text_of(sets[0])
        free = text.letters == EVERYTHING and text.size is None
        if not free or "string" not in shapes.kinds(sets[0]) or text.count is None:
            return many == 1
        return shapes.kinds(sets[0]) <= {"string", "null"} and many <= WORST**text.count


def sizes(root: Node) -> Sizes | None:
    """
    The most that a schema admits, by measure; None if it admits nothing.
    """
    return audit_of(root).sizes(frozenset({root}))


def audit_of(root: Node) -> Audit:
    """An audit of one schema, at its beginning."""
    audit = Audit()
    words = {word for node in every(root) for word, _fact in node.keywords}
    if words & {"$dynamicRef", "$recursiveRef"}:
        # What such a reference leads to depends on where a schema was come from:
        # a listed value is not tried by itself.
        audit.tried = TRIED + 1
    return audit


def every(root: Node) -> list[Node]:
    """The node and every one that it leads to, each once."""
    found = {root: None}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for below in [*children(node), *(one for _keyword, one in node.in_place)]:
            if below not in found:
                found[below] = None
                waiting.append(below)
    return list(found)
