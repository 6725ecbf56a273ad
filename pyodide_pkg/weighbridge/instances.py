"""
Values that a schema admits, near its bounds, drawn from a seed.

Drawn from the schema alone, and nothing here asks the gate: what is composed in ways
that are not followed here may not be admitted, so whoever draws a value asks.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping
from typing import Any, Final

from weighbridge.instances_text import matching
from weighbridge.pointers import target

Schema = Mapping[str, Any]

#: Longest string or list that is drawn or pushed past its bound, so that two
#: thousand calls stay small.
REACH: Final = 5_000

#: Levels from which on as little as possible is drawn, and from which on nothing is.
DEEP: Final = 6
DEEPEST: Final = 32

#: Strings that are drawn for an expression until one is as long as it may be.
TRIES: Final = 200

#: Characters that a free string is drawn from: every class of the charge.
ALPHABET: Final = (
    "abcdefghijklmnopqrstuvwxyz ABC 0123456789 -_./:"
    "'\"\\\t\n\r\x00\x1b\x7f\x85\u00a0\u00ad\u00e9\u0378\u200b\u202e\u2028\u3000"
    "\u6f22\ue000\ufeff\uffff\U0001f600\U000e0001\U0010ffff"
)

#: Characters of a free string that are drawn one by one; a longer one is one
#: character, repeated.
SINGLY: Final = 100

#: One value of each JSON type, to be put where that type is wrong.
OF_TYPE: Final[dict[str, tuple[Any, ...]]] = {
    "string": ("text", "", "7", "true", "null"),
    "number": (1.5, -0.25, 1e-9),
    "integer": (7, 0, -1, 2**53 + 1, 10**30),
    "boolean": (True, False),
    "null": (None,),
    "array": ([], [1], ["text"]),
    "object": ({}, {"a": 1}),
}

#: A value that conforms to each asserted format, and one that does not.
OF_FORMAT: Final = {
    "date": ("2026-01-31", "2026-02-30"),
    "date-time": ("2026-01-31T10:20:30Z", "2026-01-31T10:20:30"),
    "time": ("10:20:30Z", "10:20"),
    "duration": ("P3DT4H", "3 days"),
    "uri": ("https://example.org/a?b#c", "example"),
    "email": ("ada@example.org", "ada"),
    "uuid": ("123e4567-e89b-12d3-a456-426614174000", "123e4567"),
    "ipv4": ("192.0.2.1", "192.0.2.256"),
    "ipv6": ("2001:db8::1", "2001:db8::1::2"),
    "json-pointer": ("/a/b~0c", "a/b"),
    "regex": ("^[a-z]+$", "["),
}


def value(schema: Any, root: Schema, rng: random.Random, depth: int = 0) -> Any:
    """
    Draw a value that ``schema`` admits; ``root`` is where its references point.
    """
    schema = resolved(schema, root)
    if depth > DEEPEST:
        return None
    if not isinstance(schema, Mapping) or not schema:
        return rng.choice([one for values in OF_TYPE.values() for one in values])
    if "const" in schema:
        return copy.deepcopy(schema["const"])
    if schema.get("enum"):
        return copy.deepcopy(rng.choice(schema["enum"]))
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return value(rng.choice(schema[choice]), root, rng, depth)
    kind = rng.choice(types(schema))
    if kind == "object":
        return _object(schema, root, rng, depth)
    if kind == "array":
        return _array(schema, root, rng, depth)
    if kind == "string":
        return _string(schema, rng)
    if kind in ("integer", "number"):
        return _number(schema, kind, rng)
    return rng.choice(OF_TYPE[kind])


def resolved(schema: Any, root: Schema) -> Any:
    """Follow local references; None where one leads nowhere."""
    for _ in range(DEEPEST):
        if not isinstance(schema, Mapping) or "$ref" not in schema:
            break
        schema = target(schema["$ref"], root)
    return schema


def types(schema: Schema) -> list[str]:
    """The types that ``schema`` takes; all of them when it names none."""
    named = schema.get("type", [*OF_TYPE])
    return [named] if isinstance(named, str) else list(named)


def closed(schema: Schema) -> str | None:
    """The keyword that closes an object schema against unknown names."""
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if schema.get(keyword) is False:
            return keyword
    return None


def _object(schema: Schema, root: Schema, rng: random.Random, depth: int) -> dict[str, Any]:
    required = schema.get("required", [])
    properties = schema.get("properties", {})
    chance = rng.choice((0.0, 0.3, 1.0)) if depth < DEEP else 0.0
    names = [name for name in properties if name in required or rng.random() < chance]
    rng.shuffle(names)
    made = {name: value(properties[name], root, rng, depth + 1) for name in names}
    if not closed(schema) and "properties" not in schema and depth < DEEP:
        made |= {free(rng, 8): value({}, root, rng) for _ in range(rng.randrange(3))}
    return made


def _array(schema: Schema, root: Schema, rng: random.Random, depth: int) -> list[Any]:
    least = schema.get("minItems", 0)
    most = min(schema.get("maxItems", least + 4), REACH)
    wanted = rng.choice((least, min(most, least + 1), min(most, least + 2), min(most, 70)))
    if depth > DEEP:
        wanted = least
    prefix = schema.get("prefixItems", [])
    made: list[Any] = []
    for _ in range(4 * wanted):
        if len(made) == wanted:
            break
        inner = prefix[len(made)] if len(made) < len(prefix) else schema.get("items", True)
        item = value(inner, root, rng, depth + 1)
        if not schema.get("uniqueItems") or item not in made:
            made.append(item)
    return made


def _string(schema: Schema, rng: random.Random) -> str:
    if schema.get("format") in OF_FORMAT:
        return OF_FORMAT[schema["format"]][0]
    least = schema.get("minLength", 0)
    most = min(schema.get("maxLength", least + 20), REACH)
    if "pattern" in schema:
        made = ""
        for _ in range(TRIES):
            made = matching(schema["pattern"], rng)
            if least <= len(made) <= most:
                break
        return made
    return free(rng, rng.choice((least, min(least + 1, most), min(least + 8, most), most)))


def free(rng: random.Random, length: int) -> str:
    """A string of that many characters of every class of the charge."""
    if length > SINGLY:
        return (rng.choice(ALPHABET) * length)[:length]
    return "".join(rng.choice(ALPHABET) for _ in range(length))


def _number(schema: Schema, kind: str, rng: random.Random) -> Any:
    step = schema.get("multipleOf", 1)
    if "minimum" in schema or "exclusiveMinimum" in schema:
        least = schema["minimum"] if "minimum" in schema else schema["exclusiveMinimum"] + step
    elif "maximum" in schema or "exclusiveMaximum" in schema:
        return schema["maximum"] if "maximum" in schema else schema["exclusiveMaximum"] - step
    else:
        least = rng.choice((0, 0, -3, 2**53 + 1, 10**21)) * step
    if kind == "integer" and isinstance(least, int) and abs(least) < 2**53:
        return rng.choice((least, float(least)))
    return least
