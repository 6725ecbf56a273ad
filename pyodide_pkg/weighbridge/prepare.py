"""
From documents to nodes: every reference followed, every value made ready, once.

referencing decides what a reference means; jsonschema's metaschemas decide what
a schema may say.  Whatever could fail in a call fails here instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any
from urllib.parse import urldefrag, urljoin

import referencing
from jsonschema import Draft202012Validator, validators
from jsonschema_specifications import (  # type: ignore[import-untyped]
    REGISTRY as SPECIFICATIONS,
)
from referencing.exceptions import Unresolvable

from weighbridge import formats, patterns
from weighbridge.dialects import IN_PLACE, ORDER, Dialect, dialect_of, subschemas, token
from weighbridge.equality import kind_of
from weighbridge.errors import CatalogError, bounded
from weighbridge.graph import settle
from weighbridge.keywords import KEYWORDS
from weighbridge.limits import Limits
from weighbridge.node import Node, Resource
from weighbridge.ready import (
    Additional,
    Branches,
    Choice,
    Conditional,
    Contains,
    Dynamic,
    Fact,
    Listed,
    Matched,
)

#: Schemas that one catalog may apply, references followed: what a load may cost.
NODES = 100_000

#: jsonschema's own class, with our keywords in our order.
AUTHORITY = validators.create(
    meta_schema=Draft202012Validator.META_SCHEMA,
    validators=KEYWORDS,  # type: ignore[arg-type]
    applicable_validators=attrgetter("keywords"),
)


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

    places: dict[int, Place] = field(default_factory=dict)
    nodes: dict[int, Node] = field(default_factory=dict)
    every: list[Node] = field(default_factory=list)
    waiting: list[tuple[Node, dict[str, Any], Place]] = field(default_factory=list)
    anchors: list[tuple[Resource, str, dict[str, Any]]] = field(default_factory=list)
    resolvers: dict[str, Any] = field(default_factory=dict)


def prepare(  # noqa: PLR0913 - what a document is and what it is judged by
    document: dict[str, Any],
    *,
    file: str,
    uri: str,
    registry: referencing.Registry[Any],
    limits: Limits,
    published: bool,
) -> Node:
    """
    Make the nodes of one document and of everything it refers to.

    Args:
        document: the schema, already held to its metaschema.
        file: its name in an error.
        uri: its identifier in ``registry``.
        registry: every document that it may refer to; nothing is retrieved.
        limits: what its patterns may cost.
        published: see ``Builder``.

    Returns:
        The node of the document's root.

    Raises:
        CatalogError: an unresolved reference, one that returns to itself on the
            same value, a pattern or format that cannot be used.
    """
    builder = Builder(registry, limits, published)
    _index(builder, document, file, uri)
    root = _node_of(builder, document, "")
    while builder.waiting or builder.anchors:
        if len(builder.every) > NODES:
            raise CatalogError(file, "", f"more than {NODES} schemas", "split the catalog")
        if builder.waiting:
            _fill(builder, *builder.waiting.pop())
        else:
            resource, name, schema = builder.anchors.pop()
            resource.anchors[name] = _node_of(builder, schema, "")
    settle(builder.every, file)
    for node in builder.every:
        node.validator = AUTHORITY(schema=node, _resolver=builder)  # type: ignore[arg-type, call-arg]
    return root


def _index(builder: Builder, document: Any, file: str, uri: str, prefix: str = "") -> None:
    """Note where every schema of a document stands."""
    dialect = dialect_of(document)
    if dialect is None:
        raise CatalogError(
            file,
            prefix + "/$schema",
            "a dialect that is not applied here",
            "declare draft 2020-12, 2019-09, draft-07 or draft-06",
        )
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
        anchor = schema.get("$dynamicAnchor")
        if isinstance(anchor, str):
            builder.anchors.append((resource, anchor, schema))
        waiting += [
            (below, pointer + at, resource, dialect, False)
            for _keyword, at, below in subschemas(schema)
        ]


def _node_of(builder: Builder, schema: Any, pointer: str) -> Node:
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


def _fill(builder: Builder, node: Node, schema: dict[str, Any], place: Place) -> None:
    """Make the keywords of one node."""
    if place.dialect.bare_ref and "$ref" in schema:
        schema = {"$ref": schema["$ref"]}
    maker = _Maker(builder, node, schema, place)
    made = [entry for keyword in ORDER for entry in maker.make(keyword)]
    node.keywords = tuple(made)
    node.cost = 1 + len(made) + maker.static
    node.in_place = tuple(maker.in_place)
    node.max_length = schema.get("maxLength")
    node.properties = tuple(sorted(schema.get("properties", ())))
    # Schemas that nothing applies are made as well, so that their faults show.
    for keyword, at, below in subschemas(schema):
        if keyword in ("$defs", "definitions"):
            _node_of(builder, below, place.pointer + at)


@dataclass(slots=True)
class _Maker:
    """Makes the entries of one schema's keywords."""

    builder: Builder
    node: Node
    schema: dict[str, Any]
    place: Place
    in_place: list[tuple[str, Node]] = field(default_factory=list)
    #: Steps that depend on the schema's own lists.
    static: int = 0

    def make(self, keyword: str) -> Iterator[tuple[str, Fact]]:
        """The entries of one keyword: none, one, or two for ``dependencies``."""
        if keyword not in self.schema or keyword in self.place.dialect.without:
            return
        value = self.schema[keyword]
        make = _MAKERS.get(keyword)
        if make is not None:
            yield from make(self, keyword, value)
        else:
            yield keyword, self.fact(keyword, value)

    def fact(self, keyword: str, ready: Any = None) -> Fact:
        """The record of one keyword of this schema."""
        pointer = f"{self.place.pointer}/{token(keyword)}"
        return Fact(keyword, pointer, self.schema[keyword], ready)

    def below(self, keyword: str, schema: Any, *at: str | int) -> Node:
        """The node of a schema inside this one."""
        steps = "".join(f"/{token(str(step))}" for step in (keyword, *at))
        node = _node_of(self.builder, schema, self.place.pointer + steps)
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
                "write it so that its repeated parts cannot match the same text",
            )
        length = self.builder.limits.rendered if longest is None else longest
        if found.steps(length) > self.builder.limits.work:
            raise self.error(
                keyword,
                f"matching {length} characters would cost more than the work limit",
                "add a smaller maxLength beside the pattern",
            )
        return found


