"""
From documents to nodes: every reference followed, every value made ready, once.

referencing decides what a reference means; jsonschema's metaschemas decide what
a schema may say.  Whatever could fail in a call fails here instead.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import referencing
from jsonschema import Draft202012Validator, validators

from weighbridge.building import Builder, Maker, Place, Vouch, index, node_of
from weighbridge.dialects import ORDER, subschemas
from weighbridge.errors import CatalogError
from weighbridge.graph import settle
from weighbridge.keywords import KEYWORDS
from weighbridge.limits import Limits
from weighbridge.makers import make
from weighbridge.node import Node

#: Schemas that one catalog may apply, references followed: what a load may cost.
NODES = 100_000

#: jsonschema's own class, with our keywords in our order.
AUTHORITY = validators.create(
    meta_schema=Draft202012Validator.META_SCHEMA,
    validators=KEYWORDS,  # type: ignore[arg-type]
    applicable_validators=attrgetter("keywords"),
)


def prepare(  # noqa: PLR0913 - what a document is and what it is judged by
    document: dict[str, Any],
    *,
    file: str,
    uri: str,
    registry: referencing.Registry[Any],
    limits: Limits,
    published: bool,
    vouch: Vouch,
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
        vouch: holds to its metaschema what stands where no metaschema looks.

    Returns:
        The node of the document's root.

    Raises:
        CatalogError: an unresolved reference, one that returns to itself on the
            same value, a pattern or format that cannot be used.
    """
    builder = Builder(registry, limits, published, vouch)
    index(builder, document, file, uri)
    root = node_of(builder, document, "")
    while builder.waiting or builder.anchors:
        if len(builder.every) > NODES:
            raise CatalogError(file, "", f"more than {NODES} schemas", "split the catalog")
        if builder.waiting:
            _fill(builder, *builder.waiting.pop())
        else:
            resource, name, schema = builder.anchors.pop()
            resource.anchors[name] = node_of(builder, schema, "")
    settle(builder.every, file)
    for node in builder.every:
        node.validator = AUTHORITY(schema=node, _resolver=builder)  # type: ignore[arg-type, call-arg]
    return root


def _fill(builder: Builder, node: Node, schema: dict[str, Any], place: Place) -> None:
    """Make the keywords of one node."""
    if place.dialect.bare_ref and "$ref" in schema:
        schema = {"$ref": schema["$ref"]}
    maker = Maker(builder, node, schema, place)
    made = [entry for keyword in ORDER for entry in make(maker, keyword)]
    node.keywords = tuple(made)
    node.cost = 2 + len(made) + maker.static
    node.in_place = tuple(maker.in_place)
    node.max_length = schema.get("maxLength")
    node.properties = tuple(sorted(schema.get("properties", ())))
    # Schemas that nothing applies are made as well, so that their faults show.
    for keyword, at, below in subschemas(schema):
        if keyword in ("$defs", "definitions"):
            node_of(builder, below, place.pointer + at)
