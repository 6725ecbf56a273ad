"""
What each keyword of JSON Schema means: one function each, bounded, value-free.

jsonschema calls them with its own signature and in our order.  None of them
renders an instance, none lets the order of a caller's keys be seen, and each
counts what its cost depends on before it spends it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import nsmallest
from typing import Any

from jsonschema.exceptions import ValidationError

from weighbridge.characters import CHUNK, utf8_length
from weighbridge.equality import equal, first_pair, kind_of, size
from weighbridge.evaluation import CURRENT, EVERYTHING, Evaluation
from weighbridge.limits import NAMES
from weighbridge.multiples import is_multiple
from weighbridge.node import Node, reached_in_place, type_of
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
    Pattern,
)

Errors = Iterator[ValidationError]
Keyword = Callable[[Any, Any, Any, Node], Errors]


def _number(instance: object) -> bool:
    return type(instance) is int or type(instance) is float


def _miss(fact: Fact, instance: object, **more: Any) -> ValidationError:
    return CURRENT.get().miss(fact.keyword, fact.pointer, fact.value, instance, **more)


def _names(fact: Fact, instance: object, names: list[str], node: Node) -> ValidationError:
    """One finding for every name at fault in one object, the smallest told."""
    told = tuple(nsmallest(NAMES, names))
    return _miss(
        fact, instance, names=told, omitted=len(names) - len(told), allowed=node.properties
    )


# --- any type ---------------------------------------------------------------


def type_(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``type``: one of the named types; a float with no fraction is an integer."""
    allowed: frozenset[str] = fact.ready
    came = type_of(instance)
    if came in allowed:
        return
    whole = came == "number" and (type(instance) is int or instance.is_integer())
    if not (whole and "integer" in allowed):
        yield _miss(fact, instance)


