"""
The differences that are told from the two schemas, each shown by a call before it is believed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from weighbridge.agree_recorded import roots
from weighbridge.agree_records import Difference
from weighbridge.agree_shapes import (
    Place,
    Spot,
    drops_unknown,
    listed,
    listed_at,
    names,
    required,
    spots,
)
from weighbridge.agree_sides import Both, Handler, Taken
from weighbridge.agree_witness import Search, at, has, put, taken_off
from weighbridge.catalog import Catalog
from weighbridge.equality import equal
from weighbridge.errors import bounded, named

#: Listed values that a line names.
_NAMED = 8


def no_handler(tool: str) -> Difference:
    """A published tool that the server does not have."""
    return Difference(
        tool=tool,
        rule="no-handler",
        fact="the catalog publishes it, and the server has no tool of that name",
        cure="Register a handler by that name, or take the schema away.",
    )


def unread_context(catalog: Catalog, handlers: Sequence[Handler]) -> frozenset[str]:
    """
    The optional fields of the schemas that tools share which no handler of the server has.
    """
    by_uri = {one.uri: one for one in catalog.documents}
    every = [
        schema
        for one in catalog.documents
        if one.tool is not None
        for uri, schema in roots(one, by_uri)
        if uri in by_uri and by_uri[uri].tool is None
    ]
    shared = {name for one in every for name in one.get("properties", ())}
    needed = {name for one in every for name in one.get("required", ())}
    read = {name for one in handlers for name in one.derived.get("properties", ())}
    return frozenset(shared - needed - read)


def vocabulary(catalog: Catalog, handlers: Sequence[Handler]) -> dict[str, tuple[str, ...]]:
    """
    The parameters whose words a handler's code lists and the published schema does not,
    each with the tools, in their order.
    """
    found: dict[str, list[str]] = {}
    for one in sorted(handlers, key=lambda handler: handler.name):
        tool = catalog.tools.get(one.name)
        for name, words in sorted(one.held.items()):
            schema = {} if tool is None else tool.published.get("properties", {}).get(name)
            if tool is None or schema is None:
                continue
            published = listed(schema, tool.published, whole=True)
            if published is None or missing(published, words):
                found.setdefault(name, []).append(one.name)
    return {name: tuple(tools) for name, tools in sorted(found.items())}


def of_schemas(both: Both, unread: frozenset[str], search: Search) -> Iterator[Difference]:
    """
    What the two schemas of one tool differ in.
    """
    for spot in spots(both.published, both.handler.derived):
        yield from _lacking(both, spot, unread, search)
        yield from _narrower(both, spot, search)
    yield from _required(both, search)


def _lacking(
    both: Both, spot: Spot, unread: frozenset[str], search: Search
) -> Iterator[Difference]:
    """Names that are published and that nothing on the handler's side reads."""
    if not drops_unknown(spot.derived):
        return
    for name in sorted(set(names(spot.published)) - set(names(spot.derived))):
        place = (*spot.place, "properties", name)
        if not spot.place and name in unread:
            continue
        if any(_is_read(both, one, place) for one in search.taken if has(one, place)):
            continue
        yield Difference(
            tool=both.handler.name,
            rule="handler-lacks",
            place=place,
            fact=f"the schema names {named(name)}, and the handler has nothing that reads it: what "
            "a caller sends there is dropped without a word",
            cure="Give the handler a parameter of that name, or take the property out of the "
            "schema.",
            witness=search.shown(
                search.admitted,
                lambda call, place=place: has(call, place) and both.admits(call),  # type: ignore[misc]
            ),
        )


def _is_read(both: Both, call: dict[str, Any], place: Place) -> bool:
    """Whether the handler's code is given something else without what stands at a place."""
    with_it, again = both.answer(call), both.answer(call)
    without = both.answer(taken_off(call, place))
    if not isinstance(with_it, Taken) or with_it != again:
        return False
    return with_it != without


