"""
One keyword's value made ready: resolved, sorted, compiled, or refused with its cure.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urldefrag, urljoin

from referencing.exceptions import Unresolvable

from weighbridge import formats
from weighbridge.building import Entries, Maker, index, node_of
from weighbridge.dialects import token
from weighbridge.equality import kind_of
from weighbridge.errors import named
from weighbridge.node import Node
from weighbridge.ready import (
    Additional,
    Branches,
    Choice,
    Conditional,
    Contains,
    Dynamic,
    Listed,
    Matched,
)


def make(maker: Maker, keyword: str) -> Entries:
    """The entries of one keyword: none, one, or two for ``dependencies``."""
    if keyword not in maker.schema or keyword in maker.place.dialect.without:
        return
    value = maker.schema[keyword]
    special = _MAKERS.get(keyword)
    if special is not None:
        yield from special(maker, keyword, value)
    else:
        yield keyword, maker.fact(keyword, value)


def _type(maker: Maker, keyword: str, value: Any) -> Entries:
    yield keyword, maker.fact(keyword, frozenset([value] if isinstance(value, str) else value))


def _values(maker: Maker, keyword: str, value: Any) -> Entries:
    listed = value if keyword == "enum" else [value]
    maker.static += len(listed) // 16
    leaves = [one for one in listed if kind_of(one) != "container"]
    ready = Listed(
        frozenset((kind_of(one), one) for one in leaves),
        tuple(_in_order(one) for one in listed if kind_of(one) == "container"),
    )
    yield keyword, maker.fact(keyword, ready)


def _in_order(value: Any) -> Any:
    """The same value with its keys in order, so that no file's order is seen in the steps."""
    if isinstance(value, dict):
        return {key: _in_order(value[key]) for key in sorted(value)}
    return [_in_order(one) for one in value] if isinstance(value, list) else value


def _pattern(maker: Maker, keyword: str, value: str) -> Entries:
    longest = maker.schema.get("maxLength")
    found = maker.expression(keyword, value, None if longest is None else int(longest))
    yield keyword, maker.fact(keyword, found)


def _max_bytes(maker: Maker, keyword: str, value: Any) -> Entries:
    # Our own vocabulary: no metaschema vouches for it.
    if type(value) is not int or value < 0:
        raise maker.error(keyword, "it is no number of bytes", "write a whole number from 0")
    yield keyword, maker.fact(keyword)


def _format(maker: Maker, keyword: str, value: str) -> Entries:
    found = formats.FORMATS.get(value)
    if found is not None:
        yield keyword, maker.fact(keyword, found)
    elif maker.builder.published:
        raise maker.error(
            keyword,
            f"the format {named(value, 60)} is not among those that are asserted",
            f"use one of {', '.join(sorted(formats.FORMATS))}, or a pattern, or no format",
        )


def _required(maker: Maker, keyword: str, value: list[str]) -> Entries:
    maker.static += len(value)
    yield keyword, maker.fact(keyword, tuple(sorted(set(value))))


def _dependent_required(maker: Maker, keyword: str, value: dict[str, list[str]]) -> Entries:
    maker.static += sum(map(len, value.values())) + len(value)
    yield keyword, maker.fact(keyword, tuple(sorted((k, tuple(v)) for k, v in value.items())))


def _dependent_schemas(maker: Maker, keyword: str, value: dict[str, Any]) -> Entries:
    maker.static += len(value)
    ready = tuple((name, maker.below(keyword, value[name], name)) for name in sorted(value))
    yield keyword, maker.fact(keyword, ready)


def _dependencies(maker: Maker, keyword: str, value: dict[str, Any]) -> Entries:
    names = {name: one for name, one in value.items() if isinstance(one, list)}
    for _keyword, fact in _dependent_required(maker, keyword, names):
        yield "dependentRequired", fact
    others = {name: one for name, one in value.items() if name not in names}
    for _keyword, fact in _dependent_schemas(maker, keyword, others):
        yield "dependentSchemas", fact


def _branches(maker: Maker, keyword: str, value: list[Any]) -> Entries:
    nodes = tuple(maker.below(keyword, one, at) for at, one in enumerate(value))
    yield keyword, maker.fact(keyword, Branches(nodes))


def _single(maker: Maker, keyword: str, value: Any) -> Entries:
    yield keyword, maker.fact(keyword, maker.below(keyword, value))


