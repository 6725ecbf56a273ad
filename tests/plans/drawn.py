"""
Schemas and values drawn at random, so near to one another that many values hold.

Names, numbers and texts come from small pools that both sides share; a value is
drawn along its schema most of the time and against it some of the time.
"""

from __future__ import annotations

import random
from typing import Any

NAMES = ("a", "b", "key", "é", "long-name-with-é", "")
TEXTS = (
    "",
    "a",
    "b",
    "ab",
    "key",
    "é",
    "\U0001f600",
    "a" * 40,
    "2026-01-31",
    "x\x00y",
    'it\'s "q"',
)
NUMBERS = (0, 1, -1, 2, 7, 1.0, 1.5, 0.1, -0.0, 10.1, 2**53 + 1, 10**18, 10**30, 1e300, 1e301)
PATTERNS = ("^a", "b$", "^[a-z]+(?:-[a-z]+)*$", "^.{2}$", "é")
FORMATS = ("date", "email", "uuid", "ipv4")
TYPES = ("string", "number", "integer", "boolean", "null", "array", "object")

#: What no JSON text can spell, or what only looks like what it can.
ODD: tuple[Any, ...] = (
    float("nan"),
    float("inf"),
    "\ud800",
    (),
    (1,),
    b"a",
    10**4300,
    {1: 2},
    {"\udfff": 1},
    {None: 1},
    {1, 2},
)


class Text(str):
    """A string that is not exactly one."""

    __slots__ = ()


class Map(dict[str, Any]):
    """An object that is not exactly one."""


class Sequence(list[Any]):
    """An array that is not exactly one."""


class Whole(int):
    """An integer that is not exactly one."""


ALIKE: tuple[Any, ...] = (Text("a"), Map(a=1), Sequence([1]), Whole(1), {Text("a"): 1})


def schema(rng: random.Random, depth: int, definitions: tuple[str, ...] = ()) -> Any:
    """A schema; at depth 0 it applies none to children."""
    chance = rng.random()
    if chance < 0.06:
        return rng.random() < 0.8
    if definitions and chance < 0.2:
        return {"$ref": f"#/$defs/{rng.choice(definitions)}"}
    drawn: dict[str, Any] = {}
    kinds = rng.sample(TYPES, rng.choice((1, 1, 1, 2, 3)))
    if rng.random() < 0.85:
        drawn["type"] = kinds if len(kinds) > 1 else kinds[0]
    for kind in kinds:
        _OF_KIND[kind](rng, drawn, depth, definitions)
    if rng.random() < 0.12:
        drawn["enum"] = rng.sample([*TEXTS, *NUMBERS, None, True, False], 4)
    if rng.random() < 0.04:
        drawn["const"] = rng.choice([*TEXTS, *NUMBERS, None, True, [], {}, [1], {"a": 1}])
    if depth and rng.random() < 0.3:
        _composed(rng, drawn, depth - 1, definitions)
    return drawn


def root(rng: random.Random) -> dict[str, Any]:
    """A schema whose values are objects, with definitions that it may refer to."""
    definitions = ("one", "two")[: rng.randint(0, 2)]
    drawn: dict[str, Any] = {"type": "object"}
    _object(rng, drawn, 3, definitions)
    if rng.random() < 0.2:
        _composed(rng, drawn, 2, definitions)
    if definitions:
        # A definition may name itself and the other, and so never end.
        drawn["$defs"] = {
            name: schema(rng, 2, definitions if rng.random() < 0.3 else definitions[at + 1 :])
            for at, name in enumerate(definitions)
        }
    return drawn


def _string(rng: random.Random, drawn: dict[str, Any], _depth: int, _definitions: Any) -> None:
    if rng.random() < 0.6:
        drawn["maxLength"] = rng.choice((0, 1, 2, 3, 50))
    if rng.random() < 0.2:
        drawn["minLength"] = rng.choice((1, 2))
    if rng.random() < 0.25:
        drawn["pattern"] = rng.choice(PATTERNS)
    if rng.random() < 0.1:
        drawn["format"] = rng.choice(FORMATS)
    if rng.random() < 0.1:
        drawn["x-maxBytes"] = rng.choice((0, 2, 4, 100))


def _number(rng: random.Random, drawn: dict[str, Any], _depth: int, _definitions: Any) -> None:
    for keyword in ("maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum"):
        if rng.random() < 0.15:
            drawn[keyword] = rng.choice(NUMBERS)
    if rng.random() < 0.15:
        drawn["multipleOf"] = rng.choice((1, 2, 0.1, 0.5))


def _array(rng: random.Random, drawn: dict[str, Any], depth: int, definitions: Any) -> None:
    if rng.random() < 0.5:
        drawn["maxItems"] = rng.choice((0, 1, 2, 5))
    if rng.random() < 0.2:
        drawn["minItems"] = 1
    if rng.random() < 0.2:
        drawn["uniqueItems"] = True
    if depth and rng.random() < 0.8:
        drawn["items"] = schema(rng, depth - 1, definitions)
    if depth and rng.random() < 0.2:
        drawn["prefixItems"] = [schema(rng, depth - 1, definitions) for _ in range(2)]
    if depth and rng.random() < 0.08:
        drawn["contains"] = schema(rng, depth - 1, definitions)


