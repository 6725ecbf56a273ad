"""
What may stand at each place of the arguments, and how large it may be there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from weighbridge import audit_arrays as arrays
from weighbridge import audit_objects as objects
from weighbridge import audit_shapes as shapes
from weighbridge.audit_shapes import Together
from weighbridge.limits import Limits
from weighbridge.node import TYPES

#: What may apply to one value: it meets one of these sets.
type Setting = frozenset[Together]

#: Sets that are kept apart for one value; past it nothing is known of it.
APART = 16
NOTHING_KNOWN: Setting = frozenset({frozenset()})


class Value(NamedTuple):
    """
    The greatest value that may stand at a place.
    """

    kinds: frozenset[str]
    characters: int
    items: int
    names: int
    name: int


@dataclass(slots=True)
class Settings:
    """
    What may stand where, under one set of limits.
    """

    limits: Limits

    #: Whether any type may come anywhere, and one more of everything than is admitted.
    refused: bool = False

    values: dict[Setting, Value] = field(default_factory=dict)
    sets: dict[Together, list[Together]] = field(default_factory=dict)
    members: dict[Together, objects.Members] = field(default_factory=dict)

    def value(self, setting: Setting) -> Value:
        """The greatest value that meets one of the sets."""
        if setting not in self.values:
            self.values[setting] = self._value(setting)
        return self.values[setting]

    def _value(self, setting: Setting) -> Value:
        limits = self.limits
        past = 1 if self.refused else 0
        kinds: frozenset[str] = TYPES if self.refused else frozenset()
        characters = items = names = name = 0
        for nodes in self._split(setting):
            takes = shapes.kinds(nodes)
            kinds |= takes
            if "string" in takes:
                characters = max(characters, least_of(self._characters(nodes), limits.rendered))
            if "array" in takes:
                items = max(items, least_of(arrays.most_items(nodes), limits.nodes))
            if "object" in takes:
                declared = objects.names(nodes)
                many = len({*declared, *objects.required(nodes)})
                longest = max(map(len, declared), default=0)
                for other in objects.others(nodes):
                    many = limits.nodes // 2
                    text = objects.text_of_names(nodes, other)
                    longest = max(longest, least_of(text.count, limits.rendered))
                most = shapes.least(nodes, "maxProperties")
                names = max(names, many if most is None else min(many, int(most)))
                name = max(name, longest)
        return Value(
            kinds,
            min(characters + past, limits.rendered),
            min(items + past, limits.nodes),
            min(names + past, limits.nodes // 2),
            min(name + past, limits.rendered),
        )

    def _characters(self, nodes: Together) -> int | None:
        count = shapes.text_of(nodes).count
        values = shapes.listed(nodes)
        if values is None:
            return count
        longest = max((len(one) for one in values if isinstance(one, str)), default=0)
        return longest if count is None else min(count, longest)

    def items(self, setting: Setting, first: int, last: int) -> Setting:
        """What may apply to the items from one position to another."""
        found = set()
        for nodes in self._split(setting):
            end = min(max(first, arrays.positions(nodes)), max(first, last))
            found |= {arrays.item(nodes, at) for at in range(first, end + 1)}
        return _setting(found)

    def named(self, setting: Setting, name: str) -> Setting:
        """What may apply to the value under one name."""
        return _setting(self._members(nodes)(name) for nodes in self._split(setting))

    def namings(self, setting: Setting) -> Setting:
        """What may apply to a name."""
        return _setting(objects.naming(nodes) for nodes in self._split(setting))

    def any_value(self, setting: Setting) -> Setting:
        """What may apply to any value of an object."""
        found: set[Together] = set()
        for nodes in self._split(setting):
            found |= {self._members(nodes)(name) for name in objects.names(nodes)}
            found |= {other.values for other in objects.others(nodes)}
        return _setting(found)

    def _split(self, setting: Setting) -> list[Together]:
        for nodes in setting - self.sets.keys():
            self.sets[nodes] = shapes.alternatives(nodes)[0]
        return [one for nodes in setting for one in self.sets[nodes]]

    def _members(self, nodes: Together) -> objects.Members:
        if nodes not in self.members:
            self.members[nodes] = objects.Members(nodes)
        return self.members[nodes]


def _setting(found: Iterable[Together]) -> Setting:
    sets = frozenset(map(shapes.direct, found))
    if not sets or len(sets) > APART or frozenset() in sets:
        return NOTHING_KNOWN
    return sets


def least_of(value: int | None, otherwise: int) -> int:
    """The smaller of two, where there is a first."""
    return otherwise if value is None else min(value, otherwise)
