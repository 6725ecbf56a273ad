"""
Other people's clients read what a guarded server lists, and take its refusals as failed calls.

They are the releases named in ``tests/server/clients/package-lock.json``, which
``make`` installs, and this environment's own Python client.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

import weighbridge
from tests.reference.serving import serve
from tests.server.test_listing import CATALOG, EXTENSION, TOOL, record, tool_record
from weighbridge import Catalog
from weighbridge.digest import tool_digest
from weighbridge.mcp import META_KEY
from weighbridge.reference.service import build_app, build_server

HERE = Path(__file__).parent / "clients"
INSPECTOR = HERE / "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"

#: How the Inspector's command line ends when a tool's result is an error.
FAILED_CALL = 5

#: An item of the sample project.
ITEM = "tracking.retry-policy"

SERVED = ("knowledge.get", {"projectId": "demo", "itemId": ITEM})
REFUSED = ("knowledge.get", {"projectId": "demo", "itemid": ITEM})


@dataclass(frozen=True, slots=True)
class Heard:
    """
    What one client made of the server, in the words of the wire.
    """

    capabilities: dict[str, Any]
    tools: list[dict[str, Any]]
    #: ``_meta`` of the list; None where the client drops it.
    meta: dict[str, Any] | None
    #: What each of the two calls gave.
    results: list[dict[str, Any]]
    #: Schemas that a strict reader refuses, by tool, with its reason.
    unusable: dict[str, str]


@dataclass(frozen=True, slots=True)
class Live:
    """
    The reference service, as a client reaches it.
    """

    url: str
    command: list[str]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """The ten tools."""
    return Catalog.bundled()


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory, catalog: Catalog) -> Iterator[Live]:
    """The reference service on a port, and the command that runs it on a pipe."""
    database = tmp_path_factory.mktemp("live") / "reference.sqlite3"
    app = build_app(build_server(database, catalog), catalog)
    command = ["-m", "weighbridge", "serve", "--stdio", "--database", str(database)]
    with serve(app) as port:
        yield Live(f"http://127.0.0.1:{port}/mcp", [sys.executable, *command])


def environ(home: Path) -> dict[str, str]:
    """This environment's variables, with the package under test and a home of its own."""
    package = str(Path(weighbridge.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": package, "HOME": str(home)}


def node(home: Path, *arguments: str | Path, status: int = 0) -> str:
    """What a program prints that Node runs and that ends with ``status``."""
    done = subprocess.run(
        ["node", *arguments],
        cwd=HERE,
        env=environ(home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == status, done.stderr.decode()
    return done.stdout.decode()


def typescript(generation: str, mode: str, target: str, home: Path) -> Heard:
    """Ask by a TypeScript client."""
    calls = json.dumps([SERVED, REFUSED])
    return Heard(**json.loads(node(home, HERE / "ask.mjs", generation, mode, target, calls)))


def python(target: Any, mode: str) -> Heard:
    """Ask by the SDK's own client."""

    async def ask() -> Heard:
        async with Client(target, mode=mode) as client:
            listed = await client.list_tools()
            results = [await client.call_tool(*call) for call in (SERVED, REFUSED)]

            def plain(model: Any) -> dict[str, Any]:
                return model.model_dump(by_alias=True, mode="json", exclude_none=True)

            return Heard(
                capabilities=plain(client.server_capabilities),
                tools=[plain(one) for one in listed.tools],
                meta=listed.meta,
                results=[plain(one) for one in results],
                unusable={},
            )

    return anyio.run(ask)


def inspector(live: Live, home: Path) -> Heard:
    """Ask by the Inspector's command line, which makes one request a run."""

    def run(*arguments: str, status: int = 0) -> Any:
        target = [live.url, "--transport", "http"]
        return json.loads(node(home, INSPECTOR, "--cli", *target, *arguments, status=status))

    def call(name: str, given: dict[str, str], status: int = 0) -> Any:
        pairs = [f"{key}={value}" for key, value in given.items()]
        asked = ["--method", "tools/call", "--tool-name", name, "--tool-arg", *pairs]
        return run(*asked, status=status)

    # Its own lint of listed schemas ends with another status if it finds fault.
    listed = run("--method", "tools/list", "--strict")
    return Heard(
        capabilities={},
        tools=listed["tools"],
        meta=listed.get("_meta"),
        results=[call(*SERVED), call(*REFUSED, status=FAILED_CALL)],
        unusable={},
    )


def held(heard: Heard, catalog: Catalog, kind: str | None) -> None:
    """Hold what a client heard to the catalog; ``kind`` is where it keeps an extension."""
    assert [one["name"] for one in heard.tools] == list(catalog.tools)
    for one in heard.tools:
        tool = catalog.tools[one["name"]]
        assert one["inputSchema"] == tool.published
        bounds = {"maxBytes": dict(tool.byte_bounds)} if tool.byte_bounds else {}
        assert one["_meta"][TOOL] == tool_record(catalog, tool.name, **bounds)
        assert tool_digest(one["name"], one["inputSchema"]) == tool.digest
        assert one["annotations"]["openWorldHint"] is False
    assert heard.unusable == {}
    served, refused = heard.results
    assert not served.get("isError", False)
    assert json.loads(served["content"][0]["text"])["item"]["itemId"] == ITEM
    assert refused["isError"] is True
    verdict = catalog.check(*REFUSED)
    assert refused["_meta"][META_KEY] == json.loads(verdict.to_json())
    assert refused["content"] == [{"type": "text", "text": verdict.refusal.message}]
    if kind is not None:
        assert heard.capabilities[kind][EXTENSION] == record(catalog)
        assert heard.meta is not None
        assert heard.meta[CATALOG] == record(catalog)


@pytest.mark.parametrize(("mode", "kind"), [("legacy", "experimental"), ("auto", "extensions")])
@pytest.mark.parametrize("over", ["http", "stdio"])
def test_the_python_client(
    live: Live, catalog: Catalog, tmp_path: Path, mode: str, kind: str, over: str
):
    pipe = StdioServerParameters(
        command=live.command[0], args=live.command[1:], env=environ(tmp_path)
    )
    held(python(live.url if over == "http" else pipe, mode), catalog, kind)


@pytest.mark.parametrize(
    ("generation", "mode", "kind"),
    [
        ("v1", "legacy", "experimental"),
        ("v2", "legacy", "experimental"),
        ("v2", "auto", "extensions"),
    ],
)
@pytest.mark.parametrize("over", ["http", "stdio"])
def test_the_typescript_clients(
    live: Live, catalog: Catalog, tmp_path: Path, generation: str, mode: str, kind: str, over: str
):
    target = live.url if over == "http" else json.dumps(live.command)
    held(typescript(generation, mode, target, tmp_path), catalog, kind)


def test_the_inspectors_command_line_which_drops_what_stands_on_the_list(
    live: Live, catalog: Catalog, tmp_path: Path
):
    heard = inspector(live, tmp_path)
    held(heard, catalog, None)
    assert heard.meta is None
