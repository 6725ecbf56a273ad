"""
Makes calls from a published schema: valid ones near its bounds, and faults with a label.

Seeded, so that a failure can be made again.  A valid call is drawn from the
schema alone; a fault changes one thing in a valid call and says which place and
which keyword must answer for it.  Nothing here asks the gate.
"""

from __future__ import annotations

import copy
import itertools
import json
import random
import re._constants as sre
import re._parser as sre_parser
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.oracle import tokens

Schema = Mapping[str, Any]

#: Longest string or list that is drawn or pushed past its bound, so that two
#: thousand calls stay small; bigger bounds are rows of the table.
REACH = 5_000

#: Characters that a free string is drawn from: every class of the charge.
ALPHABET = (
    "abcdefghijklmnopqrstuvwxyz ABC 0123456789 -_./:"
    "'\"\\\t\n\r\x00\x1b\x7f\x85\u00a0\u00ad\u00e9\u0378\u200b\u202e\u2028\u3000"
    "\u6f22\ue000\ufeff\uffff\U0001f600\U000e0001\U0010ffff"
)

#: One value of each JSON type, to be put where that type is wrong.
OF_TYPE: dict[str, tuple[Any, ...]] = {
    "string": ("text", "", "7", "true", "null"),
    "number": (1.5, -0.25, 1e-9),
    "integer": (7, 0, -1, 2**53 + 1, 10**30),
    "boolean": (True, False),
    "null": (None,),
    "array": ([], [1], ["text"]),
    "object": ({}, {"a": 1}),
}

