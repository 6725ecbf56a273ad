"""
What a plan keeps of arguments that it admitted, and the exact charge of that.

A plan decides on upper bounds.  The exact charge is worked out when somebody
asks, from copies of the containers made while they were judged: it speaks of
the arguments as they were then, whoever has changed them since.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from math import isfinite
from typing import Any, Final

from weighbridge.characters import has_lone_surrogate
from weighbridge.charge import Charge, charge_of_leaf

#: Containers by their level, the arguments object's being 1.
Levels = list[tuple[int, list[Any]]]

#: The charge; or the arguments object, where it holds no container; or all of them.
Kept = Charge | dict[str, Any] | Levels

#: Characters charged at most for a number, a boolean or null as a plan admits
#: them: integers of up to twenty digits, floats of up to twenty-four.
LEAF: Final = 25

#: Integers past this, and floats, are left to the authority: theirs is the
#: exact rule.
LARGEST: Final = 10**20
LARGEST_FLOAT: Final = 1e300


class Closer(Exception):
    """
    A value that a plan does not admit by itself.
    """


def charge_of(kept: Kept) -> Charge:
    """
    The exact charge of what a plan has kept.
    """
    if type(kept) is Charge:
        return kept
    levels: Levels = [(1, [kept])] if type(kept) is dict else kept  # type: ignore[assignment]
    nesting = 1
    nodes = 1
    rendered = 0
    for level, containers in levels:
        for one in containers:
            if not one:
                continue
            nesting = max(nesting, level + 1)
            inside: Iterable[object] = one
            if type(one) is dict:
                nodes += 2 * len(one)
                inside = chain(one, one.values())
            else:
                nodes += len(one)
            for leaf in inside:
                rendered += charge_of_leaf(leaf, _ANY)
    return Charge(nesting, nodes, rendered)


#: More than any limit: a charge is exact up to its budget.
_ANY: Final = 1 << 62


def free(value: object, level: int, kept: dict[int, list[Any]], most: int) -> tuple[int, int]:
    """
    Hold a value that the schema leaves open to be strict JSON, and keep it.

    Args:
        value: what stands there.
        level: the level that it would have as a container.
        kept: the containers by level, added to.
        most: the deepest level that children may have.

    Returns:
        The nodes inside it, and at most how many characters its strings are
        charged.

    Raises:
        Closer: it is no JSON of ours, or lies too deep.
    """
    nodes = characters = 0
    waiting: list[tuple[object, int]] = [(value, level)]
    while waiting:
        here, at = waiting.pop()
        kind = type(here)
        if kind is str:
            characters += _text(here)  # type: ignore[arg-type]
        elif kind is dict or kind is list:
            copy = here.copy()  # type: ignore[attr-defined]
            if copy and at >= most:
                raise Closer
            kept.setdefault(at, []).append(copy)
            nodes += len(copy)
            if kind is dict:
                nodes += len(copy)
                for key in copy:
                    if type(key) is not str:
                        raise Closer
                    characters += _text(key)
                copy = copy.values()
            waiting.extend([(one, at + 1) for one in copy])
        elif not _is_leaf(here, kind):
            raise Closer
    return nodes, characters


def _text(text: str) -> int:
    if text.isascii():
        return 4 * len(text)
    if has_lone_surrogate(text):
        raise Closer
    return 10 * len(text)


def _is_leaf(value: Any, kind: type) -> bool:
    if kind is int:
        return bool(-LARGEST < value < LARGEST)
    if kind is float:
        return isfinite(value)
    return kind is bool or value is None
