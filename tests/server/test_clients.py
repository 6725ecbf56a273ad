"""
The SDK's own client reads a refusal as the failed tool call that it is.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from pydantic import ValidationError

import weighbridge
from tests.server import small_server, wire
from weighbridge import Catalog
from weighbridge.mcp import META_KEY

#: How the client opens: the handshake of the older versions, or the newest one.
MODES = ("legacy", "auto", wire.NEWEST)


async def told(server: Any, mode: str) -> tuple[Any, Any, Any, str | None]:
    """One refused call, one served call, a call of a tool nobody published, and the version."""
    async with Client(server, mode=mode) as client:
        return (
            await client.call_tool("note.add", {"text": "a", "colour": "red"}),
            await client.call_tool("note.add", {"text": "a"}),
            await client.call_tool("note.purge", {}),
            client.session.protocol_version,
        )


def hold(catalog: Catalog, refused: Any, served: Any, unpublished: Any) -> None:
    assert refused.is_error is True
    for result, name, arguments in (
        (refused, "note.add", {"text": "a", "colour": "red"}),
        (unpublished, "note.purge", {}),
    ):
        assert result.meta[META_KEY] == json.loads(catalog.check(name, arguments).to_json())
        (block,) = result.content
        assert block.text == result.meta[META_KEY]["refusal"]["message"]
    assert served.is_error is False
    assert META_KEY not in (served.meta or {})


@pytest.mark.parametrize("kind", small_server.KINDS)
@pytest.mark.parametrize("mode", MODES)
def test_the_sdks_client_reads_refusals_over_http(
    tmp_path: Path, catalog: Catalog, kind: str, mode: str
):
    server = small_server.build(kind, tmp_path / "sentinel", catalog)
    with wire.http_server(server, stateless=True) as port:
        *results, version = anyio.run(told, f"http://127.0.0.1:{port}/mcp", mode)

    hold(catalog, *results)
    assert version == (wire.OLDER[-1] if mode == "legacy" else wire.NEWEST)


@pytest.mark.parametrize("mode", MODES)
def test_the_sdks_client_reads_refusals_over_stdio(
    tmp_path: Path, schemas: Path, catalog: Catalog, mode: str
):
    command = [small_server.__file__, "MCPServer", str(tmp_path / "sentinel")]
    server = StdioServerParameters(
        command=sys.executable,
        args=[*command, "--catalog", str(schemas)],
        env={"PYTHONPATH": str(Path(weighbridge.__file__).parents[1])},
    )
    *results, _ = anyio.run(told, server, mode)

    hold(catalog, *results)


@pytest.mark.parametrize("kind", small_server.KINDS)
@pytest.mark.parametrize("mode", MODES)
def test_the_sdks_client_reads_refusals_in_process(
    tmp_path: Path, catalog: Catalog, kind: str, mode: str
):
    server = small_server.build(kind, tmp_path / "sentinel", catalog)
    *results, _ = anyio.run(told, server, mode)

    hold(catalog, *results)


def test_without_a_result_type_the_client_of_the_newest_version_could_not_read_it(
    tmp_path: Path, catalog: Catalog
):
    """
    The control: what the seat adds for the newest version is needed there.
    """
    server = small_server.build("Server", tmp_path / "sentinel", catalog)
    gate = server.middleware[-1]

    async def bare(ctx: Any, call_next: Any) -> Any:
        result = await call_next(ctx)
        if ctx.method == "tools/call":
            result = {key: value for key, value in result.items() if key != "resultType"}
        return result

    server.middleware.insert(len(server.middleware) - 1, bare)
    assert server.middleware[-1] is gate
    with wire.http_server(server, stateless=True) as port:
        url = f"http://127.0.0.1:{port}/mcp"
        with pytest.RaisesGroup(ValidationError, flatten_subgroups=True):
            anyio.run(told, url, wire.NEWEST)
