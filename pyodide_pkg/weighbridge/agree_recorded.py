"""
The differences that ``catalog.json`` records, each with its reason, and which nothing needs.

A record names a rule, a schema by its ``$id``, and a place in that file.  One that
is about a shared schema speaks of every tool that composes it at its root.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urldefrag, urljoin

from weighbridge.agree_records import Difference
from weighbridge.agree_shapes import Place
from weighbridge.catalog import Catalog
from weighbridge.errors import named
from weighbridge.pointers import target, tokens
from weighbridge.reading import SETTINGS, Document

#: Keywords that compose a root; what stands below speaks of the same object.
_COMPOSING = frozenset({"allOf", "anyOf", "oneOf"})


@dataclass(slots=True)
class Records:
    """
    What is recorded, and what of it was needed so far.
    """

    #: Reason by rule, ``$id`` and place.
    reasons: Mapping[tuple[str, str, str], str]

    #: The schemas that speak of a tool's arguments object, by tool.
    composed: Mapping[str, frozenset[str]]

    needed: set[tuple[str, str, str]] = field(default_factory=set)

    def explained(self, difference: Difference) -> Difference:
        """The difference with the reason that is recorded for it, if there is one."""
        for key, reason in self.reasons.items():
            if self._is_about(key, difference):
                self.needed.add(key)
                return replace(difference, reason=reason)
        return difference

    def unmet(self, tool: str, differences: Iterable[Difference]) -> bool:
        """Whether something is recorded of a tool that these differences do not show."""
        known = list(differences)
        return any(
            uri in self.composed.get(tool, ())
            and not any(self._is_about((rule, uri, place), one) for one in known)
            for rule, uri, place in self.reasons
        )

    def stale(self) -> tuple[Difference, ...]:
        """The records that nothing needed, each as a difference of its own."""
        return tuple(
            Difference(
                tool=SETTINGS,
                rule="stale-exception",
                fact=f"it records {rule} in {named(uri)} at {place or 'its root'}, and no witness "
                "needs it",
                cure="Drop the entry, or name the place that needs it.",
            )
            for rule, uri, place in sorted(self.reasons.keys() - self.needed)
        )

    def _is_about(self, key: tuple[str, str, str], difference: Difference) -> bool:
        rule, uri, place = key
        return (
            rule == difference.rule
            and uri in self.composed.get(difference.tool, ())
            and placed(place) == difference.place
        )


def of_catalog(catalog: Catalog) -> Records:
    """
    What is recorded in a catalog.
    """
    by_uri = {one.uri: one for one in catalog.documents}
    composed = {
        one.tool: frozenset({uri for uri, _ in roots(one, by_uri)})
        for one in catalog.documents
        if one.tool is not None
    }
    return Records(catalog.differences, composed)


def placed(place: str) -> Place:
    """
    A JSON Pointer into a file as a place in the published form, which has no composed root.
    """
    rest = list(tokens(place))
    kept: Place = ()
    while rest:
        first = rest.pop(0)
        if first in _COMPOSING or first == "prefixItems":
            rest[:1] = []
            kept += ("items",) if first == "prefixItems" else ()
        elif first == "properties" and rest:
            kept += (first, rest.pop(0))
        else:
            kept += (first,)
    return kept


def roots(one: Document, by_uri: Mapping[str, Document]) -> list[tuple[str, Mapping[str, Any]]]:
    """
    The schemas that speak of a tool's arguments object, each with the ``$id`` of its file.
    """
    found: list[tuple[str, Mapping[str, Any]]] = []
    seen: set[int] = set()
    waiting: list[tuple[str, Any]] = [(one.uri, one.schema)]
    while waiting:
        uri, schema = waiting.pop()
        if not isinstance(schema, Mapping) or id(schema) in seen:
            continue
        seen.add(id(schema))
        found.append((uri, schema))
        waiting += [(uri, below) for below in schema.get("allOf", ())]
        if "$ref" in schema:
            file, fragment = urldefrag(urljoin(uri, schema["$ref"]))
            if file in by_uri:
                waiting.append((file, target(f"#{fragment}", by_uri[file].schema)))
    return found