def enum(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``enum``: equal to one of the values."""
    if not _is_among(fact.ready, instance):
        yield _miss(fact, instance)


def const(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``const``: equal to the value."""
    if not _is_among(fact.ready, instance):
        yield _miss(fact, instance)


def _is_among(listed: Listed, instance: object) -> bool:
    spend = CURRENT.get().spend
    kind = kind_of(instance)
    spend(size(instance))
    if kind != "container":
        return (kind, instance) in listed.leaves
    return any(equal(value, instance, spend) for value in listed.containers)


# --- numbers ----------------------------------------------------------------


def multiple_of(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``multipleOf``: a whole multiple, decided on shortest decimals."""
    if _number(instance):
        CURRENT.get().spend(2 * size(instance))
        if not is_multiple(instance, fact.value):
            yield _miss(fact, instance)


def maximum(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``maximum``: at most the value."""
    if _number(instance) and instance > fact.value:
        yield _miss(fact, instance)


def exclusive_maximum(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``exclusiveMaximum``: below the value."""
    if _number(instance) and instance >= fact.value:
        yield _miss(fact, instance)


def minimum(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``minimum``: at least the value."""
    if _number(instance) and instance < fact.value:
        yield _miss(fact, instance)


def exclusive_minimum(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``exclusiveMinimum``: above the value."""
    if _number(instance) and instance <= fact.value:
        yield _miss(fact, instance)


# --- strings ----------------------------------------------------------------


def max_length(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``maxLength``: at most so many code points."""
    if type(instance) is str and len(instance) > fact.value:
        yield _miss(fact, instance)


def min_length(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``minLength``: at least so many code points."""
    if type(instance) is str and len(instance) < fact.value:
        yield _miss(fact, instance)


def max_bytes(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``x-maxBytes``: at most so many bytes of UTF-8; our own vocabulary."""
    if type(instance) is not str:
        return
    # Four bytes a code point at the most: short text needs no measuring.
    if 4 * len(instance) > fact.value:
        CURRENT.get().spend(len(instance) // CHUNK + 1)
        if utf8_length(instance) > fact.value:
            yield _miss(fact, instance)


def pattern(_validator: Any, fact: Fact, instance: Any, node: Node) -> Errors:
    """``pattern``: the ECMA-262 expression is found somewhere in the string."""
    if type(instance) is not str or _too_long(instance, node):
        return
    if not _found(fact.ready, instance):
        yield _miss(fact, instance)


def format_(_validator: Any, fact: Fact, instance: Any, node: Node) -> Errors:
    """``format``: asserted, by the package's own grammars."""
    if type(instance) is not str or _too_long(instance, node):
        return
    CURRENT.get().spend(fact.ready.steps(len(instance)))
    if not fact.ready.conforms(instance):
        yield _miss(fact, instance)


def _too_long(instance: str, node: Node) -> bool:
    return node.max_length is not None and len(instance) > node.max_length


def _found(expression: Pattern, text: str) -> bool:
    CURRENT.get().spend(expression.steps(len(text)))
    return expression.search(text)


# --- arrays -----------------------------------------------------------------


def max_items(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``maxItems``: at most so many items."""
    if type(instance) is list and len(instance) > fact.value:
        yield _miss(fact, instance)


def min_items(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``minItems``: at least so many items."""
    if type(instance) is list and len(instance) < fact.value:
        yield _miss(fact, instance)


def unique_items(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``uniqueItems``: no two items are equal."""
    if not fact.value or type(instance) is not list:
        return
    pair = first_pair(instance, CURRENT.get().spend)
    if pair is not None:
        yield _miss(fact, instance, pair=pair)


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
    found = 0
    for at, item in enumerate(instance):
        if _holds_in(evaluation, at, ready.node, item, fact.keyword):
            found += 1
            if ready.marks:
                _log(evaluation, at)
            enough = ready.most is None and found >= ready.least_count
            if enough and evaluation.log is None:
                break
    if found < ready.least_count:
        yield _miss(ready.least or fact, instance)
    elif ready.most is not None and found > ready.most.value:
        yield _miss(ready.most, instance)


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


# --- objects ----------------------------------------------------------------


def max_properties(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``maxProperties``: at most so many names."""
    if type(instance) is dict and len(instance) > fact.value:
        yield _miss(fact, instance)


def min_properties(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``minProperties``: at least so many names."""
    if type(instance) is dict and len(instance) < fact.value:
        yield _miss(fact, instance)


def required(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``required``: every name is there; one finding for all that are not."""
    if type(instance) is not dict:
        return
    missing = [name for name in fact.ready if name not in instance]
    if missing:
        yield _miss(fact, instance, names=tuple(missing))


def dependent_required(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``dependentRequired``: names that another name brings with it."""
    if type(instance) is not dict:
        return
    missing = {
        name
        for trigger, names in fact.ready
        if trigger in instance
        for name in names
        if name not in instance
    }
    if missing:
        yield _miss(fact, instance, names=tuple(sorted(missing)))


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


def pattern_properties(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``patternProperties``: each value whose name an expression is found in."""
    if type(instance) is not dict:
        return
    evaluation = CURRENT.get()
    yield from evaluation.in_any_order(_matched(evaluation, fact, instance))


def _matched(evaluation: Evaluation, fact: Fact, instance: dict[str, Any]) -> Iterator[Errors]:
    entries: tuple[Matched, ...] = fact.ready
    for name, value in instance.items():
        for entry in entries:
            if _found(entry.pattern, name):
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
        if name not in ready.named and not any(_found(known, name) for known in ready.patterns)
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
        found = ready.target_in(resource)
        if found is not None:
            target = found
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
        yield _miss(fact, instance, allowed=ready.takes)


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
        yield _miss(fact, instance, allowed=ready.takes, pair=(held, held))


def not_(_validator: Any, fact: Fact, instance: Any, _node: Node) -> Errors:
    """``not``: the schema does not hold."""
    evaluation = CURRENT.get()
    log, evaluation.log = evaluation.log, [] if fact.ready.collects else None
    held = evaluation.holds(fact.ready, instance, fact.keyword)
    evaluation.log = log
    if held:
        yield _miss(fact, instance)


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


#: The functions by keyword, as jsonschema looks them up.
KEYWORDS: dict[str, Keyword] = {
    "$ref": ref,
    "$dynamicRef": dynamic_ref,
    "$recursiveRef": dynamic_ref,
    "type": type_,
    "enum": enum,
    "const": const,
    "multipleOf": multiple_of,
    "maximum": maximum,
    "exclusiveMaximum": exclusive_maximum,
    "minimum": minimum,
    "exclusiveMinimum": exclusive_minimum,
    "maxLength": max_length,
    "minLength": min_length,
    "x-maxBytes": max_bytes,
    "pattern": pattern,
    "format": format_,
    "maxItems": max_items,
    "minItems": min_items,
    "uniqueItems": unique_items,
    "maxProperties": max_properties,
    "minProperties": min_properties,
    "required": required,
    "dependentRequired": dependent_required,
    "propertyNames": property_names,
    "allOf": all_of,
    "anyOf": any_of,
    "oneOf": one_of,
    "not": not_,
    "if": if_,
    "dependentSchemas": dependent_schemas,
    "prefixItems": prefix_items,
    "items": items,
    "contains": contains,
    "properties": properties,
    "patternProperties": pattern_properties,
    "additionalProperties": additional_properties,
    "unevaluatedItems": unevaluated_items,
    "unevaluatedProperties": unevaluated_properties,
}
