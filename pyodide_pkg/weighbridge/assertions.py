"""
What each assertion means: a keyword that looks at the value itself.

jsonschema calls these functions with its own signature.  None of them renders
an instance, and each counts what its cost depends on before it spends it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jsonschema.exceptions import ValidationError

from weighbridge.characters import utf8_length
from weighbridge.equality import equal, first_pair, kind_of, size
from weighbridge.evaluation import CURRENT
from weighbridge.multiples import is_multiple
from weighbridge.multiples import steps as multiple_steps
from weighbridge.node import Node, type_of
from weighbridge.ready import Fact, Listed, Pattern

#: Code points that one step encodes, to count their bytes.
ENCODED_A_STEP = 256

Errors = Iterator[ValidationError]


def told(fact: Fact, instance: object, **more: Any) -> ValidationError:
    """The error of one keyword at the value that is judged now."""
    return CURRENT.get().miss(fact.keyword, fact.pointer, fact.value, instance, **more)


def found(expression: Pattern, text: str) -> bool:
    """Whether an expression is found in a text, its steps charged first."""
    CURRENT.get().spend(expression.steps(len(text)))
    return expression.search(text)


def _number(instance: object) -> bool:
    return type(instance) is int or type(instance) is float


# --- any type ---------------------------------------------------------------


def type_(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``type``: one of the named types; a float with no fraction is an integer."""
    if not is_of(instance, fact.ready):
        yield told(fact, instance)


def is_of(instance: Any, allowed: frozenset[str]) -> bool:
    """Whether a value is of one of the types that ``type`` may name."""
    came = type_of(instance)
    if came in allowed:
        return True
    whole = came == "number" and (type(instance) is int or instance.is_integer())
    return whole and "integer" in allowed


def enum(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``enum``: equal to one of the values."""
    if not _is_among(fact.ready, instance):
        yield told(fact, instance)


def const(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``const``: equal to the value."""
    if not _is_among(fact.ready, instance):
        yield told(fact, instance)


def _is_among(listed: Listed, instance: object) -> bool:
    spend = CURRENT.get().spend
    kind = kind_of(instance)
    spend(size(instance))
    if kind != "container":
        return (kind, instance) in listed.leaves
    return any(equal(value, instance, spend) for value in listed.containers)


# --- numbers ----------------------------------------------------------------


def multiple_of(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``multipleOf``: a whole multiple, decided on shortest decimals."""
    if _number(instance):
        CURRENT.get().spend(multiple_steps(instance, fact.value))
        if not is_multiple(instance, fact.value):
            yield told(fact, instance)


def maximum(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``maximum``: at most the value."""
    if _number(instance) and instance > fact.value:
        yield told(fact, instance)


def exclusive_maximum(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``exclusiveMaximum``: below the value."""
    if _number(instance) and instance >= fact.value:
        yield told(fact, instance)


def minimum(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``minimum``: at least the value."""
    if _number(instance) and instance < fact.value:
        yield told(fact, instance)


def exclusive_minimum(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``exclusiveMinimum``: above the value."""
    if _number(instance) and instance <= fact.value:
        yield told(fact, instance)


# --- strings ----------------------------------------------------------------


def max_length(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``maxLength``: at most so many code points."""
    if type(instance) is str and len(instance) > fact.value:
        yield told(fact, instance)


def min_length(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``minLength``: at least so many code points."""
    if type(instance) is str and len(instance) < fact.value:
        yield told(fact, instance)


def max_bytes(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``x-maxBytes``: at most so many bytes of UTF-8; our own vocabulary."""
    if type(instance) is not str:
        return
    # Four bytes a code point at the most: short text needs no measuring.
    if 4 * len(instance) > fact.value:
        CURRENT.get().spend(len(instance) // ENCODED_A_STEP + 1)
        if utf8_length(instance) > fact.value:
            yield told(fact, instance)


def pattern(_validator: Any, fact: Fact, instance: Any, node: Node) -> Errors:
    """``pattern``: the ECMA-262 expression is found somewhere in the string."""
    if type(instance) is not str or _too_long(instance, node):
        return
    if not found(fact.ready, instance):
        yield told(fact, instance)


def format_(_validator: Any, fact: Fact, instance: Any, node: Node) -> Errors:
    """``format``: asserted, by the package's own grammars."""
    if type(instance) is not str or _too_long(instance, node):
        return
    CURRENT.get().spend(fact.ready.steps(len(instance)))
    if not fact.ready.conforms(instance):
        yield told(fact, instance)


def _too_long(instance: str, node: Node) -> bool:
    return node.max_length is not None and len(instance) > node.max_length


# --- arrays and objects ------------------------------------------------------


def max_items(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``maxItems``: at most so many items."""
    if type(instance) is list and len(instance) > fact.value:
        yield told(fact, instance)


def min_items(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``minItems``: at least so many items."""
    if type(instance) is list and len(instance) < fact.value:
        yield told(fact, instance)


def unique_items(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``uniqueItems``: no two items are equal."""
    if not fact.value or type(instance) is not list:
        return
    pair = first_pair(instance, CURRENT.get().spend)
    if pair is not None:
        yield told(fact, instance, pair=pair)


def max_properties(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``maxProperties``: at most so many names."""
    if type(instance) is dict and len(instance) > fact.value:
        yield told(fact, instance)


def min_properties(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``minProperties``: at least so many names."""
    if type(instance) is dict and len(instance) < fact.value:
        yield told(fact, instance)


def required(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``required``: every name is there; one finding for all that are not."""
    if type(instance) is not dict:
        return
    missing = [name for name in fact.ready if name not in instance]
    if missing:
        yield told(fact, instance, names=tuple(missing))


def dependent_required(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``dependentRequired``: names that another name brings with it."""
    if type(instance) is not dict:
        return
    missing = {
        name
        for trigger, names in fact.ready
        if trigger in instance
        for name in names
        if name not in instance
    }
    if missing:
        yield told(fact, instance, names=tuple(sorted(missing)))
