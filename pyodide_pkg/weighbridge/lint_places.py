"""
Every place of a schema once, with all that applies there and what it leads to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from weighbridge import audit_arrays as arrays
from weighbridge import audit_objects as objects
from weighbridge import audit_shapes as shapes
from weighbridge.audit_shapes import Together
from weighbridge.audit_sizes import Audit, audit_of
from weighbridge.node import Node

#: Places of one schema that are looked at.
PLACES = 20_000


@dataclass(frozen=True, slots=True)
class Spot:
    """
    One place where a value may stand.
    """

    #: The schemas that lead to it.
    asked: Together

    #: The sets of schemas of which a value there meets one.
    sets: tuple[Together, ...]

    #: The keyword that led to it; ``""`` for the root.
    keyword: str

    #: What is known of sizes in this schema.
    audit: Audit

    @property
    def pointer(self) -> str:
        """Where it stands, as a JSON Pointer."""
        return shapes.place(self.asked)


def spots(root: Node) -> Iterator[Spot]:
    """
    Every place, the outer ones first; schemas that are met again are not gone into.
    """
    audit = audit_of(root)
    waiting: list[tuple[Together, str]] = [(frozenset({root}), "")]
    seen: set[Together] = set()
    while waiting and len(seen) < PLACES:
        after: list[tuple[Together, str]] = []
        for nodes, keyword in waiting:
            asked = shapes.direct(nodes)
            if asked in seen or not asked:
                continue
            seen.add(asked)
            spot = Spot(asked, tuple(shapes.alternatives(asked)[0]), keyword, audit)
            yield spot
            for one in spot.sets:
                after += _below(one)
        waiting = after


def _below(nodes: Together) -> Iterator[tuple[Together, str]]:
    kinds = shapes.kinds(nodes)
    if "object" in kinds:
        members = objects.Members(nodes)
        for name in objects.names(nodes):
            yield members(name), "properties"
        for other in objects.others(nodes):
            yield other.values, "additionalProperties"
        for fact in shapes.said(nodes, "propertyNames"):
            yield frozenset({fact.ready}), "propertyNames"
    if "array" in kinds:
        for at in range(arrays.positions(nodes)):
            yield arrays.item(nodes, at), "prefixItems"
        most = arrays.most_items(nodes)
        if most is None or most > arrays.positions(nodes):
            yield arrays.item(nodes, arrays.positions(nodes)), "items"