#: A value that conforms to each asserted format, and one that does not.
OF_FORMAT = {
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """
    What one mutation broke: the place and the keyword that must be told.
    """

    pointer: str
    keyword: str

    #: The name that must be among the finding's names, for ``required`` and unknown keys.
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """
    One generated call; ``fault`` is None when the schema admits it.
    """

    tool: str
    arguments: dict[str, Any]
    label: str
    fault: Fault | None = None

    @property
    def text(self) -> str:
        """The arguments as JSON text in ASCII, keys as they stand."""
        return json.dumps(self.arguments)


def calls(tools: Mapping[str, Schema], seed: int, count: int) -> list[Call]:
    """
    ``count`` calls over ``tools`` (name to flat schema): one valid for every three faults.
    """
    rng = random.Random(seed)
    names = sorted(tools)
    made: list[Call] = []
    for tool in itertools.cycle(names):
        if len(made) >= count:
            break
        schema = tools[tool]
        arguments = value(schema, schema, rng)
        made.append(Call(tool=tool, arguments=arguments, label="valid"))
        made += _spread(list(faults(tool, schema, arguments, rng)), rng)
    return made[:count]


def _spread(faulty: list[Call], rng: random.Random) -> list[Call]:
    """Three faults under three keywords if there are so many: most faults are of the type."""
    rng.shuffle(faulty)
    by_keyword: dict[str, Call] = {}
    for call in faulty:
        assert call.fault is not None
        by_keyword.setdefault(call.fault.keyword, call)
    kept = list(by_keyword.values())
    return rng.sample(kept, min(3, len(kept)))


# --- valid values -----------------------------------------------------------


def value(schema: Any, root: Schema, rng: random.Random, depth: int = 0) -> Any:
    """Draw a value that ``schema`` admits; ``root`` is where its references point."""
    schema = resolved(schema, root)
    if schema is True or not schema:
        return rng.choice([v for values in OF_TYPE.values() for v in values])
    if "const" in schema:
        return copy.deepcopy(schema["const"])
    if "enum" in schema:
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
    """Follow a local reference."""
    while isinstance(schema, Mapping) and "$ref" in schema:
        target: Any = root
        for token in tokens(schema["$ref"].removeprefix("#")):
            target = target[int(token)] if isinstance(target, list) else target[token]
        schema = target
    return schema


def types(schema: Schema) -> list[str]:
    """The types that ``schema`` takes; all of them when it names none."""
    named = schema.get("type", [*OF_TYPE])
    return [named] if isinstance(named, str) else list(named)


def _object(schema: Schema, root: Schema, rng: random.Random, depth: int) -> dict[str, Any]:
    required = schema.get("required", [])
    properties = schema.get("properties", {})
    chance = rng.choice((0.0, 0.3, 1.0)) if depth < 6 else 0.0
    names = [name for name in properties if name in required or rng.random() < chance]
    rng.shuffle(names)
    made = {name: value(properties[name], root, rng, depth + 1) for name in names}
    if not closed(schema) and "properties" not in schema and depth < 6:
        made |= {_free(rng, 8): value({}, root, rng) for _ in range(rng.randrange(3))}
    return made


def closed(schema: Schema) -> str | None:
    """The keyword that closes an object schema against unknown names."""
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if schema.get(keyword) is False:
            return keyword
    return None


def _array(schema: Schema, root: Schema, rng: random.Random, depth: int) -> list[Any]:
    least = schema.get("minItems", 0)
    most = min(schema.get("maxItems", least + 4), REACH)
    wanted = rng.choice((least, min(most, least + 1), min(most, least + 2), min(most, 70)))
    if depth > 6:
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
    if "format" in schema:
        return OF_FORMAT[schema["format"]][0]
    least = schema.get("minLength", 0)
    most = min(schema.get("maxLength", least + 20), REACH)
    if "pattern" in schema:
        for _ in range(200):
            made = matching(schema["pattern"], rng)
            if least <= len(made) <= most:
                return made
        raise AssertionError(schema)
    length = rng.choice((least, min(least + 1, most), min(least + 8, most), most))
    return _free(rng, length)


def _free(rng: random.Random, length: int) -> str:
    if length > 100:
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


# --- strings from an expression ---------------------------------------------


def matching(pattern: str, rng: random.Random) -> str:
    """Draw a string that ``pattern`` matches as a whole; a plain subset only."""
    return "".join(_pieces(sre_parser.parse(pattern), rng))


def _pieces(tree: Any, rng: random.Random) -> Iterator[str]:
    for operator, argument in tree:
        if operator is sre.LITERAL:
            yield chr(argument)
        elif operator is sre.IN:
            yield _member(argument, rng)
        elif operator is sre.ANY:
            yield rng.choice("a0 \u6f22")
        elif operator is sre.MAX_REPEAT:
            least, most, inner = argument
            times = rng.randint(least, least + 3 if most is sre.MAXREPEAT else most)
            for _ in range(times):
                yield from _pieces(inner, rng)
        elif operator is sre.SUBPATTERN:
            yield from _pieces(argument[-1], rng)
        elif operator is sre.BRANCH:
            yield from _pieces(rng.choice(argument[1]), rng)
        else:
            assert operator is sre.AT, operator


def _member(choices: Any, rng: random.Random) -> str:
    if choices[0][0] is sre.NEGATE:
        return rng.choice([char for char in "az09 \u00e9" if not _takes(choices[1:], char)])
    operator, argument = rng.choice(choices)
    if operator is sre.LITERAL:
        return chr(argument)
    assert operator is sre.RANGE, operator
    return chr(rng.randint(*argument))


def _takes(choices: Any, char: str) -> bool:
    return any(
        ord(char) == argument
        if operator is sre.LITERAL
        else argument[0] <= ord(char) <= argument[1]
        for operator, argument in choices
    )


# --- faults -----------------------------------------------------------------


def faults(
    tool: str, schema: Schema, arguments: dict[str, Any], rng: random.Random
) -> Iterator[Call]:
    """
    Every single fault that can be put into one valid call.
    """
    for path, inner, here in places(schema, schema, arguments, ()):
        for label, broken, fault in _broken(inner, here, "".join(map(_token, path)), rng):
            changed = copy.deepcopy(arguments)
            if path:
                holder: Any = changed
                for step in path[:-1]:
                    holder = holder[step]
                holder[path[-1]] = broken
            else:
                changed = broken
            yield Call(tool=tool, arguments=changed, label=label, fault=fault)


def _token(step: str | int) -> str:
    return "/" + str(step).replace("~", "~0").replace("/", "~1")


def places(
    schema: Any, root: Schema, here: Any, path: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], Schema, Any]]:
    """Every place of a value with the schema that judges it."""
    schema = resolved(schema, root)
    if not isinstance(schema, Mapping):
        return
    yield path, schema, here
    if isinstance(here, dict):
        for name, inner in schema.get("properties", {}).items():
            if name in here:
                yield from places(inner, root, here[name], (*path, name))
    if isinstance(here, list):
        prefix = schema.get("prefixItems", [])
        for index, item in enumerate(here[:12]):
            inner = prefix[index] if index < len(prefix) else schema.get("items", True)
            yield from places(inner, root, item, (*path, index))


