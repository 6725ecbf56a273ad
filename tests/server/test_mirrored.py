"""
A value that the published schema has mirrored in a header is mirrored by a client that lists it.

The word for that, ``x-mcp-header``, is the protocol's, and the SDK holds each
call to the list: a list that lost the word would let a mirrored value differ.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import HEADER_MISMATCH

from tests.catalogs import folder, input_schema
from tests.server import wire
from tests.server.test_choices import plain
from weighbridge import Catalog
from weighbridge.mcp import META_KEY, install

REGION = {"type": "string", "maxLength": 9, "x-mcp-header": "Region"}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A server whose one tool has such a field."""
    files = {"t.json": input_schema("t", properties={"region": REGION})}
    server = plain()
    install(server, Catalog.read(folder(tmp_path_factory.mktemp("mirrored"), files)))
    with wire.http_server(server, stateless=True) as port:
        yield port


def test_the_sdks_client_mirrors_it_and_is_served(port: int):
    async def ask() -> Any:
        async with Client(f"http://127.0.0.1:{port}/mcp", mode=wire.NEWEST) as client:
            await client.list_tools()
            served = await client.call_tool("t", {"region": "north"})
            refused = await client.call_tool("t", {"region": "north of here"})
            return served.content[0].text, refused.meta[META_KEY]["refusal"]["code"]

    assert anyio.run(ask) == (json.dumps({"region": "north"}), "mismatch")


def test_a_call_without_the_header_is_the_sdks_to_refuse(port: int):
    """
    The control: by the list of the server itself there would be no header to ask for.
    """
    answer = wire.Http(port, wire.NEWEST).call("t", {"region": "north"})
    assert (answer.status, answer.message["error"]["code"]) == (400, HEADER_MISMATCH)
