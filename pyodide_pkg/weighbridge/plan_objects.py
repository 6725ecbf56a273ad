"""
An object held to its schemas, written out: required names, then the others that are declared.
"""

from __future__ import annotations

from dataclasses import dataclass
from sys import getsizeof

from weighbridge.characters import charge_of_text
from weighbridge.node import Node
from weighbridge.plan_together import Together, says_nothing
from weighbridge.plan_values import Place, Plan, left_open, text, value, within
from weighbridge.plan_writer import Declined, Writer
from weighbridge.ready import Matched, Pattern


@dataclass(frozen=True, slots=True)
class Members:
    """
    What the schemas of one object say about its members.
    """

    #: Declared names, each with every schema of its value.
    named: dict[str, tuple[Node, ...]]

    required: tuple[str, ...]

    #: Schemas of the values of every other name.
    others: tuple[Node, ...]

    #: The one expression that decides about other names, and the schemas of
    #: those in which it is found.
    pattern: Pattern | None = None
    matched: tuple[Node, ...] = ()

    @property
    def is_closed(self) -> bool:
        """Whether no other name is admitted."""
        return self.pattern is None and any(node.forbids for node in self.others)


def members_of(found: Together) -> Members:
    """
    Gather what all the schemas say about members.

    Raises:
        Declined: more than one expression decides.
    """
    patterns = [(one, node) for fact, node in found.of("patternProperties") for one in fact.ready]
    if len(patterns) > 1:
        raise Declined
    declared = {name: node for fact, _ in found.of("properties") for name, node in fact.ready}
    required = {name for fact, _ in found.of("required") for name in fact.ready}
    named = {
        name: _schemas(found, name, matched=_is_found(patterns, name))
        for name in sorted({*declared, *required})
    }
    return Members(
        named,
        tuple(sorted(required)),
        _schemas(found, None, matched=False),
        patterns[0][0].pattern if patterns else None,
        _schemas(found, None, matched=True) if patterns else (),
    )


def _held(members: Members, x: str) -> str:
    """Bytes of a copy of the object: fixed where no more names are admitted."""
    if members.is_closed:
        return str(getsizeof(dict.fromkeys(members.named)))
    return f"200 + 100 * len({x})"


def _charge_of(name: str) -> int:
    return charge_of_text(name, 10 * len(name))


def _is_found(patterns: list[tuple[Matched, Node]], name: str) -> bool:
    return any(one.pattern.search(name) for one, _ in patterns)


def _schemas(found: Together, name: str | None, *, matched: bool) -> tuple[Node, ...]:
    """
    Every schema of the value of a name, or of a name that no one declares.
    """
    schemas: list[Node] = []
    for fact, _node in found.of("properties"):
        schemas += [node for declared, node in fact.ready if declared == name]
    if matched:
        schemas += [one.node for fact, _ in found.of("patternProperties") for one in fact.ready]
    for fact, _node in found.of("additionalProperties"):
        ready = fact.ready
        if name in ready.named or (matched and ready.patterns):
            continue
        schemas.append(ready.node)
    return tuple(schemas)


def object_(plan: Plan, w: Writer, found: Together, place: Place) -> None:
    """
    Write what admits one object.

    Raises:
        Declined: a keyword that no plan is written for, or one level too many.
    """
    x = place.variable
    members = members_of(found)
    asks = bool(members.named) or members.pattern is not None or not says_nothing(members.others)
    _sized(plan, w, found, members, x)
    if w.covers and not asks:
        left_open(plan, w, place)
        _names(plan, w, found, place)
    else:
        if w.covers:
            plan.keep(w, place, f"2 * len({x})", _held(members, x))
            plan.longest_name = max([plan.longest_name, *map(_charge_of, members.named)])
            key = w.fresh()
            with w.block(f"for {key} in {x}:"):
                w.refuse_if(f"type({key}) is not str")
        _names(plan, w, found, place)
        _members(plan, w, members, place)
    for fact, _node in found.of("dependentRequired"):
        for name, names in fact.ready:
            if names:
                missing = " and ".join(f"{w.constant(one)} in {x}" for one in names)
                w.refuse_if(f"{w.constant(name)} in {x} and not ({missing})")


def _names(plan: Plan, w: Writer, found: Together, place: Place) -> None:
    """Every name by ``propertyNames``, before an expression is tried on any."""
    for fact, _node in found.of("propertyNames"):
        if not says_nothing((fact.ready,)):
            key = w.fresh()
            with w.block(f"for {key} in {place.variable}:"):
                value(plan, w.beside(), (fact.ready,), place.child(key))


def _sized(plan: Plan, w: Writer, found: Together, members: Members, x: str) -> None:
    for keyword, fact, _node in found.facts:
        if keyword == "maxProperties":
            w.refuse_if(f"len({x}) > {w.constant(fact.value)}")
        elif keyword == "minProperties":
            w.refuse_if(f"len({x}) < {w.constant(fact.value)}")
        elif keyword in ("enum", "const") and fact.ready.containers:
            raise Declined
    if members.is_closed:
        w.refuse_if(f"len({x}) > {len(members.named)}")
    elif w.covers:
        w.refuse_if(f"2 * len({x}) > {plan.nodes}")


def _members(plan: Plan, w: Writer, members: Members, place: Place) -> None:
    x = place.variable
    for name in members.required:
        y = w.fresh()
        key = w.constant(name)
        w.refuse_if(f"{key} not in {x}")
        if w.covers or not says_nothing(members.named[name]):
            w.line(f"{y} = {x}[{key}]")
            value(plan, w, members.named[name], place.child(y))
    optional = [name for name in members.named if name not in members.required]
    quiet = not w.covers and members.pattern is None and says_nothing(members.others)
    if quiet:
        optional = [name for name in optional if not says_nothing(members.named[name])]
    if not optional and quiet:
        return
    # Most calls name few of the names that they may: the rest is not asked for
    # once every name that is there has been met.
    c = w.fresh()
    w.line(f"{c} = len({x}) - {len(members.required)}")
    with w.block(f"while {c}:"):
        for name in optional:
            y = w.fresh()
            key = w.constant(name)
            with w.block(f"if {key} in {x}:"):
                w.line(f"{y} = {x}[{key}]")
                value(plan, w, members.named[name], place.child(y))
                w.line(f"{c} -= 1")
                w.line(f"if not {c}: break")
        if members.is_closed:
            w.line(w.closer)
        else:
            if not quiet:
                _others(plan, w, members, place)
            w.line("break")


def _others(plan: Plan, w: Writer, members: Members, place: Place) -> None:
    x = place.variable
    key, y = w.fresh(), w.fresh()
    named = w.constant(frozenset(members.named))
    with w.block(f"for {key}, {y} in {x}.items():"):
        w.line(f"if {key} in {named}: continue")
        if w.covers:
            text(w, key)
        if members.pattern is None:
            value(plan, w, members.others, place.child(y))
            return
        within(w, members.pattern, key, None)
        with w.block(f"if {w.constant(members.pattern.search)}({key}):"):
            value(plan, w, members.matched, place.child(y))
        with w.block("else:"):
            value(plan, w, members.others, place.child(y))
