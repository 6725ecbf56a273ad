"""
A client that is told that the tools changed lists them again and finds the other catalog.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.subscriptions import InMemorySubscriptionBus, ToolsListChanged
from mcp_types import ToolListChangedNotification

from tests.server import wire
from tests.server.test_choices import made
from tests.server.test_listing import CATALOG
from weighbridge import Catalog
from weighbridge.mcp import install


@pytest.fixture
def two(tmp_path: Path) -> list[Catalog]:
    """The tool takes ``a``; then ``a`` and ``b``."""
    return [made(tmp_path / "one", a="integer"), made(tmp_path / "two", a="integer", b="integer")]


def reloading(held: list[Catalog], told: Any) -> MCPServer[Any]:
    """A server whose one tool takes the first catalog off the shelf, and tells its clients."""
    server: MCPServer[Any] = MCPServer("reloading", version="1", subscriptions=told)

    @server.tool(name="t")
    async def reload(ctx: Context, a: int, b: int = 0) -> str:
        del held[0]
        if ctx.protocol_version == wire.NEWEST and told is not None:
            await told.publish(ToolsListChanged())
        elif ctx.protocol_version == wire.NEWEST:
            await ctx.notify_tools_changed()
        else:
            await ctx.session.send_tool_list_changed()
        return "reloaded"

    install(server, lambda ctx: held[0])
    return server


async def seen(client: Client) -> tuple[str, list[str]]:
    """The digest that the list carries now, and the fields of the tool."""
    listed = await client.list_tools()
    (tool,) = listed.tools
    return listed.meta[CATALOG]["digest"], list(tool.input_schema["properties"])


def test_a_session_is_told_and_lists_another_catalog(two: list[Catalog]):
    expected = [(two[0].digest, ["a"]), (two[1].digest, ["a", "b"])]

    async def run() -> list[Any]:
        notices: list[Any] = []
        changed = anyio.Event()

        async def heard(notice: Any) -> None:
            notices.append(type(notice))
            changed.set()

        server = reloading(list(two), None)
        async with Client(server, mode="legacy", message_handler=heard) as client:
            before = await seen(client)
            await client.call_tool("t", {"a": 1})
            with anyio.fail_after(30):
                await changed.wait()
            return [before, await seen(client), notices]

    assert anyio.run(run) == [*expected, [ToolListChangedNotification]]


@pytest.mark.parametrize("bus", [None, InMemorySubscriptionBus()], ids=["context", "bus"])
def test_who_listens_is_told_and_lists_another_catalog(two: list[Catalog], bus: Any):
    expected = [(two[0].digest, ["a"]), (two[1].digest, ["a", "b"])]

    async def run() -> list[Any]:
        server = reloading(list(two), bus)
        async with (
            Client(server, mode=wire.NEWEST) as client,
            client.listen(tools_list_changed=True) as told,
        ):
            before = await seen(client)
            await client.call_tool("t", {"a": 1})
            with anyio.fail_after(30):
                notice = await anext(aiter(told))
            return [before, await seen(client), type(notice)]

    assert anyio.run(run) == [*expected, ToolsListChanged]
