"""
Draws schemas and calls to be judged by several implementations; seeded, and asks none of them.

Calls of the published tools and of foreign shapes: valid, with one fault, with two,
or made for another tool. And small schemas of every keyword, with instances that
come near them.
"""

import copy
import itertools
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests import generate
from tests.parity.compare import bundled
from tests.schemas import LEAVES as COMMON_LEAVES
from tests.schemas import NAMES, TYPES
from tests.test_generate import FOREIGN, document

#: Where languages part: line ends, blanks and digits beyond ASCII, sums of doubles.
LEAVES = (
    *COMMON_LEAVES,
    *("b\n", "a\n", "\n", "\u2028", "\ufeff", "\x85", "\u0665", "\u1680", "_", "\u212a"),
    *(0.3, 10.1, -1.0, 1e21, 2.5e20, 123456789.123, 2**64, -(10**30), 0.1 + 0.2),
)
PATTERNS = (
    *("a", "^a", "b$", "^.$", "^[ab]*$", "\u00e9", "^\\S+$", "^\\s$", "\\d", "^\\w+$"),
    *("\\W", "a\\b", "[^a]$", "^(?:a|ab)$", "^\\D*$", "."),
)


@dataclass(frozen=True, slots=True)
class Call:
    """
    Arguments as JSON text, for a tool of ``schemas``.
    """

    tool: str
    text: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """
    Some tools and the calls for them.
    """

    schemas: dict[str, Any]
    calls: list[Call]


def published(seed: int, count: int) -> Drawn:
    """
    ``count`` calls over the ten published tools and the foreign shapes.
    """
    rng = random.Random(seed)
    tools = {name: plain(tool.published) for name, tool in bundled().tools.items()}
    schemas = tools | FOREIGN
    calls = [
        Call(tool, json.dumps(arguments))
        for tool, arguments in itertools.islice(_mixed(schemas, rng), count)
    ]
    return Drawn(schemas, calls)


def plain(schema: object) -> Any:
    """A published schema as plain dictionaries and lists."""
    return json.loads(json.dumps(schema, default=dict))


def _mixed(schemas: dict[str, Any], rng: random.Random) -> Iterator[tuple[str, Any]]:
    names = sorted(schemas)
    for tool in itertools.cycle(names):
        schema = schemas[tool]
        arguments = generate.value(schema, schema, rng)
        yield tool, arguments
        once = list(generate.faults(tool, schema, arguments, rng))
        for call in rng.sample(once, min(4, len(once))):
            yield tool, call.arguments
            twice = list(generate.faults(tool, schema, call.arguments, rng))
            if twice:
                yield tool, rng.choice(twice).arguments
        yield rng.choice(names), arguments
        yield tool, document(rng)
        yield tool, _leaf_changed(arguments, rng)


def _leaf_changed(arguments: Any, rng: random.Random) -> Any:
    """The arguments with one value, wherever it stands, replaced by any leaf."""
    changed = copy.deepcopy(arguments)
    holder, key = changed, None
    while isinstance(holder, dict | list) and holder:
        key = rng.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
        if not isinstance(holder[key], dict | list) or not holder[key]:
            break
        holder = holder[key]
    if key is not None:
        holder[key] = rng.choice(LEAVES)
    return changed


def every_keyword(seed: int, schemas: int, instances: int) -> Drawn:
    """
    So many schemas, and for each so many instances as its property ``v``.
    """
    rng = random.Random(seed)
    drawn: dict[str, Any] = {}
    calls = []
    for number in range(schemas):
        name = f"drawn.{number}"
        defined = {one: _schema(rng, 1, refs=False) for one in ("one", "two")}
        drawn[name] = {
            "type": "object",
            "properties": {"v": _schema(rng, 2, refs=True)},
            "$defs": defined,
        }
        calls += [Call(name, json.dumps({"v": instance(rng, 3)})) for _ in range(instances)]
    return Drawn(drawn, calls)


def instance(rng: random.Random, depth: int) -> Any:
    """A value whose names and leaves are those that the schemas know."""
    kind = rng.random()
    if depth == 0 or kind < 0.4:
        return rng.choice(LEAVES)
    if kind < 0.7:
        return [instance(rng, depth - 1) for _ in range(rng.randrange(5))]
    names = rng.sample(NAMES, rng.randrange(len(NAMES)))
    return {name: instance(rng, depth - 1) for name in names}


def _schema(rng: random.Random, depth: int, *, refs: bool) -> Any:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice((True, False, {"type": rng.choice(TYPES)}, {"const": rng.choice(LEAVES)}))

    def inner() -> Any:
        return _schema(rng, depth - 1, refs=refs)

    def several() -> list[Any]:
        return [inner() for _ in range(rng.randint(1, 3))]

    def by_name() -> dict[str, Any]:
        return {name: inner() for name in rng.sample(NAMES, rng.randrange(4))}

    def some_names() -> list[str]:
        return rng.sample(NAMES, rng.randrange(3))

    def count() -> int:
        return rng.randrange(4)

    def by_pattern() -> dict[str, Any]:
        return {one: inner() for one in rng.sample(("a", "^.$", "b|c"), rng.randint(1, 2))}

    made = {
        "type": lambda: rng.sample(TYPES, rng.randint(1, 3)),
        "enum": lambda: distinct([instance(rng, 1) for _ in range(rng.randint(1, 3))]),
        "const": lambda: instance(rng, 2),
        "multipleOf": lambda: rng.choice((1, 2, 0.5, 3, 0.1, 0.01, 1e300)),
        "maximum": lambda: rng.choice((0, 1, 1.5, 1e308)),
        "exclusiveMaximum": lambda: rng.choice((0, 1, 1.5, 2)),
        "minimum": lambda: rng.choice((0, 1, 0.5, -1)),
        "exclusiveMinimum": lambda: rng.choice((0, 1, 0.5, -1)),
        **dict.fromkeys(("maxLength", "minLength", "maxItems", "minItems"), count),
        **dict.fromkeys(("maxProperties", "minProperties"), count),
        "uniqueItems": lambda: rng.random() < 0.8,
        "required": some_names,
        "dependentRequired": lambda: {rng.choice(NAMES): some_names()},
        "pattern": lambda: rng.choice(PATTERNS),
        **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), several),
        **dict.fromkeys(("not", "if", "then", "else", "items", "contains", "propertyNames"), inner),
        **dict.fromkeys(("additionalProperties", "unevaluatedItems"), inner),
        "unevaluatedProperties": inner,
        **dict.fromkeys(("minContains", "maxContains"), count),
        **dict.fromkeys(("properties", "dependentSchemas"), by_name),
        "patternProperties": by_pattern,
    }
    if refs:
        made["$ref"] = lambda: rng.choice(("#/$defs/one", "#/$defs/two"))
    chosen = rng.sample(sorted(made), rng.randint(1, 4))
    # Where languages part, more often.
    chosen += [often for often in ("pattern", "multipleOf") if rng.random() < 0.15]
    return {keyword: made[keyword]() for keyword in chosen}


def distinct(values: list[Any]) -> list[Any]:
    """Values that differ as JSON text, for an ``enum``."""
    return list({json.dumps(value): value for value in values}.values())
