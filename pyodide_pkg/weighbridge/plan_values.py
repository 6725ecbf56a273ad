"""
One value held to its schemas, written out: a test of its exact type, then what applies to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from weighbridge.characters import has_lone_surrogate, utf8_length
from weighbridge.multiples import is_multiple
from weighbridge.node import Node
from weighbridge.patterns import MAX_STANDARD
from weighbridge.plan_kept import LARGEST, LARGEST_FLOAT, free
from weighbridge.plan_together import Question, Together, says_nothing, together
from weighbridge.plan_writer import MOST_LINES, Declined, Writer
from weighbridge.ready import Listed

#: What a plan's source calls by name.
RUNTIME: dict[str, object] = {
    "A": LARGEST,
    "B": -LARGEST,
    "F": LARGEST_FLOAT,
    "G": -LARGEST_FLOAT,
    "Null": type(None),
    "free": free,
    "is_multiple": is_multiple,
    "surrogate": has_lone_surrogate,
    "utf8_length": utf8_length,
}

#: Times that one value may be looked at by branches inside branches.
MOST_LOOKS = 16

#: Steps that one expression may take here: a longer text is the authority's,
#: which charges for it first.
MOST_STEPS = 2_000

#: The types of Python that each JSON type comes as, the commonest first.
TYPES_OF = {
    "string": ("str",),
    "number": ("int", "float"),
    "boolean": ("bool",),
    "null": ("Null",),
    "array": ("list",),
    "object": ("dict",),
}

JSON_TYPES = {name: kind for kind, names in TYPES_OF.items() for name in names}

_COMPARED = {
    "maximum": ">",
    "exclusiveMaximum": ">=",
    "minimum": "<",
    "exclusiveMinimum": "<=",
}


@dataclass(slots=True)
class Place:
    """
    Where a value stands, as the plan sees it.
    """

    #: The variable that holds it.
    variable: str

    #: The level that it has as a container; the arguments object's is 1.
    level: int

    #: Schemas of the values around it: one that comes again would never end.
    around: frozenset[int] = frozenset()

    #: How often the value is looked at.
    looks: int = 1

    def child(self, variable: str) -> Place:
        """Where a child of the value stands."""
        return Place(variable, self.level + 1, self.around, self.looks)


@dataclass(slots=True)
class Plan:
    """
    The functions of one schema, while they are written.
    """

    #: Levels and nodes that a call may have.
    nesting: int
    nodes: int

    names: dict[str, object] = field(default_factory=lambda: dict(RUNTIME))

    #: Functions that answer whether a schema holds, as source.
    functions: list[str] = field(default_factory=list)

    lines: int = 0

    #: The levels at which a container is kept, and whether some value is left
    #: open by the schema.
    levels: set[int] = field(default_factory=set)
    opens: bool = False

    #: Characters charged at most for a declared name.
    longest_name: int = 0

    #: Writes one container, by type.
    containers: dict[str, Callable[[Plan, Writer, Together, Place], None]] = field(
        default_factory=dict
    )

    def keep(self, w: Writer, place: Place, nodes: str, held: str) -> None:
        """
        Write what counts a container, and keeps it for the charge.

        ``nodes`` are those inside it and ``held`` the bytes of a copy, as source.

        Raises:
            Declined: children of it would pass the levels of a call.
        """
        if place.level >= self.nesting:
            raise Declined
        if w.counts:
            w.line(f"n += {nodes}; m += {held}")
            w.refuse_if("n > N")
        self.levels.add(place.level)
        copy = f"{place.variable}.copy()"
        if place.level == 1:
            w.line(f"k1 = {copy}")
        else:
            w.line(f"{'if m <= M: ' if w.counts else ''}k{place.level}.append({copy})")


def value(plan: Plan, w: Writer, nodes: tuple[Node, ...], place: Place) -> None:
    """Write what admits one value, or leaves."""
    if says_nothing(nodes):
        if w.covers:
            left_open(plan, w, place)
        return
    around = place.around | {id(node) for node in nodes}
    if any(id(node) in place.around for node in nodes):
        raise Declined
    inside = Place(place.variable, place.level, around, place.looks)
    admitted = {kind: found for kind in TYPES_OF if (found := together(nodes, kind))}
    if len(admitted) == 1 and "number" not in admitted:
        ((kind, found),) = admitted.items()
        w.refuse_if(f"type({place.variable}) is not {TYPES_OF[kind][0]}")
        _of_type(plan, w, found, TYPES_OF[kind][0], inside)
        return
    w.line(f"t = type({place.variable})")
    head = "if"
    for kind, found in admitted.items():
        for name in TYPES_OF[kind]:
            with w.block(f"{head} t is {name}:"):
                _of_type(plan, w, found, name, inside)
            head = "elif"
    w.line(f"else: {w.closer}" if admitted else w.closer)


def left_open(plan: Plan, w: Writer, place: Place) -> None:
    """Write what holds a value to be strict JSON, where the schema says nothing."""
    plan.opens = True
    found = f"free({place.variable}, {place.level}, others, limits)"
    w.line(f"r += {found}" if w.counts else found)


def _of_type(plan: Plan, w: Writer, found: Together, name: str, place: Place) -> None:
    x = place.variable
    kind = JSON_TYPES[name]
    if kind == "string":
        _string(w, found, x)
    elif kind == "number":
        _number(w, found, x, whole=name == "int")
    elif kind in ("boolean", "null"):
        for keyword, fact, _node in found.facts:
            if keyword in ("enum", "const"):
                w.refuse_if(f"{x} not in {w.constant(_listed(fact.ready, kind))}")
    else:
        plan.containers[kind](plan, w, found, place)
    for question in found.questions:
        _answer(plan, w, question, kind, place)


# --- leaves -------------------------------------------------------------------


def _listed(listed: Listed, kind: str) -> tuple[object, ...] | frozenset[object]:
    """The values of one kind among those of ``enum`` or ``const``."""
    if kind == "boolean":
        return tuple(one for group, one in listed.leaves if group in ("True", "False"))
    if kind == "null":
        return tuple(one for group, one in listed.leaves if group == "None")
    return frozenset(one for group, one in listed.leaves if group == kind)


def _string(w: Writer, found: Together, x: str) -> None:
    longest = min((fact.value for fact, _ in found.of("maxLength")), default=None)
    for keyword, fact, _node in found.facts:
        if keyword == "maxLength":
            w.refuse_if(f"len({x}) > {w.constant(fact.value)}")
        elif keyword == "minLength":
            w.refuse_if(f"len({x}) < {w.constant(fact.value)}")
    if w.covers:
        text(w, x)
    for keyword, fact, _node in found.facts:
        if keyword == "x-maxBytes":
            most = w.constant(fact.value)
            w.refuse_if(f"len({x}) > {most}")
            w.refuse_if(f"4 * len({x}) > {most} and utf8_length({x}) > {most}")
        elif keyword in ("enum", "const"):
            w.refuse_if(f"{x} not in {w.constant(_listed(fact.ready, 'string'))}")
        elif keyword == "pattern":
            within(w, fact.ready, x, longest)
            short = longest is not None and longest <= MAX_STANDARD
            found = fact.ready.short if short else fact.ready.search
            w.refuse_if(f"not {w.constant(found)}({x})")
        elif keyword == "format":
            within(w, fact.ready, x, longest)
            w.refuse_if(f"not {w.constant(fact.ready.conforms)}({x})")


def within(w: Writer, expression: Any, x: str, longest: float | None) -> None:
    """Write what leaves a text alone that would take long, unless none can be so long."""
    if longest is None or expression.steps(int(longest)) > MOST_STEPS:
        w.refuse_if(f"{w.constant(expression.steps)}(len({x})) > {MOST_STEPS}")


def text(w: Writer, x: str) -> None:
    """Write what holds a string, or a name, to be strict JSON, and counts it."""
    if w.counts:
        w.line(f"r += len({x})")
    w.refuse_if(f"not {x}.isascii() and surrogate({x})")


def _number(w: Writer, found: Together, x: str, *, whole: bool) -> None:
    if w.covers:
        w.refuse_if(f"not B < {x} < A" if whole else f"not G < {x} < F")
    for keyword, fact, _node in found.facts:
        if keyword == "type" and not whole and "number" not in fact.ready:
            w.refuse_if(f"not {x}.is_integer()")
        elif keyword in _COMPARED:
            w.refuse_if(f"{x} {_COMPARED[keyword]} {w.constant(fact.value)}")
        elif keyword in ("enum", "const"):
            w.refuse_if(f"{x} not in {w.constant(_listed(fact.ready, 'number'))}")
        elif keyword == "multipleOf":
            w.refuse_if(f"not is_multiple({x}, {w.constant(fact.value)})")


# --- what stays a question ----------------------------------------------------


def _answer(plan: Plan, w: Writer, question: Question, kind: str, place: Place) -> None:
    x = place.variable
    many = len(question.nodes) + 1 if kind in ("array", "object") else 1
    if place.looks * many > MOST_LOOKS:
        raise Declined
    inside = Place(x, place.level, place.around, place.looks * many)
    calls = [f"{_function(plan, node, inside)}({x})" for node in question.nodes]
    if question.keyword == "anyOf":
        w.refuse_if(f"not ({' or '.join(calls)})")
    elif question.keyword == "oneOf":
        w.refuse_if(f"{' + '.join(calls)} != 1")
    elif question.keyword == "not":
        w.refuse_if(calls[0])
    elif question.keyword == "dependentSchemas":
        w.refuse_if(f"{w.constant(question.name)} in {x} and not {calls[0]}")
    else:
        chosen = [
            f"not {_function(plan, node, inside)}({x})" if node else "False"
            for node in (question.then, question.otherwise)
        ]
        w.refuse_if(f"{chosen[0]} if {calls[0]} else {chosen[1]}")


def _function(plan: Plan, node: Node, place: Place) -> str:
    """A function that answers whether a schema holds for strict JSON."""
    plan.lines += 1
    if plan.lines > MOST_LINES:
        raise Declined
    w = Writer(plan.names, "return False", covers=False, counts=False)
    name = w.fresh()
    value(plan, w, (node,), Place("x", place.level, place.around, place.looks))
    plan.lines += len(w.lines)
    plan.functions.append("\n".join([f"def {name}(x):", *w.lines, "    return True"]))
    return name
