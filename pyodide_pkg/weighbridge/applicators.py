"""
What each applicator means: a keyword that applies schemas, here or to children.

None of them lets the order of a caller's keys be seen, neither in what is told
nor in the steps that are counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nsmallest
from typing import Any

from jsonschema.exceptions import ValidationError

from weighbridge.assertions import Errors, found, told
from weighbridge.evaluation import CURRENT, EVERYTHING, Evaluation
from weighbridge.limits import NAMES
from weighbridge.node import Node, reached_in_place, type_of
from weighbridge.ready import (
    Additional,
    Branches,
    Choice,
    Conditional,
    Contains,
    Dynamic,
    Fact,
    Matched,
)

# --- schemas on the same value ----------------------------------------------


def ref(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``$ref``: the schema it names, followed when the catalog loaded."""
    yield from CURRENT.get().descend(fact.ready, instance, fact.keyword)


def dynamic_ref(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``$dynamicRef``: the outermost resource that has the anchor decides."""
    ready: Dynamic = fact.ready
    evaluation = CURRENT.get()
    target = ready.node
    evaluation.spend(len(evaluation.scope))
    for resource in evaluation.scope if ready.anchor else ():
        outer = ready.target_in(resource)
        if outer is not None:
            target = outer
            break
    yield from evaluation.descend(target, instance, fact.keyword)


def all_of(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``allOf``: every branch."""
    evaluation = CURRENT.get()
    for node in fact.ready.nodes:
        yield from evaluation.descend(node, instance, fact.keyword)


def any_of(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``anyOf``: at least one branch."""
    ready: Branches = fact.ready
    evaluation = CURRENT.get()
    branches = _takers(evaluation, ready, instance)
    if len(branches) == 1:
        # Only this branch takes a value of this type: what it misses is what
        # the caller has to mend.
        yield from evaluation.descend(branches[0], instance, fact.keyword)
        return
    held = False
    for node in branches:
        if evaluation.holds(node, instance, fact.keyword):
            held = True
            if evaluation.log is None:
                break
    if not held:
        _excuse(evaluation, branches, instance)
        yield told(fact, instance, allowed=ready.takes)


def one_of(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``oneOf``: exactly one branch."""
    ready: Branches = fact.ready
    evaluation = CURRENT.get()
    branches = _takers(evaluation, ready, instance)
    if len(branches) == 1:
        yield from evaluation.descend(branches[0], instance, fact.keyword)
        return
    held = 0
    for node in branches:
        held += evaluation.holds(node, instance, fact.keyword)
        if held > 1:
            break
    if held != 1:
        _excuse(evaluation, branches, instance)
        yield told(fact, instance, allowed=ready.takes, pair=(held, held))


def not_(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``not``: the schema does not hold."""
    evaluation = CURRENT.get()
    log, evaluation.log = evaluation.log, [] if fact.ready.collects else None
    held = evaluation.holds(fact.ready, instance, fact.keyword)
    evaluation.log = log
    if held:
        yield told(fact, instance)


def if_(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``if``, ``then``, ``else``: one schema decides which other applies."""
    ready: Conditional = fact.ready
    evaluation = CURRENT.get()
    held = evaluation.holds(ready.condition, instance, fact.keyword)
    chosen: Choice | None = ready.then if held else ready.otherwise
    if chosen is not None:
        yield from evaluation.descend(chosen.node, instance, chosen.keyword)


def _takers(evaluation: Evaluation, ready: Branches, instance: object) -> list[Node]:
    evaluation.spend(len(ready.nodes))
    came = type_of(instance)
    return [node for node in ready.nodes if came in node.takes]


def _excuse(evaluation: Evaluation, branches: list[Node], instance: object) -> None:
    """
    Names of a branch that failed are not told as unknown beside its failure.
    """
    if evaluation.log is None or type(instance) is not dict:
        return
    for branch in branches:
        for node in reached_in_place(branch):
            evaluation.spend(len(node.properties) + 1)
            evaluation.log.extend(name for name in node.properties if name in instance)


# --- items ---


def prefix_items(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``prefixItems``: each item by the schema at its position."""
    if type(instance) is not list:
        return
    evaluation = CURRENT.get()
    for at, (node, item) in enumerate(zip(fact.ready, instance, strict=False)):
        _log(evaluation, at)
        yield from evaluation.descend_into(at, node, item, fact.keyword)


def items(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``items``: every item past the positional ones."""
    if type(instance) is not list:
        return
    start, node = fact.ready
    evaluation = CURRENT.get()
    _log(evaluation, EVERYTHING)
    if not node.keywords and not node.forbids:
        return
    for at in range(start, len(instance)):
        yield from evaluation.descend_into(at, node, instance[at], fact.keyword)


def contains(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``contains``, ``minContains``, ``maxContains``: how many items match."""
    if type(instance) is not list:
        return
    ready: Contains = fact.ready
    evaluation = CURRENT.get()
    count = 0
    for at, item in enumerate(instance):
        if _holds_in(evaluation, at, ready.node, item, fact.keyword):
            count += 1
            if ready.marks:
                _log(evaluation, at)
            enough = ready.most is None and count >= ready.least_count
            if enough and evaluation.log is None:
                break
    if count < ready.least_count:
        yield told(ready.least or fact, instance)
    elif ready.most is not None and count > ready.most.value:
        yield told(ready.most, instance)


def unevaluated_items(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``unevaluatedItems``: every item that nothing here has evaluated."""
    if type(instance) is not list:
        return
    evaluation = CURRENT.get()
    seen = _seen(evaluation)
    _log(evaluation, EVERYTHING)
    if seen is None:
        return
    for at, item in enumerate(instance):
        evaluation.spend(1)
        if at not in seen:
            yield from evaluation.descend_into(at, fact.ready, item, fact.keyword)


# --- properties ---


def dependent_schemas(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``dependentSchemas``: schemas that a name brings with it."""
    if type(instance) is not dict:
        return
    evaluation = CURRENT.get()
    for name, node in fact.ready:
        if name in instance:
            yield from evaluation.descend(node, instance, fact.keyword)


def property_names(_validator: Any, fact: Fact, instance: Any, node: Node) -> Errors:
    """``propertyNames``: every name holds; one finding for all that do not."""
    if type(instance) is not dict:
        return
    evaluation = CURRENT.get()
    failing = [name for name in instance if not _name_holds(evaluation, fact, name)]
    if failing:
        yield _names(fact, instance, failing, node)


def _name_holds(evaluation: Evaluation, fact: Fact, name: str) -> bool:
    evaluation.spend(1)
    log, evaluation.log = evaluation.log, None
    held = evaluation.holds(fact.ready, name, fact.keyword)
    evaluation.log = log
    return held


def properties(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``properties``: each named value by its schema."""
    if type(instance) is not dict:
        return
    evaluation = CURRENT.get()
    for name, node in fact.ready:
        if name in instance:
            _log(evaluation, name)
            yield from evaluation.descend_into(name, node, instance[name], fact.keyword)


def pattern_properties(_validator: Any, fact: Fact, instance: Any, node: Node) -> Errors:
    """``patternProperties``: each value whose name an expression is found in."""
    if type(instance) is not dict:
        return
    evaluation = CURRENT.get()
    yield from evaluation.in_any_order(_matched(evaluation, fact, instance, node))


def _matched(
    evaluation: Evaluation, fact: Fact, instance: dict[str, Any], node: Node
) -> Iterator[Errors]:
    entries: tuple[Matched, ...] = fact.ready
    for name, value in instance.items():
        if _name_too_long(name, node):
            # Refused by ``propertyNames``: not told as unknown too.
            _log(evaluation, name)
            continue
        for entry in entries:
            if found(entry.pattern, name):
                _log(evaluation, name)
                yield evaluation.descend_into(name, entry.node, value, fact.keyword)


def additional_properties(_validator: Any, fact: Fact, instance: Any, node: Node) -> Errors:
    """``additionalProperties``: every value that no neighbour here names."""
    if type(instance) is not dict:
        return
    ready: Additional = fact.ready
    evaluation = CURRENT.get()
    evaluation.spend(len(instance))
    others = [
        name
        for name in instance
        if name not in ready.named
        and not (ready.patterns and _name_too_long(name, node))
        and not any(found(known, name) for known in ready.patterns)
    ]
    yield from _each_unknown(evaluation, fact, instance, others, ready.node, node)


def unevaluated_properties(_validator: Any, fact: Fact, instance: Any, node: Node) -> Errors:
    """``unevaluatedProperties``: every value that nothing here has evaluated."""
    if type(instance) is not dict:
        return
    evaluation = CURRENT.get()
    seen = _seen(evaluation)
    if seen is None:
        return
    evaluation.spend(len(instance))
    others = [name for name in instance if name not in seen]
    yield from _each_unknown(evaluation, fact, instance, others, fact.ready, node)


def _name_too_long(name: str, node: Node) -> bool:
    return node.longest_name is not None and len(name) > node.longest_name


def _each_unknown(  # noqa: PLR0913, PLR0917 - what two keywords share
    evaluation: Evaluation,
    fact: Fact,
    instance: dict[str, Any],
    names: list[str],
    schema: Node,
    node: Node,
) -> Errors:
    if not names:
        return
    if schema.forbids:
        yield _names(fact, instance, names, node)
        return
    for name in names:
        _log(evaluation, name)
    if not schema.keywords:
        return
    yield from evaluation.in_any_order(
        evaluation.descend_into(name, schema, instance[name], fact.keyword) for name in names
    )


def _names(fact: Fact, instance: object, names: list[str], node: Node) -> ValidationError:
    """One finding for every name at fault in one object, the smallest told."""
    smallest = tuple(nsmallest(NAMES, names))
    return told(
        fact, instance, names=smallest, omitted=len(names) - len(smallest), allowed=node.properties
    )


# --- what is evaluated ------------------------------------------------------


def _log(evaluation: Evaluation, entry: object) -> None:
    if evaluation.log is not None:
        evaluation.spend(1)
        evaluation.log.append(entry)


def _seen(evaluation: Evaluation) -> set[object] | None:
    """
    Names or indices evaluated by this schema so far; None for every one.
    """
    entries = (evaluation.log or [])[evaluation.mark :]
    evaluation.spend(len(entries))
    seen = set(entries)
    return None if EVERYTHING in seen else seen


def _holds_in(evaluation: Evaluation, at: int, node: Node, item: object, keyword: str) -> bool:
    log, evaluation.log = evaluation.log, [] if node.collects else None
    evaluation.path.append(at)
    held = evaluation.holds(node, item, keyword)
    evaluation.path.pop()
    evaluation.log = log
    return held
