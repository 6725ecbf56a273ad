"""
What is known while documents become nodes: places, nodes, errors that say where.

Nodes are made empty and filled later, so that no schema, however it nests or
refers, makes this recurse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

import referencing

from weighbridge import patterns
from weighbridge.dialects import IN_PLACE, Dialect, dialect_of, subschemas, token
from weighbridge.errors import CatalogError, bounded, named
from weighbridge.limits import Limits
from weighbridge.node import Node, Resource
from weighbridge.ready import Fact

Entries = Iterator[tuple[str, Fact]]

#: Where a schema breaks the metaschema of a dialect, and what is wrong there.
Vouch = Callable[[Any, Dialect], tuple[str, str] | None]


@dataclass(slots=True)
class Place:
    """Where one schema of a document stands."""

    file: str
    pointer: str
    resource: Resource
    dialect: Dialect


@dataclass(slots=True)
class Builder:
    """
    What is known while documents become nodes.
    """

    registry: referencing.Registry[Any]

    limits: Limits

    #: Whether the rules for a published catalog hold: formats of the fixed
    #: list, patterns that no engine can be made to take exponential time on.
    published: bool

    #: Asked about a schema that stands where no metaschema looks.
    vouch: Vouch

    places: dict[int, Place] = field(default_factory=dict)
    nodes: dict[int, Node] = field(default_factory=dict)
    every: list[Node] = field(default_factory=list)
    waiting: list[tuple[Node, dict[str, Any], Place]] = field(default_factory=list)
    anchors: list[tuple[Resource, str, dict[str, Any]]] = field(default_factory=list)
    resolvers: dict[str, Any] = field(default_factory=dict)

    #: Which schema has a name: the URI of its resource, and its anchor there.
    names: dict[tuple[str, str], int] = field(default_factory=dict)


def index(builder: Builder, document: Any, file: str, uri: str, prefix: str = "") -> None:
    """Note where every schema of a document stands."""
    dialect = dialect_of(document)
    if dialect is None:
        raise CatalogError(
            file,
            prefix + "/$schema",
            "a dialect that is not applied here",
            "declare draft 2020-12, 2019-09, draft-07 or draft-06",
        )
    builder.names.setdefault((uri, ""), id(document))
    waiting = [(document, prefix, Resource(uri), dialect, True)]
    while waiting:
        schema, pointer, resource, dialect, root = waiting.pop()
        if not isinstance(schema, dict) or id(schema) in builder.places:
            continue
        if not root:
            inner = dialect_of(schema) if "$schema" in schema else dialect
            if inner is None:
                raise CatalogError(
                    file,
                    f"{pointer}/$schema",
                    "a dialect that is not applied here",
                    "declare draft 2020-12, 2019-09, draft-07 or draft-06",
                )
            dialect = inner
            own = dialect.specification.id_of(schema)
            if own is not None:
                resource = Resource(urljoin(resource.uri, own))
                root = True
        if root:
            resource.recursive = schema.get("$recursiveAnchor") is True
            builder.anchors.append((resource, "", schema))
        builder.places[id(schema)] = Place(file, pointer, resource, dialect)
        called = [one.name for one in dialect.specification.anchors_in(schema)]
        for name in ["", *called] if root and schema is not document else called:
            # Which of two would be meant depends on the order of a file's keys.
            if builder.names.setdefault((resource.uri, name), id(schema)) != id(schema):
                raise CatalogError(
                    file,
                    pointer,
                    f"another schema of this document is called {named(name or resource.uri)} too",
                    "give each its own $id or $anchor",
                )
        anchor = schema.get("$dynamicAnchor")
        if isinstance(anchor, str):
            builder.anchors.append((resource, anchor, schema))
        waiting += [
            (below, pointer + at, resource, dialect, False)
            for _keyword, at, below in subschemas(schema)
        ]


def node_of(builder: Builder, schema: Any, pointer: str) -> Node:
    """The node of a schema; its inside is filled later, without recursion."""
    if schema is True or schema is False:
        node = Node(pointer, Resource(""), forbids=not schema, schema=schema)
        builder.every.append(node)
        return node
    found = builder.nodes.get(id(schema))
    if found is None:
        place = builder.places[id(schema)]
        found = Node(place.pointer, place.resource, schema=schema)
        builder.nodes[id(schema)] = found
        builder.every.append(found)
        builder.waiting.append((found, schema, place))
    return found


@dataclass(slots=True)
class Maker:
    """Makes the entries of one schema's keywords."""

    builder: Builder
    node: Node
    schema: dict[str, Any]
    place: Place
    in_place: list[tuple[str, Node]] = field(default_factory=list)
    #: Steps that depend on the schema's own lists.
    static: int = 0

    def fact(self, keyword: str, ready: Any = None) -> Fact:
        """The record of one keyword of this schema."""
        pointer = f"{self.place.pointer}/{token(keyword)}"
        return Fact(keyword, pointer, self.schema[keyword], ready)

    def below(self, keyword: str, schema: Any, *at: str | int) -> Node:
        """The node of a schema inside this one."""
        steps = "".join(f"/{token(str(step))}" for step in (keyword, *at))
        node = node_of(self.builder, schema, self.place.pointer + steps)
        if keyword in IN_PLACE:
            self.in_place.append((keyword, node))
        return node

    def error(self, keyword: str, fact: str, cure: str) -> CatalogError:
        """An error at one keyword of this schema."""
        at = f"{self.place.pointer}/{token(keyword)}"
        return CatalogError(self.place.file, at, bounded(fact), bounded(cure))

    def expression(self, keyword: str, source: str, longest: int | None) -> patterns.Pattern:
        """A pattern that is exact and bounded, or an error."""
        try:
            found = patterns.compile(source)
        except patterns.UnusablePattern as fault:
            raise self.error(
                keyword, f"the pattern is not usable: {fault.fact}", fault.cure
            ) from None
        if not self.builder.published:
            return found
        if found.exponential:
            raise self.error(
                keyword,
                "the pattern can take exponential time in a client's engine",
                found.cure or "write it so that its repeated parts cannot match the same text",
            )
        # Where each next character decides, every engine takes linear time: a text
        # that is too long for the work limit is refused when it comes.
        if longest is None and found.engine == "standard":
            return found
        length = self.builder.limits.rendered if longest is None else longest
        if found.steps(length) > self.builder.limits.work:
            raise self.error(
                keyword,
                f"matching {length} characters would cost more than the work limit",
                "add a smaller maxLength beside the pattern",
            )
        return found