Broken = Iterator[tuple[str, Any, Fault]]


def _broken(schema: Schema, here: Any, pointer: str, rng: random.Random) -> Broken:
    if "type" in schema and pointer:
        yield from _of_another_type(schema, pointer, rng)
    if "enum" in schema or "const" in schema:
        keyword = "enum" if "enum" in schema else "const"
        wrong = f"{here}x" if isinstance(here, str) else "no such value"
        yield f"{keyword} missed", wrong, Fault(pointer=pointer, keyword=keyword)
    if isinstance(here, dict):
        yield from _broken_object(schema, here, pointer, rng)
    elif isinstance(here, list):
        yield from _broken_array(schema, here, pointer)
    elif isinstance(here, str):
        yield from _broken_string(schema, pointer)
    elif isinstance(here, int | float) and not isinstance(here, bool):
        yield from _broken_number(schema, pointer)


def _of_another_type(schema: Schema, pointer: str, rng: random.Random) -> Broken:
    taken = set(types(schema))
    if "number" in taken:
        taken.add("integer")
    for kind, values in OF_TYPE.items():
        if kind not in taken:
            fault = Fault(pointer=pointer, keyword="type")
            yield f"{kind} instead of {sorted(taken)}", rng.choice(values), fault


def _broken_object(
    schema: Schema, here: dict[str, Any], pointer: str, rng: random.Random
) -> Broken:
    for name in schema.get("required", []):
        if name in here:
            rest = {key: inner for key, inner in here.items() if key != name}
            yield f"without {name}", rest, Fault(pointer=pointer, keyword="required", name=name)
    keyword = closed(schema)
    if keyword:
        known = sorted(schema.get("properties", {}))
        name = rng.choice(("colour", "x", "0", *(f"{each}s" for each in known[:3])))
        if name not in known:
            grown = {name: rng.choice((1, "text", None, {}, [])), **here}
            yield f"unknown {name}", grown, Fault(pointer=pointer, keyword=keyword, name=name)


def _broken_array(schema: Schema, here: list[Any], pointer: str) -> Broken:
    if here and "maxItems" in schema and schema["maxItems"] < REACH:
        grown = (here * (schema["maxItems"] + 1))[: schema["maxItems"] + 1]
        yield "one item too many", grown, Fault(pointer=pointer, keyword="maxItems")
    if schema.get("minItems"):
        short = here[: schema["minItems"] - 1]
        yield "one item too few", short, Fault(pointer=pointer, keyword="minItems")
    if here and schema.get("uniqueItems"):
        doubled = [*here[: schema.get("maxItems", REACH) - 1], here[0]]
        yield "an item twice", doubled, Fault(pointer=pointer, keyword="uniqueItems")


def _broken_string(schema: Schema, pointer: str) -> Broken:
    if schema.get("maxLength", REACH) < REACH:
        long = "x" * (schema["maxLength"] + 1)
        yield "one character too many", long, Fault(pointer=pointer, keyword="maxLength")
    if schema.get("minLength"):
        short = "x" * (schema["minLength"] - 1)
        yield "one character too few", short, Fault(pointer=pointer, keyword="minLength")
    if "pattern" in schema:
        yield "pattern missed", "\u00e9\n", Fault(pointer=pointer, keyword="pattern")
    if "format" in schema:
        wrong = OF_FORMAT[schema["format"]][1]
        yield "format missed", wrong, Fault(pointer=pointer, keyword="format")


def _broken_number(schema: Schema, pointer: str) -> Broken:
    past = {"minimum": -1, "maximum": 1, "exclusiveMinimum": 0, "exclusiveMaximum": 0}
    for keyword, by in past.items():
        if keyword in schema:
            yield f"past {keyword}", schema[keyword] + by, Fault(pointer=pointer, keyword=keyword)
    if "multipleOf" in schema:
        off = schema["multipleOf"] * 1.5
        yield "no multiple", off, Fault(pointer=pointer, keyword="multipleOf")
