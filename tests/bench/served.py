"""
A server to be asked over loopback, with the gate or with a middleware that does nothing.

Run as a program: it prints its port and serves until its input ends.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server

from tests.server.wire import http_server
from weighbridge import Catalog
from weighbridge.mcp import install

TOOL = "bench.take"

#: What its one tool takes: a text of any length that a body may have, and a tree.
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "https://example.test/schemas/bench-take.schema.json",
    "x-weighbridge-tool": TOOL,
    "description": "Takes what it is given, and says how much that was.",
    "type": "object",
    "properties": {
        "text": {"type": "string", "maxLength": 8_388_608, "x-maxBytes": 8_388_608},
        "rows": {
            "type": "array",
            "maxItems": 20_000,
            "items": {
                "type": "object",
                "properties": {"a": {"type": "integer"}, "b": {"type": "boolean"}},
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}


async def _listed(_ctx: Any, _params: Any) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[types.Tool(name=TOOL, input_schema={"type": "object"})])


async def _taken(_ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    given = params.arguments or {}
    said = f"{len(given.get('text', ''))} characters, {len(given.get('rows', []))} rows"
    return types.CallToolResult(content=[types.TextContent(type="text", text=said)])


async def passing(ctx: Any, call_next: Any) -> Any:
    """Hand every request on."""
    return await call_next(ctx)


def build(folder: str) -> Server[Any]:
    """The server; gated by the catalog in ``folder``, where that is not empty."""
    server: Server[Any] = Server("bench", on_list_tools=_listed, on_call_tool=_taken)
    if folder:
        install(server, Catalog.read(Path(folder)))
    else:
        server.middleware.append(passing)
    return server


def main() -> None:
    """Serve until standard input ends."""
    server = build(sys.argv[1])
    with http_server(server, stateless=True, max_request_body_size=1 << 26) as port:
        print(port, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
