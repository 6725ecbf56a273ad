"""
Rules about everything that applies to one value together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from weighbridge import audit_arrays as arrays
from weighbridge import audit_objects as objects
from weighbridge import audit_shapes as shapes
from weighbridge.assertions import is_of
from weighbridge.audit_shapes import Together
from weighbridge.audit_sizes import Audit
from weighbridge.errors import named
from weighbridge.lint_places import Spot
from weighbridge.lint_rules import Note, at, spelt
from weighbridge.nearest import Budget, nearest
from weighbridge.node import TYPES, Node, reached_in_place, type_of

Found = Iterator[Note]

#: What bounds each type that has parts.
_BOUNDS = {
    "maxLength": ("a string", "of any length", "add maxLength, and x-maxBytes if bytes count"),
    "maxItems": ("an array", "of any number of items", "add maxItems"),
    "maxProperties": (
        "an object",
        "of any names",
        (
            'declare its properties and add "additionalProperties": false, or add maxProperties '
            "and propertyNames with a maxLength"
        ),
    ),
}


def no_type(spot: Spot) -> Found:
    """A property or an item without a type."""
    if spot.keyword not in ("properties", "items", "prefixItems"):
        return
    if any(shapes.kinds(nodes) == TYPES for nodes in spot.sets):
        yield Note(spot.pointer, "a value of any type is admitted", "add a type")


def no_bound(spot: Spot) -> Found:
    """A string, an array or an object without a bound."""
    for word, (what, how, cure) in _BOUNDS.items():
        if any(_is_open(spot, nodes, word) for nodes in spot.sets):
            yield Note(spot.pointer, f"{what} {how} is admitted", cure)


def _is_open(spot: Spot, nodes: Together, word: str) -> bool:
    kinds = shapes.kinds(nodes)
    if shapes.listed(nodes) is not None:
        return False
    if spot.keyword == "propertyNames":
        kinds &= {"string"}
    if kinds == TYPES:
        return False
    if word == "maxLength":
        return "string" in kinds and shapes.text_of(nodes).count is None
    if word == "maxItems":
        if "array" not in kinds or arrays.most_items(nodes) is not None:
            return False
        rest = arrays.item(nodes, arrays.positions(nodes))
        return not rest or spot.audit.sizes(rest) is not None
    if "object" not in kinds:
        return False
    many = shapes.least(nodes, "maxProperties")
    return any(
        many is None or (not objects.naming(nodes) and _is_long(nodes, other))
        for other in objects.others(nodes)
    )


def _is_long(nodes: Together, other: objects.Other) -> bool:
    """Whether a name of one kind may be of any length."""
    return objects.text_of_names(nodes, other).count is None


def unique_unbounded(spot: Spot) -> Found:
    """``uniqueItems`` without ``maxItems``."""
    for nodes in spot.sets:
        for fact in shapes.said(nodes, "uniqueItems"):
            if fact.value and arrays.most_items(nodes) is None:
                yield Note(
                    fact.pointer, "telling any number of items apart takes work", "add maxItems"
                )


def undeclared(spot: Spot) -> Found:
    """A name that is required and that no property declares."""
    group = list(dict.fromkeys(one for node in spot.asked for one in reached_in_place(node)))
    together = frozenset(group)
    declared = sorted(
        {name for fact in shapes.said(together, "properties") for name, _ in fact.ready}
    )
    patterns = [
        one.pattern for fact in shapes.said(together, "patternProperties") for one in fact.ready
    ]
    for node in group:
        for keyword, fact in node.keywords:
            names: tuple[str, ...] = ()
            if keyword == "required":
                names = fact.ready
            elif keyword == "dependentRequired":
                names = tuple(dict.fromkeys(one for _name, needed in fact.ready for one in needed))
            for name in names:
                if name in declared or any(one.search(name) for one in patterns):
                    continue
                near = nearest(name, declared, Budget())
                hint = f"write {named(near)}" if near else "declare it under properties"
                yield Note(fact.pointer, f"no property declares {named(name)}", hint)


def unreachable(spot: Spot) -> Found:
    """A schema, or a branch, that no value can meet."""
    if any(node.forbids for node in spot.asked):
        return
    if spot.audit.sizes(spot.asked) is None:
        yield Note(
            spot.pointer,
            "no value can meet all that is said here",
            "mend the type, the bounds or the list that contradict each other",
        )
        return
    base = shapes.closed(spot.asked)
    for node in base:
        for keyword, fact in node.keywords:
            if keyword not in ("anyOf", "oneOf"):
                continue
            for index, branch in enumerate(fact.ready.nodes):
                if not branch.forbids and spot.audit.sizes(spot.asked | {branch}) is None:
                    yield Note(
                        at(fact.pointer, index),
                        "no value can meet this branch with what applies beside it",
                        "drop it, or mend what contradicts it",
                    )


def listed(node: Node) -> Found:
    """A listed value that its neighbours refuse."""
    types = [one.ready for one in shapes.said(frozenset({node}), "type")]
    for keyword, fact in node.keywords:
        if keyword not in ("enum", "const"):
            continue
        for index, value in enumerate(fact.value if keyword == "enum" else [fact.value]):
            pointer = at(fact.pointer, index) if keyword == "enum" else fact.pointer
            if not all(is_of(value, one) for one in types):
                wanted = spelt({name for one in types for name in one})
                yield Note(
                    pointer,
                    f"a value of type {type_of(value)} is listed where the type is {wanted}",
                    "drop the value, or mend the type",
                )
            elif not Audit().holds(frozenset({node}), value):
                yield Note(
                    pointer, "what stands beside it refuses this value", "drop it, or mend that"
                )


#: The rules by name.
SPOT_RULES: dict[str, Callable[[Spot], Found]] = {
    "no-type": no_type,
    "no-bound": no_bound,
    "unique-unbounded": unique_unbounded,
    "undeclared": undeclared,
    "unreachable": unreachable,
}
