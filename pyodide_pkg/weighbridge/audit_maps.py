"""
The largest objects that a set of schemas admits.
"""

from __future__ import annotations

from typing import Any, Protocol

from weighbridge import audit_objects as objects
from weighbridge import audit_shapes as shapes
from weighbridge.audit_leaves import WORST, text_sizes
from weighbridge.audit_shapes import Together
from weighbridge.audit_values import (
    MEASURES,
    Most,
    Sizes,
    collected,
    cost,
    largest,
    pair,
    unbounded,
)
from weighbridge.regex_sets import EVERYTHING

#: What an object of any names needs.
ENDLESS_NAMES = '"additionalProperties": false'

#: Undeclared names that are counted one by one.
ONE_BY_ONE = 1_000


class Asked(Protocol):
    """
    What is asked of an audit about what an object holds.
    """

    #: Names looked at so far.
    names: int

    def sizes(self, nodes: Together, beside: str = "") -> Sizes | None:
        """The most of each measure over all values that meet ``nodes``."""

    def holds(self, nodes: Together, value: Any) -> bool:
        """Whether a value meets all of them."""


class LargestObject:
    """
    The largest objects of one set of schemas.
    """

    def __init__(self, audit: Asked, nodes: Together, place: str) -> None:
        """Begin with schemas that all apply, asked for at a place."""
        self.audit = audit
        self.nodes = nodes
        self.place = place
        self.members = objects.Members(nodes)

    def sizes(self) -> Sizes | None:
        """The most of each measure; None if no object meets them all."""
        required = objects.required(self.nodes)
        must: list[Sizes] = []
        may: list[Sizes] = []
        names = sorted({*objects.names(self.nodes), *required})
        self.audit.names += len(names)
        for name in names:
            entry = self._entry(name)
            if entry is not None:
                (must if name in required else may).append(entry)
            elif name in required:
                return None
        spare = shapes.least(self.nodes, "maxProperties")
        if spare is not None:
            spare = int(spare) - len(must)
            if spare < 0:
                return None
        extra, exact = self._extra(spare)
        exact = exact and not objects.is_conditional(self.nodes)
        return {
            measure: self._measured(
                measure,
                [one[measure] for one in must],
                [one[measure] for one in may],
                None if extra is None else extra[measure],
                spare,
                exact=exact,
            )
            for measure in MEASURES
        }

    def _entry(self, name: str) -> Sizes | None:
        """What one declared name costs with its value; None where it cannot be there."""
        value = self.audit.sizes(self.members(name), self.place)
        naming = objects.naming(self.nodes)
        if value is None or not self.audit.holds(naming, name):
            return None
        key = {measure: Most(cost(name, measure)) for measure in MEASURES}
        return pair(key, value)

    def _extra(self, spare: int | None) -> tuple[Sizes | None, bool]:
        """What the costliest undeclared name costs with its value, and whether that is exact."""
        found: list[Sizes | None] = []
        exact = True
        for other in objects.others(self.nodes):
            value = self.audit.sizes(other.values, self.place)
            key = self._name(other, value)
            if value is None or key is None:
                continue
            found.append(pair(key, value))
            text = objects.text_of_names(self.nodes, other)
            free = text.letters == EVERYTHING and text.size is None
            enough = text.count is not None and spare is not None and spare <= WORST**text.count
            exact = exact and free and enough
        return largest(found), exact

    def _name(self, other: objects.Other, value: Sizes | None) -> Sizes | None:
        naming = objects.naming(self.nodes)
        if value is None or (naming and self.audit.sizes(naming) is None):
            return None
        text = objects.text_of_names(self.nodes, other)
        return text_sizes(text, unbounded(self.place, ENDLESS_NAMES), exact=True)

    def _measured(  # noqa: PLR0913 - what an object of one measure is made of
        self,
        measure: str,
        must: list[Most],
        may: list[Most],
        extra: Most | None,
        spare: int | None,
        *,
        exact: bool,
    ) -> Most:
        end = unbounded(self.place, "maxProperties" if extra else "")
        # Where what must be there may not be there after all, nothing is sure.
        exact = exact and all(one.exact for one in must)
        if spare is None:
            many = 0 if extra is None else None
            return collected(measure, must + may, extra, many, exact=exact, end=end)
        if extra is not None and spare:
            # Names that nobody declares may be the costliest, or the only ones.
            may = may + [extra] * min(spare, ONE_BY_ONE)
            if spare > ONE_BY_ONE:
                rest = spare - ONE_BY_ONE
                return collected(measure, must + may, extra, rest, exact=False, end=end)
        endless = [one for one in may if one.value is None]
        chosen = endless or sorted(may, key=lambda one: -(one.value or 0))[:spare]
        return collected(measure, must + chosen[: spare or 0], None, 0, exact=exact, end=end)
