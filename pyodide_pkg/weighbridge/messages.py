"""
The SDK's messages: as it hands them over, and as each protocol version wants them back.

A refusal is shaped as the SDK shapes a handler's own failure, so that a client
cannot tell by its form who refused.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from mcp.server import MCPServer
from mcp.server.context import HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp_types import SERVER_INFO_META_KEY, Implementation
from mcp_types.version import is_version_at_least
from pydantic import BaseModel

from weighbridge.envelope import tool_result

Context = ServerRequestContext[Any, Any]

#: The first protocol version whose results say their type and their server.
STAMPED_SINCE: Final = "2026-07-28"

#: What the SDK writes there on a finished result, a handler's failure included.
RESULT_TYPE: Final = "complete"


def is_call(params: Mapping[str, Any] | None) -> bool:
    """Whether these params have the shape of a call; the SDK answers all others."""
    if params is None:
        return False
    arguments = params.get("arguments")
    return isinstance(params.get("name"), str) and (
        arguments is None or isinstance(arguments, dict)
    )


def settled(ctx: Context) -> Context:
    """
    The same message with params that say the same at every reading.

    A transport hands over a plain dict, which passes as it is; a mapping made
    by another middleware is read here, once.
    """
    if ctx.params is None or type(ctx.params) is dict:
        return ctx
    return replace(ctx, params=dict(ctx.params))


def as_dict(result: HandlerResult) -> dict[str, Any]:
    """A result as it goes on the wire; the SDK hands it over so, a middleware may not."""
    if isinstance(result, BaseModel):
        return _on_the_wire(result)
    return dict(result or {})


def is_stamped(version: str) -> bool:
    """Whether results of that protocol version say their type and their server."""
    return is_version_at_least(version, STAMPED_SINCE)


def stamp(server_info: Implementation | Mapping[str, Any] | None) -> dict[str, Any] | None:
    """
    An identity as results carry it.

    Raises:
        pydantic.ValidationError: it is not an ``Implementation``.
    """
    if server_info is None:
        return None
    return _on_the_wire(Implementation.model_validate(server_info))


def identity(server: MCPServer[Any] | Server[Any]) -> Implementation:
    """What the server says of itself, the same from either kind."""
    return Implementation(
        name=server.name,
        version=server.version or "",
        title=server.title,
        description=server.description,
        website_url=server.website_url,
        icons=server.icons,
    )


def refusal(
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
