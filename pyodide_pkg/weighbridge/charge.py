"""
What a call costs, before anyone believes a word of it.

Charging walks the arguments once, without recursion and without copying, and
stops at the first limit crossed: the price of a refusal is set by our limits,
never by the caller.  It goes level by level, so the answer does not depend on
the order of keys.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Final, Literal

from weighbridge.characters import charge_of_text, has_lone_surrogate
from weighbridge.limits import INTEGER_DIGITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weighbridge.limits import Limits

#: Why a value is not JSON: of another type than JSON has, an object with a key
#: that is not a string, a lone surrogate in a key or in a value, a number that
#: is not finite, an integer of too many digits.
Fault = Literal["type", "key", "surrogate-key", "surrogate", "number", "digits"]

_TOO_LONG: Final = 10**INTEGER_DIGITS
# Any integer of fewer bits is below 10**4300: no comparison needed.
_SURELY_SHORT: Final = _TOO_LONG.bit_length() - 1


@dataclass(frozen=True, slots=True)
class Charge:
    """
    What arguments cost, exactly, when the whole of them was walked.
    """

    #: Levels; ``{}`` is 1.
    nesting: int

    #: Keys, values and elements, the arguments object included.
    nodes: int

    #: Characters that ``repr`` would render of keys and leaves, quotes excluded.
    rendered: int


@dataclass(frozen=True, slots=True)
class Passed:
    """
    A limit that the arguments pass, by its name in ``Limits``.
    """

    limit: str


@dataclass(frozen=True, slots=True)
class NotJson:
    """
    A value that no strict JSON text can spell.
    """

    fault: Fault

    #: Where it lies: keys and indices from the root, as the caller wrote them.
    #: For a key at fault, the place of the object that holds it.
    place: tuple[str | int, ...] = ()


def charge(arguments: object, limits: Limits) -> Charge | Passed | NotJson:
    """
    Charge ``arguments`` against ``limits``.

    Args:
        arguments: the parsed arguments, as they came.
        limits: the most that they may cost.

    Returns:
        The exact charge; or the first limit passed, at each level in the order
        nesting, nodes, rendered by length alone, not JSON, rendered exactly.
    """
    level: list[object] = [arguments]
    nesting = rendered = 0
    nodes = 1
    while True:
        nesting += 1
        if nesting > limits.nesting:
            return Passed("nesting")
        if nodes > limits.nodes:
            return Passed("nodes")
        texts = [item for item in level if type(item) is str]
        if rendered + sum(map(len, texts)) > limits.rendered:
            return Passed("rendered")
        if any(map(_fault_of, level)):
            return _located(arguments, nesting)
        for item in level:
            rendered += charge_of_leaf(item, limits.rendered - rendered)
            if rendered > limits.rendered:
                return Passed("rendered")
        children = sum(map(_children_of, level))
        if not children:
            return Charge(nesting, nodes, rendered)
        nodes += children
        if nesting < limits.nesting and nodes <= limits.nodes:
            level = _next(level)


def charge_of_leaf(leaf: object, budget: int) -> int:
    """
    Characters charged for one JSON value by itself; a container costs nothing.

    Exact up to ``budget`` characters, and past it where the true charge is.
    """
    kind = type(leaf)
    if kind is str:
        return charge_of_text(leaf, budget)  # type: ignore[arg-type]
    if kind is int:
        # At least the digits of it, from its size alone: spelling a long
        # integer takes quadratic time.
        bits: int = leaf.bit_length()  # type: ignore[attr-defined]
        return bits * 30103 // 100000 + 1 + (leaf < 0)  # type: ignore[operator]
    if kind is dict or kind is list:
        return 0
    return len(repr(leaf))


def _children_of(item: object) -> int:
    kind = type(item)
    if kind is dict:
        return 2 * len(item)  # type: ignore[arg-type]
    if kind is list:
        return len(item)  # type: ignore[arg-type]
    return 0


def _next(level: list[object]) -> list[object]:
    below: list[object] = []
    for item in level:
        kind = type(item)
        if kind is dict:
            below.extend(item)  # type: ignore[arg-type]
            below.extend(item.values())  # type: ignore[attr-defined]
        elif kind is list:
            below.extend(item)  # type: ignore[arg-type]
    return below


def _fault_of(item: object) -> Fault | None:
    """
    Why one item is not JSON by itself, its children left out.

    A key that is not a string is told at its object: keys and values share one
    level, where an integer could be either.
    """
    kind = type(item)
    if kind is str:
        return "surrogate" if has_lone_surrogate(item) else None  # type: ignore[arg-type]
    if kind is int:
        bits: int = item.bit_length()  # type: ignore[attr-defined]
        long = bits > _SURELY_SHORT and abs(item) >= _TOO_LONG  # type: ignore[arg-type]
        return "digits" if long else None
    if kind is float:
        return None if isfinite(item) else "number"  # type: ignore[arg-type]
    if kind is dict:
        keys: dict[object, object] = item  # type: ignore[assignment]
        return None if all(type(key) is str for key in keys) else "key"
    if kind is list or kind is bool or item is None:
        return None
    return "type"


def _located(arguments: object, nesting: int) -> NotJson:
    """
    The fault to tell at one level: the smallest place, never the first found.

    Only names of one object are compared with one another: two of many
    megabytes that begin alike may stand before every one of the values.
    """
    levels = [[_Stand(arguments, -1, 0)]]
    for _ in range(nesting - 1):
        levels.append(list(_below(levels[-1])))
    faults = [_fault_of(one.item) for one in levels[-1]]
    # At each level, which items lead to a fault; from the last one up.
    leading = [{at for at, fault in enumerate(faults) if fault is not None}]
    for level in reversed(levels[1:]):
        leading.append({level[at].parent for at in leading[-1]})
    leading.reverse()
    place: list[str | int] = []
    here = 0
    for depth in range(1, nesting):
        level = levels[depth]
        following = [at for at in leading[depth] if level[at].parent == here]
        # A key stands at its object's place, and so before every value in it.
        keys = [at for at in following if level[at].token is None]
        if keys:
            return NotJson("surrogate-key", tuple(place))
        here = min(following, key=lambda at: level[at].token)  # type: ignore[arg-type, return-value]
        place.append(level[here].token)  # type: ignore[arg-type]
    return NotJson(faults[here], tuple(place))  # type: ignore[arg-type]


@dataclass(slots=True)
class _Stand:
    """One item where it stands."""

    item: object

    #: Which of the items one level up holds it.
    parent: int

    #: Its key or index there; None for a key itself.
    token: str | int | None


def _below(level: list[_Stand]) -> Iterator[_Stand]:
    for at, one in enumerate(level):
        item = one.item
        if type(item) is dict:
            for key, value in item.items():
                yield _Stand(key, at, None)
                yield _Stand(value, at, key)
        elif type(item) is list:
            for index, value in enumerate(item):
                yield _Stand(value, at, index)