Entries = Iterator[tuple[str, Fact]]


def _type(maker: _Maker, keyword: str, value: Any) -> Entries:
    yield keyword, maker.fact(keyword, frozenset([value] if isinstance(value, str) else value))


def _values(maker: _Maker, keyword: str, value: Any) -> Entries:
    listed = value if keyword == "enum" else [value]
    maker.static += len(listed) // 16
    leaves = [one for one in listed if kind_of(one) != "container"]
    ready = Listed(
        frozenset((kind_of(one), one) for one in leaves),
        tuple(one for one in listed if kind_of(one) == "container"),
    )
    yield keyword, maker.fact(keyword, ready)


def _pattern(maker: _Maker, keyword: str, value: str) -> Entries:
    longest = maker.schema.get("maxLength")
    found = maker.expression(keyword, value, None if longest is None else int(longest))
    yield keyword, maker.fact(keyword, found)


def _max_bytes(maker: _Maker, keyword: str, value: Any) -> Entries:
    # Our own vocabulary: no metaschema vouches for it.
    if type(value) is not int or value < 0:
        raise maker.error(keyword, "it is no number of bytes", "write a whole number from 0")
    yield keyword, maker.fact(keyword)


def _format(maker: _Maker, keyword: str, value: str) -> Entries:
    found = formats.FORMATS.get(value)
    if found is not None:
        yield keyword, maker.fact(keyword, found)
    elif maker.builder.published:
        raise maker.error(
            keyword,
            f"the format {bounded(value, 60)!r} is not among those that are asserted",
            f"use one of {', '.join(sorted(formats.FORMATS))}, or a pattern, or no format",
        )


def _required(maker: _Maker, keyword: str, value: list[str]) -> Entries:
    maker.static += len(value)
    yield keyword, maker.fact(keyword, tuple(sorted(set(value))))


