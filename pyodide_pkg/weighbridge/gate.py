"""
The one function that answers: may this call reach its handler?

Lookup, text, charge, schema: the first that refuses gives the refusal, and
whatever our own code raises is a refusal too.
"""

from __future__ import annotations

import logging
from bisect import insort
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from weighbridge import answers, bookkeeping
from weighbridge.canonical import canonical
from weighbridge.charge import Charge, NotJson, Passed, charge
from weighbridge.evaluation import CURRENT, Evaluation, Miss, WorkPassed
from weighbridge.limits import FINDINGS, Limits
from weighbridge.nearest import Budget
from weighbridge.node import Node
from weighbridge.refusal import Refusal, charge_as_dict
from weighbridge.text import Parsed, parse

_logger = logging.getLogger("weighbridge")

Order = tuple[int, tuple[str | int, ...], str, str]


@dataclass(frozen=True, slots=True)
class Tool:
    """
    One tool of a catalog.
    """

    name: str

    #: The input schema as ``tools/list`` serves it.
    published: dict[str, Any]

    #: ``sha256:`` over the tool's name and published schema.
    digest: str

    #: The limits in force for it: the catalog's, or narrower.
    limits: Limits

    #: The schema as it is applied.
    root: Node = field(repr=False)

    #: The most bytes of UTF-8, by JSON Pointer into ``published``.
    byte_bounds: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Contract:
    """
    What every verdict of one catalog has in common.
    """

    tools: Mapping[str, Tool]

    #: Why a listed tool cannot be judged, by name.
    unusable: Mapping[str, str]

    limits: Limits
    number: int
    digest: str
    advisory: bool

    #: Keys that are taken off the arguments before they are judged.
    bookkeeping: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Verdict:
    """
    The answer to one call: admitted, or refused with one refusal.
    """

    admitted: bool

    #: Whether another server, not this catalog, has the last word.
    advisory: bool

    #: The tool asked for; escaped and cut unless the catalog has it.
    tool: str

    contract: int
    digest: str

    #: What the arguments cost; None unless the walk finished.
    charge: Charge | None

    refusal: Refusal | None

    def as_dict(self) -> dict[str, Any]:
        """The verdict as JSON values; every key is always present."""
        return {
            "admitted": self.admitted,
            "advisory": self.advisory,
            "tool": self.tool,
            "catalog": {"contract": self.contract, "digest": self.digest},
            "charge": charge_as_dict(self.charge),
            "refusal": None if self.refusal is None else self.refusal.as_dict(),
        }

    def to_json(self) -> str:
        """
        The canonical text: keys by code point, compact, ASCII; what parity compares.
        """
        return canonical(self.as_dict())


def check(contract: Contract, tool: str, arguments: object) -> Verdict:
    """
    Judge parsed arguments; None counts as ``{}``.

    Never raises for anything that a caller can send.
    """
    return _guarded(contract, tool, _Given(value=arguments))


def check_text(contract: Contract, tool: str, text: str | bytes | None) -> Verdict:
    """
    Judge the JSON text of arguments, or its UTF-8 bytes; None counts as ``{}``.

    The answer for a text equals that of ``check`` for what it parses to, or is
    the stricter one.
    """
    return _guarded(contract, tool, _Given(text=text))


@dataclass(frozen=True, slots=True)
class _Given:
    """What came through one of the two doors."""

    value: object = None
    text: str | bytes | None = None


def _guarded(contract: Contract, name: Any, given: _Given) -> Verdict:
    charged: Charge | None = None
    try:
        early, charged, arguments = _weighed(contract, name, given)
        if early is not None:
            return early
        refusal = _explained(contract.tools[name], arguments)
        return _verdict(contract, name, charged, refusal)
    except Exception as fault:  # noqa: BLE001 - fail closed, whatever it was
        # The type alone: its text may hold a value.
        _logger.error("a call could not be judged: %s", type(fault).__name__)  # noqa: TRY400
        known = isinstance(name, str) and name in contract.tools
        shown = name if known else answers.shown(name, contract.limits)
        refusal = answers.unusable_schema(shown, None, contract.limits)
        return _verdict(contract, shown, charged, refusal)


