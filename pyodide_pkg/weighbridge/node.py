"""
A schema as it is applied: every place once, every reference already followed.

Nodes are made when a catalog loads and never change afterwards; a call only
reads them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The JSON types, as a finding names what came.
TYPES = frozenset({"array", "boolean", "null", "number", "object", "string"})


def type_of(instance: object) -> str:
    """
    The JSON type of a parsed value; every number is a ``number``.
    """
    kind = type(instance)
    if kind is str:
        return "string"
    if kind is bool:
        return "boolean"
    if kind is dict:
        return "object"
    if kind is list:
        return "array"
    return "null" if instance is None else "number"


@dataclass(slots=True, eq=False)
class Resource:
    """
    One schema resource, what a ``$dynamicRef`` is looked for in.
    """

    uri: str

    #: Node by the name of its ``$dynamicAnchor``; ``""`` is the root.
    anchors: dict[str, Node] = field(default_factory=dict)

    #: Whether a 2019-09 ``$recursiveAnchor`` stands at its root.
    recursive: bool = False


@dataclass(slots=True, eq=False)
class Node:
    """
    One schema at one place.
    """

    #: Where it stands in the published form, as a JSON Pointer.
    pointer: str

    resource: Resource

    #: Keywords in the package's own order, each with its value made ready.
    keywords: tuple[tuple[str, Any], ...] = ()

    #: Steps that one application costs before any size counts.
    cost: int = 2

    #: A ``false`` schema.
    forbids: bool = False

    #: JSON types of which some value might hold; never too few.
    takes: frozenset[str] = TYPES

    #: Whether an ``unevaluated*`` stands here or is reached on the same value.
    collects: bool = False

    #: Code points past which no pattern or format is tried.
    max_length: int | None = None

    #: Code points past which a name is tried by no pattern: ``propertyNames`` refuses it.
    longest_name: int | None = None

    #: The names that ``properties`` declares here, in code-point order.
    properties: tuple[str, ...] = ()

    #: Schemas applied to the same value, by the keyword that does.
    in_place: tuple[tuple[str, Node], ...] = ()

    #: The jsonschema validator of this place.
    validator: Any = None

    #: What the document says here.
    schema: Any = None

    def __repr__(self) -> str:
        """The place: a node refers to others without end."""
        return f"<Node {self.pointer}>"


def reached_in_place(node: Node) -> Iterator[Node]:
    """
    The node and every schema that it applies to the same value, each once.
    """
    seen = {id(node)}
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        for _keyword, below in here.in_place:
            if id(below) not in seen:
                seen.add(id(below))
                waiting.append(below)
