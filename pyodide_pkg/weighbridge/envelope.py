"""
A call judged by all of its params, and the tool result that carries a refusal.

Nothing here knows the SDK: what stands in a result in some protocol versions
only is added where the protocol is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from weighbridge import answers
from weighbridge.catalog import Catalog
from weighbridge.charge import Charge, charge
from weighbridge.gate import Contract, Verdict
from weighbridge.limits import Limits
from weighbridge.refusal import Code, Refusal
from weighbridge.version import CONTRACT

#: Where a refusal carries its verdict.
META_KEY: Final = "dev.theurian.weighbridge/verdict"

#: All that a caller hears when it is our own code that failed.
FAILED: Final = (
    f"The call was refused before it ran: the preflight check itself failed. {answers.UNCHANGED} "
    "The arguments are not at fault and changing them will not help: tell the operator of the "
    'server, whose log has a line of "weighbridge" about it.'
)


def judged(catalog: Catalog, params: Mapping[str, Any]) -> Verdict:
    """
    The verdict on a call by its params: its arguments, and what it carries beside them.
    """
    verdict = catalog.check(params["name"], params.get("arguments"))
    if not verdict.admitted:
        return verdict
    # By the catalog's limits: a tool's narrower ones speak of its arguments.
    beside = {key: params[key] for key in params if key not in ("name", "arguments")}
    cost = charge(beside, catalog.limits)
    if isinstance(cost, Charge):
        return verdict
    refusal = answers.beside(params["name"], cost, catalog.limits)
    return verdict.refused(refusal)


def is_call(params: Mapping[str, Any] | None) -> bool:
    """Whether these params have the shape of a call; the SDK answers all others."""
    if params is None:
        return False
    arguments = params.get("arguments")
    return isinstance(params.get("name"), str) and (
        arguments is None or isinstance(arguments, dict)
    )


def settled(ctx: Any) -> Any:
    """
    The same message with params that say the same at every reading.

    A transport hands over a plain dict, which passes as it is; a mapping made
    by another middleware is read here, once.
    """
    if ctx.params is None or type(ctx.params) is dict:
        return ctx
    return replace(ctx, params=dict(ctx.params))


def tool_result(verdict: dict[str, Any]) -> dict[str, Any]:
    """
    A refusal as the result of a failed tool call.
    """
    return {
        "content": [{"type": "text", "text": verdict["refusal"]["message"]}],
        "isError": True,
        "_meta": {META_KEY: verdict},
    }


def fixed_verdict(catalog: Catalog | None, tool: str = "") -> Verdict:
    """The verdict on a call that could not be judged; ``tool`` as it is shown."""
    refusal = Refusal(code=Code.UNUSABLE_SCHEMA, message=FAILED)
    if catalog is not None:
        return Verdict(catalog.contract, tool, None, refusal)
    nothing = Contract({}, {}, Limits(), CONTRACT, digest="", advisory=False)
    return Verdict(nothing, tool, None, refusal)


def named(name: Any, catalog: object) -> str:
    """A tool's name as a verdict shows it, with or without a catalog to know it."""
    if not isinstance(catalog, Catalog):
        return answers.shown(name, Limits())
    return str(name) if name in catalog.tools else answers.shown(name, catalog.limits)
