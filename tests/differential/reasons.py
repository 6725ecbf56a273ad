"""
Why another implementation may answer otherwise; whatever has no reason here is a fault.

A reason is a fact about one peer, told from the schema and the arguments alone, and
as narrow as it can be said: the table in ``docs/held-by.md`` has a row for each.
"""

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests.suites.apply import admitted
from weighbridge.multiples import is_multiple


@dataclass(frozen=True, slots=True)
class Disagreement:
    """
    One call that a peer answers otherwise.
    """

    peer: str
    schema: Any
    text: str

    #: Keywords that ours refuses it by; empty when ours admits it.
    ours: list[str]

    #: What the peer says; a text is what it raised.
    theirs: bool | str


def reason(found: Disagreement) -> str | None:
    """
    The reason of a disagreement, or None.
    """
    for name, (peers, holds) in REASONS.items():
        if found.peer in peers and holds(found):
            return name
    return None


def _inner(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from _inner(one)
    elif isinstance(value, list):
        for one in value:
            yield from _inner(one)


def _numbers(value: Any) -> Iterator[float]:
    return (
        one for one in _inner(value) if isinstance(one, int | float) and not isinstance(one, bool)
    )


def _said(schema: Any, keyword: str) -> Iterator[Any]:
    return (one[keyword] for one in _inner(schema) if isinstance(one, dict) and keyword in one)


def _agrees(found: Disagreement, schema: Any, arguments: Any) -> bool:
    """Whether ours says of that schema and those arguments what the peer said."""
    tools = [{"name": "t", "inputSchema": schema}]
    asked = {"tools": tools, "calls": [["t", json.dumps(arguments)]]}
    (refused_by,) = json.loads(admitted(json.dumps(asked)))
    return found.theirs is (not refused_by)


def _annotates(found: Disagreement) -> bool:
    """
    With ``format`` left out of the schema, ours says the same.
    """
    changed = _without(found.schema, _formats)
    return changed != found.schema and _agrees(found, changed, json.loads(found.text))


def _without(value: Any, drops: Callable[[dict[str, Any]], set[str]]) -> Any:
    """A copy in which each object has lost the keys that ``drops`` names."""
    if isinstance(value, dict):
        dropped = drops(value)
        return {key: _without(one, drops) for key, one in value.items() if key not in dropped}
    if isinstance(value, list):
        return [_without(one, drops) for one in value]
    return value


def _formats(schema: dict[str, Any]) -> set[str]:
    # A property that is called so holds a schema, not a name.
    return {"format"} if isinstance(schema.get("format"), str) else set()


def _contained(found: Disagreement) -> bool:
    """
    With ``unevaluatedItems`` left out, or with ``contains``, ours says the same.
    """
    if not any(True for _ in _said(found.schema, "contains")):
        return False
    arguments = json.loads(found.text)
    return any(
        _agrees(found, changed, arguments)
        for keyword in ("unevaluatedItems", "contains")
        if (changed := _without(found.schema, lambda _, one=keyword: {one})) != found.schema
    )


def _lonely_if(found: Disagreement) -> bool:
    """
    With every ``if`` left out that has neither ``then`` nor ``else``, ours says the same.
    """
    changed = _without(found.schema, lambda one: set() if {"then", "else"} & {*one} else {"if"})
    return changed != found.schema and _agrees(found, changed, json.loads(found.text))


def _empty_contained(found: Disagreement) -> bool:
    """
    With every ``contains`` left out that stands beside ``prefixItems``, ours says the same.
    """
    if [] not in list(_inner(json.loads(found.text))):
        return False
    changed = _without(found.schema, lambda one: {"contains"} if "prefixItems" in one else set())
    return changed != found.schema and _agrees(found, changed, json.loads(found.text))


def _multiples(found: Disagreement) -> Iterator[tuple[float, float, bool]]:
    steps = [
        step
        for step in _said(found.schema, "multipleOf")
        if isinstance(step, int | float) and not isinstance(step, bool) and step > 0
    ]
    for number in _numbers(json.loads(found.text)):
        for step in steps:
            yield number, step, is_multiple(number, step)


def _by_quotient(found: Disagreement) -> bool:
    """
    Plain jsonschema divides where the step is a float and looks whether the quotient is whole.
    """

    def answer(number: float, step: float) -> bool | None:
        if not isinstance(step, float):
            return not number % step
        try:
            quotient = number / step
            return int(quotient) == quotient
        except OverflowError:
            return None

    return any(answer(number, step) is not exact for number, step, exact in _multiples(found))


def _by_doubles(found: Disagreement) -> bool:
    """
    The decision of jsonschema-rs is made on the doubles themselves, not on their shortest decimals.
    """
    return any(
        (Fraction(number) % Fraction(step) == 0) is not exact
        for number, step, exact in _multiples(found)
    )


def _by_parse_int(found: Disagreement) -> bool:
    """
    The quotient of two doubles is compared by ajv with what ``parseInt`` reads of its text.
    """

    def answer(number: float, step: float) -> bool:
        quotient = float(number) / float(step)
        if not math.isfinite(quotient):
            return False
        if abs(quotient) >= 1e21 or 0 < abs(quotient) < 1e-6:
            # Written with an exponent, of which parseInt reads the first digits alone.
            return int(repr(quotient).partition("e")[0].partition(".")[0]) == quotient
        return int(quotient) == quotient

    return any(answer(number, step) is not exact for number, step, exact in _multiples(found))


def _no_double(found: Disagreement) -> bool:
    """
    With every integer read as JavaScript reads it, ours says the same.
    """
    schema, arguments = _as_doubles(found.schema), _as_doubles(json.loads(found.text))
    return _agrees(found, schema, arguments)


def _as_doubles(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _as_doubles(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_as_doubles(one) for one in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return int(float(value))
    return value


def _newline(found: Disagreement) -> bool:
    """
    Python's ``$`` also matches before a last newline.
    """
    ends = any(
        isinstance(one, str) and one.endswith("\n") for one in _inner(json.loads(found.text))
    )
    return ends and any("$" in one for one in _patterns(found.schema))


def _patterns(schema: Any) -> Iterator[str]:
    for one in _said(schema, "pattern"):
        if isinstance(one, str):
            yield one
    for one in _said(schema, "patternProperties"):
        if isinstance(one, dict):
            yield from one


def _classes(found: Disagreement) -> bool:
    """
    Python's classes and word edges are those of Unicode, and its ``.`` is all but a
    newline; of these jsonschema-rs shares the word edge.
    """
    marks = ("\\b",) if found.peer == "jsonschema-rs" else (*_CLASSES, ".")
    beyond = any(
        isinstance(one, str) and any(char > "\x7f" or "\x1c" <= char <= "\x1f" for char in one)
        for one in _inner(json.loads(found.text))
    )
    return beyond and any(mark in one for one in _patterns(found.schema) for mark in marks)


_CLASSES = ("\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\b")

Holds = Callable[[Disagreement], bool]

#: Reason to the peers it is about and whether it holds of a disagreement.
REASONS: dict[str, tuple[tuple[str, ...], Holds]] = {
    "formats are annotations there": (("jsonschema", "ajv"), _annotates),
    "integers that are no doubles": (("ajv",), _no_double),
    "multiples by a float quotient": (("jsonschema",), _by_quotient),
    "multiples of binary doubles": (("jsonschema-rs",), _by_doubles),
    "multiples through parseInt": (("ajv",), _by_parse_int),
    "an empty array beside prefixItems": (("ajv",), _empty_contained),
    "if without then and else": (("ajv",), _lonely_if),
    "what contains evaluates": (("ajv",), _contained),
    "the end before a newline": (("jsonschema",), _newline),
    "classes of Unicode": (("jsonschema", "jsonschema-rs"), _classes),
}
