"""
Which keywords a dialect has, which of them hold schemas, and in what order they run.

The order is the package's own, so that a client that re-orders a published
schema, or a file that is saved again, changes no finding and no step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import referencing
import referencing.jsonschema
from jsonschema import Draft6Validator, Draft7Validator, Draft201909Validator, Draft202012Validator

#: The dialect that a published catalog is written in.
DRAFT202012 = "https://json-schema.org/draft/2020-12/schema"

#: Keywords in the order in which they run; ``maxLength`` before ``pattern``,
#: ``unevaluated*`` after everything that evaluates.
ORDER = (
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "type",
    "enum",
    "const",
    "multipleOf",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "x-maxBytes",
    "pattern",
    "format",
    "maxItems",
    "minItems",
    "uniqueItems",
    "maxProperties",
    "minProperties",
    "required",
    "dependentRequired",
    "propertyNames",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "dependentSchemas",
    "dependencies",
    "prefixItems",
    "items",
    "additionalItems",
    "contains",
    "properties",
    "patternProperties",
    "additionalProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
)

#: Keywords whose value is one schema, a list of schemas, a map of schemas.
ONE = frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
MANY = frozenset({"allOf", "anyOf", "items", "oneOf", "prefixItems"})
BY_NAME = frozenset(
    {"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"}
)

#: Keywords that apply schemas to the value they stand at, not to its children.
IN_PLACE = frozenset(
    {
        "$dynamicRef",
        "$recursiveRef",
        "$ref",
        "allOf",
        "anyOf",
        "dependencies",
        "dependentSchemas",
        "else",
        "if",
        "not",
        "oneOf",
        "then",
    }
)

#: Keywords that say something to a reader and nothing about a value.
ANNOTATIONS = frozenset({"$comment", "default", "description", "examples", "title"})

_OLD = frozenset({"additionalItems", "dependencies"})
_SINCE_2019 = frozenset(
    {
        "$recursiveRef",
        "dependentRequired",
        "dependentSchemas",
        "maxContains",
        "minContains",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
_SINCE_2020 = frozenset({"$dynamicRef", "prefixItems"})


@dataclass(frozen=True, slots=True)
class Dialect:
    """
    One dialect of JSON Schema, as far as this package applies it.
    """

    uri: str

    #: Keywords of ``ORDER`` that it does not have.
    without: frozenset[str]

    #: Names that hold schemas in later dialects and mean nothing in this one.
    unknown: frozenset[str]

    #: Whether the neighbours of a ``$ref`` are ignored.
    bare_ref: bool

    #: Whether a match of ``contains`` counts as evaluated.
    contains_marks: bool

    #: jsonschema's class, for its metaschema.
    peer: type

    specification: referencing.Specification[Any]


_DIALECTS = (
    Dialect(
        DRAFT202012,
        _OLD | {"$recursiveRef"},
        unknown=frozenset(),
        bare_ref=False,
        contains_marks=True,
        peer=Draft202012Validator,
        specification=referencing.jsonschema.DRAFT202012,
    ),
    Dialect(
        "https://json-schema.org/draft/2019-09/schema",
        _SINCE_2020 | {"dependencies"},
        unknown=frozenset(),
        bare_ref=False,
        contains_marks=False,
        peer=Draft201909Validator,
        specification=referencing.jsonschema.DRAFT201909,
    ),
    Dialect(
        "http://json-schema.org/draft-07/schema",
        _SINCE_2020 | _SINCE_2019,
        unknown=frozenset({"$defs", "contentSchema"}),
        bare_ref=True,
        contains_marks=False,
        peer=Draft7Validator,
        specification=referencing.jsonschema.DRAFT7,
    ),
    Dialect(
        "http://json-schema.org/draft-06/schema",
        _SINCE_2020 | _SINCE_2019 | {"if"},
        unknown=frozenset({"$defs", "contentSchema", "else", "then"}),
        bare_ref=True,
        contains_marks=False,
        peer=Draft6Validator,
        specification=referencing.jsonschema.DRAFT6,
    ),
)

#: The dialects that are applied as declared, by URI without its empty fragment.
DIALECTS = {dialect.uri: dialect for dialect in _DIALECTS}


def dialect_of(schema: object) -> Dialect | None:
    """
    The dialect that a document declares, 2020-12 where it declares none; None
    for one that this package does not apply.
    """
    if not isinstance(schema, dict) or "$schema" not in schema:
        return DIALECTS[DRAFT202012]
    uri = schema["$schema"]
    return DIALECTS.get(uri.removesuffix("#")) if isinstance(uri, str) else None


def token(name: str) -> str:
    """One token of a JSON Pointer, escaped."""
    return name.replace("~", "~0").replace("/", "~1")


def subschemas(schema: dict[str, object]) -> list[tuple[str, str, object]]:
    """
    The schemas directly inside one: keyword, pointer from here, schema.
    """
    found: list[tuple[str, str, object]] = []
    for keyword, value in schema.items():
        if isinstance(value, (dict, bool)) and keyword in ONE:
            found.append((keyword, f"/{token(keyword)}", value))
        elif isinstance(value, list) and keyword in MANY:
            found += [(keyword, f"/{keyword}/{at}", one) for at, one in enumerate(value)]
        elif isinstance(value, dict) and keyword in BY_NAME:
            found += [
                (keyword, f"/{keyword}/{token(name)}", one)
                for name, one in value.items()
                if isinstance(one, (dict, bool))
            ]
    return found
