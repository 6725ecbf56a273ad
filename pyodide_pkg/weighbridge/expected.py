"""
What a schema wants at a place, in words and as data, every piece bounded.

Schema-side facts only: nothing here is given a value that a caller wrote.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from weighbridge.canonical import canonical
from weighbridge.characters import fragment
from weighbridge.dialects import token
from weighbridge.errors import bounded
from weighbridge.evaluation import Miss
from weighbridge.formats import FORMATS
from weighbridge.limits import POINTER, SENTENCE
from weighbridge.node import type_of

#: Characters of a place, and of one schema value, within a sentence.
PLACE = 72
QUOTED = 60

#: Findings about names at an object rather than about a value.
UNKNOWN = frozenset({"additionalProperties", "unevaluatedProperties"})
MISSING = frozenset({"required", "dependentRequired", "dependencies"})

ARTICLES = {
    "array": "an array",
    "boolean": "a boolean",
    "integer": "an integer",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}


def pointer_to(tokens: Iterable[str | int]) -> tuple[str, bool]:
    """
    A JSON Pointer of at most 800 characters, and whether it is complete.
    """
    pointer = ""
    for step in tokens:
        if isinstance(step, str) and len(step) > POINTER:
            # A name may have megabytes: it is not copied to learn that it is long.
            return pointer, False
        longer = f"{pointer}/{token(str(step))}"
        if len(longer) > POINTER:
            return pointer, False
        pointer = longer
    return pointer, True


def schema_pointer_of(pointer: str) -> str:
    """A JSON Pointer into the schema, ended before a token that would pass 800 characters."""
    while len(pointer) > POINTER:
        pointer = pointer.rpartition("/")[0]
    return pointer


def place_of(pointer: str) -> str:
    """A place as a sentence names it: escaped, so that it cannot forge a line."""
    return f"At {fragment(pointer, PLACE)}" if pointer else "In the arguments"


def quoted(name: str, most: int = QUOTED) -> str:
    """A name between quotation marks that it cannot close."""
    return f'"{fragment(name, most - 2, quote=chr(34))}"'


def listing(names: list[str], room: int) -> str:
    """
    As many quoted names as ``room`` characters hold, and how many more there are.
    """
    shown: list[str] = []
    for at, name in enumerate(names):
        piece = quoted(name)
        more = f" and {len(names) - at} more"
        if shown and len(", ".join([*shown, piece])) + len(more) > room:
            return ", ".join(shown) + more
        shown.append(piece)
    return ", ".join(shown)


def is_forbidden(miss: Miss) -> bool:
    """Whether a ``false`` schema refused the value; ``const`` may say false of its own."""
    return miss.value is False and miss.keyword != "const"


# --- what was expected ------------------------------------------------------


def _count(value: Any, one: str, many: str) -> str:
    return f"{_number(value)} {one if value == 1 else many}"


def _number(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and value.bit_length() > 128:  # noqa: PLR2004
        return "a very large number" if value > 0 else "a number far below zero"
    return repr(value)


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, (dict, list)):
        return f"a fixed {type_of(value)}"
    return _number(value) if type_of(value) == "number" else canonical(value)


def _types(value: Any) -> str:
    kinds = (
        [value] if isinstance(value, str) else sorted(value, key=lambda one: (one == "null", one))
    )
    return " or ".join(ARTICLES[kind] for kind in kinds)


def one_of(values: list[Any], room: int = SENTENCE) -> str:
    """The values of an enum, as many whole ones as ``room`` characters hold."""
    pieces: list[str] = []
    room -= len("one of  and 1000 more")
    for at, value in enumerate(values):
        piece = _literal(value)
        if pieces and len(", ".join([*pieces, piece])) > room:
            return f"one of {', '.join(pieces)} and {len(values) - at} more"
        pieces.append(piece)
    return f"one of {', '.join(pieces)}" if len(pieces) > 1 else "".join(pieces)


def _form(name: str) -> str:
    from_list = FORMATS.get(name)
    return from_list.expected if from_list is not None else f"text in the form {quoted(name)}"


_EXPECTED: dict[str, Callable[[Any], str]] = {
    "type": _types,
    "enum": one_of,
    "const": _literal,
    "multipleOf": lambda value: f"a multiple of {_number(value)}",
    "maximum": lambda value: f"a number of at most {_number(value)}",
    "exclusiveMaximum": lambda value: f"a number below {_number(value)}",
    "minimum": lambda value: f"a number of at least {_number(value)}",
    "exclusiveMinimum": lambda value: f"a number above {_number(value)}",
    "maxLength": lambda value: f"at most {_count(value, 'character', 'characters')}",
    "minLength": lambda value: f"at least {_count(value, 'character', 'characters')}",
    "x-maxBytes": lambda value: f"at most {_count(value, 'byte', 'bytes')} of UTF-8",
    "pattern": lambda value: f"text that matches the pattern {quoted(value, 160)}",
    "format": _form,
    "maxItems": lambda value: f"at most {_count(value, 'item', 'items')}",
    "minItems": lambda value: f"at least {_count(value, 'item', 'items')}",
    "uniqueItems": lambda _: "items that all differ",
    "contains": lambda _: "at least 1 item that matches the schema of contains",
    "minContains": lambda value: f"at least {_count(value, 'item', 'items')} that match contains",
    "maxContains": lambda value: f"at most {_count(value, 'item', 'items')} that match contains",
    "maxProperties": lambda value: f"at most {_count(value, 'name', 'names')}",
    "minProperties": lambda value: f"at least {_count(value, 'name', 'names')}",
    "propertyNames": lambda _: "names that match the schema of propertyNames",
    "not": lambda _: "a value that the schema under not does not match",
}


def expected_of(miss: Miss) -> str:
    """What was expected, in words; the caller bounds it."""
    if miss.keyword in UNKNOWN and miss.names:
        allowed = list(miss.allowed)
        return f"only the names {listing(allowed, 180)}" if allowed else "no names at all"
    if miss.keyword in MISSING and miss.names:
        noun = "name" if len(miss.names) == 1 else "names"
        return f"the {noun} {listing(list(miss.names), 200)}"
    if is_forbidden(miss):
        return "no value here"
    if miss.keyword in ("anyOf", "oneOf"):
        return _forms(miss)
    say = _EXPECTED.get(miss.keyword)
    return say(miss.value) if say is not None else "a value that matches the schema"


def _forms(miss: Miss) -> str:
    branches: Any = miss.value
    if miss.allowed and type_of(miss.instance) not in miss.allowed:
        return _types(list(miss.allowed))
    several = f"one of the {len(branches)} forms that the schema lists there"
    if miss.keyword == "anyOf":
        return several
    if miss.pair and miss.pair[0] > 1:
        return f"exactly {several}, not several at once"
    return f"exactly {several}"


# --- the schema's facts as data ---------------------------------------------

_LIMITED = frozenset(
    {
        "maximum",
        "exclusiveMaximum",
        "minimum",
        "exclusiveMinimum",
        "maxLength",
        "minLength",
        "x-maxBytes",
        "maxItems",
        "minItems",
        "maxProperties",
        "minProperties",
        "minContains",
        "maxContains",
    }
)


def params_of(miss: Miss) -> dict[str, Any]:
    """
    The schema's facts under the names that ajv uses, each within 240 characters.
    """
    value: Any = miss.value
    if miss.keyword in MISSING and miss.names:
        return {"missingProperty": bounded(miss.names[0], SENTENCE)}
    if is_forbidden(miss):
        return {}
    params: dict[str, Any] = {}
    if miss.keyword in _LIMITED:
        params = {"limit": value}
    elif miss.keyword == "enum":
        params = {"allowedValues": _few(value)}
    elif miss.keyword == "const":
        params = {"allowedValue": value}
    elif miss.keyword == "contains":
        params = {"minContains": 1}
    elif miss.keyword in ("type", "multipleOf"):
        params = {miss.keyword: value}
    elif miss.keyword in ("pattern", "format"):
        params = {miss.keyword: bounded(value, SENTENCE)}
    elif miss.keyword == "uniqueItems" and miss.pair:
        params = {"i": miss.pair[1], "j": miss.pair[0]}
    text = canonical(params)
    # A copy: what a verdict hands out may be changed, what the schema says may not.
    return json.loads(text) if len(text) <= 2 * SENTENCE else {}


def _few(values: list[Any]) -> list[Any]:
    """The first values of a list, as many as 240 characters of JSON hold."""
    few: list[Any] = []
    for value in values:
        if len(canonical([*few, value])) > SENTENCE:
            break
        few.append(value)
    return few
