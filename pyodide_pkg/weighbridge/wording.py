"""
What a finding says: the place, what was expected, what type came, the remedy.

The words are ours alone and depend on the schema and on types, never on a
value.  Every sentence is bounded before it is joined to another.
"""

from __future__ import annotations

from typing import Any

from weighbridge.characters import fragment
from weighbridge.errors import bounded
from weighbridge.evaluation import Miss
from weighbridge.expected import (
    ARTICLES,
    MISSING,
    UNKNOWN,
    expected_of,
    is_forbidden,
    listing,
    one_of,
    params_of,
    place_of,
    pointer_to,
    quoted,
    schema_pointer_of,
)
from weighbridge.limits import SENTENCE, Limits
from weighbridge.nearest import Budget, nearest
from weighbridge.node import type_of
from weighbridge.refusal import Finding
from weighbridge.text import Parsed, loads, nested_past

#: Characters of a string that is looked into for the JSON it may hold, and the
#: brackets that may stand open in it.
LOOKED_INTO = 65_536
LOOKED_DEPTH = 32


def finding(miss: Miss, limits: Limits, budget: Budget) -> Finding:
    """
    Word one miss; its size is bounded whatever the call or the schema holds.
    """
    pointer, exact = pointer_to(miss.tokens)
    suggestion = _suggestion(miss, budget)
    expected = bounded(expected_of(miss), SENTENCE)
    names = tuple(fragment(name, limits.fragment) for name in miss.names)
    return Finding(
        pointer=pointer,
        exact=exact,
        keyword=miss.keyword,
        schema_pointer=schema_pointer_of(miss.schema_pointer),
        expected=expected,
        params=params_of(miss),
        received=type_of(miss.instance),
        names=names,
        omitted=miss.omitted,
        suggestion=suggestion,
        message=_message(miss, pointer, expected, suggestion, limits),
    )


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
            expected = one_of(values, room)
        head = f"{place}: expected {bounded(expected, room)}{came}"
    return bounded(head + remedy, SENTENCE).rstrip()


def _came(miss: Miss) -> str:
    """What came, by its type and by the side of the bound that it fell on."""
    came = type_of(miss.instance)
    if miss.keyword == "type" and came == "number" and "integer" in str(miss.value):
        return "a number with a fraction"
    side = _SIDES.get(miss.keyword)
    if side is None or is_forbidden(miss) or came == "null":
        return ARTICLES[came]
    values: Any = miss.value if miss.keyword == "enum" else [miss.value]
    if miss.keyword in ("enum", "const") and came not in map(type_of, values):
        return ARTICLES[came]
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
    if is_forbidden(miss):
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
            return f"The string holds JSON: send {ARTICLES[str(held)]} itself, not its text."
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
    if nested_past(text, LOOKED_DEPTH):
        return None
    parsed = loads(text, locate=False)
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