def _weighed(
    contract: Contract, name: Any, given: _Given
) -> tuple[Verdict | None, Charge | None, object]:
    """
    Everything before the schema: the refusal, or the charge and the arguments.
    """
    limits = contract.limits
    tool = contract.tools.get(name) if isinstance(name, str) else None
    if tool is None:
        return _refused(contract, answers.shown(name, limits), _missing(contract, name))
    limits = tool.limits
    arguments = given.value
    if given.text is not None:
        parsed = parse(given.text, limits)
        if isinstance(parsed, Passed):
            return _refused(contract, name, answers.too_large(name, parsed, limits))
        if not isinstance(parsed, Parsed):
            return _refused(contract, name, answers.not_strict(name, parsed, limits))
        arguments = parsed.value
    if contract.bookkeeping:
        arguments = bookkeeping.without(contract.bookkeeping, arguments)
    if arguments is None:
        arguments = {}
    charged = charge(arguments, limits)
    if isinstance(charged, Passed):
        return _refused(contract, name, answers.too_large(name, charged, limits))
    if isinstance(charged, NotJson):
        return _refused(contract, name, answers.not_json(name, charged, limits))
    return None, charged, arguments


def _refused(contract: Contract, tool: str, refusal: Refusal) -> tuple[Verdict, None, None]:
    return _verdict(contract, tool, None, refusal), None, None


def _missing(contract: Contract, name: object) -> Refusal:
    limits = contract.limits
    text = name if isinstance(name, str) else ""
    if text in contract.unusable:
        return answers.unusable_schema(text, contract.unusable[text], limits)
    return answers.no_schema(text, contract.tools, limits)


def _explained(tool: Tool, arguments: object) -> Refusal | None:
    """
    The authority's answer: None where the schema holds.
    """
    evaluation = Evaluation(tool.limits.work)
    try:
        misses, more = smallest(tool.root, arguments, evaluation)
        if not misses:
            return None
        left = evaluation.most - evaluation.spent
        budget = Budget(left=min(Budget().left, left))
        return answers.mismatch(tool.name, misses, tool.limits, budget, more=more)
    except WorkPassed:
        return answers.too_large(tool.name, Passed("work"), tool.limits)


def smallest(
    root: Node, arguments: object, evaluation: Evaluation, most: int = FINDINGS
) -> tuple[list[Miss], bool]:
    """
    The misses to tell, the smallest by the total order, and whether more are left out.

    Raises:
        WorkPassed: the evaluation costs more than ``evaluation`` allows.
    """
    kept: list[tuple[Order, int, Miss]] = []
    more = False
    evaluation.log = [] if root.collects else None
    entered = CURRENT.set(evaluation)
    try:
        for at, error in enumerate(evaluation.descend(root, arguments, "")):
            miss: Any = error.instance
            order = order_of(miss)
            if len(kept) == most and order > kept[-1][0]:
                more = True
                continue
            if any(order == one[0] for one in kept):
                continue
            insort(kept, (order, at, miss))
            if len(kept) > most:
                kept.pop()
                more = True
    finally:
        CURRENT.reset(entered)
    return [miss for _, _, miss in kept], more


def order_of(miss: Miss) -> Order:
    """
    Where a miss stands among the others: deeper first, then by place and rule.
    """
    return (-len(miss.tokens), miss.tokens, miss.keyword, miss.schema_pointer)


def _verdict(
    contract: Contract, tool: str, charged: Charge | None, refusal: Refusal | None
) -> Verdict:
    return Verdict(
        refusal is None,
        contract.advisory,
        tool,
        contract.number,
        contract.digest,
        charged,
        refusal,
    )
