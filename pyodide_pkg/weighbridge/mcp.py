"""
The gate in front of an MCP server's tools: no handler runs before the verdict.

All contact with the SDK's middleware, which is provisional, is in this file.
Whatever our own code raises leaves as one fixed refusal, and as a log line
without values.  What clients are told of the tools is what the gate judges by.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from mcp.server import MCPServer
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, SERVER_INFO_META_KEY, Implementation
from mcp_types.version import is_version_at_least
from pydantic import BaseModel

from weighbridge import Catalog
from weighbridge.advertise import GREETINGS, NOT_LISTED, capable, tools_list
from weighbridge.answers import shown
from weighbridge.envelope import (
    FAILED,
    META_KEY,
    fixed_verdict,
    is_call,
    judged,
    named,
    settled,
    tool_result,
)
from weighbridge.reports import OnVerdict, Reports, by_candidate
from weighbridge.sources import NoCatalog, Source, read, require_source
from weighbridge.telling import Once, place, tell

__all__ = ["FAILED", "META_KEY", "NOT_LISTED", "NoCatalog", "PreflightMiddleware", "install"]

Context = ServerRequestContext[Any, Any]

#: The first protocol version whose results say their type and their server.
STAMPED_SINCE: Final = "2026-07-28"

#: What the SDK writes there on a finished result, a handler's failure included.
RESULT_TYPE: Final = "complete"


class PreflightMiddleware:
    """
    Judges every ``tools/call`` request by the catalog before the rest of the server sees it.

    It also lists the tools by the schemas that it judges by, and says which
    catalog that is.  It belongs last in the middleware list: what stands before
    it may rewrite a call, and what stands after it could rewrite one that was
    already judged.  ``install`` puts it there, and keeps watch that it stays there.

    Args:
        catalog: the published schemas and the limits; or a function of the
            request's context, plain or async, that gives them.  It is asked once
            for each request, and a call for which it fails is refused.
        server_info: the server's name and version, for the stamp that results
            carry since 2026-07-28; without it refusals leave unstamped.
        candidate: another catalog, or such a function, by which each call is
            judged as well, in report mode: it decides nothing.
        report_only: refuse nothing, list and announce nothing: every byte passes
            as it would without this, and only the verdicts are reported.
        on_verdict: called with each verdict and with the candidate's, or None.
            It sees no arguments, and what it raises decides nothing.  Without
            it, what is reported goes to the log.
        bundle_url: where the server hosts its browser bundle, for its clients: a
            URL, or a reference to be resolved against that of the MCP endpoint.

    Raises:
        TypeError: an argument is of another type.
        pydantic.ValidationError: ``server_info`` is not an ``Implementation``.
    """

    __slots__ = ("_bundle", "_catalog", "_failures", "_left_out", "_reports", "_server", "_stamp")

    def __init__(  # noqa: PLR0913 - each is a choice of its own
        self,
        catalog: Source,
        server_info: Implementation | Mapping[str, Any] | None = None,
        *,
        candidate: Source | None = None,
        report_only: bool = False,
        on_verdict: OnVerdict | None = None,
        bundle_url: str | None = None,
    ) -> None:
        """Make the fixed refusals ready, while everything still works."""
        require_source("catalog", catalog)
        if bundle_url is not None and not isinstance(bundle_url, str):
            raise TypeError("bundle_url must be a string")
        self._catalog = catalog
        self._reports = Reports(candidate, report_only, on_verdict)
        self._bundle = bundle_url
        self._left_out = Once()
        self._stamp = _stamp(server_info)
        self._server: MCPServer[Any] | Server[Any] | None = None
        verdict = fixed_verdict(catalog if isinstance(catalog, Catalog) else None).as_dict()
        # As text: what is handed out may be changed by another middleware.
        self._failures = {
            stamped: json.dumps(_refusal(verdict, self._stamp, stamped=stamped))
            for stamped in (False, True)
        }

    async def __call__(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """
        Answer one message: a refusal of our own, or whatever the rest of the server says.
        """
        if ctx.request_id is None:
            return await call_next(ctx)
        if ctx.method == "tools/call":
            return await self._called(ctx, call_next)
        if self._reports.only:
            return await call_next(ctx)
        if ctx.method == "tools/list":
            return await self._listed(ctx, call_next)
        if ctx.method in GREETINGS:
            return await self._greeted(ctx, call_next)
        return await call_next(ctx)

    async def _called(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """
        Answer one call.

        Nothing is awaited between the verdict and the rest of the server, so
        no other task can change the arguments in between.
        """
        came, refused = ctx, None
        catalog: Catalog | None = None
        try:
            ctx = settled(ctx)
            if is_call(ctx.params):
                catalog = await read(self._catalog, ctx)
                candidate = await self._reports.read_candidate(ctx)
                refused, ctx = self._judged(ctx, catalog, candidate)
        except Exception as error:  # noqa: BLE001 - whatever it is, the handler must not run
            tell("the preflight check failed on a call, which was refused: %s", place(error))
            refused = self._failed(ctx, catalog)
        if self._reports.only:
            return await call_next(came)
        return await call_next(ctx) if refused is None else refused

    def _judged(
        self, ctx: Context, catalog: Catalog, candidate: Catalog | None
    ) -> tuple[dict[str, Any] | None, Context]:
        """
        The result that refuses a call or None, and the call as a handler is to get it.
        """
        params: Mapping[str, Any] = ctx.params or {}
        if not self._is_innermost():
            tell("a middleware stands after the preflight check: install() again, after adding it")
            return self._failed(ctx, catalog), ctx
        verdict = judged(catalog, params)
        refused = None
        if not verdict.admitted:
            stamped = _is_stamped(ctx.protocol_version)
            refused = _refusal(json.loads(verdict.to_json()), self._stamp, stamped=stamped)
        kept = catalog.without_bookkeeping(params.get("arguments"))
        if kept is not params.get("arguments"):
            ctx = replace(ctx, params={**params, "arguments": kept})
        self._reports.tell(verdict, by_candidate(candidate, params))
        return refused, ctx

    async def _listed(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """One page of the list of tools, by the published schemas."""
        result = await call_next(ctx)
        try:
            page = _as_dict(result)
            if "tools" in page:
                catalog = await read(self._catalog, ctx)
                page, left_out = tools_list(page, catalog, self._bundle)
                for name in left_out:
                    said = shown(name, catalog.limits)
                    self._left_out.note(
                        name, "%s is not listed: no schema is published for it", said
                    )
        except Exception as error:  # noqa: BLE001 - a client must not hold another contract
            tell("the tools could not be listed by their published schemas: %s", place(error))
            raise MCPError(code=INTERNAL_ERROR, message=NOT_LISTED) from None
        return page

    async def _greeted(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """What the server is capable of, the catalog's record included."""
        result = await call_next(ctx)
        try:
            catalog = await read(self._catalog, ctx)
            return capable(_as_dict(result), ctx.method, catalog, self._bundle)
        except Exception as error:  # noqa: BLE001 - a client can be served without it
            tell("the catalog could not be announced: %s", place(error))
            return result

    def _is_innermost(self) -> bool:
        """Whether what is judged here is what the handler gets, as far as can be known."""
        return self._server is None or isinstance(self._server.middleware[-1], PreflightMiddleware)

    def _does_as(self, other: PreflightMiddleware) -> bool:
        """Whether both guard one server, by one catalog and with the same choices."""
        return (
            self._server is other._server
            and self._catalog is other._catalog
            and self._reports == other._reports
            and self._bundle == other._bundle
        )

    def _failed(self, ctx: Context, catalog: Catalog | None) -> dict[str, Any]:
        """The fixed refusal, with the tool's name and the digest if those can still be had."""
        result: dict[str, Any] = json.loads(self._failures[_is_stamped(ctx.protocol_version)])
        with suppress(Exception):
            known = catalog or self._catalog
            shown = named((ctx.params or {})["name"], known)
            verdict = fixed_verdict(known if isinstance(known, Catalog) else None, shown)
            result["_meta"][META_KEY] = verdict.as_dict()
            self._reports.tell(verdict, None)
        return result


