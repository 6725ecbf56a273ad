"""
The gate in front of an MCP server's tools: no handler runs before the verdict.

All contact with the SDK's middleware, which is provisional, is in this file.  A
refusal leaves as a tool result, shaped as the SDK shapes a handler's own
failure in every protocol version; whatever our own code raises leaves as one
fixed refusal, and as a log line without values.
"""

from __future__ import annotations

import copy
import json
import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from mcp.server import MCPServer
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp_types import SERVER_INFO_META_KEY, Implementation
from mcp_types.version import is_version_at_least

from weighbridge import CONTRACT, Catalog
from weighbridge.answers import UNCHANGED, shown
from weighbridge.charge import Charge, NotJson, Passed, charge
from weighbridge.expected import quoted
from weighbridge.limits import Limits
from weighbridge.refusal import Code, Refusal

#: Where a refusal carries its verdict.
META_KEY: Final = "dev.theurian.weighbridge/verdict"

#: The first protocol version whose results say their type and their server.
STAMPED_SINCE: Final = "2026-07-28"

#: What the SDK writes there on a finished result, a handler's failure included.
RESULT_TYPE: Final = "complete"

#: All that a caller hears when it is our own code that failed.
FAILED: Final = (
    f"The call was refused before it ran: the preflight check itself failed. {UNCHANGED} "
    "The arguments are not at fault and changing them will not help: tell the operator of the "
    'server, whose log has a line of "weighbridge" about it.'
)

_BESIDE: Final = {
    "nesting": "are nested deeper than {} levels",
    "nodes": "hold more than {} keys, values and elements",
    "rendered": "render to more than {} characters",
}

_logger = logging.getLogger("weighbridge")


class PreflightMiddleware:
    """
    Judges every ``tools/call`` request by the catalog before the rest of the server sees it.

    It belongs last in the middleware list: what stands before it may rewrite a
    call, and what stands after it could rewrite one that was already judged.
    ``install`` puts it there, and keeps watch that it stays there.

    Args:
        catalog: the published schemas and the limits.
        server_info: the server's name and version, for the stamp that results
            carry since 2026-07-28; without it refusals leave unstamped.

    Raises:
        TypeError: ``catalog`` is not a catalog.
        pydantic.ValidationError: ``server_info`` is not an ``Implementation``.
    """

    __slots__ = ("_catalog", "_failures", "_limits", "_server", "_stamp")

    def __init__(
        self,
        catalog: Catalog,
        server_info: Implementation | Mapping[str, Any] | None = None,
    ) -> None:
        """Make the fixed refusals ready, while everything still works."""
        if not isinstance(catalog, Catalog):
            raise TypeError(
                "catalog must be a weighbridge.Catalog; read one with Catalog.read(DIR)"
            )
        self._catalog = catalog
        self._limits: Limits = catalog.limits
        self._stamp = None if server_info is None else _wire_form(server_info)
        self._server: MCPServer[Any] | Server[Any] | None = None
        verdict = _fixed_verdict(catalog)
        # As text: what is handed out may be changed by another middleware.
        self._failures = {
            stamped: json.dumps(_result(verdict, self._stamp, stamped=stamped))
            for stamped in (False, True)
        }

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """
        Answer one message: a refusal of our own, or whatever the rest of the server says.

        Nothing is awaited between the verdict and the rest of the server, so
        no other task can change the arguments in between.
        """
        if ctx.method != "tools/call" or ctx.request_id is None:
            return await call_next(ctx)
        try:
            ctx = _settled(ctx)
            refused = self._refused(ctx)
        except Exception as error:  # noqa: BLE001 - whatever it is, the handler must not run
            _tell("the preflight check failed on a call, which was refused: %s", _place(error))
            refused = self._failed(ctx)
        return await call_next(ctx) if refused is None else refused

    def _refused(self, ctx: ServerRequestContext[Any, Any]) -> dict[str, Any] | None:
        """
        The result that refuses a call, or None for one that goes on.
        """
        params = ctx.params
        if params is None or not _is_call(params):
            return None
        if not self._is_innermost():
            _tell("a middleware stands after the preflight check: install() again, after adding it")
            return self._failed(ctx)
        verdict = self._verdict(params)
        if verdict is None:
            return None
        return _result(verdict, self._stamp, stamped=_is_stamped(ctx.protocol_version))

    def _verdict(self, params: Mapping[str, Any]) -> dict[str, Any] | None:
        """
        The verdict that refuses a call by its params, or None.
        """
        verdict = self._catalog.check(params["name"], params.get("arguments"))
        if not verdict.admitted:
            refused: dict[str, Any] = json.loads(verdict.to_json())
            return refused
        # By the catalog's limits: a tool's narrower ones speak of its arguments.
        beside = {key: params[key] for key in params if key not in ("name", "arguments")}
        cost = charge(beside, self._limits)
        if isinstance(cost, Charge):
            return None
        refusal = _refusal_beside(cost, params["name"], self._limits)
        return {**json.loads(verdict.to_json()), "admitted": False, "refusal": refusal}

    def _is_innermost(self) -> bool:
        """Whether what is judged here is what the handler gets, as far as can be known."""
        return self._server is None or isinstance(self._server.middleware[-1], PreflightMiddleware)

    def _failed(self, ctx: ServerRequestContext[Any, Any]) -> dict[str, Any]:
        """The fixed refusal, with the tool's name if that can still be had."""
        result: dict[str, Any] = json.loads(self._failures[_is_stamped(ctx.protocol_version)])
        with suppress(Exception):
            name = (ctx.params or {})["name"]
            told = name if name in self._catalog.tools else shown(name, self._limits)
            result["_meta"][META_KEY]["tool"] = told
        return result


