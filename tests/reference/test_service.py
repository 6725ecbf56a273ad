"""
The service as a process of its own, over real connections, with the gate and without.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import create_connection
from typing import Any
from urllib.parse import urljoin

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import CallToolResult

import weighbridge
from tests.reference import published
from tests.reference.serving import fetch
from tests.reference.test_handlers import CANDIDATE, CHANGE, DRAFT
from tests.server.wire import NEWEST, OLDER, VERSIONS, Http, Stdio, stdio_process
from tests.support.programs import program
from weighbridge.advertise import CATALOG_KEY
from weighbridge.mcp import META_KEY
from weighbridge.reference import __main__ as command
from weighbridge.reference.service import default_database

CANARY = "c4nary-77a0"
CATALOG = weighbridge.Catalog.bundled()

#: One call of each tool that its handler answers.
ANSWERED: dict[str, dict[str, Any]] = {
    "knowledge.generateMigrationDraft": DRAFT
    | {"document": {"items": [{"id": "a.b", "title": "T", "text": "x"}]}},
    "knowledge.get": {"projectId": "demo", "itemId": "tracking.retry-policy"},
    "knowledge.proposeChange": CHANGE,
    "knowledge.search": {"projectId": "demo", "query": "retry budget"},
    "knowledge.status": {"projectId": "ferry-timetable"},
    "project.list": {},
    "review.findings": {"projectId": "demo", "severity": "blocker", "pullRequest": None},
    "review.generateKnowledgeCandidate": CANDIDATE,
    "review.search": {"projectId": "demo", "threadState": "open"},
    "system.capabilities": {},
}


@dataclass(frozen=True)
class Running:
    """
    One process of the service over HTTP, and its database.
    """

    port: int
    database: Path

    @property
    def proposals(self) -> int:
        """How many proposals the database holds."""
        with closing(sqlite3.connect(self.database)) as db:
            (count,) = db.execute("SELECT count(*) FROM proposals").fetchone()
        return count


PACKAGE = str(Path(weighbridge.__file__).parents[1])


def service(*options: str | Path) -> list[str]:
    return [sys.executable, "-m", "weighbridge.reference", *map(str, options)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """
    A page and a bundle to serve beside the tools.
    """
    made = tmp_path_factory.mktemp("service")
    (made / "dist" / "workbench").mkdir(parents=True)
    (made / "dist" / "weighbridge.js").write_text("export {};")
    (made / "dist" / "workbench" / "index.html").write_text("<!doctype html><title>w</title>")
    return made


def running(database: Path, *options: str | Path) -> Iterator[Running]:
    arguments = service("--port", "0", "--database", database, *options)
    with program(arguments, r"^http://127\.0\.0\.1:(\d+)/$", env={"PYTHONPATH": PACKAGE}) as begun:
        yield Running(int(begun.match[1]), database)


@pytest.fixture(scope="module")
def gated(folder: Path) -> Iterator[Running]:
    """
    The service as it is run.
    """
    yield from running(folder / "gated.sqlite3", "--dist", folder / "dist")


@pytest.fixture(scope="module")
def lifted(folder: Path) -> Iterator[Running]:
    """
    The same with that one middleware off.
    """
    yield from running(folder / "lifted.sqlite3", "--no-gate")


def connection(transport: str, run: Running, mode: str) -> Client:
    if transport == "http":
        return Client(f"http://127.0.0.1:{run.port}/mcp", mode=mode)
    over = StdioServerParameters(
        command=sys.executable,
        args=service("--stdio", "--database", run.database)[1:],
        env={**os.environ, "PYTHONPATH": PACKAGE},
    )
    return Client(stdio_client(over), mode=mode)


def call(client: Client, *calls: tuple[str, dict[str, Any]]) -> list[CallToolResult]:
    async def run() -> list[CallToolResult]:
        async with client:
            return [await client.call_tool(tool, arguments) for tool, arguments in calls]

    return asyncio.run(run())


def said(result: CallToolResult) -> str:
    (block,) = result.content
    return block.text


over_everything = pytest.mark.parametrize(
    ("transport", "mode"),
    [(transport, mode) for transport in ("http", "stdio") for mode in ("legacy", NEWEST)],
)


@over_everything
def test_the_official_client_is_answered_by_every_tool(gated: Running, transport: str, mode: str):
    results = call(connection(transport, gated, mode), *ANSWERED.items())

    assert [result.is_error for result in results] == [False] * 10
    for result in results:
        assert result.structured_content == json.loads(said(result)) != {}


@over_everything
def test_the_tools_are_listed_in_their_published_form(gated: Running, transport: str, mode: str):
    client = connection(transport, gated, mode)

    async def run() -> dict[str, Any]:
        async with client:
            return {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}

    assert asyncio.run(run()) == {
        name: dict(tool.published) for name, tool in CATALOG.tools.items()
    }


@over_everything
def test_an_unknown_key_is_refused_and_named_by_every_tool_and_its_value_is_absent(
    gated: Running, transport: str, mode: str
):
    asked = {tool: {**arguments, "colour": CANARY} for tool, arguments in ANSWERED.items()}
    before = gated.proposals
    results = call(connection(transport, gated, mode), *asked.items())

    assert [result.is_error for result in results] == [True] * 10
    assert [result.meta[META_KEY] for result in results] == [
        json.loads(CATALOG.check(tool, arguments).to_json()) for tool, arguments in asked.items()
    ]
    for result in results:
        assert "colour" in said(result)
        assert CANARY not in result.model_dump_json()
    assert gated.proposals == before


@pytest.mark.parametrize("version", VERSIONS)
def test_with_the_gate_off_a_call_is_served_the_same_with_an_unknown_key_and_without(
    lifted: Running, version: str
):
    client = Http(lifted.port, version)
    for tool, arguments in ANSWERED.items():
        if "evidence" in arguments:
            continue
        answer = client.call(tool, arguments)

        assert answer.result.get("isError", False) is False
        assert client.call(tool, {**arguments, "colour": CANARY}) == answer


def test_with_the_gate_off_the_same_holds_over_stdio(lifted: Running):
    arguments = service("--stdio", "--no-gate", "--database", lifted.database)[1:]
    with stdio_process(arguments) as process:
        client = Stdio(process, OLDER[-1])
        asked = ANSWERED["knowledge.search"]

        assert client.call("knowledge.search", {**asked, "colour": CANARY}) == client.call(
            "knowledge.search", asked
        )


@pytest.mark.parametrize("version", VERSIONS)
def test_a_call_that_is_admitted_is_answered_as_if_there_were_no_gate(
    gated: Running, lifted: Running, version: str
):
    behind, without = Http(gated.port, version), Http(lifted.port, version)
    for tool in ("knowledge.search", "knowledge.get", "project.list", "review.findings"):
        assert behind.call(tool, ANSWERED[tool]) == without.call(tool, ANSWERED[tool])


@pytest.mark.parametrize("version", VERSIONS)
def test_a_refusal_has_the_shape_of_a_handlers_own_failure(gated: Running, version: str):
    client = Http(gated.port, version)
    refused = client.call("knowledge.get", {"projectId": "demo"}).result
    failed = client.call("knowledge.get", {"projectId": "demo", "itemId": "none"}).result
    refused["_meta"].pop(META_KEY)

    assert {**refused, "_meta": refused["_meta"] or None, "content": None} == {
        **failed,
        "_meta": failed.get("_meta"),
        "content": None,
    }
    assert [block.keys() for block in refused["content"]] == [
        block.keys() for block in failed["content"]
    ]


@over_everything
def test_a_refusal_that_the_state_gives_reaches_the_client_with_its_remedy(
    gated: Running, transport: str, mode: str
):
    arguments = {"projectId": "demo", "pullRequest": 1e19}
    (result,) = call(connection(transport, gated, mode), ("review.findings", arguments))

    assert CATALOG.check("review.findings", arguments).admitted
    assert result.is_error
    assert "leave pullRequest out" in said(result)
    assert META_KEY not in (result.meta or {})


def test_a_body_of_eight_mebibytes_passes_the_transport_and_is_kept(gated: Running):
    body = "\u00e9" * (8_388_608 // 2)
    before = gated.proposals
    answer = Http(gated.port, NEWEST).call("knowledge.proposeChange", CHANGE | {"body": body})

    assert answer.result["structuredContent"]["proposal"]["status"] == "proposed"
    assert gated.proposals == before + 1


def test_a_request_past_the_body_limit_is_the_transports_to_refuse(gated: Running):
    client = Http(gated.port, OLDER[-1])
    # The client writes on while the server already answered and closed.
    within = client.raw(b" " * CATALOG.limits.body, "project.list")
    past = fetch(
        gated.port,
        "/mcp",
        method="POST",
        headers={
            "content-type": "application/json",
            "content-length": str(CATALOG.limits.body + 1),
        },
    )

    assert (within.status, past.status) == (400, 413)


def test_any_replica_answers_the_next_call_of_a_client(gated: Running):
    """
    No session stands between the handshake and a call, and the database is one file.
    """
    begun = Http(gated.port, OLDER[-1])
    assert begun.session is None
    proposal = begun.call("knowledge.proposeChange", CHANGE).result["structuredContent"]["proposal"]
    for second in running(gated.database):
        begun.port = second.port
        status = begun.call("knowledge.status", {"projectId": "demo"}).result

    assert int(proposal["proposalId"].removeprefix("proposal-")) <= gated.proposals
    assert status["structuredContent"]["proposals"] == gated.proposals


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "127.0.0.1:{port}"}, 200),
        ({"host": "localhost:{port}"}, 200),
        ({"host": "localhost:{port}", "origin": "http://localhost:{port}"}, 200),
        ({"host": "127.0.0.1:{port}", "origin": "http://127.0.0.1:{port}"}, 200),
        ({"host": "rebound.example:{port}"}, 421),
        ({"host": "127.0.0.1:{port}", "origin": "http://evil.example"}, 403),
        ({"host": "127.0.0.1:{port}", "origin": "null"}, 403),
    ],
)
def test_only_a_page_of_this_machine_reaches_the_tools(
    gated: Running, headers: dict[str, str], status: int
):
    given = {name: value.format(port=gated.port) for name, value in headers.items()}
    message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    got = fetch(
        gated.port,
        "/mcp",
        method="POST",
        headers={
            "content-type": "application/json",
            "accept": "application/json",
            "mcp-protocol-version": OLDER[-1],
            **given,
        },
        body=json.dumps(message).encode(),
    )

    assert got.status == status


def test_one_port_serves_the_tools_the_bundle_the_page_and_its_health(gated: Running):
    page = fetch(gated.port, "/")
    bundle = fetch(gated.port, "/weighbridge/weighbridge.js")
    health = fetch(gated.port, "/healthz")

    assert page.body == b"<!doctype html><title>w</title>"
    assert bundle.body == b"export {};"
    assert json.loads(health.body) == {"ok": True, "digest": CATALOG.digest}


@pytest.mark.parametrize("version", VERSIONS)
def test_a_client_is_told_where_the_bundle_is_and_finds_it_there(gated: Running, version: str):
    client = Http(gated.port, version)
    told = client.send("tools/list", {}).result["_meta"][CATALOG_KEY]

    assert told["digest"] == CATALOG.digest
    assert fetch(gated.port, urljoin("/mcp", told["bundle"]) + "weighbridge.js").status == 200


@pytest.mark.parametrize("version", VERSIONS)
def test_over_a_pipe_no_bundle_is_announced(folder: Path, version: str):
    options = ("--stdio", "--database", folder / "pipe.sqlite3", "--dist", folder / "dist")
    with stdio_process(service(*options)[1:]) as process:
        told = Stdio(process, version).send("tools/list", {}).result["_meta"][CATALOG_KEY]

    assert (told["digest"], "bundle" in told) == (CATALOG.digest, False)


@pytest.mark.parametrize("version", VERSIONS)
def test_with_the_gate_off_nothing_of_the_catalog_is_listed_or_announced(
    lifted: Running, version: str
):
    """
    The control: what the gate lists is not what the SDK derives, for none of the ten.
    """
    client = Http(lifted.port, version)
    listed = client.send("tools/list", {})

    derived = {one["name"]: one["inputSchema"] for one in listed.result["tools"]}
    assert derived.keys() == CATALOG.tools.keys()
    assert all(derived[name] != tool.published for name, tool in CATALOG.tools.items())
    assert b"dev.theurian" not in listed.body + client.opened.body


def test_a_folder_that_was_not_given_is_not_served(lifted: Running):
    assert fetch(lifted.port, "/").status == 404


def test_the_capabilities_tell_the_digest_and_the_tools(gated: Running):
    answer = Http(gated.port, NEWEST).call("system.capabilities").result["structuredContent"]

    assert (answer["digest"], answer["tools"]) == (CATALOG.digest, sorted(published.tools()))


# -- The command


def test_the_address_is_the_only_line_on_standard_output(tmp_path: Path):
    process = subprocess.Popen(
        service("--port", "0", "--database", tmp_path / "x.sqlite3"),
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": PACKAGE},
    )
    with process:
        line = process.stdout.readline()
        fetch(int(line.rpartition(":")[2].strip("/\n")), "/healthz")
        process.terminate()
        rest, _ = process.communicate(timeout=60)

    assert line.startswith("http://127.0.0.1:")
    assert rest == ""


def test_a_connection_past_the_most_is_turned_away_and_not_queued(tmp_path: Path):
    """
    Each may hold a body of many megabytes: their number is what bounds the memory.
    """
    with ExitStack() as held, contextmanager(running)(tmp_path / "x.sqlite3") as run:
        for _ in range(command.CONCURRENCY - 1):
            held.enter_context(create_connection(("127.0.0.1", run.port)))
        last = fetch(run.port, "/healthz")
        held.enter_context(create_connection(("127.0.0.1", run.port)))
        past = fetch(run.port, "/healthz")

    assert (last.status, past.status) == (200, 503)


def test_the_database_stands_in_the_data_folder_of_whoever_runs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    at_home = default_database()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    elsewhere = default_database()

    assert at_home.is_relative_to(tmp_path / "home" / ".local" / "share" / "weighbridge")
    assert elsewhere.parent == tmp_path / "data" / "weighbridge"


@pytest.mark.parametrize(
    ("options", "cure"),
    [
        (["--dist", "nowhere"], "make web builds web/dist"),
        (["--database", "taken/x.sqlite3"], "give another file with --database"),
        (["--database", "taken"], "give another file with --database"),
        (["--database", "other.sqlite3"], "give another file with --database"),
        (["--catalog", "nowhere"], "nowhere"),
        (["--port", "{taken}"], "--port 0 takes a free one"),
    ],
)
def test_what_cannot_be_served_is_said_with_its_cure(
    gated: Running,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    cure: str,
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    Path("taken").write_text("a file, and no database")
    with closing(sqlite3.connect("other.sqlite3")) as db:
        db.execute("CREATE TABLE theirs (x)")
    status = command.main([option.format(taken=gated.port) for option in options])
    out, err = capsys.readouterr()

    assert (status, out) == (2, "")
    assert err.startswith("weighbridge: ")
    assert cure in err