def install(  # noqa: PLR0913 - the choices of PreflightMiddleware
    server: MCPServer[Any] | Server[Any],
    catalog: Source,
    *,
    candidate: Source | None = None,
    report_only: bool = False,
    on_verdict: OnVerdict | None = None,
    bundle_url: str | None = None,
) -> PreflightMiddleware:
    """
    Put the gate last in a server's middleware, with the server's identity filled in.

    Installing again changes nothing; with another catalog or other choices, or
    after another middleware was added, it puts one gate where the earlier one
    stood.  A call that finds a middleware after the gate is refused, and the log
    says why.

    Args:
        server: either kind.
        catalog: as ``PreflightMiddleware`` takes it, and so the rest.

    Returns:
        The gate that now stands there.

    Raises:
        TypeError: an argument is of another type.
    """
    chain = server.middleware
    standing = [one for one in chain if isinstance(one, PreflightMiddleware)]
    gate = PreflightMiddleware(
        catalog,
        _identity(server),
        candidate=candidate,
        report_only=report_only,
        on_verdict=on_verdict,
        bundle_url=bundle_url,
    )
    gate._server = server  # noqa: SLF001 - the same module
    if len(standing) == 1 and chain[-1] is standing[0] and standing[0]._does_as(gate):  # noqa: SLF001
        return standing[0]
    chain[:] = [one for one in chain if not isinstance(one, PreflightMiddleware)] + [gate]
    return gate


def _as_dict(result: HandlerResult) -> dict[str, Any]:
    """A result as it goes on the wire; the SDK hands it over so, a middleware may not."""
    if isinstance(result, BaseModel):
        return _on_the_wire(result)
    return dict(result or {})


def _is_stamped(version: str) -> bool:
    """Whether results of that protocol version say their type and their server."""
    return is_version_at_least(version, STAMPED_SINCE)


def _stamp(server_info: Implementation | Mapping[str, Any] | None) -> dict[str, Any] | None:
    """
    An identity as results carry it.

    Raises:
        pydantic.ValidationError: it is not an ``Implementation``.
    """
    if server_info is None:
        return None
    return _on_the_wire(Implementation.model_validate(server_info))


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


def _refusal(
    verdict: dict[str, Any], identity: dict[str, Any] | None, *, stamped: bool
) -> dict[str, Any]:
    """
    The tool result that carries a refusal, as the SDK would write a handler's failure.
    """
    result = tool_result(verdict)
    if stamped:
        result["resultType"] = RESULT_TYPE
        if identity is not None:
            result["_meta"][SERVER_INFO_META_KEY] = copy.deepcopy(identity)
    return result


def _on_the_wire(model: BaseModel) -> dict[str, Any]:
    return model.model_dump(by_alias=True, mode="json", exclude_none=True)