def _object(rng: random.Random, drawn: dict[str, Any], depth: int, definitions: Any) -> None:
    names = rng.sample(NAMES, rng.randint(0, 4))
    if depth and names:
        drawn["properties"] = {name: schema(rng, depth - 1, definitions) for name in names}
    if rng.random() < 0.4:
        drawn["required"] = rng.sample(NAMES, rng.randint(0, 2))
    chance = rng.random()
    if chance < 0.5:
        drawn["additionalProperties"] = False
    elif chance < 0.7 and depth:
        drawn["additionalProperties"] = schema(rng, depth - 1, definitions)
    if depth and rng.random() < 0.12:
        several = rng.sample(PATTERNS, rng.choice((1, 1, 2)))
        drawn["patternProperties"] = {one: schema(rng, depth - 1, definitions) for one in several}
    if rng.random() < 0.1:
        drawn["propertyNames"] = schema(rng, 0)
    if rng.random() < 0.1:
        drawn["maxProperties"] = rng.choice((0, 1, 3))
    if rng.random() < 0.1:
        drawn["minProperties"] = 1
    if rng.random() < 0.1:
        drawn["dependentRequired"] = {rng.choice(NAMES): rng.sample(NAMES, rng.randint(0, 2))}
    if depth and rng.random() < 0.06:
        drawn["dependentSchemas"] = {rng.choice(NAMES): schema(rng, depth - 1, definitions)}
    if rng.random() < 0.04:
        drawn["unevaluatedProperties"] = False


def _nothing(_rng: random.Random, _drawn: Any, _depth: int, _definitions: Any) -> None:
    pass


_OF_KIND = {
    "string": _string,
    "number": _number,
    "integer": _number,
    "boolean": _nothing,
    "null": _nothing,
    "array": _array,
    "object": _object,
}


def _composed(rng: random.Random, drawn: dict[str, Any], depth: int, definitions: Any) -> None:
    keyword = rng.choice(("allOf", "anyOf", "oneOf", "not", "if", "anyOf"))
    if keyword in ("not", "if"):
        drawn[keyword] = schema(rng, depth, definitions)
    else:
        drawn[keyword] = [schema(rng, depth, definitions) for _ in range(rng.randint(1, 3))]
    if keyword == "if":
        for consequence in ("then", "else"):
            if rng.random() < 0.7:
                drawn[consequence] = schema(rng, depth, definitions)


def value(rng: random.Random, along: Any, whole: Any, depth: int = 0) -> Any:
    """A value drawn along a schema, and now and then against it."""
    chance = rng.random()
    if chance < 0.01:
        return rng.choice(ODD)
    if chance < 0.02:
        return rng.choice(ALIKE)
    for _ in range(5):
        along = _chosen(rng, along, whole)
    if not isinstance(along, dict) or chance < 0.05 or depth > 6:
        return anything(rng, 2)
    if "const" in along and rng.random() < 0.9:
        return along["const"]
    if "enum" in along and rng.random() < 0.9:
        return rng.choice(along["enum"])
    kinds = along.get("type", TYPES)
    kind = kinds if isinstance(kinds, str) else rng.choice(list(kinds))
    if kind == "array":
        return _items(rng, along, whole, depth)
    if kind == "object":
        return members(rng, along, whole, depth)
    return leaf(rng, kind)


def _chosen(rng: random.Random, along: Any, whole: Any) -> Any:
    if not isinstance(along, dict):
        return along
    if "$ref" in along:
        return whole["$defs"][along["$ref"].rpartition("/")[2]]
    for keyword in ("anyOf", "oneOf", "allOf"):
        if keyword in along and rng.random() < 0.3:
            return rng.choice(along[keyword])
    return along


def leaf(rng: random.Random, kind: str) -> Any:
    """A value of one type that holds no other."""
    if kind == "string":
        return rng.choice(TEXTS)
    if kind == "integer":
        return rng.choice([one for one in NUMBERS if one == int(one)])
    if kind == "number":
        return rng.choice(NUMBERS)
    return rng.choice((True, False)) if kind == "boolean" else None


def _items(rng: random.Random, along: dict[str, Any], whole: Any, depth: int) -> list[Any]:
    count = min(rng.choice((0, 1, 2, 3)), along.get("maxItems", 9) + (rng.random() < 0.1))
    ahead = along.get("prefixItems", [])
    rest = along.get("items", True)
    return [
        value(rng, ahead[at] if at < len(ahead) else rest, whole, depth + 1) for at in range(count)
    ]


def members(
    rng: random.Random, along: dict[str, Any], whole: Any, depth: int = 0
) -> dict[str, Any]:
    """An object along the schema of one."""
    declared = along.get("properties", {})
    names = [name for name in declared if rng.random() < 0.6]
    names += [name for name in along.get("required", ()) if rng.random() < 0.95]
    if rng.random() < (0.05 if along.get("additionalProperties") is False else 0.4):
        names.append(rng.choice(NAMES))
    rng.shuffle(names)
    others = along.get("additionalProperties", True)
    return {name: value(rng, declared.get(name, others), whole, depth + 1) for name in names}


def anything(rng: random.Random, depth: int) -> Any:
    """Any JSON value."""
    kind = rng.choice(TYPES if depth else TYPES[:5])
    if kind == "array":
        return [anything(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    if kind == "object":
        return {rng.choice(NAMES): anything(rng, depth - 1) for _ in range(rng.randint(0, 3))}
    return leaf(rng, kind)
