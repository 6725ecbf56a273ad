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
from weighbridge.plan import Lazily
from weighbridge.plan_kept import Kept, charge_of
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

    #: What admits quickly, by the tool's name; a tool may have none.
    plans: Mapping[str, Lazily] = field(default_factory=dict, repr=False)


class Verdict:
    """
    The answer to one call: admitted, or refused with one refusal.

    A plain class, since one is made for every call that is admitted; nothing
    changes it once it is made.
    """

    __slots__ = ("_contract", "_kept", "refusal", "tool")

    def __init__(
        self, contract: Contract, tool: str, kept: Kept | None, refusal: Refusal | None = None
    ) -> None:
        """
        Args:
            contract: what every verdict of the catalog has in common.
            tool: the tool asked for; escaped and cut unless the catalog has it.
            kept: the charge, or what it is worked out from; None unless the
                walk finished.
            refusal: None where the call is admitted.
        """
        self._contract = contract
        self.tool = tool
        self._kept = kept
        self.refusal = refusal

    @property
    def admitted(self) -> bool:
        """Whether the call may reach its handler."""
        return self.refusal is None

    @property
    def advisory(self) -> bool:
        """Whether another server, not this catalog, has the last word."""
        return self._contract.advisory

    @property
    def contract(self) -> int:
        """The number of the contract that the catalog keeps."""
        return self._contract.number

    @property
    def digest(self) -> str:
        """The digest of the catalog."""
        return self._contract.digest

    @property
    def charge(self) -> Charge | None:
        """
        What the arguments cost as they were judged; None unless the walk finished.
        """
        if self._kept is not None and type(self._kept) is not Charge:
            self._kept = charge_of(self._kept)
        return self._kept

    def refused(self, refusal: Refusal) -> Verdict:
        """The same with a refusal of something beside the arguments."""
        return Verdict(self._contract, self.tool, self.charge, refusal)

    def __repr__(self) -> str:
        """The canonical text: nothing that a caller wrote as a value."""
        return f"<Verdict {self.to_json()}>"

    def __eq__(self, other: object) -> bool:
        """Whether the other is a verdict that says the same."""
        return isinstance(other, Verdict) and self.as_dict() == other.as_dict()

    def __hash__(self) -> int:
        """By what it says."""
        return hash(self.to_json())

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy holds the charge, and never what it was worked out from."""
        said = Contract({}, {}, self._contract.limits, self.contract, self.digest, self.advisory)
        return Verdict, (said, self.tool, self.charge, self.refusal)

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
    try:
        given = {} if arguments is None else arguments
        if contract.bookkeeping:
            given = bookkeeping.without(contract.bookkeeping, given)
        quick: Verdict | None = contract.plans[tool].run(contract, given)
        if quick is not None:
            return quick
    except Exception:  # noqa: BLE001, S110 - whatever it was, the authority decides and explains
        pass
    return _judged(contract, tool, arguments)


def check_text(contract: Contract, tool: str, text: str | bytes | None) -> Verdict:
    """
    Judge the JSON text of arguments, or its UTF-8 bytes; None counts as ``{}``.

    The answer for a text equals that of ``check`` for what it parses to, or is
    the stricter one.
    """
    try:
        found = _tool_of(contract, tool)
        if text is None or found is None:
            return check(contract, tool, None)
        parsed = parse(text, found.limits)
        if isinstance(parsed, Parsed):
            return check(contract, tool, parsed.value)
        if isinstance(parsed, Passed):
            return Verdict(contract, tool, None, answers.too_large(tool, parsed, found.limits))
        return Verdict(contract, tool, None, answers.not_strict(tool, parsed, found.limits))
    except Exception as fault:  # noqa: BLE001 - fail closed, whatever it was
        return _failed(contract, tool, None, fault)


def _tool_of(contract: Contract, name: Any) -> Tool | None:
    return contract.tools.get(name) if isinstance(name, str) else None


def _judged(contract: Contract, name: Any, arguments: object) -> Verdict:
    """
    The charge, and then the authority's answer.
    """
    charged: Charge | None = None
    try:
        tool = _tool_of(contract, name)
        if tool is None:
            shown = answers.shown(name, contract.limits)
            return Verdict(contract, shown, None, _missing(contract, name))
        if contract.bookkeeping:
            arguments = bookkeeping.without(contract.bookkeeping, arguments)
        if arguments is None:
            arguments = {}
        cost = charge(arguments, tool.limits)
        if isinstance(cost, Passed):
            return Verdict(contract, name, None, answers.too_large(name, cost, tool.limits))
        if isinstance(cost, NotJson):
            return Verdict(contract, name, None, answers.not_json(name, cost, tool.limits))
        charged = cost
        return Verdict(contract, name, charged, _explained(tool, arguments))
    except Exception as fault:  # noqa: BLE001 - fail closed, whatever it was
        return _failed(contract, name, charged, fault)


def _failed(contract: Contract, name: Any, charged: Charge | None, fault: Exception) -> Verdict:
    # The type alone: its text may hold a value.
    _logger.error("a call could not be judged: %s", type(fault).__name__)
    known = isinstance(name, str) and name in contract.tools
    shown = name if known else answers.shown(name, contract.limits)
    refusal = answers.unusable_schema(shown, None, contract.limits)
    return Verdict(contract, shown, charged, refusal)


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
