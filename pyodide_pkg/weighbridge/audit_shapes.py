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
from itertools import product
from math import prod
from typing import Any

from weighbridge.audit_strings import FORMATS, Language, both, language
from weighbridge.limits import INTEGER_DIGITS
from weighbridge.node import TYPES, Node, reached_in_place
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
_CONDITIONAL = frozenset({"anyOf", "dependentSchemas", "else", "if", "not", "oneOf", "then"})
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


# --- arrays -------------------------------------------------------------------


def most_items(nodes: Together) -> int | None:
    """The items that an array may have; None for no bound."""
    found = [int(fact.value) for fact in said(nodes, "maxItems")]
    found += [fact.ready[0] for fact in said(nodes, "items") if fact.ready[1].forbids]
    for fact in said(nodes, "prefixItems"):
        found += [at for at, node in enumerate(fact.ready) if node.forbids]
    for node in nodes:
        for keyword, fact in node.keywords:
            if keyword == "unevaluatedItems" and fact.ready.forbids:
                reached = list(reached_in_place(node))
                words = {word for one in reached for word, _ in one.keywords}
                if not words & {"items", "contains", "$dynamicRef", "$recursiveRef"}:
                    prefixes = said(frozenset(reached), "prefixItems")
                    found.append(max((len(one.ready) for one in prefixes), default=0))
    return min(found, default=None)


def positions(nodes: Together) -> int:
    """The first positions of an array that have schemas of their own."""
    return max((len(fact.ready) for fact in said(nodes, "prefixItems")), default=0)


def item(nodes: Together, at: int) -> Together:
    """The schemas of the item at one position."""
    found: set[Node] = set()
    for node in nodes:
        for keyword, fact in node.keywords:
            if keyword == "prefixItems" and at < len(fact.ready):
                found.add(fact.ready[at])
            elif keyword == "items" and at >= fact.ready[0]:
                found.add(fact.ready[1])
    return frozenset(found)


# --- objects ------------------------------------------------------------------


def names(nodes: Together) -> list[str]:
    """The names that any of them declares, in code-point order."""
    found = {name for fact in said(nodes, "properties") for name, _node in fact.ready}
    for fact in said(nodes, "propertyNames"):
        values = listed(closed(frozenset({fact.ready})))
        found |= {value for value in values or () if isinstance(value, str)}
    return sorted(found)


def required(nodes: Together) -> frozenset[str]:
    """The names that every object has."""
    return frozenset(name for fact in said(nodes, "required") for name in fact.ready)


def naming(nodes: Together) -> Together:
    """The schemas that every name meets."""
    return frozenset(fact.ready for fact in said(nodes, "propertyNames"))


def named(nodes: Together, name: str) -> Together:
    """The schemas of the value under one name."""
    found: set[Node] = set()
    for node in nodes:
        own = set(_own(node, name))
        found |= own
        for keyword, fact in node.keywords:
            if keyword == "additionalProperties" and not own:
                found.add(fact.ready.node)
            elif keyword == "unevaluatedProperties" and not _is_seen(node, name):
                found.add(fact.ready)
    return frozenset(found)


def _own(node: Node, name: str) -> Iterator[Node]:
    for keyword, fact in node.keywords:
        if keyword == "properties":
            yield from (below for word, below in fact.ready if word == name)
        elif keyword == "patternProperties":
            yield from (one.node for one in fact.ready if one.pattern.search(name))


def _is_seen(node: Node, name: str) -> bool:
    """Whether some schema on the same value may have evaluated a name."""
    reached = list(reached_in_place(node))
    return any(_sees_all(one, node) or any(_own(one, name)) for one in reached)


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
    if any(listed(closed(frozenset({one}))) is not None for one in naming(nodes)):
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
                patterned = [one for one in reached if said(frozenset({one}), "patternProperties")]
                if not (
                    any(_sees_all(one, node) for one in reached)
                    or any(one in matched or one not in nodes for one in patterned)
                ):
                    found.add(fact.ready)
    return found


def is_conditional(nodes: Together) -> bool:
    """Whether what is closed depends on which branch a value takes."""
    return any(
        keyword == "unevaluatedProperties"
        and any(word in _CONDITIONAL for one in reached_in_place(node) for word, _ in one.in_place)
        for node in nodes
        for keyword, _fact in node.keywords
    )


def place(nodes: Iterable[Node]) -> str:
    """Where to look for them: the shortest pointer, the smallest of those."""
    return min((node.pointer for node in nodes), key=lambda at: (len(at), at), default="")