def _dependent_required(maker: _Maker, keyword: str, value: dict[str, list[str]]) -> Entries:
    maker.static += sum(map(len, value.values())) + len(value)
    yield keyword, maker.fact(keyword, tuple(sorted((k, tuple(v)) for k, v in value.items())))


def _dependent_schemas(maker: _Maker, keyword: str, value: dict[str, Any]) -> Entries:
    maker.static += len(value)
    ready = tuple((name, maker.below(keyword, value[name], name)) for name in sorted(value))
    yield keyword, maker.fact(keyword, ready)


def _dependencies(maker: _Maker, keyword: str, value: dict[str, Any]) -> Entries:
    names = {name: one for name, one in value.items() if isinstance(one, list)}
    for _keyword, fact in _dependent_required(maker, keyword, names):
        yield "dependentRequired", fact
    others = {name: one for name, one in value.items() if name not in names}
    for _keyword, fact in _dependent_schemas(maker, keyword, others):
        yield "dependentSchemas", fact


def _branches(maker: _Maker, keyword: str, value: list[Any]) -> Entries:
    nodes = tuple(maker.below(keyword, one, at) for at, one in enumerate(value))
    yield keyword, maker.fact(keyword, Branches(nodes))


def _single(maker: _Maker, keyword: str, value: Any) -> Entries:
    yield keyword, maker.fact(keyword, maker.below(keyword, value))


def _if(maker: _Maker, keyword: str, value: Any) -> Entries:
    def choice(name: str) -> Choice | None:
        if name not in maker.schema:
            return None
        return Choice(name, maker.below(name, maker.schema[name]))

    condition = maker.below(keyword, value)
    yield keyword, maker.fact(keyword, Conditional(condition, choice("then"), choice("else")))


def _prefix_items(maker: _Maker, keyword: str, value: list[Any]) -> Entries:
    nodes = tuple(maker.below(keyword, one, at) for at, one in enumerate(value))
    yield "prefixItems", maker.fact(keyword, nodes)


def _items(maker: _Maker, keyword: str, value: Any) -> Entries:
    if isinstance(value, list):
        yield from _prefix_items(maker, keyword, value)
        return
    prefix = maker.schema.get("prefixItems", ())
    start = 0 if "prefixItems" in maker.place.dialect.without else len(prefix)
    yield keyword, maker.fact(keyword, (start, maker.below(keyword, value)))


def _additional_items(maker: _Maker, keyword: str, value: Any) -> Entries:
    items = maker.schema.get("items")
    if isinstance(items, list):
        yield "items", maker.fact(keyword, (len(items), maker.below(keyword, value)))


def _contains(maker: _Maker, keyword: str, value: Any) -> Entries:
    counted = "minContains" not in maker.place.dialect.without
    has_least = counted and "minContains" in maker.schema
    ready = Contains(
        maker.below(keyword, value),
        maker.fact("minContains") if has_least else None,
        maker.fact("maxContains") if counted and "maxContains" in maker.schema else None,
        maker.schema["minContains"] if has_least else 1,
        maker.place.dialect.contains_marks,
    )
    yield keyword, maker.fact(keyword, ready)


def _properties(maker: _Maker, keyword: str, value: dict[str, Any]) -> Entries:
    maker.static += len(value)
    ready = tuple((name, maker.below(keyword, value[name], name)) for name in sorted(value))
    yield keyword, maker.fact(keyword, ready)


def _longest_name(schema: dict[str, Any]) -> int | None:
    names = schema.get("propertyNames")
    longest = names.get("maxLength") if isinstance(names, dict) else None
    return None if longest is None else int(longest)


def _pattern_properties(maker: _Maker, keyword: str, value: dict[str, Any]) -> Entries:
    longest = _longest_name(maker.schema)
    ready = tuple(
        Matched(
            maker.expression(keyword, source, longest),
            maker.below(keyword, value[source], source),
        )
        for source in sorted(value)
    )
    yield keyword, maker.fact(keyword, ready)


def _additional(maker: _Maker, keyword: str, value: Any) -> Entries:
    longest = _longest_name(maker.schema)
    expressions = tuple(
        maker.expression("patternProperties", source, longest)
        for source in sorted(maker.schema.get("patternProperties", ()))
    )
    named = frozenset(maker.schema.get("properties", ()))
    ready = Additional(maker.below(keyword, value), named, expressions)
    yield keyword, maker.fact(keyword, ready)


