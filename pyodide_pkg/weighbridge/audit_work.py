"""
The most steps that the authority spends on arguments of the sizes that a schema admits.

Counted as ``evaluation`` counts, keyword by keyword, on the worst value there
may be at each place.  A sum of worst cases: no call takes more, few take as much.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from weighbridge.audit_keywords import FAILS_ONCE, OF_LEAVES
from weighbridge.audit_settings import Setting, Settings, Value, least_of
from weighbridge.audit_sizes import DEEPEST, Audit
from weighbridge.equality import CHARACTERS_A_STEP, SORTING
from weighbridge.evaluation import FAILING, HANDING, LEAVING, NAME_A_STEP, TELLING
from weighbridge.limits import Limits
from weighbridge.node import Node, reached_in_place

#: Applications of schemas that one bound is worked out over.
SETS = 50_000


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


@dataclass(slots=True)
class Work:
    """
    One bound being worked out.
    """

    places: Settings
    audit: Audit = field(default_factory=Audit)
    known: dict[Any, Spent] = field(default_factory=dict)
    open: list[Any] = field(default_factory=list)

    def apply(self, setting: Setting, node: Node, stand: Stand) -> Spent:
        """One application of ``node`` to a value of ``setting``."""
        if not self.places.refused or stand.muted:
            stand = Stand(stand.muted)
        key = (setting, node, stand)
        if key in self.known:
            return self.known[key]
        again = any(key[:2] == one[:2] for one in self.open)
        if again or len(self.open) >= DEEPEST or len(self.known) > SETS:
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
        return TELLING + HANDING * stand.open + stand.place if self.places.refused else 0

    def tried(self, setting: Setting, node: Node) -> Spent:
        """One application of which only matters whether it fails."""
        inside = self.apply(setting, node, Stand(muted=True))
        return Spent(inside.steps + LEAVING * (inside.depth + 1), inside.depth)

    def keyword(self, keyword: str, fact: Any, node: Node, setting: Setting, stand: Stand) -> Spent:
        """What one keyword takes."""
        failure = self.failure(stand)
        if keyword in FAILS_ONCE:
            return Spent(failure)
        value = self.places.value(setting)
        if keyword in OF_LEAVES:
            return Spent(OF_LEAVES[keyword](fact, node, value) + failure)
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
        for kind in sorted(self.places.value(setting).kinds):
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
        items = self.places.value(setting).items
        inside = stand._replace(place=stand.place + 1)
        if keyword == "prefixItems":
            spent = Spent()
            for at, one in enumerate(fact.ready[:items]):
                below = self.apply(self.places.items(setting, at, at), one, inside)
                spent = Spent(spent.steps + 1, spent.depth).then(below)
            return spent
        if keyword == "items":
            start, one = fact.ready
            below = self.apply(self.places.items(setting, start, items), one, inside)
            if not one.keywords and not one.forbids:
                below = Spent()
            return Spent(1).then(below, max(0, items - start))
        every = self.places.items(setting, 0, items)
        if keyword == "contains":
            once = Spent(1).then(self.tried(every, fact.ready.node))
            return Spent(self.failure(stand)).then(once, items)
        once = Spent(1).then(self.apply(every, fact.ready, inside))
        return Spent(1 + self.logged(node, setting)).then(once, items)

    def object(self, keyword: str, fact: Any, node: Node, setting: Setting, stand: Stand) -> Spent:
        """Schemas on the names and values of an object."""
        value = self.places.value(setting)
        if keyword == "properties":
            spent = Spent()
            for name, one in fact.ready:
                inside = stand._replace(place=stand.place + 1 + len(name) // NAME_A_STEP)
                below = self.apply(self.places.named(setting, name), one, inside)
                spent = Spent(spent.steps + 1, spent.depth).then(below)
            return spent
        if keyword == "propertyNames":
            names = self.places.namings(setting)
            once = Spent(1).then(self.tried(names, fact.ready))
            return Spent(self.failure(stand)).then(once, value.names)
        inside = stand._replace(place=stand.place + 1 + value.name // NAME_A_STEP)
        others = self.places.any_value(setting)
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
        value = self.places.value(setting)
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
        nodes, rendered = self.places.limits.nodes, self.places.limits.rendered
        found = [self.audit.sizes(one) for one in setting]
        most = [one for one in found if one is not None]
        nodes = min(
            nodes, max((least_of(one["nodes"].value, nodes) for one in most), default=nodes)
        )
        rendered = min(
            rendered,
            max((least_of(one["rendered"].value, rendered) for one in most), default=rendered),
        )
        hashed = 2 * nodes + rendered // CHARACTERS_A_STEP
        return (SORTING + 2) * (value.items + 1) + (SORTING + 2) * nodes + 2 * hashed


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


_IN_PLACE = frozenset({"$ref", "allOf", "anyOf", "dependentSchemas", "if", "not", "oneOf"})
_OF_ARRAYS = frozenset({"contains", "items", "prefixItems", "unevaluatedItems"})


def work(root: Node, limits: Limits, *, refused: bool = False) -> Spent:
    """
    What judging arguments takes at most, those that the schema admits or, with
    ``refused``, also those that it refuses and that are hardly larger.

    Raises:
        Endless: there is no bound.
    """
    return Work(Settings(limits, refused)).apply(frozenset({frozenset({root})}), root, Stand())
