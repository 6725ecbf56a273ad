"""
Steps of the keywords that look at one leaf, or that only fail.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weighbridge.assertions import ENCODED_A_STEP
from weighbridge.audit_settings import Value
from weighbridge.equality import CHARACTERS_A_STEP, size
from weighbridge.limits import INTEGER_DIGITS
from weighbridge.multiples import steps as multiple_steps
from weighbridge.node import Node

#: Steps of hashing the longest integer there is.
LONG_INTEGER = size(10**INTEGER_DIGITS)

#: Keywords that take nothing but a failure.
FAILS_ONCE = frozenset(
    {
        "dependentRequired",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "required",
        "type",
    }
)


def _listed(fact: Any, _node: Node, value: Value) -> int:
    leaf = max(value.characters // CHARACTERS_A_STEP + 1, LONG_INTEGER)
    return leaf + sum(_compared(one) for one in fact.ready.containers)


def _compared(value: Any) -> int:
    """Steps of comparing a listed array or object with another."""
    steps = 0
    waiting = [value]
    while waiting:
        here = waiting.pop()
        steps += 2 + size(here)
        if isinstance(here, dict):
            waiting += here.values()
        elif isinstance(here, list):
            waiting += here
    return steps


def _multiple(fact: Any, _node: Node, _value: Value) -> int:
    numbers = (10**INTEGER_DIGITS, 5e-324, 1.7976931348623157e308)
    return max(multiple_steps(one, fact.value) for one in numbers)


def _bytes(fact: Any, _node: Node, value: Value) -> int:
    if 4 * value.characters <= fact.value:
        return 0
    return value.characters // ENCODED_A_STEP + 1


def _matched(fact: Any, node: Node, value: Value) -> int:
    longest = value.characters
    if node.max_length is not None:
        longest = min(longest, int(node.max_length))
    return int(fact.ready.steps(longest))


#: What each takes of its fact, its schema and the greatest value there.
OF_LEAVES: dict[str, Callable[[Any, Node, Value], int]] = {
    "const": _listed,
    "enum": _listed,
    "format": _matched,
    "multipleOf": _multiple,
    "pattern": _matched,
    "x-maxBytes": _bytes,
}
