"""
What a plan keeps of arguments that it admitted, and the exact charge of that.

A plan decides on upper bounds.  The exact charge is worked out when somebody
asks, from copies of the containers made while they were judged: it speaks of
the arguments as they were then, whoever has changed them since.
"""

from __future__ import annotations

from math import isfinite
from typing import Any, Final

from weighbridge.characters import has_lone_surrogate
from weighbridge.charge import Charge, charge, charge_of_leaf
from weighbridge.limits import Limits

#: Containers by their level, the arguments object's being 1; and the charge of
#: each that the schema leaves open.
Levels = list[tuple[int, list[Any] | Charge]]

#: The charge; or the arguments object, where it holds no container; or all of them.
Kept = Charge | dict[str, Any] | Levels

#: Characters charged at most for a number, a boolean or null as a plan admits
#: them, integers of up to twenty digits, floats of up to twenty-four; and for
#: one character of a text.
LEAF: Final = 25
WORST: Final = 10

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
        if type(containers) is Charge:
            nesting = max(nesting, level - 1 + containers.nesting)
            nodes += containers.nodes - 1
            rendered += containers.rendered
            continue
        for one in containers:  # type: ignore[union-attr]
            if not one:
                continue
            nesting = max(nesting, level + 1)
            inside: list[Any] = one
            if type(one) is dict:
                inside = [*one, *one.values()]
            nodes += len(inside)
            rendered += sum([charge_of_leaf(leaf, _ANY) for leaf in inside])
    return Charge(nesting, nodes, rendered)


#: More than any limit: a charge is exact up to its budget.
_ANY: Final = 1 << 62


def free(value: Any, level: int, kept: Levels, limits: Limits) -> int:
    """
    Hold a value that the schema leaves open to be strict JSON, and keep its charge.

    Args:
        value: what stands there.
        level: the level that it has as a container.
        kept: the charge is added to it.
        limits: the most that it may cost.

    Returns:
        The characters of it, if it is a string.

    Raises:
        Closer: it is no JSON of ours, or passes a limit by itself.
    """
    kind = type(value)
    if kind is str:
        if has_lone_surrogate(value):
            raise Closer
        return len(value)
    if kind is dict or kind is list:
        found = charge(value, limits)
        if type(found) is not Charge or level - 1 + found.nesting > limits.nesting:
            raise Closer
        kept.append((level, found))
    elif kind is int:
        if not -LARGEST < value < LARGEST:
            raise Closer
    elif not (value is None or kind is bool or (kind is float and isfinite(value))):
        raise Closer
    return 0
