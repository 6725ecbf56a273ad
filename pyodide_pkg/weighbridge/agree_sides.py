"""
One call put to both sides: the gate that judges it, and the model that reads it.

What is called a lie here is a call that the gate admits and the handler's own
argument model refuses.  Nothing but asking both decides it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from weighbridge.agree_shapes import Place, spots, steps_of
from weighbridge.catalog import Catalog
from weighbridge.gate import Verdict

#: Integral floats from here on, either sign, are no integers to pydantic.
LARGE = 2.0**63

#: The model's word for a name that is required and not there.
MISSING = "missing"

#: A place in arguments: names and indices.
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Wrong:
    """
    One thing that a model refuses.
    """

    #: Where, as the model names it; a branch of a union may stand in between.
    path: Path

    #: The model's own short name for it: ``missing``, ``string_type``.
    kind: str


@dataclass(frozen=True, slots=True)
class Refused:
    """
    A call that the handler's argument model does not take.
    """

    wrong: tuple[Wrong, ...]

    #: Parameters whose text was read as JSON first; the model takes the text itself.
    reparsed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Taken:
    """
    A call that reaches the handler's code, with what the code is given.
    """

    values: Mapping[str, Any]


Answer = Taken | Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Handler:
    """
    One handler, as far as it can be asked without being run.
    """

    name: str

    #: The schema that was derived from its signature.
    derived: dict[str, Any]

    #: What its argument model says to arguments.
    ask: Callable[[dict[str, Any]], Answer]

    #: Values that it is known to hold a parameter to, by parameter.
    held: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)


#: What two sides differ in: a rule, and the place.
Key = tuple[str, Place]


@dataclass(frozen=True, slots=True)
class Both:
    """
    The two sides of one tool.
    """

    catalog: Catalog
    handler: Handler

    #: Every place that the published schema describes.
    places: frozenset[Place]

    @property
    def published(self) -> dict[str, Any]:
        """The schema as ``tools/list`` serves it."""
        return self.catalog.tools[self.handler.name].published

    def verdict(self, arguments: Any) -> Verdict:
        """What the gate says to a call."""
        return self.catalog.check(self.handler.name, arguments)

    def admits(self, arguments: Any) -> bool:
        """Whether the gate lets the call through."""
        return self.verdict(arguments).admitted

    def answer(self, arguments: Any) -> Answer:
        """What the model says to a call as it gets it behind the gate."""
        behind: Any = self.catalog.without_bookkeeping(arguments)
        return self.handler.ask(copy.deepcopy(behind))

    def differing(self, arguments: Any) -> tuple[dict[Key, str], frozenset[Place]]:
        """
        Where the model refuses a call that the gate admits, each with the model's word
        for it; and where it does so only because an integral float is past what it reads.
        """
        answer = self.answer(arguments)
        if isinstance(answer, Taken):
            return {}, frozenset()
        found = self._keys(answer, arguments)
        plain, floats = without_large_floats(arguments)
        if floats:
            other = self.answer(plain)
            still = {} if isinstance(other, Taken) else self._keys(other, plain)
            gone = {key: kind for key, kind in found.items() if key not in still}
            return still, frozenset(place for _, place in gone) & floats
        return found, frozenset()

    def _keys(self, refused: Refused, arguments: Any) -> dict[Key, str]:
        """What a refusal is about, each with the model's word for it."""
        found: dict[Key, str] = {}
        for wrong in refused.wrong:
            place, here = place_of(wrong.path, arguments)
            while place not in self.places:
                # A key that no schema names is told at the object that holds it.
                place = place[: -len(list(steps_of(place))[-1])]
            rule = "handler-refuses"
            if place[1:2] and place[1] in refused.reparsed:
                rule = "read-as-json"
            elif wrong.kind == MISSING and isinstance(here, dict):
                rule = "handler-refuses" if place else "required-apart"
                place += ("properties", str(wrong.path[-1]))
            found.setdefault((rule, place), wrong.kind)
        return found


def both_sides(catalog: Catalog, handler: Handler) -> Both:
    """
    The two sides of a tool that the catalog publishes.
    """
    published = catalog.tools[handler.name].published
    return Both(catalog, handler, frozenset(one.place for one in spots(published, handler.derived)))


def place_of(path: Path, arguments: Any) -> tuple[Place, Any]:
    """
    A place in arguments as a place in a schema, and what stands there; what is no name or
    index on the way is left out.
    """
    place: Place = ()
    here = arguments
    for step in path:
        if isinstance(here, dict) and step in here:
            place += ("properties", str(step))
            here = here[step]
        elif isinstance(here, list) and isinstance(step, int) and step < len(here):
            place += ("items",)
            here = here[step]
    return place, here


def without_large_floats(arguments: Any) -> tuple[Any, frozenset[Place]]:
    """
    The same JSON with every integral float from 2**63 on written as an integer, and where.
    """
    found: set[Place] = set()

    def written(value: Any, place: Place) -> Any:
        if isinstance(value, float) and value.is_integer() and abs(value) >= LARGE:
            found.add(place)
            return int(value)
        if isinstance(value, dict):
            return {k: written(one, (*place, "properties", k)) for k, one in value.items()}
        if isinstance(value, list):
            return [written(one, (*place, "items")) for one in value]
        return value

    return written(arguments, ()), frozenset(found)
