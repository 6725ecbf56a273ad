"""
One refusal for each way that a call can fail, worded whole and bounded.

Every message names the tool, the rule and the remedy, and says that nothing was
read and nothing was changed, because nothing has run.
"""

from __future__ import annotations

from collections.abc import Iterable

from weighbridge.characters import fragment
from weighbridge.charge import NotJson, Passed
from weighbridge.errors import bounded
from weighbridge.evaluation import Miss
from weighbridge.expected import place_of, pointer_to, quoted
from weighbridge.limits import INTEGER_DIGITS, Limits
from weighbridge.nearest import Budget, nearest
from weighbridge.refusal import Code, Refusal
from weighbridge.text import NotStrict
from weighbridge.wording import finding

UNCHANGED = "Nothing was read and nothing was changed."

_AGAIN = "Mend the arguments and call again."

_FAULTS = {
    "type": ("a value of a type that JSON does not have stands there", "Send JSON values only."),
    "key": ("an object there has a name that is not a string", "Use strings as names."),
    "surrogate-key": (
        "an object there has a name with a lone surrogate, which UTF-8 cannot carry",
        "Send whole characters only.",
    ),
    "surrogate": (
        "the string there has a lone surrogate, which UTF-8 cannot carry",
        "Send whole characters only.",
    ),
    "number": (
        "the number there is not finite",
        "JSON has no NaN and no infinity: send a finite number, null or nothing.",
    ),
    "digits": (
        f"the integer there has more than {INTEGER_DIGITS} digits",
        "Send it as text in a string.",
    ),
}

_TEXT_FAULTS = {
    "malformed": ("the text is malformed", "Send one JSON object."),
    "bom": ("the text begins with a byte order mark", "Send it without the mark."),
    "utf-8": ("the bytes are not UTF-8", "Encode the text as UTF-8."),
    "digits": (
        f"an integer has more than {INTEGER_DIGITS} digits",
        "Send it as text in a string.",
    ),
}

_REMEDIES = {
    "body": "Send less text.",
    "nesting": "Nest the values less deeply.",
    "nodes": "Send fewer keys, values and elements.",
    "rendered": "Send less text.",
    "work": "Send fewer or simpler values.",
}


def no_schema(tool: str, published: Iterable[str], limits: Limits) -> Refusal:
    """The catalog publishes no schema for the tool."""
    near = nearest(tool, published, Budget())
    hint = f"Did you mean {quoted(near, 140)}?" if near else "Use a tool that the server lists."
    name = quoted(tool, limits.fragment + 2)
    return Refusal(
        code=Code.NO_SCHEMA,
        message=f"The call was refused before it ran: no schema is published for a tool named "
        f"{name}. {UNCHANGED} {hint}",
    )


def unusable_schema(tool: str, reason: str | None, limits: Limits) -> Refusal:
    """The schema cannot be applied, or our own code failed: the operator's fault."""
    why = f" ({bounded(reason, 240)})" if reason else ""
    return _refused(
        Code.UNUSABLE_SCHEMA,
        tool,
        limits,
        f"its published schema could not be applied{why}.",
        "The arguments are not at fault and changing them will not help: tell the operator "
        "of the server.",
    )


def too_large(tool: str, passed: Passed, limits: Limits) -> Refusal:
    """A limit is passed."""
    rule = {
        "body": f"the text of its arguments is longer than {limits.text} bytes of UTF-8",
        "nesting": f"its arguments are nested deeper than {limits.nesting} levels",
        "nodes": f"its arguments hold more than {limits.nodes} keys, values and elements",
        "rendered": f"its arguments render to more than {limits.rendered} characters",
        "work": f"judging its arguments would take more than the {limits.work} steps allowed",
    }[passed.limit]
    remedy = f"The limit is called {passed.limit}. {_REMEDIES[passed.limit]}"
    return _refused(Code.TOO_LARGE, tool, limits, f"{rule}.", remedy, limit=passed.limit)


def not_json(tool: str, fault: NotJson, limits: Limits) -> Refusal:
    """The values are not JSON."""
    rule, remedy = _FAULTS[fault.fault]
    place = place_of(pointer_to(fault.place)[0])
    text = f"its arguments are not strict JSON. {place}: {rule}."
    return _refused(Code.NOT_JSON, tool, limits, text, remedy)


def not_strict(tool: str, fault: NotStrict, limits: Limits) -> Refusal:
    """The text is not strict JSON."""
    if fault.fault == "duplicate":
        rule = f"one object has the name {quoted(fault.key, limits.fragment + 2)} twice"
        remedy = "Parsers keep only one of them: send each name once."
    else:
        rule, remedy = _TEXT_FAULTS[fault.fault]
    if fault.line:
        rule += f" at line {fault.line}, column {fault.column}"
    return _refused(
        Code.NOT_JSON, tool, limits, f"its arguments are not strict JSON: {rule}.", remedy
    )


def beside(tool: str, cost: Passed | NotJson, limits: Limits) -> Refusal:
    """The arguments pass, and the params that the call carries beside them do not."""
    rules = {
        "nesting": f"are nested deeper than {limits.nesting} levels",
        "nodes": f"hold more than {limits.nodes} keys, values and elements",
        "rendered": f"render to more than {limits.rendered} characters",
    }
    if isinstance(cost, Passed):
        code, limit, rule = Code.TOO_LARGE, cost.limit, rules[cost.limit]
        remedy = f"The limit is called {limit}. Send less in them, or leave them out."
    else:
        code, limit, rule = Code.NOT_JSON, None, "are not strict JSON"
        remedy = "JSON has no NaN, no infinity and no lone surrogate: send none in them."
    params = "the params that it carries beside name and arguments, such as _meta,"
    return _refused(code, tool, limits, f"{params} {rule}.", remedy, limit=limit)


def mismatch(
    tool: str, misses: list[Miss], limits: Limits, budget: Budget, *, more: bool
) -> Refusal:
    """
    The published schema refuses the arguments.

    ``misses`` are the smallest by the total order, ``more`` whether others are
    left out; the message takes whole findings until its limit.
    """
    findings = tuple(finding(miss, limits, budget) for miss in misses)
    head = _head(tool, limits) + "its arguments do not match the published schema."
    tail = f"{UNCHANGED} {_AGAIN}"
    told: list[str] = []
    for at, one in enumerate(findings):
        left = len(findings) - at - 1 or more
        rest = "More is wrong than is told here. " if left else ""
        if len(" ".join([head, *told, one.message, rest + tail])) > limits.refusal:
            break
        told.append(one.message)
    truncated = more or len(told) < len(findings)
    last = ["More is wrong than is told here."] if truncated else []
    return Refusal(
        code=Code.MISMATCH,
        message=bounded(" ".join([head, *told, *last, tail]), limits.refusal),
        truncated=truncated,
        findings=findings,
    )


def _head(tool: str, limits: Limits) -> str:
    return f"The call to {quoted(tool, limits.fragment + 2)} was refused before it ran: "


def _refused(  # noqa: PLR0913 - one place that joins the parts
    code: Code, tool: str, limits: Limits, rule: str, remedy: str, *, limit: str | None = None
) -> Refusal:
    message = f"{_head(tool, limits)}{rule} {UNCHANGED} {remedy}"
    return Refusal(code=code, limit=limit, message=bounded(message, limits.refusal))


def shown(tool: object, limits: Limits) -> str:
    """A tool name that the catalog does not have, as a verdict shows it."""
    return fragment(tool, limits.fragment) if isinstance(tool, str) else ""
