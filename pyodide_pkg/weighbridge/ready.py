"""
Keyword values made ready: what a keyword says, beside what its function needs.

Everything that depends on the schema alone is worked out once, when the catalog
loads: sorted, resolved, compiled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from weighbridge.node import Node, Resource


class Pattern(Protocol):
    """What this package needs of a compiled expression or format."""

    def search(self, text: str) -> bool:
        """Whether the expression is found in ``text``."""

    def steps(self, length: int) -> int:
        """Steps to charge before a string of ``length`` code points is tried."""


@dataclass(frozen=True, slots=True)
class Fact:
    """
    One keyword at one place.
    """

    #: As the document spells it.
    keyword: str

    #: Where it stands in the published form, as a JSON Pointer.
    pointer: str

    #: What the document says there.
    value: Any

    #: What the keyword's function works with.
    ready: Any = None


@dataclass(frozen=True, slots=True)
class Listed:
    """
    The values of ``enum`` or ``const``.
    """

    #: Kind and value of each that is neither array nor object.
    leaves: frozenset[tuple[str, Any]]

    containers: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Branches:
    """
    The schemas of ``allOf``, ``anyOf`` or ``oneOf``.
    """

    nodes: tuple[Node, ...]

    @property
    def takes(self) -> tuple[str, ...]:
        """The JSON types of which some value might fit a branch."""
        return tuple(sorted({kind for node in self.nodes for kind in node.takes}))


@dataclass(frozen=True, slots=True)
class Choice:
    """
    ``then`` or ``else``.
    """

    keyword: str
    node: Node


@dataclass(frozen=True, slots=True)
class Conditional:
    """
    ``if`` with its consequences.
    """

    condition: Node
    then: Choice | None
    otherwise: Choice | None


@dataclass(frozen=True, slots=True)
class Contains:
    """
    ``contains`` with its counts.
    """

    node: Node

    #: ``minContains``, where it is written.
    least: Fact | None

    #: ``maxContains``, where it is written.
    most: Fact | None

    least_count: int

    #: Whether a match counts as evaluated; not before 2020-12.
    marks: bool


@dataclass(frozen=True, slots=True)
class Matched:
    """
    One entry of ``patternProperties``.
    """

    pattern: Pattern
    node: Node


@dataclass(frozen=True, slots=True)
class Additional:
    """
    ``additionalProperties`` with what its neighbours name.
    """

    node: Node
    named: frozenset[str]
    patterns: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Dynamic:
    """
    ``$dynamicRef`` or ``$recursiveRef``.
    """

    #: Where the reference leads when nothing outer takes it over.
    node: Node

    #: The anchor looked for in outer resources; ``""`` looks nowhere.
    anchor: str

    #: Whether outer resources are asked for a ``$recursiveAnchor`` instead.
    recursive: bool = False

    def target_in(self, resource: Resource) -> Node | None:
        """What one outer resource answers."""
        if self.recursive:
            return resource.anchors.get("") if resource.recursive else None
        return resource.anchors.get(self.anchor)
