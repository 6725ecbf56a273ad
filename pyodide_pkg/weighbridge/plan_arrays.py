"""
An array held to its schemas, written out.
"""

from __future__ import annotations

from typing import Any

from weighbridge.equality import first_pair
from weighbridge.node import Node
from weighbridge.plan_together import Together, says_nothing
from weighbridge.plan_values import Place, Plan, left_open, value
from weighbridge.plan_writer import Declined, Writer


def distinct(items: list[Any]) -> bool:
    """Whether no two items are equal, as ``uniqueItems`` means it."""
    if all(type(one) is str for one in items):
        # Sorted, not hashed: the caller chooses the items.
        ordered = sorted(items)
        return all(map(str.__ne__, ordered, ordered[1:]))
    return first_pair(items, _unpaid) is None


def _unpaid(_steps: int) -> None:
    """The steps are the authority's, and are proven to be few enough."""


def array(plan: Plan, w: Writer, found: Together, place: Place) -> None:
    """
    Write what admits one array.

    Raises:
        Declined: a keyword that no plan is written for, or one level too many.
    """
    x = place.variable
    _sized(plan, w, found, x)
    inside: dict[int, tuple[Node, ...]] = {}
    rest: tuple[Node, ...] = ()
    longest = max((len(fact.ready) for fact, _ in found.of("prefixItems")), default=0)
    for fact, _node in found.of("items"):
        longest = max(longest, fact.ready[0])
    for at in range(longest + 1):
        nodes = [fact.ready[at] for fact, _ in found.of("prefixItems") if at < len(fact.ready)]
        nodes += [fact.ready[1] for fact, _ in found.of("items") if at >= fact.ready[0]]
        if at == longest:
            rest = tuple(nodes)
        else:
            inside[at] = tuple(nodes)
    if w.covers and not inside and says_nothing(rest):
        left_open(plan, w, place)
    else:
        if w.covers:
            plan.keep(w, place, f"len({x})", f"64 + 8 * len({x})")
        _items(plan, w, inside, rest, place)
    if any(fact.value for fact, _ in found.of("uniqueItems")):
        w.names["distinct"] = distinct
        w.refuse_if(f"not distinct({x})")


def _sized(plan: Plan, w: Writer, found: Together, x: str) -> None:
    for keyword, fact, _node in found.facts:
        if keyword == "maxItems":
            w.refuse_if(f"len({x}) > {w.constant(fact.value)}")
        elif keyword == "minItems":
            w.refuse_if(f"len({x}) < {w.constant(fact.value)}")
        elif keyword == "contains" or (keyword in ("enum", "const") and fact.ready.containers):
            raise Declined
    if w.covers and not found.of("maxItems"):
        w.refuse_if(f"len({x}) > {plan.nodes}")


def _items(
    plan: Plan,
    w: Writer,
    inside: dict[int, tuple[Node, ...]],
    rest: tuple[Node, ...],
    place: Place,
) -> None:
    x = place.variable
    for at, nodes in inside.items():
        if w.covers or not says_nothing(nodes):
            y = w.fresh()
            with w.block(f"if len({x}) > {at}:"):
                w.line(f"{y} = {x}[{at}]")
                value(plan, w, nodes, place.child(y))
    if not w.covers and says_nothing(rest):
        return
    y = w.fresh()
    items = f"{x}[{len(inside)}:]" if inside else x
    with w.block(f"for {y} in {items}:"):
        value(plan, w, rest, place.child(y))
