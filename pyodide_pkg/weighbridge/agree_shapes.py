"""
Two schemas of one tool side by side: the places that both describe, and what each names there.

Where a schema stands says nothing here.  A definition under ``$defs``, a union
spelled with ``anyOf``, a type spelled as a list: what counts is which schemas
speak of the value at a place in the arguments.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from weighbridge.dialects import ANNOTATIONS, subschemas, token
from weighbridge.pointers import target

#: A place, as the tokens of a JSON Pointer into a flat schema:
#: ``("properties", "labels", "items")``.
Place = tuple[str, ...]

#: Schemas that speak of one value.
Schemas = tuple[Mapping[str, Any], ...]

#: Keywords whose schemas speak of the same value.
_BESIDE = ("allOf", "anyOf", "oneOf")

#: Keywords that say nothing of a value, or only hold what others refer to.
SILENT = ANNOTATIONS | {"$defs", "definitions"}

#: Places that are looked at in one schema.
MOST = 500


@dataclass(frozen=True, slots=True)
class Spot:
    """
    One place that the published schema describes, with what both sides say of it.
    """

    place: Place

    #: Every schema of the published side that speaks of the value there.
    published: Schemas

    #: The same of the derived side; empty where it says nothing.
    derived: Schemas


def pointer(place: Place) -> str:
    """The JSON Pointer of a place."""
    return "".join(f"/{token(one)}" for one in place)


def parts(schema: Any, root: Any) -> Schemas:
    """
    A schema and every one that it applies to the same value, references followed.

    Local references only: the published form and pydantic's have no others.
    """
    found: list[Mapping[str, Any]] = []
    seen: set[int] = set()
    waiting = [schema]
    while waiting:
        here = waiting.pop()
        if not isinstance(here, Mapping) or id(here) in seen:
            continue
        seen.add(id(here))
        found.append(here)
        waiting += [one for keyword in _BESIDE for one in here.get(keyword, ())]
        if "$ref" in here:
            waiting.append(target(here["$ref"], root))
    return tuple(found)


def spots(published: Any, derived: Any) -> Iterator[Spot]:
    """
    Every place that the published schema describes, the arguments object first, the
    nearer ones before the deeper ones.

    A schema that holds itself is not gone into a second time, and of a very wide one
    the first ``MOST`` places are found.
    """
    first = Spot((), parts(published, published), parts(derived, derived))
    waiting = deque([(first, frozenset[int]())])
    for _ in range(MOST):
        if not waiting:
            return
        spot, above = waiting.popleft()
        yield spot
        here = frozenset(map(id, spot.published))
        if here & above:
            continue
        for step in _steps(spot.published):
            inside = _below(spot.published, step, published)
            beside = _below(spot.derived, step, derived)
            waiting.append((Spot(spot.place + step, inside, beside), above | here))


def _steps(speaking: Schemas) -> Iterator[Place]:
    yield from ((("properties", name)) for name in names(speaking))
    for index in range(max((len(one.get("prefixItems", ())) for one in speaking), default=0)):
        yield ("prefixItems", str(index))
    if any(isinstance(one.get("items"), Mapping) for one in speaking):
        yield ("items",)


def _below(speaking: Schemas, step: Place, root: Any) -> Schemas:
    return tuple(part for one in _inside(speaking, step) for part in parts(one, root))


def _inside(speaking: Schemas, step: Place) -> Iterator[Any]:
    """The schemas that these hold for what a step leads to."""
    for one in speaking:
        inner: Any = one.get(step[0])
        if step[0] == "properties":
            inner = (inner or {}).get(step[1], one.get("additionalProperties"))
        elif step[0] == "prefixItems":
            at = int(step[1])
            inner = inner[at] if inner and at < len(inner) else one.get("items")
        if isinstance(inner, Mapping):
            yield inner


def steps_of(place: Place) -> Iterator[Place]:
    """A place as the steps that lead to it."""
    rest = list(place)
    while rest:
        length = 1 if rest[0] == "items" else 2
        yield tuple(rest[:length])
        del rest[:length]


def names(speaking: Schemas) -> tuple[str, ...]:
    """The property names that schemas of one value declare, in code-point order."""
    return tuple(sorted({name for one in speaking for name in one.get("properties", ())}))


def required(schema: Any, root: Any) -> frozenset[str]:
    """The names that every object which the schema admits has, as far as ``required`` says so."""
    found: set[str] = set()
    seen: set[int] = set()
    waiting = [schema]
    while waiting:
        here = waiting.pop()
        if isinstance(here, Mapping) and id(here) not in seen:
            seen.add(id(here))
            found |= set(here.get("required", ()))
            waiting += here.get("allOf", ())
            if "$ref" in here:
                waiting.append(target(here["$ref"], root))
    return frozenset(found)


def drops_unknown(speaking: Schemas) -> bool:
    """
    Whether whoever wrote these schemas reads only the names that they declare.

    A derived object without closure takes any key, and keeps none that it does
    not declare; one that says ``additionalProperties`` keeps them, or refuses.
    """
    objects = [one for one in speaking if "properties" in one or one.get("type") == "object"]
    if any(
        kept in one for one in objects for kept in ("additionalProperties", "patternProperties")
    ):
        return False
    untyped = [one for one in speaking if not one.keys() - {"title", "description", "default"}]
    return bool(objects) and not untyped


def listed(schema: Any, root: Any, *, whole: bool) -> list[Any] | None:
    """
    The values that a schema lists, or None.

    Args:
        schema: the schema.
        root: what its local references lead into.
        whole: None unless it admits nothing but what it lists; otherwise the
            listed values of any branch, which is what a handler is known to serve.
    """
    return _Lists(root, whole=whole).of(schema, frozenset())


@dataclass(frozen=True, slots=True)
class _Lists:
    """Looks for lists of values."""

    root: Any
    whole: bool

    def of(self, schema: Any, above: frozenset[int]) -> list[Any] | None:
        """The values of one schema; ``above`` are those that it stands in."""
        if not isinstance(schema, Mapping) or id(schema) in above:
            return None
        above |= {id(schema)}
        if "const" in schema:
            return [schema["const"]]
        if "enum" in schema:
            return list(schema["enum"])
        beside = [*schema.get("allOf", ())]
        if "$ref" in schema:
            beside.append(target(schema["$ref"], self.root))
        every = [found for one in beside if (found := self.of(one, above)) is not None]
        if every:
            return every[0]
        for keyword in ("anyOf", "oneOf"):
            branches = [self.of(one, above) for one in schema.get(keyword, ())]
            known = [one for one in branches if one is not None]
            if known and (not self.whole or len(known) == len(branches)):
                return [value for one in known for value in one]
        return [None] if self.whole and schema.get("type") == "null" else None


def listed_at(place: Place, schema: Any, *, whole: bool) -> list[Any] | None:
    """
    The values that a schema lists at a place; None where it lists none there.
    """
    at: list[Any] = [schema]
    for step in steps_of(place):
        at = [one for speaking in at for one in _inside(parts(speaking, schema), step)]
    lists = [listed(one, schema, whole=whole) for one in at]
    known = [one for one in lists if one is not None]
    if not known or (whole and len(known) < len(lists)):
        return None
    return [value for one in known for value in one]


def closures(schema: Any) -> tuple[str, ...]:
    """Where a schema refuses unknown keys, as JSON Pointers into it."""
    closing = ("additionalProperties", "unevaluatedProperties")
    return tuple(
        sorted(
            f"{at}/{keyword}"
            for at, one in _every(schema)
            for keyword in closing
            if one.get(keyword) is False
        )
    )


def silent_keywords(schema: Any) -> frozenset[str]:
    """The keywords in a schema, wherever they stand, that say nothing of a value."""
    return frozenset(keyword for _, one in _every(schema) for keyword in one if keyword in SILENT)


def _every(schema: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """A schema and every schema inside it, each with its JSON Pointer."""
    waiting = [("", schema)]
    while waiting:
        at, here = waiting.pop()
        if isinstance(here, dict):
            yield at, here
            waiting += [(at + below, one) for _, below, one in subschemas(here)]
