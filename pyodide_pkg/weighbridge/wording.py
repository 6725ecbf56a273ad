"""
What a finding says: the place, what was expected, what type came, the remedy.

The words are ours alone and depend on the schema and on types, never on a
value.  Every sentence is bounded before it is joined to another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from weighbridge.canonical import canonical
from weighbridge.characters import fragment
from weighbridge.dialects import token
from weighbridge.errors import bounded
from weighbridge.evaluation import Miss
from weighbridge.formats import FORMATS
from weighbridge.limits import POINTER, SENTENCE, Limits
from weighbridge.nearest import Budget, nearest
from weighbridge.node import type_of
from weighbridge.refusal import Finding
from weighbridge.text import Parsed, deepest, loads

#: Characters of a place, and of one schema value, within a sentence.
PLACE = 72
QUOTED = 60

#: Characters of a string that is looked into for the JSON it may hold, and the
#: brackets that may stand open in it.
LOOKED_INTO = 65_536
LOOKED_DEPTH = 32

#: Findings about names at an object rather than about a value.
UNKNOWN = frozenset({"additionalProperties", "unevaluatedProperties"})
MISSING = frozenset({"required", "dependentRequired", "dependencies"})

_ARTICLES = {
    "array": "an array",
    "boolean": "a boolean",
    "integer": "an integer",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}


def finding(miss: Miss, limits: Limits, budget: Budget) -> Finding:
    """
    Word one miss; its size is bounded whatever the call or the schema holds.
    """
    pointer, exact = pointer_to(miss.tokens)
    suggestion = _suggestion(miss, budget)
    expected = bounded(_expected(miss), SENTENCE)
    names = tuple(fragment(name, limits.fragment) for name in miss.names)
    return Finding(
        pointer=pointer,
        exact=exact,
        keyword=miss.keyword,
        schema_pointer=_schema_pointer(miss.schema_pointer),
        expected=expected,
        params=_params(miss),
        received=type_of(miss.instance),
        names=names,
        omitted=miss.omitted,
        suggestion=suggestion,
        message=_message(miss, pointer, expected, suggestion, limits),
    )


def pointer_to(tokens: Iterable[str | int]) -> tuple[str, bool]:
    """
    A JSON Pointer of at most 800 characters, and whether it is complete.
    """
    pointer = ""
    for step in tokens:
        longer = f"{pointer}/{token(str(step))}"
        if len(longer) > POINTER:
            return pointer, False
        pointer = longer
    return pointer, True


def _schema_pointer(pointer: str) -> str:
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
    return " or ".join(_ARTICLES[kind] for kind in kinds)


def _one_of(values: list[Any], room: int = SENTENCE) -> str:
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
    "enum": _one_of,
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


def _expected(miss: Miss) -> str:
    if miss.keyword in UNKNOWN and miss.names:
        allowed = list(miss.allowed)
        return f"only the names {listing(allowed, 180)}" if allowed else "no names at all"
    if miss.keyword in MISSING and miss.names:
        noun = "name" if len(miss.names) == 1 else "names"
        return f"the {noun} {listing(list(miss.names), 200)}"
    if miss.value is False:
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


def _params(miss: Miss) -> dict[str, Any]:
    """
    The schema's facts under the names that ajv uses, each within 240 characters.
    """
    value: Any = miss.value
    if miss.keyword in MISSING and miss.names:
        return {"missingProperty": bounded(miss.names[0], SENTENCE)}
    if value is False:
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
    return params if len(canonical(params)) <= 2 * SENTENCE else {}


def _few(values: list[Any]) -> list[Any]:
    """The first values of a list, as many as 240 characters of JSON hold."""
    few: list[Any] = []
    for value in values:
        if len(canonical([*few, value])) > SENTENCE:
            break
        few.append(value)
    return few


# --- one sentence -----------------------------------------------------------


def _suggestion(miss: Miss, budget: Budget) -> str | None:
    if miss.keyword in UNKNOWN:
        for name in miss.names:
            found = nearest(name, miss.allowed, budget)
            if found is not None:
                return bounded(found, SENTENCE)
    if miss.keyword in ("enum", "const") and isinstance(miss.instance, str):
        values: Any = miss.value if miss.keyword == "enum" else [miss.value]
        allowed = [value for value in values if isinstance(value, str)]
        found = nearest(miss.instance, allowed, budget)
        return None if found is None else bounded(found, SENTENCE)
    return None


def _message(
    miss: Miss, pointer: str, expected: str, suggestion: str | None, limits: Limits
) -> str:
    place = place_of(pointer)
    remedy = _remedy(miss, suggestion)
    if miss.keyword in UNKNOWN and miss.names:
        shown = _shown(miss, limits, SENTENCE - len(place) - len(remedy) - 24)
        noun = "name" if len(miss.names) + miss.omitted == 1 else "names"
        head = f"{place}: unknown {noun} {shown}. "
    elif miss.keyword == "propertyNames" and miss.names:
        shown = _shown(miss, limits, SENTENCE - len(place) - len(remedy) - 60)
        head = f"{place}: names that the schema of propertyNames refuses: {shown}. "
    elif miss.keyword in MISSING and miss.names:
        came = " is missing. " if len(miss.names) == 1 else " are missing. "
        room = SENTENCE - len(place) - len(remedy) - len(came) - 2
        head = f"{place}: {bounded(expected, room)}{came}"
    else:
        came = f"; {_came(miss)} came. "
        room = SENTENCE - len(place) - len(remedy) - len(came) - 11
        if miss.keyword == "enum" and len(expected) > room:
            values: Any = miss.value
            expected = _one_of(values, room)
        head = f"{place}: expected {bounded(expected, room)}{came}"
    return bounded(head + remedy, SENTENCE).rstrip()


def _came(miss: Miss) -> str:
    """What came, by its type and by the side of the bound that it fell on."""
    came = type_of(miss.instance)
    if miss.keyword == "type" and came == "number" and "integer" in str(miss.value):
        return "a number with a fraction"
    side = _SIDES.get(miss.keyword)
    if side is None or miss.value is False or came == "null":
        return _ARTICLES[came]
    return f"{side} {came}"


def _shown(miss: Miss, limits: Limits, room: int) -> str:
    total = len(miss.names) + miss.omitted
    shown: list[str] = []
    for name in miss.names:
        piece = quoted(name, min(limits.fragment, max(room - 12, 40)))
        left = total - len(shown)
        if shown and len(", ".join([*shown, piece])) + len(f" and {left} more") > room:
            break
        shown.append(piece)
    left = total - len(shown)
    return ", ".join(shown) + (f" and {left} more" if left else "")


def _remedy(miss: Miss, suggestion: str | None) -> str:
    if suggestion is not None:
        return f"Did you mean {quoted(suggestion)}?"
    if miss.keyword in UNKNOWN and miss.names:
        return _allowed(miss)
    if miss.keyword == "type":
        return _type_remedy(miss)
    if miss.keyword == "uniqueItems" and miss.pair:
        return f"Items {miss.pair[0]} and {miss.pair[1]} are equal: drop one."
    if miss.value is False:
        return "Leave it out."
    return _REMEDIES.get(miss.keyword, "")


def _allowed(miss: Miss) -> str:
    if not miss.allowed:
        return "None is allowed: leave it out."
    return f"Leave it out, or use one of {listing(list(miss.allowed), 90)}."


def _type_remedy(miss: Miss) -> str:
    kinds = {miss.value} if isinstance(miss.value, str) else set(miss.value)  # type: ignore[call-overload]
    came = type_of(miss.instance)
    if came == "string":
        held = _held(miss.instance) if kinds & {"array", "object"} else None
        if held in kinds:
            return f"The string holds JSON: send {_ARTICLES[str(held)]} itself, not its text."
        if kinds & {"integer", "number", "boolean"}:
            return "Send it without quotation marks."
    if came == "null":
        return "null is a value of its own: send another, or leave the name out if it is optional."
    if came == "number" and "integer" in kinds:
        return "Send a whole number."
    if came in ("number", "boolean") and "string" in kinds:
        return "Send it as text, in quotation marks."
    return ""


def _held(instance: Any) -> str | None:
    """The type of the JSON that a string holds, if it holds an array or object."""
    text: str = instance
    if len(text) > LOOKED_INTO or text.strip()[:1] not in ("{", "["):
        return None
    if deepest(text) > LOOKED_DEPTH:
        return None
    parsed = loads(text)
    return type_of(parsed.value) if isinstance(parsed, Parsed) else None


_SIDES = {
    "const": "another",
    "enum": "another",
    "exclusiveMaximum": "a larger or equal",
    "exclusiveMinimum": "a smaller or equal",
    "format": "another",
    "maxItems": "a longer",
    "maxLength": "a longer",
    "maximum": "a larger",
    "minItems": "a shorter",
    "minLength": "a shorter",
    "minimum": "a smaller",
    "multipleOf": "another",
    "pattern": "another",
    "x-maxBytes": "a longer",
}

_REMEDIES = {
    "maxLength": "Shorten it.",
    "minLength": "Give more text, or leave the name out if it is optional.",
    "x-maxBytes": "Shorten it: characters outside ASCII take several bytes each.",
    "maxItems": "Send fewer items.",
    "minItems": "Send more items.",
    "required": "Add what is missing.",
    "dependentRequired": "Add what is missing.",
    "dependencies": "Add what is missing.",
    "maxProperties": "Send fewer names.",
    "propertyNames": "Rename or drop them.",
    "enum": "Use one of these spellings exactly.",
    "const": "Send exactly that value.",
    "oneOf": "Send a value that fits one form only.",
}
