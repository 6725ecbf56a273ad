"""
What the schemas that apply to one value say of its size, taken together.

Schemas that all apply are a set of nodes; where a value may take one branch or
another there are several such sets, the alternatives.  Whatever is not looked at
here only narrows: what is left out makes a bound wider, never wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any

from weighbridge.audit_strings import FORMATS, Language, both, language
from weighbridge.limits import INTEGER_DIGITS
from weighbridge.node import TYPES, Node
from weighbridge.regex_sets import EVERYTHING, CodePoints

#: Schemas that all apply to one value.
type Together = frozenset[Node]

#: Alternatives of one value that are kept apart; past it branches are not looked into.
ALTERNATIVES = 64

#: Keywords that may refuse what the sizes alone admit: a bound is then not exact.
_NARROWING = frozenset(
    {
        "$dynamicRef",
        "$recursiveRef",
        "contains",
        "dependentRequired",
        "dependentSchemas",
        "if",
        "minItems",
        "minLength",
        "minProperties",
        "multipleOf",
        "not",
        "oneOf",
        "unevaluatedItems",
    }
)
_LEAST = {"minItems": "maxItems", "minLength": "maxLength", "minProperties": "maxProperties"}

#: One past the integers that JSON may hold here.
BEYOND = 10**INTEGER_DIGITS


@dataclass(frozen=True, slots=True)
class Text:
    """
    What strings there may be.
    """

    #: Code points and bytes of UTF-8; None for no bound.
    count: int | None
    size: int | None
    letters: CodePoints = EVERYTHING


def direct(nodes: Together) -> Together:
    """
    The same with what is nothing but a reference replaced by where it leads.
    """
    found: set[Node] = set()
    for one in nodes:
        node = one
        while len(node.keywords) == 1 and node.keywords[0][0] == "$ref":
            node = node.keywords[0][1].ready
        found.add(node)
    return frozenset(found)


def alternatives(nodes: Together) -> tuple[list[Together], bool]:
    """
    The sets of schemas of which a value meets one, whole, when it meets ``nodes``;
    and whether every branch was looked into.
    """
    found = [closed(nodes)]
    done: set[int] = set()
    whole = True
    while True:
        group = _next_group(found, done)
        if group is None:
            break
        done.add(id(group))
        split: list[Together] = []
        for one in found:
            ready = next((w for w in _groups(one) if w[0] is group), None)
            split += [one] if ready is None else [closed(one | {b}) for b in ready[1]]
        split = [one for one in dict.fromkeys(split) if _is_possible(one)]
        if len(split) <= ALTERNATIVES:
            found = split
        else:
            whole = False
    return [one for one in found if _is_possible(one)], whole


def _groups(nodes: Together) -> Iterator[tuple[Any, tuple[Node, ...]]]:
    """Each choice that these schemas leave, with its branches."""
    for node in nodes:
        for keyword, fact in node.keywords:
            if keyword in ("anyOf", "oneOf"):
                yield fact, fact.ready.nodes
            elif keyword == "if" and fact.ready.then and fact.ready.otherwise:
                yield fact, (fact.ready.then.node, fact.ready.otherwise.node)


def _next_group(found: list[Together], done: set[int]) -> Any:
    waiting = (fact for one in found for fact, _branches in _groups(one) if id(fact) not in done)
    return min(waiting, key=lambda fact: str(fact.pointer), default=None)


def closed(nodes: Together) -> Together:
    """The same with every schema that they bring with them."""
    found: set[Node] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node in found:
            continue
        found.add(node)
        for keyword, fact in node.keywords:
            if keyword == "$ref":
                waiting.append(fact.ready)
            elif keyword == "allOf":
                waiting += fact.ready.nodes
    return frozenset(found)


def _is_possible(nodes: Together) -> bool:
    return not any(node.forbids for node in nodes) and bool(kinds(nodes))


def kinds(nodes: Together) -> frozenset[str]:
    """The JSON types that all of them take; every number is a ``number``."""
    return reduce(frozenset.__and__, (node.takes for node in nodes), TYPES)


def said(nodes: Together, keyword: str) -> list[Any]:
    """The facts of one keyword."""
    return [fact for node in nodes for name, fact in node.keywords if name == keyword]


def least(nodes: Together, keyword: str) -> Any:
    """The smallest value of one keyword; None where nobody says it."""
    return min((fact.value for fact in said(nodes, keyword)), default=None)


def narrows(nodes: Together) -> bool:
    """
    Whether these schemas may refuse a value of the greatest size that they name.
    """
    for node in nodes:
        for keyword, fact in node.keywords:
            if keyword not in _NARROWING:
                continue
            most = least(nodes, _LEAST[keyword]) if keyword in _LEAST else None
            if most is None or fact.value > most:
                return True
    return False


def listed(nodes: Together) -> list[Any] | None:
    """
    The values of the shortest ``enum`` or ``const``; None where there is none.
    """
    lists = [fact for word in ("enum", "const") for fact in said(nodes, word)]
    if not lists:
        return None
    values = [list(fact.value) if fact.keyword == "enum" else [fact.value] for fact in lists]
    return min(values, key=len)


def text_of(nodes: Together) -> Text:
    """What strings meet all of them."""
    languages = [language(fact.value) for fact in said(nodes, "pattern")]
    languages += [FORMATS.get(fact.value, Language()) for fact in said(nodes, "format")]
    letters = reduce(both, (one.letters for one in languages), EVERYTHING)
    counts = [one.longest for one in languages if one.longest is not None]
    counts += [int(fact.value) for fact in said(nodes, "maxLength")]
    size = least(nodes, "x-maxBytes")
    if size is not None:
        counts.append(size)
    if not letters:
        counts.append(0)
    return Text(min(counts, default=None), size, letters)


def place(nodes: Iterable[Node]) -> str:
    """Where to look for them: the shortest pointer, the smallest of those."""
    return min((node.pointer for node in nodes), key=lambda at: (len(at), at), default="")
