"""
What the search makes its candidates of: keywords that fit a value, and ways to change both.

A candidate is drawn as a pair, so that a schema has something to work on: the
shape of the value is chosen first, and the keywords by that shape.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

from tests.adversary.attack import Attack
from tests.adversary.spelling import size
from weighbridge.limits import Limits

Rng = random.Random
Pair = tuple[Any, Any]

PATTERNS = (
    "^[a-z0-9]+(?:-[a-z0-9]+)*$",
    "^([a-z0-9]+-?)+$",
    "\\s+$",
    "(x+x+)+y",
    "^(?:a?){12}a{12}$",
    "(?=.*a)(?=.*b)(?=.*c)^.{1,400}$",
    "(?<!a)(?<=b.)c",
    "^(?:[a-f]{1,20}-?){1,20}$",
    "\\b\\w+\\b \\b\\w+\\b",
    "[^a]a.{9}$",
    "^k",
    "",
    "\\p{L}+$",
    "[\\u{10000}-\\u{10ffff}]",
    "(?:ab|a|b){2,8}x",
)

FORMATS = (
    "date", "date-time", "time", "duration", "uri", "email",
    "uuid", "ipv4", "ipv6", "json-pointer", "regex",
)  # fmt: skip

TEXTS = (
    "x", "a", " ", "(", "ab-", "{i}", "1:", "/~0", "\u00e9", "\u200b", "\u007f", "\U0001f600",
    "\U0001f600\U00020000", "\U000e0001a", "2025-01-01T00:00:00Z", "a@", "http://a/", "\\", "'\"", "[{},",
)  # fmt: skip

COUNTS = (1, 2, 5, 20, 170, 1_000, 10_000, 30_000, 48_000, 97_000)

#: References in the longest chain: one value takes 150 schemas, each through the last.
DEFINED = 120

LIMITS = Limits()

#: Values, and characters, of a schema that is tried.
SCHEMA = 30_000


def _count(rng: Rng) -> int:
    return rng.choice(COUNTS)


# --- values ---


def leaf(rng: Rng) -> Any:
    """A value without children, spelled."""
    kind = rng.randrange(9)
    if kind == 0:
        return {"~": "number", "times": rng.choice((1, 0, 2**61 - 1)), "plus": rng.choice((0, 7))}
    if kind == 1:
        return {"~": "float", "of": rng.choice((0.1, 1e-300, 1.7e300, 0.5))}
    if kind == 2:
        return {"~": "power", "base": 10, "n": rng.choice((20, 400, 2_000, 4_200)), "plus": 0}
    if kind in (3, 4, 5):
        text = {"~": "text", "of": rng.choice(TEXTS), "n": rng.choice((1, 3, 40, 130, 9_000))}
        return text if rng.random() < 0.5 else {**text, "end": rng.choice(("{i}", "!", ""))}
    return rng.choice((None, True, False, 1, "s"))


def value(rng: Rng, depth: int) -> tuple[Any, str]:
    """A value and its type, spelled."""
    kind = rng.choice(("leaf", "list", "map", "nest", "object")) if depth else "leaf"
    if kind == "list":
        of, _ = value(rng, depth - 1)
        return {"~": "list", "n": _count(rng), "of": of}, "array"
    if kind == "map":
        of, _ = value(rng, depth - 1)
        key = rng.choice(("k{i}", "p{i}", "kkkk{i}", "{i}" + "x" * 100))
        if rng.random() < 0.1:
            key = {
                "~": "text",
                "of": "x",
                "n": rng.choice((1_000, 100_000, 6_000_000)),
                "end": "{i}",
            }
            return {"~": "map", "n": rng.choice((2, 20, 200)), "key": key, "of": of}, "object"
        return {"~": "map", "n": _count(rng), "key": key, "of": of}, "object"
    if kind == "nest":
        key = rng.choice(("c", None))
        of, _ = value(rng, depth - 1)
        return {"~": "nest", "n": rng.choice((5, 20, 28)), "key": key, "of": of}, (
            "object" if key else "array"
        )
    if kind == "object":
        names = rng.sample(("a", "b", "c", "p0", "p1", "k1", "r19"), rng.randrange(4))
        return {name: value(rng, depth - 1)[0] for name in names}, "object"
    return leaf(rng), "leaf"


# --- schemas ---


def schema(rng: Rng, depth: int) -> Any:
    """A schema of one to three keywords, spelled."""
    if depth <= 0:
        return _assertion(rng)
    made: dict[str, Any] = {}
    for _ in range(rng.choice((1, 1, 2, 3))):
        made.update(rng.choice((_assertion, _children, _children, _in_place))(rng, depth))
    return made


def _assertion(rng: Rng, _depth: int = 0) -> dict[str, Any]:
    listed = {"~": "list", "n": rng.choice((1, 3, 100, 2_000)), "of": leaf(rng)}
    choices: list[Callable[[], dict[str, Any]]] = [
        lambda: {"type": rng.choice(("integer", "string", "null", "array", "object"))},
        lambda: {"enum": rng.choice((listed, {"~": "list", "n": rng.choice((3, 100)), "of": {"a": leaf(rng)}}))},
        lambda: {"const": rng.choice((leaf(rng), [leaf(rng)], {"a": leaf(rng)}))},
        lambda: {"multipleOf": rng.choice((0.1, 7e-300, 1e308, 5e-324, 3, 10**2_000 + 1))},
        lambda: {rng.choice(("minimum", "exclusiveMaximum")): rng.choice((0, 1e308, 10**4_000))},
        lambda: {rng.choice(("maxLength", "minLength", "x-maxBytes")): rng.choice((0, 3, 9_000_000))},
        lambda: {"pattern": rng.choice(PATTERNS)},
        lambda: {"format": rng.choice(FORMATS)},
        lambda: {"uniqueItems": True},
        lambda: {rng.choice(("minItems", "maxItems", "minProperties", "maxProperties")): 3},
        lambda: {"required": [f"r{at}" for at in range(rng.choice((1, 6, 100)))]},
        lambda: {"dependentRequired": {f"p{at}": ["zz", "yy"] for at in range(rng.choice((1, 40)))}},
    ]  # fmt: skip
    return rng.choice(choices)()


def _children(rng: Rng, depth: int) -> dict[str, Any]:
    below = schema(rng, depth - 1)
    choices: list[Callable[[], dict[str, Any]]] = [
        lambda: {"items": below},
        lambda: {"items": below},
        lambda: {"prefixItems": {"~": "list", "n": rng.choice((2, 500)), "of": below}},
        lambda: {"contains": below, **rng.choice(({}, {"minContains": 5}, {"maxContains": 9}))},
        lambda: {"properties": dict.fromkeys(("a", "b", "c", "p0"), below)},
        lambda: {"patternProperties": {rng.choice(PATTERNS): below}},
        lambda: {"patternProperties": {f"^k{at}": below for at in range(20)}},
        lambda: {"additionalProperties": rng.choice((below, False))},
        lambda: {"propertyNames": below},
        lambda: {"unevaluatedProperties": rng.choice((below, False, {}))},
        lambda: {"unevaluatedItems": rng.choice((below, False, {}))},
    ]
    return rng.choice(choices)()


def _in_place(rng: Rng, depth: int) -> dict[str, Any]:
    below = schema(rng, depth - 1)
    many = {"~": "list", "n": rng.choice((2, 5, 24, 170)), "of": below}
    choices: list[Callable[[], dict[str, Any]]] = [
        lambda: {rng.choice(("allOf", "anyOf", "oneOf")): many},
        lambda: {rng.choice(("anyOf", "oneOf")): [below, schema(rng, depth - 1), True]},
        lambda: {"not": below},
        lambda: {"if": below, "then": schema(rng, depth - 1), "else": schema(rng, depth - 1)},
        lambda: {"dependentSchemas": {f"p{at}": below for at in range(rng.choice((1, 20)))}},
        lambda: {"$ref": "#/$defs/again"},
        lambda: {"$ref": f"#/$defs/d{rng.choice((0, DEFINED // 2))}"},
        lambda: {"$dynamicRef": "#m"},
    ]
    return rng.choice(choices)()


def candidate(rng: Rng) -> Attack:
    """A new candidate."""
    payload, _ = value(rng, 3)
    where = rng.random()
    judged = schema(rng, 3)
    arguments: Any = {"a": payload}
    own: dict[str, Any] = {"properties": {"a": judged, "c": {"$ref": "#/$defs/again"}}}
    if where < 0.15:
        arguments, own = payload, judged
    own = {**own, "$defs": _defined(rng)}
    return Attack("candidate", fitted(own, SCHEMA, SCHEMA), fitted(arguments))


def _defined(rng: Rng) -> dict[str, Any]:
    """What references lead to: a chain, a schema that comes back for a child, an anchor."""
    again = {"properties": {"c": {"$ref": "#/$defs/again"}}, "items": {"$ref": "#/$defs/again"}}
    recursion = rng.choice((
        again,
        {**again, "unevaluatedProperties": False},
        {"allOf": [again], "unevaluatedProperties": False},
        {"oneOf": [again, {**again, "required": ["zz"]}]},
        {"if": again, "then": again},
        {"anyOf": [again, {"type": "null"}]},
    ))  # fmt: skip
    return {
        "~": "merge",
        "of": [
            {"~": "map", "n": DEFINED, "key": "d{i}", "of": {"$ref": "#/$defs/d{i+1}"}},
            {
                f"d{DEFINED}": schema(rng, 1),
                "again": recursion,
                "anchored": {"$dynamicAnchor": "m", **schema(rng, 1)},
            },
        ],
    }


def fitted(spelled: Any, nodes: int = LIMITS.nodes, characters: int = LIMITS.rendered) -> Any:
    """The same with its greatest counts made smaller, until it is inside the limits."""
    while True:
        made, wrote = size(spelled)
        if made <= nodes and wrote <= characters:
            return spelled
        counted = [
            (here[key], here) for here, key in _places(spelled) if key == "n" and "~" in here
        ]
        most = max((count for count, _ in counted), default=0)
        if most == 0:
            return spelled
        # Not by half: what was near a limit stays near it.
        for count, here in counted:
            if count == most:
                here["n"] = count * 7 // 8


# --- changes ---


def _places(spelled: Any) -> Iterator[tuple[Any, Any]]:
    """Every container of a spelling with every key or index of it."""
    waiting = [spelled]
    while waiting:
        here = waiting.pop()
        keys: Any = here if isinstance(here, dict) else range(len(here))
        for key in keys:
            yield here, key
            if isinstance(here[key], (dict, list)):
                waiting.append(here[key])


def mutated(rng: Rng, attack: Attack) -> Attack:
    """A copy with one to three changes."""
    own, arguments = copy.deepcopy(attack.schema), copy.deepcopy(attack.arguments)
    for _ in range(rng.choice((1, 1, 2, 3))):
        if rng.random() < 0.5:
            _change(rng, own, in_schema=True)
        else:
            _change(rng, arguments, in_schema=False)
    return Attack("candidate", fitted(own, SCHEMA, SCHEMA), fitted(arguments))


def crossed(one: Attack, other: Attack) -> Attack:
    """Both at once: the arguments of the second, and its schema, under names of their own."""
    own = copy.deepcopy(
        {
            "properties": {"b": other.schema, "d": one.schema},
            "$defs": {"~": "merge", "of": [each.schema.get("$defs", {}) for each in (one, other)]},
        }
    )
    arguments = {"b": other.arguments, "d": one.arguments}
    return Attack("candidate", fitted(own, SCHEMA, SCHEMA), fitted(copy.deepcopy(arguments)))


def _change(rng: Rng, spelled: Any, *, in_schema: bool) -> None:
    places = list(_places(spelled))
    if not places:
        return
    container, key = rng.choice(places)
    old = container[key]
    if type(old) is int:
        other = rng.choice((old * 2, old * 3 // 2, old * 11 // 10, old // 2, old + 1))
        container[key] = max(0, other)
    elif in_schema:
        _change_schema(rng, container, key)
    elif isinstance(old, str):
        container[key] = rng.choice(TEXTS) if key == "of" else old
    elif key != "~":
        container[key] = rng.choice((leaf(rng), value(rng, 2)[0]))


def _change_schema(rng: Rng, container: Any, key: Any) -> None:
    old = container[key]
    if key == "pattern":
        container[key] = rng.choice(PATTERNS)
    elif key == "format":
        container[key] = rng.choice(FORMATS)
    elif isinstance(old, dict) and "~" not in old:
        choice = rng.randrange(4)
        if choice == 0:
            container[key] = schema(rng, 2)
        elif choice == 1:
            old.update(schema(rng, 1))
        elif choice == 2:
            container[key] = _wrapped(rng, old)
        elif old:
            old.pop(rng.choice(list(old)))


def _wrapped(rng: Rng, inner: Any) -> Any:
    return rng.choice((
        {"items": inner},
        {"allOf": [inner]},
        {"anyOf": [inner, {"required": ["zz"]}]},
        {"not": inner},
        {"additionalProperties": inner},
        {"contains": inner},
        {"allOf": {"~": "list", "n": 20, "of": inner}},
        {"anyOf": {"~": "list", "n": 20, "of": {"allOf": [inner, False]}}},
    ))  # fmt: skip
