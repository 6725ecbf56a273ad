"""
Published schemas with one keyword changed, each change named.
"""

import copy
from collections.abc import Iterator
from typing import Any

from weighbridge.dialects import subschemas

Path = tuple[str, ...]

#: Keywords whose value is a bound; one more and one less are other bounds.
BOUNDS = (
    *("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"),
    *("exclusiveMinimum", "exclusiveMaximum", "minProperties", "maxProperties", "multipleOf"),
)

#: Keywords that are taken away whole.
DROPPED = (*BOUNDS, "pattern", "enum", "type", "required", "uniqueItems", "items", "format")

#: Expressions that stand for another expression.
OTHER_PATTERNS = ("^a", "^[a-z]{1,9}$")


def changes(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """
    Every change of one keyword of a flat schema: what was done, and the changed schema.
    """
    for at, here in every(schema):
        for label, changed in _of_one(here):
            yield f"{at or '/'} {label}", _with(schema, at, changed)


def every(schema: Any, at: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(schema, dict):
        yield at, schema
        for _, below, one in subschemas(schema):
            yield from every(one, at + below)


def _of_one(here: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for keyword in DROPPED:
        if keyword == "type" and "enum" in here:
            # The values of the list are of that type already.
            continue
        if keyword in here:
            yield f"without {keyword}", {k: v for k, v in here.items() if k != keyword}
    for keyword in BOUNDS:
        for by in (-1, 1):
            if keyword in here and here[keyword] + by >= 0:
                yield f"{keyword} by {by:+}", {**here, keyword: here[keyword] + by}
    yield from _of_lists(here)
    for pattern in OTHER_PATTERNS if here.get("type") == "string" and "enum" not in here else ():
        yield f"pattern {pattern}", {**here, "pattern": pattern}
    if "properties" in here:
        yield from _of_an_object(here)


def _of_lists(here: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for index, one in enumerate(here.get("enum", ())):
        left = [other for at, other in enumerate(here["enum"]) if at != index]
        if left:
            yield f"enum without {one!r}", {**here, "enum": left}
    if "enum" in here:
        yield "enum with one more", {**here, "enum": [*here["enum"], "one-more"]}
    if "type" in here:
        yield from _of_types(here)


def _of_types(here: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    kinds = [here["type"]] if isinstance(here["type"], str) else here["type"]
    if "null" not in kinds and "enum" not in here:
        yield "type with null", {**here, "type": [*kinds, "null"]}
    for kind in kinds if len(kinds) > 1 else ():
        yield f"type without {kind}", {**here, "type": [one for one in kinds if one != kind]}
    if kinds == ["integer"]:
        yield "type of number", {**here, "type": "number"}


def _of_an_object(here: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    required = here.get("required", [])
    for name in here["properties"]:
        if name in required:
            yield f"{name} optional", {**here, "required": [n for n in required if n != name]}
        else:
            yield f"{name} required", {**here, "required": [*required, name]}
            rest = {k: v for k, v in here["properties"].items() if k != name}
            yield f"without {name}", {**here, "properties": rest}
    more = {**here["properties"], "oneMore": {"type": "boolean"}}
    yield "with oneMore", {**here, "properties": more}
    if here.get("additionalProperties") is False:
        yield "open", {k: v for k, v in here.items() if k != "additionalProperties"}
    else:
        yield "closed", {**here, "additionalProperties": False}


def _with(schema: Any, at: str, changed: Any) -> Any:
    if not at:
        return changed
    copied = copy.deepcopy(schema)
    *above, last = [one.replace("~1", "/").replace("~0", "~") for one in at.split("/")[1:]]
    here = copied
    for one in above:
        here = here[int(one) if isinstance(here, list) else one]
    here[int(last) if isinstance(here, list) else last] = changed
    return copied