def _if(maker: Maker, keyword: str, value: Any) -> Entries:
    def choice(name: str) -> Choice | None:
        if name not in maker.schema:
            return None
        return Choice(name, maker.below(name, maker.schema[name]))

    condition = maker.below(keyword, value)
    yield keyword, maker.fact(keyword, Conditional(condition, choice("then"), choice("else")))


def _prefix_items(maker: Maker, keyword: str, value: list[Any]) -> Entries:
    nodes = tuple(maker.below(keyword, one, at) for at, one in enumerate(value))
    yield "prefixItems", maker.fact(keyword, nodes)


def _items(maker: Maker, keyword: str, value: Any) -> Entries:
    if isinstance(value, list):
        yield from _prefix_items(maker, keyword, value)
        return
    prefix = maker.schema.get("prefixItems", ())
    start = 0 if "prefixItems" in maker.place.dialect.without else len(prefix)
    yield keyword, maker.fact(keyword, (start, maker.below(keyword, value)))


def _additional_items(maker: Maker, keyword: str, value: Any) -> Entries:
    items = maker.schema.get("items")
    if isinstance(items, list):
        yield "items", maker.fact(keyword, (len(items), maker.below(keyword, value)))


def _contains(maker: Maker, keyword: str, value: Any) -> Entries:
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


def _properties(maker: Maker, keyword: str, value: dict[str, Any]) -> Entries:
    maker.static += len(value)
    ready = tuple((name, maker.below(keyword, value[name], name)) for name in sorted(value))
    yield keyword, maker.fact(keyword, ready)


def _longest_name(maker: Maker) -> int | None:
    names = maker.schema.get("propertyNames")
    if not isinstance(names, dict) or (maker.place.dialect.bare_ref and "$ref" in names):
        return None
    longest = names.get("maxLength")
    return None if longest is None else int(longest)


def _pattern_properties(maker: Maker, keyword: str, value: dict[str, Any]) -> Entries:
    longest = _longest_name(maker)
    ready = tuple(
        Matched(
            maker.expression(keyword, source, longest),
            maker.below(keyword, value[source], source),
        )
        for source in sorted(value)
    )
    yield keyword, maker.fact(keyword, ready)


def _additional(maker: Maker, keyword: str, value: Any) -> Entries:
    longest = _longest_name(maker)
    expressions = tuple(
        maker.expression("patternProperties", source, longest)
        for source in sorted(maker.schema.get("patternProperties", ()))
    )
    named = frozenset(maker.schema.get("properties", ()))
    ready = Additional(maker.below(keyword, value), named, expressions)
    yield keyword, maker.fact(keyword, ready)


def _ref(maker: Maker, keyword: str, value: str) -> Entries:
    node = _followed(maker, keyword, value)
    maker.in_place.append((keyword, node))
    yield keyword, maker.fact(keyword, node)


def _dynamic_ref(maker: Maker, keyword: str, value: str) -> Entries:
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


def _followed(maker: Maker, keyword: str, reference: str) -> Node:
    """The node that a reference leads to, by referencing and offline."""
    builder, base = maker.builder, maker.place.resource.uri
    try:
        resolver = builder.resolvers.get(base)
        if resolver is None:
            resolver = builder.resolvers[base] = builder.registry.resolver(base)
        target = resolver.lookup(reference).contents
        if isinstance(target, dict) and id(target) not in builder.places:
            uri = urldefrag(urljoin(base, reference))[0]
            index(builder, resolver.lookup(uri).contents, uri, uri, f"{uri}#")
        if isinstance(target, dict) and id(target) not in builder.places:
            # Inside a keyword that holds no schemas: nothing has vouched for it.
            fault = builder.vouch(target, maker.place.dialect)
            if fault is not None:
                raise maker.error(keyword, "it leads to what is no schema", "point it at a schema")
            at = maker.place.pointer + "/" + token(keyword)
            index(builder, target, maker.place.file, base, _pointer_of(reference, at))
    except (Unresolvable, ValueError):
        raise maker.error(
            keyword,
            f"{named(reference)} leads nowhere in this catalog",
            "put the schema it names into the catalog: nothing is ever fetched",
        ) from None
    if not isinstance(target, (dict, bool)):
        raise maker.error(keyword, "it leads to what is no schema", "point it at a schema")
    return node_of(builder, target, f"{maker.place.pointer}/{token(keyword)}")


def _pointer_of(reference: str, otherwise: str) -> str:
    """Where a reference into the same document leads, as a JSON Pointer."""
    return reference[1:] if reference.startswith("#/") else otherwise


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
