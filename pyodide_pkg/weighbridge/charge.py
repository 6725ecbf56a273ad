"""
What a call costs, before anyone believes a word of it.

Charging walks the arguments once, without recursion and without copying, and
stops at the first limit crossed: the price of a refusal is set by our limits,
never by the caller.  It goes level by level, so the answer does not depend on
the order of keys.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from math import isfinite
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, Literal

from weighbridge.characters import charge_of_text, charge_of_texts, has_lone_surrogate
from weighbridge.charge_small import charge_of_small, digits
from weighbridge.limits import INTEGER_DIGITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weighbridge.limits import Limits

#: Why a value is not JSON: of another type than JSON has, an object with a key
#: that is not a string, a lone surrogate in a key or in a value, a number that
#: is not finite, an integer of too many digits.
Fault = Literal["type", "key", "surrogate-key", "surrogate", "number", "digits"]

#: Items of one level that are looked at together.
AT_ONCE: Final = 4_096

#: What JSON comes as, by identity.
_JSON: Final = frozenset(map(id, (str, int, float, bool, NoneType, dict, list)))

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
    small = charge_of_small(arguments)
    if small is not None:
        nesting, nodes, rendered = small
        if nesting <= limits.nesting and nodes <= limits.nodes and rendered <= limits.rendered:
            return Charge(nesting, nodes, rendered)
    level: list[Any] = [arguments]
    nesting = rendered = 0
    nodes = 1
    while True:
        nesting += 1
        if nesting > limits.nesting:
            return Passed("nesting")
        if nodes > limits.nodes:
            return Passed("nodes")
        if rendered + sum(map(_length_of, _parts(level))) > limits.rendered:
            return Passed("rendered")
        if any(map(_may_be_at_fault, _parts(level))) and any(map(_fault_of, level)):
            return _located(arguments, nesting)
        rendered += _rendered(level, limits.rendered - rendered)
        if rendered > limits.rendered:
            return Passed("rendered")
        children = sum(map(_children_of, _parts(level)))
        if not children:
            return Charge(nesting, nodes, rendered)
        nodes += children
        if nesting < limits.nesting and nodes <= limits.nodes:
            level = _next(level)


def _parts(level: list[Any]) -> Iterator[list[Any]]:
    """
    A level in pieces: items of one type are gathered, which is fast, and would
    take as much memory again for a whole level.
    """
    if len(level) <= AT_ONCE:
        yield level
        return
    for start in range(0, len(level), AT_ONCE):
        yield level[start : start + AT_ONCE]


def _kinds(part: list[Any]) -> set[int]:
    # By identity: a class may claim to equal another.
    return set(map(id, map(type, part)))


def _of(part: list[Any], kind: type, kinds: set[int]) -> list[Any]:
    """The items of exactly one type."""
    return [item for item in part if type(item) is kind] if id(kind) in kinds else []


def _length_of(part: list[Any]) -> int:
    return sum(map(len, _of(part, str, _kinds(part))))


def _rendered(level: list[Any], budget: int) -> int:
    """Exact up to ``budget``, and past it where the true charge is."""
    total = 0
    for part in _parts(level):
        kinds = _kinds(part)
        total += charge_of_texts(_of(part, str, kinds), budget - total)
        if total <= budget:
            total += _of_other_leaves(part, kinds)
        if total > budget:
            break
    return total


def _children_of(part: list[Any]) -> int:
    kinds = _kinds(part)
    return 2 * sum(map(len, _of(part, dict, kinds))) + sum(map(len, _of(part, list, kinds)))


def _next(level: list[Any]) -> list[Any]:
    below: list[Any] = []
    for part in _parts(level):
        kinds = _kinds(part)
        for array in _of(part, list, kinds):
            below += array
        for members in _of(part, dict, kinds):
            below += members
            below += members.values()
    return below


def _may_be_at_fault(part: list[Any]) -> bool:
    """Whether some item may not be JSON; false only where every item is."""
    kinds = _kinds(part)
    if not kinds <= _JSON:
        return True
    texts, integers = _of(part, str, kinds), _of(part, int, kinds)
    keys = chain.from_iterable(_of(part, dict, kinds))
    return (
        (not all(map(str.isascii, texts)) and any(map(has_lone_surrogate, texts)))
        or not all(map(isfinite, _of(part, float, kinds)))
        or not {id(str)}.issuperset(map(id, map(type, keys)))
        or (bool(integers) and not -_TOO_LONG < min(integers) <= max(integers) < _TOO_LONG)
    )


def _of_other_leaves(part: list[Any], kinds: set[int]) -> int:
    """Characters charged for the leaves that are not strings."""
    total = sum([digits(item) for item in _of(part, int, kinds)])
    total += sum(map(len, map(repr, _of(part, float, kinds))))
    for constant in (True, False, None):
        if id(type(constant)) in kinds:
            total += len(repr(constant)) * sum([item is constant for item in part])
    return total


def charge_of_leaf(leaf: object, budget: int) -> int:
    """
    Characters charged for one JSON value by itself; a container costs nothing.

    Exact up to ``budget`` characters, and past it where the true charge is.
    """
    kind = type(leaf)
    if kind is str:
        return charge_of_text(leaf, budget)  # type: ignore[arg-type]
    if kind is int:
        return digits(leaf)  # type: ignore[arg-type]
    if kind is dict or kind is list:
        return 0
    return len(repr(leaf))


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