def _ref(maker: _Maker, keyword: str, value: str) -> Entries:
    node = _followed(maker, keyword, value)
    maker.in_place.append((keyword, node))
    yield keyword, maker.fact(keyword, node)


def _dynamic_ref(maker: _Maker, keyword: str, value: str) -> Entries:
    node = _followed(maker, keyword, value)
    maker.in_place.append((keyword, node))
    recursive = keyword == "$recursiveRef"
    anchor = value.rpartition("#")[2]
    if recursive:
        moves = node.resource.recursive and node.schema is not False
    else:
        moves = isinstance(node.schema, dict) and node.schema.get("$dynamicAnchor") == anchor
    ready = Dynamic(node, (anchor or "#") if moves else "", recursive=recursive)
    yield keyword, maker.fact(keyword, ready)


def _followed(maker: _Maker, keyword: str, reference: str) -> Node:
    """The node that a reference leads to, by referencing and offline."""
    builder, base = maker.builder, maker.place.resource.uri
    try:
        resolver = builder.resolvers.get(base)
        if resolver is None:
            resolver = builder.resolvers[base] = builder.registry.resolver(base)
        target = resolver.lookup(reference).contents
        if isinstance(target, dict) and id(target) not in builder.places:
            uri = urldefrag(urljoin(base, reference))[0]
            _index(builder, resolver.lookup(uri).contents, uri, uri, f"{uri}#")
        if isinstance(target, dict) and id(target) not in builder.places:
            # Inside a keyword that holds no schemas: nothing has vouched for it.
            fault = metaschema_fault(target, maker.place.dialect)
            if fault is not None:
                raise maker.error(keyword, "it leads to what is no schema", "point it at a schema")
            at = maker.place.pointer + "/" + token(keyword)
            _index(builder, target, maker.place.file, base, _pointer_of(reference, at))
    except (Unresolvable, ValueError):
        raise maker.error(
            keyword,
            f"{bounded(reference, 120)!r} leads nowhere in this catalog",
            "put the schema it names into the catalog: nothing is ever fetched",
        ) from None
    if not isinstance(target, (dict, bool)):
        raise maker.error(keyword, "it leads to what is no schema", "point it at a schema")
    return _node_of(builder, target, f"{maker.place.pointer}/{token(keyword)}")


def _pointer_of(reference: str, otherwise: str) -> str:
    """Where a reference into the same document leads, as a JSON Pointer."""
    return reference[1:] if reference.startswith("#/") else otherwise


def metaschema_fault(schema: Any, dialect: Dialect) -> tuple[str, str] | None:
    """
    Where a schema breaks its metaschema: the smallest place and the rule there.
    """
    peer = dialect.peer(dialect.peer.META_SCHEMA)  # type: ignore[attr-defined]
    faults = [
        ("".join(f"/{token(str(step))}" for step in error.absolute_path), str(error.validator))
        for error in peer.iter_errors(schema)
    ]
    return min(faults, key=lambda fault: (-fault[0].count("/"), fault)) if faults else None


_MAKERS = {
    "$ref": _ref,
    "$dynamicRef": _dynamic_ref,
    "$recursiveRef": _dynamic_ref,
    "type": _type,
    "enum": _values,
    "const": _values,
    "x-maxBytes": _max_bytes,
    "pattern": _pattern,
    "format": _format,
    "required": _required,
    "dependentRequired": _dependent_required,
    "dependentSchemas": _dependent_schemas,
    "dependencies": _dependencies,
    "propertyNames": _single,
    "allOf": _branches,
    "anyOf": _branches,
    "oneOf": _branches,
    "not": _single,
    "if": _if,
    "prefixItems": _prefix_items,
    "items": _items,
    "additionalItems": _additional_items,
    "contains": _contains,
    "properties": _properties,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional,
    "unevaluatedItems": _single,
    "unevaluatedProperties": _single,
}

#: The registry that every catalog's own begins with: the metaschemas.
METASCHEMAS: referencing.Registry[Any] = SPECIFICATIONS
