"""
The most steps that the authority spends on arguments of the sizes that a schema admits.

Counted as ``evaluation`` counts, keyword by keyword, on the worst value there
may be at each place.  A sum of worst cases: no call takes more, few take as much.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from weighbridge import audit_shapes as shapes
from weighbridge.assertions import ENCODED_A_STEP
from weighbridge.audit_shapes import Together
from weighbridge.audit_sizes import Audit
from weighbridge.equality import CHARACTERS_A_STEP, SORTING, size
from weighbridge.evaluation import FAILING, HANDING, LEAVING, NAME_A_STEP, TELLING
from weighbridge.limits import EVALUATION_DEPTH, INTEGER_DIGITS, Limits
from weighbridge.multiples import steps as multiple_steps
from weighbridge.node import TYPES, Node, reached_in_place

#: What may apply to one value: it meets one of these sets.
type Setting = frozenset[Together]

#: Sets that are kept apart for one value; past it nothing is known of it.
SETTINGS = 16
NOTHING_KNOWN: Setting = frozenset({frozenset()})

#: Steps of hashing the longest integer there is.
LONG_INTEGER = size(10**INTEGER_DIGITS)

_FAILS_ONCE = frozenset(
    {
        "dependentRequired",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "required",
        "type",
    }
)


class Endless(Exception):
    """
    No bound on the steps, because of what is missing at a place.
    """

    def __init__(self, place: str, missing: str) -> None:
        """Say what is missing where."""
        super().__init__(place, missing)
        self.place = place
        self.missing = missing


class Spent(NamedTuple):
    """
    What one application of a schema takes at most.
    """

    steps: int = 0

    #: Schema applications that stand inside one another in it.
    depth: int = 0

    def then(self, other: Spent, times: int = 1) -> Spent:
        """This, and ``other`` so many times."""
        deeper = max(self.depth, other.depth) if times else self.depth
        return Spent(self.steps + times * other.steps, deeper)


class Stand(NamedTuple):
    """
    Where a schema is applied: what a failure costs there.
    """

    #: Whether only a branch's failure matters.
    muted: bool = False

    #: Schema applications that are open; steps of comparing the place.
    open: int = 0
    place: int = 0


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
class Work:
    """
    One bound being worked out.
    """

    limits: Limits

    #: Whether calls are counted too that the schema refuses: any number of
    #: keywords fail, and no place holds more than one past what it admits.
    refused: bool = False

    audit: Audit = field(default_factory=Audit)
    known: dict[Any, Spent] = field(default_factory=dict)
    values: dict[Setting, Value] = field(default_factory=dict)
    open: list[Any] = field(default_factory=list)

    def apply(self, setting: Setting, node: Node, stand: Stand) -> Spent:
        """One application of ``node`` to a value of ``setting``."""
        if not self.refused or stand.muted:
            stand = Stand(stand.muted)
        key = (setting, node, stand)
        if key in self.known:
            return self.known[key]
        again = any(key[:2] == one[:2] for one in self.open)
        if again or len(self.open) > EVALUATION_DEPTH or len(self.known) > SETS:
            raise Endless(node.pointer, "a schema that ends" if again else "a simpler schema")
        self.open.append(key)
        spent = Spent(node.cost)
        if node.forbids:
            spent = Spent(node.cost + self.failure(stand))
        else:
            inside = stand._replace(open=stand.open + 1)
            for keyword, fact in node.keywords:
                spent = spent.then(self.keyword(keyword, fact, node, setting, inside))
            spent = Spent(spent.steps, spent.depth + 1)
        self.open.pop()
        self.known[key] = spent
        return spent

    def failure(self, stand: Stand) -> int:
        """Steps of one failure."""
        if stand.muted:
            return FAILING
        return TELLING + HANDING * stand.open + stand.place if self.refused else 0

    def tried(self, setting: Setting, node: Node) -> Spent:
        """One application of which only matters whether it fails."""
        inside = self.apply(setting, node, Stand(muted=True))
        return Spent(inside.steps + LEAVING * (inside.depth + 1), inside.depth)

    def keyword(self, keyword: str, fact: Any, node: Node, setting: Setting, stand: Stand) -> Spent:
        """What one keyword takes."""
        failure = self.failure(stand)
        if keyword in _FAILS_ONCE:
            return Spent(failure)
        value = self.value(setting)
        if keyword in _OF_LEAVES:
            return Spent(_OF_LEAVES[keyword](fact, node, value) + failure)
        if keyword == "uniqueItems":
            return Spent((self.unique(setting, value) if fact.value else 0) + failure)
        if keyword in ("$dynamicRef", "$recursiveRef"):
            raise Endless(fact.pointer, "a plain $ref")
        if keyword in _IN_PLACE:
            return self.in_place(keyword, fact, setting, stand)
        if keyword in _OF_ARRAYS:
            return self.array(keyword, fact, node, setting, stand)
        return self.object(keyword, fact, node, setting, stand)

    def in_place(self, keyword: str, fact: Any, setting: Setting, stand: Stand) -> Spent:
        """Schemas on the same value."""
        ready = fact.ready
        spent = Spent()
        if keyword == "$ref":
            return self.apply(setting, ready, stand)
        if keyword == "allOf":
            for one in ready.nodes:
                spent = spent.then(self.apply(setting, one, stand))
        elif keyword in ("anyOf", "oneOf"):
            spent = self.branches(ready.nodes, setting, stand)
        elif keyword == "not":
            spent = Spent(self.failure(stand)).then(self.tried(setting, ready))
        elif keyword == "if":
            spent = self.tried(setting, ready.condition)
            ways = [one for one in (ready.then, ready.otherwise) if one is not None]
            taken = [self.apply(setting, one.node, stand) for one in ways]
            spent = spent.then(_worst(taken))
        else:
            for _name, one in ready:
                spent = spent.then(self.apply(setting, one, stand))
        return spent

    def branches(self, nodes: tuple[Node, ...], setting: Setting, stand: Stand) -> Spent:
        """``anyOf`` and ``oneOf``: for the worst type, one branch told or all tried."""
        ways = []
        for kind in sorted(self.value(setting).kinds):
            takers = [node for node in nodes if kind in node.takes]
            if len(takers) == 1:
                ways.append(self.apply(setting, takers[0], stand))
                continue
            failure = self.failure(stand)
            if failure:
                failure += sum(
                    len(one.properties) + 1 for node in takers for one in reached_in_place(node)
                )
            spent = Spent(failure)
            for node in takers:
                spent = spent.then(self.tried(setting, node))
            ways.append(spent)
        return Spent(len(nodes)).then(_worst(ways))

    def array(self, keyword: str, fact: Any, node: Node, setting: Setting, stand: Stand) -> Spent:
        """Schemas on the items of an array."""
        items = self.value(setting).items
        inside = stand._replace(place=stand.place + 1)
        if keyword == "prefixItems":
            spent = Spent()
            for at, one in enumerate(fact.ready[:items]):
                below = self.apply(self.items(setting, at, at), one, inside)
                spent = Spent(spent.steps + 1, spent.depth).then(below)
            return spent
        if keyword == "items":
            start, one = fact.ready
            below = self.apply(self.items(setting, start, items), one, inside)
            if not one.keywords and not one.forbids:
                below = Spent()
            return Spent(1).then(below, max(0, items - start))
        every = self.items(setting, 0, items)
        if keyword == "contains":
            once = Spent(1).then(self.tried(every, fact.ready.node))
            return Spent(self.failure(stand)).then(once, items)
        once = Spent(1).then(self.apply(every, fact.ready, inside))
        return Spent(1 + self.logged(node, setting)).then(once, items)

    def object(self, keyword: str, fact: Any, node: Node, setting: Setting, stand: Stand) -> Spent:
        """Schemas on the names and values of an object."""
        value = self.value(setting)
        if keyword == "properties":
            spent = Spent()
            for name, one in fact.ready:
                inside = stand._replace(place=stand.place + 1 + len(name) // NAME_A_STEP)
                below = self.apply(self.named(setting, name), one, inside)
                spent = Spent(spent.steps + 1, spent.depth).then(below)
            return spent
        if keyword == "propertyNames":
            names = self.namings(setting)
            once = Spent(1).then(self.tried(names, fact.ready))
            return Spent(self.failure(stand)).then(once, value.names)
        inside = stand._replace(place=stand.place + 1 + value.name // NAME_A_STEP)
        others = self.any_value(setting)
        if keyword == "patternProperties":
            once = Spent()
            for entry in fact.ready:
                below = self.apply(others, entry.node, inside)
                once = Spent(once.steps + entry.pattern.steps(value.name) + 1).then(below)
            return Spent().then(once, value.names)
        spent = Spent(value.names + self.failure(stand))
        if keyword == "additionalProperties":
            schema = fact.ready.node
            matched = sum(one.steps(value.name) for one in fact.ready.patterns)
            spent = Spent(spent.steps + value.names * matched)
        else:
            schema = fact.ready
            spent = Spent(spent.steps + self.logged(node, setting))
        if schema.forbids:
            return spent
        once = Spent(1)
        if schema.keywords:
            once = once.then(self.apply(others, schema, inside))
        return spent.then(once, value.names)

    def logged(self, node: Node, setting: Setting) -> int:
        """Entries that a schema writes down of what it has evaluated, at most."""
        value = self.value(setting)
        most = max(value.names, value.items) + 1
        known: dict[Node, int] = {}

        def of(one: Node) -> int:
            if one not in known:
                own = sum(_entries(word, fact, most) for word, fact in one.keywords)
                below = sum(of(other) for _word, other in one.in_place)
                excused = sum(len(other.properties) for other in reached_in_place(one))
                known[one] = own + below + excused
            return known[one]

        return of(node)

    def unique(self, setting: Setting, value: Value) -> int:
        """Steps of telling the items of an array apart."""
        nodes, rendered = self.limits.nodes, self.limits.rendered
        found = [self.audit.sizes(one) for one in setting]
        most = [one for one in found if one is not None]
        nodes = min(nodes, max((_or(one["nodes"].value, nodes) for one in most), default=nodes))
        rendered = min(
            rendered, max((_or(one["rendered"].value, rendered) for one in most), default=rendered)
        )
        hashed = 2 * nodes + rendered // CHARACTERS_A_STEP
        return (SORTING + 2) * (value.items + 1) + (SORTING + 2) * nodes + 2 * hashed

    # --- what may stand at a place ---

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
        for nodes in _split(setting):
            takes = shapes.kinds(nodes)
            kinds |= takes
            if "string" in takes:
                characters = max(characters, _or(self._characters(nodes), limits.rendered))
            if "array" in takes:
                items = max(items, _or(shapes.most_items(nodes), limits.nodes))
            if "object" in takes:
                declared = shapes.names(nodes)
                many = len({*declared, *shapes.required(nodes)})
                longest = max(map(len, declared), default=0)
                if shapes.others(nodes):
                    many = limits.nodes // 2
                    text = shapes.text_of(shapes.closed(shapes.naming(nodes)))
                    longest = max(longest, _or(text.count, limits.rendered))
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
        for nodes in _split(setting):
            end = min(max(first, shapes.positions(nodes)), max(first, last))
            found |= {shapes.item(nodes, at) for at in range(first, end + 1)}
        return _setting(found)

    def named(self, setting: Setting, name: str) -> Setting:
        """What may apply to the value under one name."""
        return _setting(shapes.named(nodes, name) for nodes in _split(setting))

    def namings(self, setting: Setting) -> Setting:
        """What may apply to a name."""
        return _setting(shapes.naming(nodes) for nodes in _split(setting))

    def any_value(self, setting: Setting) -> Setting:
        """What may apply to any value of an object."""
        found: set[Together] = set()
        for nodes in _split(setting):
            found |= {shapes.named(nodes, name) for name in shapes.names(nodes)}
            found |= {other.values for other in shapes.others(nodes)}
        return _setting(found)


SETS = 50_000


def _setting(found: Iterable[Together]) -> Setting:
    sets = frozenset(found)
    if not sets or len(sets) > SETTINGS or frozenset() in sets:
        return NOTHING_KNOWN
    return sets


def _split(setting: Setting) -> list[Together]:
    return [one for nodes in setting for one in shapes.alternatives(nodes)[0]]


def _or(value: int | None, otherwise: int) -> int:
    return otherwise if value is None else min(value, otherwise)


def _worst(found: list[Spent]) -> Spent:
    steps = max((one.steps for one in found), default=0)
    return Spent(steps, max((one.depth for one in found), default=0))


def _entries(keyword: str, fact: Any, most: int) -> int:
    """Entries that one keyword writes down at most."""
    if keyword in ("properties", "prefixItems"):
        return min(len(fact.ready), most) if keyword == "prefixItems" else len(fact.ready)
    if keyword == "patternProperties":
        return most * len(fact.ready)
    if keyword in ("items", "unevaluatedItems"):
        return 1
    if keyword in ("additionalProperties", "unevaluatedProperties", "contains"):
        return most
    return 0


# --- keywords that look at leaves ---------------------------------------------


def _listed(fact: Any, _node: Node, value: Value) -> int:
    leaf = max(value.characters // CHARACTERS_A_STEP + 1, LONG_INTEGER)
    return leaf + sum(_compared(one) for one in fact.ready.containers)


def _compared(value: Any) -> int:
    """Steps of comparing a listed array or object with another."""
    steps = 0
    waiting = [value]
    while waiting:
        here = waiting.pop()
        steps += 2 + size(here)
        if isinstance(here, dict):
            waiting += here.values()
        elif isinstance(here, list):
            waiting += here
    return steps


def _multiple(fact: Any, _node: Node, _value: Value) -> int:
    numbers = (10**INTEGER_DIGITS, 5e-324, 1.7976931348623157e308)
    return max(multiple_steps(one, fact.value) for one in numbers)


def _bytes(fact: Any, _node: Node, value: Value) -> int:
    if 4 * value.characters <= fact.value:
        return 0
    return value.characters // ENCODED_A_STEP + 1


def _matched(fact: Any, node: Node, value: Value) -> int:
    longest = value.characters
    if node.max_length is not None:
        longest = min(longest, int(node.max_length))
    return int(fact.ready.steps(longest))


_OF_LEAVES = {
    "const": _listed,
    "enum": _listed,
    "format": _matched,
    "multipleOf": _multiple,
    "pattern": _matched,
    "x-maxBytes": _bytes,
}
_IN_PLACE = frozenset({"$ref", "allOf", "anyOf", "dependentSchemas", "if", "not", "oneOf"})
_OF_ARRAYS = frozenset({"contains", "items", "prefixItems", "unevaluatedItems"})


def work(root: Node, limits: Limits, *, refused: bool = False) -> Spent:
    """
    What judging arguments takes at most, those that the schema admits or, with
    ``refused``, also those that it refuses and that are hardly larger.

    Raises:
        Endless: there is no bound.
    """
    return Work(limits, refused).apply(frozenset({frozenset({root})}), root, Stand())