def install(server: MCPServer[Any] | Server[Any], catalog: Catalog) -> PreflightMiddleware:
    """
    Put the gate last in a server's middleware, with the server's identity filled in.

    Installing again changes nothing; with another catalog, or after another
    middleware was added, it puts one gate where the earlier one stood.  A call
    that finds a middleware after the gate is refused, and the log says why.

    Returns:
        The gate that now stands there.

    Raises:
        TypeError: ``catalog`` is not a catalog.
    """
    chain = server.middleware
    standing = [one for one in chain if isinstance(one, PreflightMiddleware)]
    if (
        len(standing) == 1
        and chain[-1] is standing[0]
        and standing[0]._catalog is catalog  # noqa: SLF001 - the same module
        and standing[0]._server is server  # noqa: SLF001
    ):
        return standing[0]
    gate = PreflightMiddleware(catalog, _identity(server))
    gate._server = server  # noqa: SLF001
    chain[:] = [one for one in chain if not isinstance(one, PreflightMiddleware)] + [gate]
    return gate


def _identity(server: MCPServer[Any] | Server[Any]) -> Implementation:
    """What the server says of itself, the same from either kind."""
    return Implementation(
        name=server.name,
        version=server.version or "",
        title=server.title,
        description=server.description,
        website_url=server.website_url,
        icons=server.icons,
    )


def _wire_form(server_info: Implementation | Mapping[str, Any]) -> dict[str, Any]:
    """An identity as results carry it."""
    return Implementation.model_validate(server_info).model_dump(
        by_alias=True, mode="json", exclude_none=True
    )


def _is_call(params: Mapping[str, Any]) -> bool:
    """Whether these params have the shape of a call; the SDK answers all others."""
    arguments = params.get("arguments")
    return isinstance(params.get("name"), str) and (
        arguments is None or isinstance(arguments, dict)
    )


def _settled(ctx: ServerRequestContext[Any, Any]) -> ServerRequestContext[Any, Any]:
    """
    The same message with params that say the same at every reading.

    A transport hands over a plain dict, which passes as it is; a mapping made
    by another middleware is read here, once.
    """
    if ctx.params is None or type(ctx.params) is dict:
        return ctx
    return replace(ctx, params=dict(ctx.params))


def _is_stamped(version: str) -> bool:
    """Whether results of that protocol version say their type and their server."""
    return is_version_at_least(version, STAMPED_SINCE)


def _result(
    verdict: dict[str, Any], stamp: dict[str, Any] | None, *, stamped: bool
) -> dict[str, Any]:
    """
    The tool result that carries a refusal, as the SDK would write a handler's failure.
    """
    meta: dict[str, Any] = {META_KEY: verdict}
    result: dict[str, Any] = {
        "content": [{"type": "text", "text": verdict["refusal"]["message"]}],
        "isError": True,
        "_meta": meta,
    }
    if stamped:
        result["resultType"] = RESULT_TYPE
        if stamp is not None:
            meta[SERVER_INFO_META_KEY] = copy.deepcopy(stamp)
    return result


def _refusal_beside(cost: Passed | NotJson, tool: str, limits: Limits) -> dict[str, Any]:
    """
    The refusal of a call whose arguments pass and whose other params do not.
    """
    if isinstance(cost, Passed):
        code, limit = Code.TOO_LARGE, cost.limit
        rule = _BESIDE[cost.limit].format(getattr(limits, cost.limit))
        remedy = f"The limit is called {cost.limit}. Send less in them, or leave them out."
    else:
        code, limit = Code.NOT_JSON, None
        rule = "are not strict JSON"
        remedy = "JSON has no NaN, no infinity and no lone surrogate: send none in them."
    message = (
        f"The call to {quoted(tool, limits.fragment + 2)} was refused before it ran: the params "
        f"that it carries beside name and arguments, such as _meta, {rule}. {UNCHANGED} {remedy}"
    )
    return Refusal(code=code, limit=limit, message=message).as_dict()


def _fixed_verdict(catalog: Catalog) -> dict[str, Any]:
    """The verdict on a call that could not be judged, but for the name of its tool."""
    refusal = Refusal(code=Code.UNUSABLE_SCHEMA, message=FAILED)
    return {
        "admitted": False,
        "advisory": catalog.advisory,
        "tool": "",
        "catalog": {"contract": CONTRACT, "digest": catalog.digest},
        "charge": None,
        "refusal": refusal.as_dict(),
    }


def _place(error: Exception) -> str:
    """
    What was raised and where, without a word of what it says: that may quote a value.
    """
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = "" if trace is None else f" at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    return f"{type(error).__qualname__}{where}"


def _tell(line: str, *facts: str) -> None:
    """Log one line for the operator; a log that fails must not decide a call."""
    with suppress(Exception):
        _logger.error(line, *facts)
