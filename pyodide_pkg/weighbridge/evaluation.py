"""
One evaluation of one call: where it stands, what it has spent, what it has seen.

Keyword functions are shared by every call, so what belongs to one call stands
here.  Work and depth are counted, never timed and never left to the
interpreter's stack: every seat stops at the same step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field

from jsonschema.exceptions import ValidationError

from weighbridge.limits import EVALUATION_DEPTH
from weighbridge.node import Node, Resource

#: Steps of telling one finding, its record and its error, beside those of its
#: place; and of a failure that is not told.
TELLING = 12
FAILING = 8

#: Steps of handing a finding, or a failure, up through one schema application.
#: A failure that is not told also ends each of them in the middle.
HANDING = 2
LEAVING = 3

#: Code points of one name in a place that a step compares: findings are put in
#: order, and two names of many megabytes may differ in their last character.
NAME_A_STEP = 128

#: What an entry of the log says when every name or index is evaluated.
EVERYTHING = object()


class WorkPassed(Exception):
    """
    The call costs more steps, or stands deeper, than the limits allow.
    """


@dataclass(frozen=True, slots=True)
class Miss:
    """
    One place where the arguments miss the schema, before anything is worded.
    """

    #: Keys and indices from the root, as the caller wrote them.
    tokens: tuple[str | int, ...]

    keyword: str

    #: Where the keyword stands in the published form, as a JSON Pointer.
    schema_pointer: str

    #: What the keyword says there.
    value: object

    #: The value at the place; never rendered, looked at for its type alone.
    instance: object

    #: The smallest names at fault, caller-written or the schema's own.
    names: tuple[str, ...] = ()

    #: How many names were left out of ``names``.
    omitted: int = 0

    #: Names the schema declares at this place, for a suggestion.
    allowed: tuple[str, ...] = ()

    #: Positions of two equal items.
    pair: tuple[int, int] | None = None


@dataclass(slots=True)
class Evaluation:
    """
    The state of one evaluation.
    """

    #: The most steps that it may spend.
    most: int

    spent: int = 0

    #: Keys and indices from the root to the value that is judged now.
    path: list[str | int] = field(default_factory=list)

    #: The schema resource of each schema application that is open now.
    scope: list[Resource] = field(default_factory=list)

    #: Names and indices evaluated so far at the present value, or None where no
    #: ``unevaluated*`` asks; a branch that fails takes its entries back.
    log: list[object] | None = None

    #: Where the entries of the schema that is applied now begin.
    mark: int = 0

    #: Above zero, only whether a branch fails matters, not where.
    muted: int = 0

    def spend(self, steps: int) -> None:
        """Count ``steps``, and stop at the first past the limit."""
        self.spent += steps
        if self.spent > self.most:
            raise WorkPassed

    def descend(self, node: Node, instance: object, keyword: str) -> Iterator[ValidationError]:
        """
        Apply ``node`` to the value at the present place.

        ``keyword`` led to it, and is what a ``false`` schema is told as.
        """
        self.spend(node.cost)
        if node.forbids:
            yield self.miss(keyword, node.pointer, False, instance)  # noqa: FBT003
            return
        if len(self.scope) >= EVALUATION_DEPTH:
            raise WorkPassed
        self.scope.append(node.resource)
        mark = self.mark
        self.mark = len(self.log) if self.log is not None else 0
        yield from node.validator.iter_errors(instance)
        self.mark = mark
        self.scope.pop()

    def descend_into(
        self, token: str | int, node: Node, instance: object, keyword: str
    ) -> Iterator[ValidationError]:
        """
        Apply ``node`` to a child of the present value.
        """
        log, self.log = self.log, [] if node.collects else None
        self.path.append(token)
        yield from self.descend(node, instance, keyword)
        self.path.pop()
        self.log = log

    def holds(self, node: Node, instance: object, keyword: str) -> bool:
        """
        Whether ``node`` holds for the present value; where it does not, whatever
        it has logged is taken back.
        """
        depth, log, mark = len(self.scope), self.log, self.mark
        steps, entries = len(self.path), len(log) if log is not None else 0
        self.muted += 1
        held = True
        for _miss in self.descend(node, instance, keyword):
            held = False
            break
        self.muted -= 1
        if not held:
            # The walk was left in the middle: put back what it had not.
            self.spend(LEAVING * (len(self.scope) - depth + 1))
            del self.scope[depth:]
            del self.path[steps:]
            self.log, self.mark = log, mark
            if log is not None:
                del log[entries:]
        return held

    def in_any_order(self, walks: Iterable[Iterator[ValidationError]]) -> Iterator[ValidationError]:
        """
        Walk the members of an object, whose order must not be seen.

        When only failure matters a keyword may not stop at its first failing
        member, or the work would depend on the order of the caller's keys.
        """
        if not self.muted:
            for walk in walks:
                yield from walk
            return
        first: ValidationError | None = None
        depth, log, mark, steps = len(self.scope), self.log, self.mark, len(self.path)
        for walk in walks:
            for error in walk:
                first = error
                del self.scope[depth:]
                del self.path[steps:]
                self.log, self.mark = log, mark
                break
        if first is not None:
            yield first

    def miss(  # noqa: PLR0913 - one place that makes the record
        self,
        keyword: str,
        schema_pointer: str,
        value: object,
        instance: object,
        *,
        names: tuple[str, ...] = (),
        omitted: int = 0,
        allowed: tuple[str, ...] = (),
        pair: tuple[int, int] | None = None,
    ) -> ValidationError:
        """
        The error that a keyword yields.

        Our record stands where jsonschema would put the caller's value, so that
        no text of its own could render one.
        """
        if self.muted:
            self.spend(FAILING)
            return ValidationError("", instance=None)
        self.spend(TELLING + HANDING * len(self.scope) + sum(map(_comparing, self.path)))
        told = Miss(
            tuple(self.path),
            keyword,
            schema_pointer,
            value,
            instance,
            names,
            omitted,
            allowed,
            pair,
        )
        return ValidationError("", instance=told)


def _comparing(token: str | int) -> int:
    """Steps of comparing one step of a place with that of another finding."""
    return 1 + len(token) // NAME_A_STEP if isinstance(token, str) else 1


#: The evaluation that is under way; keyword functions are called by jsonschema
#: with a fixed signature, so they find it here.
CURRENT: ContextVar[Evaluation] = ContextVar("weighbridge.evaluation")
