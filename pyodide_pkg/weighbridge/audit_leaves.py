"""
The largest strings and numbers that a set of schemas admits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil, floor
from typing import Any

from weighbridge import audit_shapes as shapes
from weighbridge.audit_shapes import BEYOND, Together
from weighbridge.audit_strings import FORMATS, TEXTS, Language, cost_of, costs, most
from weighbridge.audit_values import MEASURES, Most, Sizes, cost, largest, unbounded

#: Distinct texts of one character that are worst in every measure.
WORST = 27

#: Characters of a text that a pattern is tried on.
SAMPLE = 10_000

#: The longest float without its sign; ECMAScript writes small ones a digit longer.
LONG_FLOAT = {"rendered": 23, "escaped": 24, "raw": 24}
_FLOATS = (2.2250738585072014e-308, 1.7976931348623157e308, 1.2345678901234567e-06)

#: Whole floats up to here are written with all their digits, and ``.0``.
_PLAIN = 10**16


def leaf(length: int) -> Sizes:
    """What a leaf of so many characters costs."""
    return {measure: Most(1 if measure in ("nesting", "nodes") else length) for measure in MEASURES}


def string(nodes: Together, place: str) -> Sizes | None:
    """The most that a string costs; None if no string meets them all."""
    text = shapes.text_of(nodes)
    least = max((fact.value for fact in shapes.said(nodes, "minLength")), default=0)
    if text.count is not None and least > text.count:
        return None
    found = text_sizes(text, unbounded(place, "maxLength"), exact=True)
    checks = [fact.ready.search for fact in shapes.said(nodes, "pattern")]
    checks += [fact.ready.conforms for fact in shapes.said(nodes, "format")]
    if not checks:
        return found
    known = [FORMATS.get(fact.value, Language()) for fact in shapes.said(nodes, "format")]
    samples = [one.sample for one in known if one.sample]
    for measure in TEXTS:
        value = found[measure].value
        if value is not None:
            marks = 0 if measure == "rendered" else 2
            exact = any(
                all(check(sample) for check in checks) and cost_of(sample, measure) + marks == value
                for sample in (*samples, *_spelt(text, measure))
            )
            found[measure] = Most(value, exact)
    return found


def text_sizes(text: shapes.Text, end: Most, *, exact: bool) -> Sizes:
    """The most that a string costs, marks included where a text has them."""
    found: Sizes = {"nesting": Most(1), "nodes": Most(1)}
    for measure in TEXTS:
        if text.count is None:
            found[measure] = end
            continue
        each = costs(text.letters, measure)
        split = most({size: one.each for size, one in each.items()}, text.count, text.size)
        total = sum(each[size].each * many for size, many in split.items())
        sure = all(cost_of(each[size].letter, measure) == each[size].each for size in split)
        found[measure] = Most(total + (0 if measure == "rendered" else 2), exact and sure)
    return found


def _spelt(text: shapes.Text, measure: str) -> Iterator[str]:
    """Strings that cost the most, were no pattern asked."""
    each = costs(text.letters, measure)
    split = most({size: one.each for size, one in each.items()}, text.count or 0, text.size)
    if (text.count or 0) > SAMPLE:
        return
    yield "".join(each[size].letter * many for size, many in split.items())
    if list(split) == [1]:
        for point in range(128):
            yield chr(point) * split[1]


def number(nodes: Together) -> Sizes | None:
    """The most that a number costs; None if no number meets them all."""
    first, last = -BEYOND + 1, BEYOND - 1
    for fact in shapes.said(nodes, "minimum"):
        first = max(first, ceil(fact.value))
    for fact in shapes.said(nodes, "exclusiveMinimum"):
        first = max(first, floor(fact.value) + 1)
    for fact in shapes.said(nodes, "maximum"):
        last = min(last, floor(fact.value))
    for fact in shapes.said(nodes, "exclusiveMaximum"):
        last = min(last, ceil(fact.value) - 1)
    whole = any(
        "integer" in fact.ready and "number" not in fact.ready
        for fact in shapes.said(nodes, "type")
    )
    if first > last:
        return None if whole or _contradict(nodes) else _floats(nodes, whole=False)
    ends: list[float] = [first, last]
    if whole and max(abs(first), abs(last)) < _PLAIN:
        ends += [float(first), float(last), *([-0.0] if first <= 0 <= last else [])]
        return largest([of_value(one) for one in ends])
    return largest([*map(of_value, ends), _floats(nodes, whole=whole)])


def _contradict(nodes: Together) -> bool:
    """Whether no number at all is between the bounds."""
    return any(
        low.value > high.value or (low.value == high.value and "exclusive" in word + other)
        for word in ("minimum", "exclusiveMinimum")
        for other in ("maximum", "exclusiveMaximum")
        for low in shapes.said(nodes, word)
        for high in shapes.said(nodes, other)
    )


def of_value(value: Any) -> Sizes:
    """What one value costs, by each measure."""
    return {measure: Most(cost(value, measure)) for measure in MEASURES}


def _floats(nodes: Together, *, whole: bool) -> Sizes:
    """The longest floats: exact if one of the greatest length is between the bounds."""
    held = [
        one
        for number in _FLOATS
        for one in (-number, number)
        if (not whole or one.is_integer())
        and all(_meets(fact, one) for word in _COMPARED for fact in shapes.said(nodes, word))
    ]
    lowest = [
        fact.value for word in ("minimum", "exclusiveMinimum") for fact in shapes.said(nodes, word)
    ]
    signed = int(max(lowest, default=-1) < 0)
    found = leaf(0)
    for measure, length in LONG_FLOAT.items():
        exact = any(cost(one, measure) == length + signed for one in held)
        found[measure] = Most(length + signed, exact)
    return found


_COMPARED: dict[str, Callable[[float, float], bool]] = {
    "minimum": lambda one, bound: one >= bound,
    "exclusiveMinimum": lambda one, bound: one > bound,
    "maximum": lambda one, bound: one <= bound,
    "exclusiveMaximum": lambda one, bound: one < bound,
}


def _meets(fact: Any, number: float) -> bool:
    return _COMPARED[fact.keyword](number, fact.value)
