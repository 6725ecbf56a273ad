"""
Calls made from published schemas: valid ones, and single faults with a label.

A fault changes one thing in a valid call, and says which place and which keyword must
answer for it.
"""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from weighbridge.dialects import token
from weighbridge.instances import OF_FORMAT, OF_TYPE, REACH, Schema, closed, resolved, types, value

#: Items of a list that are looked into.
ITEMS: Final = 12

#: Faults that follow a valid call.
FAULTS: Final = 3


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
    rng = random.Random(seed)  # noqa: S311 - calls are drawn from a seed, not secrets
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
        if call.fault is not None:
            by_keyword.setdefault(call.fault.keyword, call)
    kept = list(by_keyword.values())
    return rng.sample(kept, min(FAULTS, len(kept)))


def faults(
    tool: str, schema: Schema, arguments: dict[str, Any], rng: random.Random
) -> Iterator[Call]:
    """
    Every single fault that can be put into one valid call.
    """
    for path, inner, here in places(schema, schema, arguments, ()):
        pointer = "".join(f"/{token(str(step))}" for step in path)
        for label, broken, fault in _broken(inner, here, pointer, rng):
            changed = copy.deepcopy(arguments)
            if path:
                holder: Any = changed
                for step in path[:-1]:
                    holder = holder[step]
                holder[path[-1]] = broken
            else:
                changed = broken
            yield Call(tool=tool, arguments=changed, label=label, fault=fault)


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
        for index, item in enumerate(here[:ITEMS]):
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
    if here and schema.get("maxItems", REACH) < REACH:
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
    if schema.get("format") in OF_FORMAT:
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
