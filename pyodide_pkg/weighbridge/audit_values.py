"""
Sums of the most that parts can be, and what one value that is listed comes to.

Each measure is taken by itself: the value with the most nodes need not be the
one with the longest text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from weighbridge.audit_strings import TEXTS, cost_of
from weighbridge.charge import charge_of_leaf
from weighbridge.node import type_of

#: What is measured; the two texts of JSON are told as one, the longer.
MEASURES = ("nesting", "nodes", *TEXTS)

#: Measures that marks and spaces between parts do not count in.
_BARE = ("nodes", "rendered")

#: More than any leaf is charged.
_ANY = 1 << 40


@dataclass(frozen=True, slots=True)
class Most:
    """
    The most of one measure that is admitted.
    """

    #: None for no bound.
    value: int | None

    #: Whether some admitted value has exactly so much; else none has more.
    exact: bool = True

    #: Where there is no bound, as a JSON Pointer into the published form.
    place: str = ""

    #: What would set one there, such as ``maxLength``.
    missing: str = ""


Sizes = dict[str, Most]


def unbounded(place: str, missing: str) -> Most:
    """No bound, because of what is missing at a place."""
    return Most(None, False, place, missing)  # noqa: FBT003


def cost(value: Any, measure: str) -> int:
    """What one value costs at most, by one measure, however its numbers are written."""
    kind = type_of(value)
    if kind in ("object", "array"):
        inside = value.items() if kind == "object" else value
        parts = [
            Most(cost(one[0], measure) + cost(one[1], measure) + (0 if measure in _BARE else 2))
            if measure != "nesting" and kind == "object"
            else Most(cost(one[1] if kind == "object" else one, measure))
            for one in inside
        ]
        got = collected(measure, parts, None, 0, exact=True, end=Most(0)).value
        return got or 0
    if measure in ("nesting", "nodes"):
        return 1
    if kind == "string":
        return cost_of(value, measure) + (0 if measure == "rendered" else 2)
    if kind == "number":
        return max(_of_number(one, measure) for one in _spellings(value))
    return charge_of_leaf(value, _ANY)


def _spellings(number: Any) -> Iterator[Any]:
    """The numbers that are equal to one."""
    yield number
    if isinstance(number, float):
        if number.is_integer():
            yield int(number)
    else:
        try:
            other = float(number)
        except OverflowError:
            return
        if other == number:
            yield other
    if number == 0:
        yield -0.0


def _of_number(number: Any, measure: str) -> int:
    if measure == "rendered":
        return charge_of_leaf(number, _ANY)
    if isinstance(number, int):
        # Python spells no integer past its own limit, which a process may lower.
        digits: int = number.bit_length() * 30103 // 100000
        digits += abs(number) >= 10**digits
        return max(digits, 1) + (number < 0)
    return max(len(repr(number)), len(_positional(number)))


def _positional(number: float) -> str:
    """A float as ECMAScript writes it where that is longer than Python's own."""
    if not 1e-6 <= abs(number) < 1e-4:  # noqa: PLR2004 - where only ECMAScript uses no exponent
        return ""
    digits, _, exponent = repr(number).partition("e")
    whole = digits.lstrip("-").replace(".", "")
    zeros = -int(exponent or 0) - 1
    return "-" * (number < 0) + "0." + "0" * zeros + whole


def pair(key: Sizes, value: Sizes) -> Sizes:
    """What a name and its value cost together."""
    found = {}
    for measure in MEASURES:
        one, other = key[measure], value[measure]
        if measure == "nesting":
            found[measure] = other
        else:
            found[measure] = _sum([one, other], 0 if measure in _BARE else 2)
    return found


def _sum(parts: list[Most], more: int = 0, *, exact: bool = True) -> Most:
    for one in parts:
        if one.value is None:
            return one
    total = sum(one.value or 0 for one in parts)
    return Most(total + more, exact and all(one.exact for one in parts))


def collected(  # noqa: PLR0913 - what a container of one measure is made of
    measure: str,
    parts: list[Most],
    rest: Most | None,
    many: int | None,
    *,
    exact: bool,
    end: Most,
) -> Most:
    """
    One measure of a container: of its parts, and ``many`` more, or without end.
    """
    more = [] if rest is None or many == 0 else [rest]
    if measure == "nesting":
        deepest = max(
            [*parts, *more],
            key=lambda one: (one.value is None, one.value or 0, one.exact),
            default=None,
        )
        if deepest is None:
            return Most(1)
        return _sum([deepest], 1, exact=exact)
    if more and many is None:
        return more[0] if more[0].value is None else end
    whole = [*parts]
    count = len(parts)
    if more and rest is not None and many:
        repeated = rest if rest.value is None else Most(rest.value * many, rest.exact)
        whole.append(repeated)
        count += many
    around = 0
    if measure == "nodes":
        around = 1
    elif measure != "rendered":
        around = 2 + 2 * max(count - 1, 0)
    return _sum(whole, around, exact=exact)


def largest(found: Sequence[Sizes | None], *, whole: bool = True) -> Sizes | None:
    """The largest of each measure over several kinds of values."""
    there = [one for one in found if one is not None]
    if not there:
        return None
    out: Sizes = {}
    for measure in MEASURES:
        best = max(
            (one[measure] for one in there),
            key=lambda most: (most.value is None, most.value or 0, most.exact),
        )
        out[measure] = best if whole else Most(best.value, False, best.place, best.missing)  # noqa: FBT003
    return out
