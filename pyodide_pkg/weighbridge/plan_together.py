"""
Everything that a schema says about values of one JSON type, gathered from all that apply.

``$ref`` and ``allOf`` are followed, and so is the one branch of ``anyOf`` or
``oneOf`` that takes the type: what is left is a list of assertions, the schemas
of the children, and the few questions that stay questions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from weighbridge.node import Node
from weighbridge.plan_writer import Declined
from weighbridge.ready import Branches, Conditional, Fact

#: Nothing is planned where another resource may take a reference over, or where
#: it matters what else has evaluated a name.
_DECLINED = frozenset({"$dynamicRef", "$recursiveRef", "unevaluatedItems", "unevaluatedProperties"})

_ASKED = frozenset({"anyOf", "oneOf", "not", "if", "dependentSchemas"})


@dataclass(frozen=True, slots=True)
class Question:
    """
    A keyword that is answered by whether other schemas hold.
    """

    keyword: str

    #: The schemas asked; of a conditional the condition.
    nodes: tuple[Node, ...]

    #: For ``if``: what then holds, and what else.
    then: Node | None = None
    otherwise: Node | None = None

    #: For ``dependentSchemas``: the name that brings the schema with it.
    name: str = ""


@dataclass(slots=True)
class Together:
    """
    What applies to a value of one type.
    """

    #: Keyword, what it says, and the schema where it stands.
    facts: list[tuple[str, Fact, Node]] = field(default_factory=list)

    questions: list[Question] = field(default_factory=list)

    def of(self, *keywords: str) -> list[tuple[Fact, Node]]:
        """The facts of some keywords, in the order in which they were met."""
        return [(fact, node) for keyword, fact, node in self.facts if keyword in keywords]


def together(nodes: tuple[Node, ...], kind: str) -> Together | None:
    """
    What applies to a value of type ``kind``; None where no such value holds.

    Raises:
        Declined: a keyword that no plan is written for.
    """
    found = Together()
    seen: set[int] = set()
    waiting = list(reversed(nodes))
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if node.forbids or kind not in node.takes:
            return None
        for keyword, fact in node.keywords:
            if keyword in _DECLINED:
                raise Declined
            followed = _followed(keyword, fact.ready, kind)
            if followed == ():
                return None
            if followed is not None:
                waiting += followed
            elif keyword in _ASKED:
                found.questions += _asked(keyword, fact.ready, kind)
            else:
                found.facts.append((keyword, fact, node))
    return found


def _followed(keyword: str, ready: Any, kind: str) -> tuple[Node, ...] | None:
    """The schemas that hold too, where it is plain which; none where no value does."""
    if keyword == "$ref":
        return (ready,)
    if keyword == "allOf":
        nodes: tuple[Node, ...] = ready.nodes
        return nodes
    if keyword in ("anyOf", "oneOf"):
        takers = _takers(ready, kind)
        return takers if len(takers) <= 1 else None
    return None


def _takers(ready: Branches, kind: str) -> tuple[Node, ...]:
    return tuple(one for one in ready.nodes if kind in one.takes)


def _asked(keyword: str, ready: Any, kind: str) -> list[Question]:
    if keyword in ("anyOf", "oneOf"):
        return [Question(keyword, _takers(ready, kind))]
    if keyword == "not":
        return [Question(keyword, (ready,))]
    if keyword == "if":
        conditional: Conditional = ready
        then = conditional.then.node if conditional.then else None
        otherwise = conditional.otherwise.node if conditional.otherwise else None
        return [Question(keyword, (conditional.condition,), then, otherwise)]
    if kind != "object":
        return []
    return [Question(keyword, (node,), name=name) for name, node in ready]


def says_nothing(nodes: tuple[Node, ...]) -> bool:
    """Whether every value holds, whatever it is."""
    return all(not node.keywords and not node.forbids for node in nodes)