def _narrower(both: Both, spot: Spot, search: Search) -> Iterator[Difference]:
    """A published list without a value that the handler serves."""
    published = listed_at(spot.place, both.published, whole=True)
    if published is None:
        return
    served = listed_at(spot.place, both.handler.derived, whole=False) or []
    if spot.place[:-1] == ("properties",):
        served = [*served, *both.handler.held.get(spot.place[1], ())]
    left_out: list[Any] = []
    witness = None
    for value in missing(published, served):

        def shows(call: Any, value: Any = value) -> bool:
            return (
                at(call, spot.place) == [value]
                and isinstance(both.answer(call), Taken)
                and not both.admits(call)
                and any(both.admits(put(call, spot.place, one)) for one in published[:_NAMED])
            )

        changed = [put(call, spot.place, value) for call in search.taken]
        found = search.shown(changed, shows)
        if found is not None:
            left_out.append(value)
            witness = witness or found
    if left_out:
        yield Difference(
            tool=both.handler.name,
            rule="enum-narrower",
            place=spot.place,
            fact=f"the schema's list is shorter than what the handler serves: it leaves out "
            f"{_told(left_out)}, and the gate refuses that",
            cure="Add what is missing to the schema's enum, or take it from what the handler "
            "serves.",
            witness=witness,
        )


def _required(both: Both, search: Search) -> Iterator[Difference]:
    """A name that the schema requires and the handler does not."""
    derived = both.handler.derived
    for name in sorted(
        (required(both.published, both.published) & set(derived.get("properties", ())))
        - required(derived, derived)
    ):

        def shows(call: Any, name: str = name) -> bool:
            return (
                name not in call and not both.admits(call) and isinstance(both.answer(call), Taken)
            )

        place = ("properties", name)
        witness = search.shown([taken_off(call, place) for call in search.taken], shows)
        if witness is not None:
            yield Difference(
                tool=both.handler.name,
                rule="required-apart",
                place=place,
                fact=f"the schema requires {named(name)}, and the handler takes a call without it",
                cure="Take the name out of required, or take the parameter's default away.",
                witness=witness,
            )


def of_lie(tool: str, rule: str, place: Place, kind: str, witness: Any) -> Difference:
    """
    What a call shows that the gate admits and the model refuses; ``kind`` is the
    model's own short name for what it refuses.
    """
    if rule == "required-apart":
        name = named(place[-1] if place else "")
        fact = f"the handler requires {name}, and the schema admits a call without it"
        cure = "Add the name to required, or give the parameter a default."
    elif rule == "read-as-json":
        fact = (
            "the SDK reads the text of this parameter as JSON before the handler's argument model "
            f"sees it, and the model refuses what comes of it ({kind})"
        )
        cure = (
            "Annotate the parameter as exactly str, or with a validator that takes null itself; or "
            "publish what no JSON text can match."
        )
    else:
        fact = f"the schema admits what the handler's argument model refuses ({kind})"
        cure = "Narrow the schema there, or widen the handler's annotation."
    return Difference(tool=tool, rule=rule, place=place, fact=fact, cure=cure, witness=witness)


def no_call(tool: str) -> Difference:
    """A tool of which nothing was asked."""
    return Difference(
        tool=tool,
        rule="no-call",
        fact="no call could be made from its schema that the gate admits, so nothing was asked",
        cure="Look whether the schema admits any call at all: weighbridge catalog lint.",
    )


def missing(listed_values: Sequence[Any], served: Sequence[Any]) -> list[Any]:
    """The served values that are not among the listed ones, as JSON Schema compares, each once."""
    found: list[Any] = []
    for value in served:
        if not any(equal(value, one, _free) for one in (*listed_values, *found)):
            found.append(value)
    return found


def _free(_steps: int) -> None:
    """Steps that nobody counts."""


def _told(values: Sequence[Any]) -> str:
    shown = ", ".join(bounded(json.dumps(one), 60) for one in values[:_NAMED])
    more = len(values) - _NAMED
    return f"{shown} and {more} more" if more > 0 else shown
