"""
What schemas that all apply to one object say of its names and values.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod

from weighbridge import audit_shapes as shapes
from weighbridge.audit_shapes import ALTERNATIVES, Text, Together
from weighbridge.audit_strings import both, language
from weighbridge.node import Node, reached_in_place
from weighbridge.ready import Matched

_CONDITIONAL = frozenset({"anyOf", "dependentSchemas", "else", "if", "not", "oneOf", "then"})


def names(nodes: Together) -> list[str]:
    """The names that any of them declares, in code-point order."""
    found = {name for fact in shapes.said(nodes, "properties") for name, _node in fact.ready}
    for fact in shapes.said(nodes, "propertyNames"):
        values = shapes.listed(shapes.closed(frozenset({fact.ready})))
        found |= {value for value in values or () if isinstance(value, str)}
    return sorted(found)


def required(nodes: Together) -> frozenset[str]:
    """The names that every object has."""
    return frozenset(name for fact in shapes.said(nodes, "required") for name in fact.ready)


def naming(nodes: Together) -> Together:
    """The schemas that every name meets."""
    return frozenset(fact.ready for fact in shapes.said(nodes, "propertyNames"))


class Members:
    """
    The schemas of the value under each name, for schemas that all apply to one object.
    """

    def __init__(self, nodes: Together) -> None:
        """Gather what every one of the schemas says, once for all names."""
        self._of = [_Known(node) for node in nodes]

    def __call__(self, name: str) -> Together:
        """The schemas of the value under one name."""
        found: set[Node] = set()
        for known in self._of:
            own = known.own(name)
            found |= own
            if known.additional is not None and not own:
                found.add(known.additional)
            if known.unevaluated is not None and not any(one.own(name) for one in known.reached):
                found.add(known.unevaluated)
        return frozenset(found)


class _Known:
    """
    What one schema says of names.
    """

    def __init__(self, node: Node, *, inside: bool = True) -> None:
        self.properties: dict[str, Node] = {}
        self.matched: tuple[Matched, ...] = ()
        self.additional: Node | None = None
        self.unevaluated: Node | None = None
        self.reached: list[_Known] = []
        for keyword, fact in node.keywords:
            if keyword == "properties":
                self.properties = dict(fact.ready)
            elif keyword == "patternProperties":
                self.matched = fact.ready
            elif keyword == "additionalProperties":
                self.additional = fact.ready.node
            elif keyword == "unevaluatedProperties" and inside:
                reached = list(reached_in_place(node))
                if not any(_sees_all(one, node) for one in reached):
                    self.unevaluated = fact.ready
                    self.reached = [_Known(one, inside=False) for one in reached]

    def own(self, name: str) -> set[Node]:
        """The schemas that its own lists have for a name."""
        found = {one.node for one in self.matched if one.pattern.search(name)}
        return found | {self.properties[name]} if name in self.properties else found


def _sees_all(one: Node, node: Node) -> bool:
    """Whether ``one`` may have evaluated every name, for ``node``."""
    words = {keyword for keyword, _fact in one.keywords}
    if words & {"additionalProperties", "$dynamicRef", "$recursiveRef"}:
        return True
    return one is not node and "unevaluatedProperties" in words


@dataclass(frozen=True, slots=True)
class Other:
    """
    One kind of name that nobody declares.
    """

    #: The schemas of its value.
    values: Together

    #: Patterns that the name matches.
    patterns: tuple[str, ...] = ()


def others(nodes: Together) -> list[Other]:
    """
    The kinds of names that nobody declares and that there may be.
    """
    if any(shapes.listed(shapes.closed(frozenset({one}))) is not None for one in naming(nodes)):
        return []
    matching = [
        (node, fact.ready)
        for node in sorted(nodes, key=lambda one: one.pointer)
        for keyword, fact in node.keywords
        if keyword == "patternProperties"
    ]
    if prod(1 + len(entries) for _node, entries in matching) > ALTERNATIVES:
        return [Other(frozenset())]
    found: list[Other] = []
    for picked in product(*((None, *entries) for _node, entries in matching)):
        chosen = [one for one in picked if one is not None]
        matched = {node for (node, _), one in zip(matching, picked, strict=True) if one}
        values = {one.node for one in chosen} | _of_unmatched(nodes, matched)
        if not any(node.forbids for node in values):
            found.append(Other(frozenset(values), tuple(one.pattern.source for one in chosen)))
    return found


def _of_unmatched(nodes: Together, matched: set[Node]) -> set[Node]:
    """The schemas of a value whose name only the patterns of ``matched`` know."""
    found: set[Node] = set()
    for node in nodes:
        for keyword, fact in node.keywords:
            if keyword == "additionalProperties" and node not in matched:
                found.add(fact.ready.node)
            elif keyword == "unevaluatedProperties":
                reached = list(reached_in_place(node))
                patterned = [
                    one for one in reached if shapes.said(frozenset({one}), "patternProperties")
                ]
                if not (
                    any(_sees_all(one, node) for one in reached)
                    or any(one in matched or one not in nodes for one in patterned)
                ):
                    found.add(fact.ready)
    return found


def text_of_names(nodes: Together, other: Other) -> Text:
    """What names of one kind there may be."""
    text = shapes.text_of(shapes.closed(naming(nodes)))
    letters, counts = text.letters, [] if text.count is None else [text.count]
    for source in other.patterns:
        known = language(source)
        letters = both(letters, known.letters)
        counts += [] if known.longest is None else [known.longest]
    return Text(min(counts, default=None), text.size, letters)


def is_conditional(nodes: Together) -> bool:
    """Whether what is closed depends on which branch a value takes."""
    return any(
        keyword == "unevaluatedProperties"
        and any(word in _CONDITIONAL for one in reached_in_place(node) for word, _ in one.in_place)
        for node in nodes
        for keyword, _fact in node.keywords
    )
