"""
A server with four small tools, of either kind that the SDK has, to stand behind the seat.

Three tools are published and one is not.  ``note.add`` answers with what its
handler was given, ``note.fail`` fails as a handler fails, ``note.purge`` is
registered without a published schema and leaves a file behind if it ever runs.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server

import weighbridge
from weighbridge.mcp import install
from weighbridge.stdio import serve_stdio

NAME, VERSION = "small", "7.1"

_CONTEXT = "https://example.test/schemas/"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"

SCHEMAS: dict[str, dict[str, Any]] = {
    "note-add.schema.json": {
        "$schema": _DIALECT,
        "$id": _CONTEXT + "note-add.schema.json",
        "x-weighbridge-tool": "note.add",
        "description": "Adds one note.",
        "type": "object",
        "properties": {
            "text": {"type": "string", "maxLength": 200, "description": "The note."},
            "labels": {
                "type": "array",
                "maxItems": 8,
                "items": {"type": "string", "maxLength": 40},
                "description": "Words to find it by.",
            },
            "about": {"type": "object", "maxProperties": 50, "description": "Anything else."},
        },
        "required": ["text"],
        "additionalProperties": False,
    },
    "note-count.schema.json": {
        "$schema": _DIALECT,
        "$id": _CONTEXT + "note-count.schema.json",
        "x-weighbridge-tool": "note.count",
        "description": "Counts the notes.",
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    },
    "note-fail.schema.json": {
        "$schema": _DIALECT,
        "$id": _CONTEXT + "note-fail.schema.json",
        "x-weighbridge-tool": "note.fail",
        "description": "Fails.",
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    },
}


def write_catalog(folder: Path, limits: dict[str, int] | None = None) -> Path:
    """
    Write the three published schemas, and ``catalog.json`` where ``limits`` are given.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in SCHEMAS.items():
        (folder / name).write_text(json.dumps(schema), encoding="utf-8")
    if limits is not None:
        (folder / "catalog.json").write_text(json.dumps({"limits": limits}), encoding="utf-8")
    return folder


def said(text: str, labels: list[str] | None, about: dict[str, Any] | None) -> str:
    """What ``note.add`` answers: exactly what it was given."""
    return json.dumps({"text": text, "labels": labels, "about": about}, sort_keys=True)


def leave(sentinel: Path) -> None:
    """Leave the file that says the handler of ``note.purge`` ran."""
    sentinel.write_text("ran", encoding="utf-8")


def mcpserver(sentinel: Path) -> MCPServer[Any]:
    """The four tools on ``MCPServer``, which reads arguments through models of its own."""
    server: MCPServer[Any] = MCPServer(name=NAME, version=VERSION, log_level="ERROR")

    @server.tool(name="note.add")
    def note_add(
        text: str, labels: list[str] | None = None, about: dict[str, Any] | None = None
    ) -> str:
        return said(text, labels, about)

    @server.tool(name="note.count")
    def note_count() -> str:
        return "none"

    @server.tool(name="note.fail")
    def note_fail() -> str:
        raise ToolError("the shelf is full")

    @server.tool(name="note.purge")
    def note_purge(really: bool = False) -> str:  # noqa: FBT001, FBT002 - a tool's arguments come by name
        leave(sentinel)
        return "purged"

    return server


def lowlevel(sentinel: Path) -> Server[Any]:
    """The four tools on ``Server``, whose handler is given the arguments as they came."""

    def text(words: str, *, failed: bool = False) -> types.CallToolResult:
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=words)], is_error=failed
        )

    async def on_list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
        names = ("note.add", "note.count", "note.fail", "note.purge")
        return types.ListToolsResult(
            tools=[types.Tool(name=name, input_schema={"type": "object"}) for name in names]
        )

    async def on_call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        given = params.arguments or {}
        match params.name:
            case "note.add":
                return text(said(given["text"], given.get("labels"), given.get("about")))
            case "note.count":
                return text("none")
            case "note.purge":
                leave(sentinel)
                return text("purged")
            case _:
                return text("the shelf is full", failed=True)

    return Server(NAME, version=VERSION, on_list_tools=on_list_tools, on_call_tool=on_call_tool)


KINDS: dict[str, Callable[[Path], Any]] = {"MCPServer": mcpserver, "Server": lowlevel}


def build(kind: str, sentinel: Path, catalog: weighbridge.Catalog | None) -> Any:
    """
    The server of that kind; without a catalog, the same server with no gate before it.
    """
    server = KINDS[kind](sentinel)
    if catalog is not None:
        install(server, catalog)
    return server


async def serve(server: Any, limits: weighbridge.Limits | None) -> None:
    """Serve over standard input and output until it ends, with limits on a line if given."""
    if limits is not None:
        await serve_stdio(server, limits)
        return
    if isinstance(server, MCPServer):
        await server.run_stdio_async()
        return
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def main() -> None:
    """Run from the command line, as the stdio tests do."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("sentinel", type=Path)
    parser.add_argument("--catalog", type=Path)
    parser.add_argument("--lines", action="store_true", help="read standard input our way")
    given = parser.parse_args()
    catalog = weighbridge.Catalog.read(given.catalog) if given.catalog else None
    limits = catalog.limits if catalog and given.lines else None
    anyio.run(serve, build(given.kind, given.sentinel, catalog), limits)


if __name__ == "__main__":
    main()
