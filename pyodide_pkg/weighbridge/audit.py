"""
What a schema can admit at most, as a proof about limits that nobody has to hope for.

Everything here speaks of arguments that the schema admits.  What it refuses may be
of any size, and meets the limits instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from weighbridge import audit_arrays as arrays
from weighbridge import audit_objects as objects
from weighbridge import audit_shapes as shapes
from weighbridge.audit_sizes import audit_of, sizes
from weighbridge.audit_values import MEASURES, Most, Sizes, unbounded
from weighbridge.audit_work import Endless, work
from weighbridge.limits import EVALUATION_DEPTH, Limits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weighbridge.audit_shapes import Together
    from weighbridge.node import Node

#: The limits that an audit speaks of, in the order of a table.
AUDITED = ("nesting", "nodes", "rendered", "bytes", "work")


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """
    The most of each thing that a schema admits.
    """

    nesting: Most
    nodes: Most

    #: Characters, as charged.
    rendered: Most

    #: UTF-8 bytes of the arguments as JSON text: the longer of what encoders of
    #: either family write, escaped to ASCII or raw, with a space after each
    #: comma and colon.  Other spellings may be longer.
    bytes: Most

    #: Steps of the authority, on arguments inside the other limits; a sum of
    #: worst cases, so never exact.
    work: Most

    #: The same where the schema refuses them too, if no place holds more than one
    #: past what is admitted there: one character, item or name.
    refusing: Most


def extent(root: Node, limits: Limits) -> Extent:
    """
    The most that a schema admits.

    Args:
        root: the schema as it is applied.
        limits: bound what the schema leaves open, for ``work`` alone.
    """
    return Extent(**_admitted(root, limits), refusing=_steps(root, limits, refused=True))


def _admitted(root: Node, limits: Limits) -> dict[str, Most]:
    """The most of each of ``AUDITED``."""
    found = sizes(root) or dict.fromkeys(MEASURES, Most(0))
    wire = [found.pop("escaped"), found.pop("raw")]
    found["bytes"] = max(wire, key=lambda one: (one.value is None, one.value or 0))
    found["work"] = _steps(root, limits, refused=False)
    return found


def _steps(root: Node, limits: Limits, *, refused: bool) -> Most:
    try:
        spent = work(root, limits, refused=refused)
    except Endless as end:
        return unbounded(end.place, end.missing)
    if spent.depth > EVALUATION_DEPTH:
        return unbounded("", "fewer schemas inside one another")
    return Most(spent.steps, exact=False)


def proven(root: Node, limits: Limits) -> frozenset[str]:
    """
    The names of the limits that no arguments pass that the schema admits.

    Among ``nesting``, ``nodes``, ``rendered``, ``body`` and ``work``.  Precisely:
    let arguments be strict JSON (see ``charge``) and admitted by the schema at
    ``root``.  Then

    - ``nesting``, ``nodes``, ``rendered``: their charge is inside that limit.  So
      once the schema holds, and once they are known to be strict JSON, the walk
      cannot refuse them by it.  Arguments that the schema refuses may still pass
      it, and the walk comes first: a refusal has to ask it.
    - ``work``: if they are inside ``nesting``, ``nodes`` and ``rendered`` too,
      judging them by the authority takes no more steps, and goes no deeper, than
      is allowed.  So whoever else finds that they are admitted gives its answer.
    - ``body``: their text as the encoders of ``Extent.bytes`` write it is inside
      ``limits.text``.  Another spelling of the same arguments may be longer, so
      this one never replaces measuring a text that came.
    """
    found = _admitted(root, limits)
    return frozenset(
        "body" if name == "bytes" else name
        for name, most in found.items()
        if most.value is not None and most.value <= most_of(name, limits)
    )


def is_inside(found: Extent, name: str, limits: Limits) -> bool:
    """Whether the most of one thing is inside its limit."""
    value = getattr(found, name).value
    return value is not None and value <= most_of(name, limits)


def most_of(name: str, limits: Limits) -> int:
    """The limit on one thing of a table; for ``bytes`` that of the text door."""
    return limits.text if name == "bytes" else int(getattr(limits, name))


def heaviest(root: Node, measure: str) -> str:
    """
    The innermost place that alone makes up most of a bound; ``""`` where none does.
    """
    if measure == "work":
        return ""
    name = "escaped" if measure == "bytes" else measure
    known = audit_of(root)
    asked = frozenset({root})
    place = ""
    while True:
        whole = known.sizes(asked)
        inside = [
            (_size(known.sizes(below), name) * times, below)
            for nodes in shapes.alternatives(asked)[0]
            for below, times in _parts(nodes)
        ]
        value, below = max(inside, key=lambda one: one[0], default=(0, frozenset()))
        if 2 * value <= _size(whole, name):
            return place
        asked, place = below, shapes.place(below)


def _size(found: Sizes | None, measure: str) -> int:
    return (found[measure].value or 0) if found is not None else 0


def _parts(nodes: Together) -> Iterator[tuple[Together, int]]:
    members = objects.Members(nodes)
    for name in objects.names(nodes):
        yield members(name), 1
    first = arrays.positions(nodes)
    for at in range(first):
        yield arrays.item(nodes, at), 1
    yield arrays.item(nodes, first), max(0, (arrays.most_items(nodes) or 0) - first)
