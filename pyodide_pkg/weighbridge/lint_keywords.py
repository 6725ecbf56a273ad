"""
Rules that one schema breaks by itself, whatever it is applied to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from weighbridge.dialects import ANNOTATIONS, BY_NAME, MANY, ONE, ORDER
from weighbridge.errors import bounded, named
from weighbridge.formats import FORMATS
from weighbridge.lint_rules import Note, at, spelt
from weighbridge.nearest import Budget, nearest
from weighbridge.node import Node, reached_in_place

#: Keywords of Draft 2020-12 that this package reads beside those that it applies.
_OTHERS = frozenset(
    {
        "$anchor",
        "$dynamicAnchor",
        "$id",
        "$schema",
        "$vocabulary",
        "contentEncoding",
        "contentMediaType",
        "deprecated",
        "maxContains",
        "minContains",
        "readOnly",
        "writeOnly",
    }
)

#: Keywords of older dialects, and what says the same in Draft 2020-12.
_OLD = {
    "$recursiveAnchor": "$dynamicAnchor",
    "$recursiveRef": "$dynamicRef",
    "additionalItems": "items beside prefixItems",
    "definitions": "$defs",
    "dependencies": "dependentRequired or dependentSchemas",
    "id": "$id",
}

KNOWN = (frozenset(ORDER) | ONE | MANY | BY_NAME | ANNOTATIONS | _OTHERS) - _OLD.keys()

#: Keywords that do nothing unless another stands beside them.
_NEEDS = {"else": "if", "maxContains": "contains", "minContains": "contains", "then": "if"}

#: The type that each keyword looks at; of any other value it says nothing.
_ABOUT = {
    "string": ("format", "maxLength", "minLength", "pattern", "x-maxBytes"),
    "number": ("exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"),
    "array": ("contains", "items", "maxItems", "minItems", "prefixItems", "uniqueItems"),
    "object": (
        "additionalProperties",
        "dependentRequired",
        "maxProperties",
        "minProperties",
        "patternProperties",
        "properties",
        "propertyNames",
        "required",
    ),
}

Found = Iterator[Note]


def misspelt(node: Node) -> Found:
    """A keyword that nothing here knows, most likely one that is known misspelt."""
    for keyword in _of(node):
        if keyword in KNOWN or keyword.startswith("x-"):
            continue
        pointer = at(node.pointer, keyword)
        if keyword in _OLD:
            yield Note(
                pointer,
                f"{keyword} means nothing in Draft 2020-12",
                f"write {_OLD[keyword]}",
            )
            continue
        near = nearest(keyword, sorted(KNOWN), Budget())
        yield Note(
            pointer,
            f"no keyword is called {named(keyword)}, so it does nothing",
            f"write {near}" if near else "drop it, or let its name start with x-",
        )


def no_effect(node: Node) -> Found:
    """A keyword that can do nothing where it stands."""
    schema = _of(node)
    for keyword in sorted(_NEEDS.keys() & schema.keys()):
        if _NEEDS[keyword] not in schema:
            yield Note(
                at(node.pointer, keyword),
                f"{keyword} does nothing without {_NEEDS[keyword]}",
                f"add {_NEEDS[keyword]}, or drop it",
            )
    if "type" not in schema:
        return
    said = {schema["type"]} if isinstance(schema["type"], str) else set(schema["type"])
    said = {"number" if one == "integer" else one for one in said}
    for kind, keywords in _ABOUT.items():
        for keyword in keywords if kind not in said else ():
            if keyword in schema:
                yield Note(
                    at(node.pointer, keyword),
                    f"{keyword} speaks of a value of type {kind}, and none is admitted here",
                    "drop it, or mend the type",
                )


def closed_beside(node: Node) -> Found:
    """``additionalProperties: false`` beside a schema that brings names of its own."""
    if _of(node).get("additionalProperties") is not False:
        return
    own = set(_of(node).get("properties", ()))
    patterns = [
        one.pattern
        for keyword, fact in node.keywords
        if keyword == "patternProperties"
        for one in fact.ready
    ]
    brought = {
        name
        for one in reached_in_place(node)
        for keyword, fact in one.keywords
        if keyword == "properties"
        for name, below in fact.ready
        if not below.forbids and not any(pattern.search(name) for pattern in patterns)
    }
    if brought - own:
        yield Note(
            at(node.pointer, "additionalProperties"),
            f"it refuses what the schemas beside it declare: {bounded(spelt(brought - own), 160)}",
            'write "unevaluatedProperties": false instead',
        )


def float_step(node: Node) -> Found:
    """A ``multipleOf`` with a fraction, on which validators disagree."""
    step = _of(node).get("multipleOf")
    if isinstance(step, float) and not step.is_integer():
        yield Note(
            at(node.pointer, "multipleOf"),
            "here it is decided on decimals; a client that divides in binary refuses some "
            "of the multiples",
            "count in a smaller unit, such as cents, by whole numbers",
        )


def unknown_format(node: Node) -> Found:
    """A ``format`` that is not asserted."""
    name = _of(node).get("format")
    if isinstance(name, str) and name not in FORMATS:
        yield Note(
            at(node.pointer, "format"),
            f"the format {named(name, 60)} is not asserted",
            f"use one of {', '.join(sorted(FORMATS))}, or a pattern",
        )


def _of(node: Node) -> Mapping[str, Any]:
    return node.schema if isinstance(node.schema, dict) else {}


#: The rules by name.
KEYWORD_RULES: dict[str, Callable[[Node], Found]] = {
    "misspelt": misspelt,
    "no-effect": no_effect,
    "closed-beside": closed_beside,
    "float-step": float_step,
    "unknown-format": unknown_format,
}
