"""
The reference service as a client sees it: texts go in unchanged, what came back is named.

The arguments' text is put into the request as it is, between hand-written bytes:
a client library would read it first, and that is what the table asks about.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tests.oracle import canonical
from tests.support.environments import clean_environ
from tests.support.machine import ROOT
from tests.support.programs import program

META_KEY = "dev.theurian.weighbridge/verdict"

#: Transport to the protocol version that is spoken over it.
VERSIONS = {"http-2025": "2025-06-18", "http-2026": "2026-07-28", "stdio": "2025-06-18"}

_CLIENT = {"name": "parity", "version": "1"}
_PREFIX = "io.modelcontextprotocol/"

#: What a client says first over stdio.
OPENING = (
    {
        "jsonrpc": "2.0",
        "id": "open",
        "method": "initialize",
        "params": {
            "protocolVersion": VERSIONS["stdio"],
            "capabilities": {},
            "clientInfo": _CLIENT,
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """
    What one transport answered to one call.
    """

    #: One of the outcomes in ``tests/cases/README.md``; a refusal of ours is ``verdict``.
    kind: str

    #: The verdict that came in ``_meta``, canonical again; None where none came.
    verdict: str | None = None

    #: The text of the one content block beside it.
    message: str | None = None


def request(version: str, number: int, tool: str, text: str | None) -> bytes:
    """One call whose arguments are ``text`` as it stands, or are not there."""
    parts = [f'"name":{json.dumps(tool)}'.encode()]
    if version == VERSIONS["http-2026"]:
        meta = {
            _PREFIX + "protocolVersion": version,
            _PREFIX + "clientInfo": _CLIENT,
            _PREFIX + "clientCapabilities": {},
        }
        parts.append(b'"_meta":' + json.dumps(meta).encode())
    if text is not None:
        parts.append(b'"arguments":' + text.encode())
    head = f'{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{{'.encode()
    return head + b",".join(parts) + b"}}"


def named(answer: Any) -> Outcome:
    """Name a JSON-RPC answer."""
    if "error" in answer:
        unread = answer["error"]["message"].startswith("The line was not read: ")
        return Outcome(kind="unread" if unread else "rpc-error")
    result = answer["result"]
    verdict = result.get("_meta", {}).get(META_KEY)
    if verdict is None:
        return Outcome(kind="tool-error" if result.get("isError") else "served")
    assert result["isError"] is True
    (block,) = result["content"]
    return Outcome(kind="verdict", verdict=canonical(verdict), message=block["text"])


def agrees(told: str, outcome: Outcome, frozen: str) -> str | None:
    """
    Nothing where ``outcome`` is what the table told for it, else what came.

    ``told`` is the row's ``wire`` for that transport, ``frozen`` its bytes.
    """
    if outcome.kind != "verdict":
        return None if outcome.kind == told else outcome.kind
    verdict = json.loads(outcome.verdict or "")
    if outcome.message != verdict["refusal"]["message"]:
        return f"a message that is not the verdict's: {outcome.message}"
    code = verdict["refusal"]["code"]
    if told == "verdict":
        return None if outcome.verdict == frozen else f"another verdict: {outcome.verdict}"
    return None if told == f"refused:{code}" else f"refused:{code}"


# --- HTTP -------------------------------------------------------------------


def service(folder: Path, *options: str) -> list[str]:
    """The command of the reference service over a database of its own."""
    return [
        sys.executable,
        "-m",
        "weighbridge.reference",
        "--database",
        str(folder / "reference.sqlite3"),
        *options,
    ]


def environ() -> dict[str, str]:
    """The variables under which the service finds this checkout's package."""
    return {**clean_environ(), "PYTHONPATH": str(ROOT / "pyodide_pkg")}


@contextlib.contextmanager
def http_service(folder: Path, *options: str) -> Iterator[int]:
    """The reference service on a port of the system's choice."""
    command = service(folder, "--port", "0", *options)
    with program(command, r"http://127\.0\.0\.1:(\d+)/", env=environ()) as running:
        yield int(running.match[1])


def over_http(port: int, version: str, number: int, tool: str, text: str | None) -> Outcome:
    """Call one tool over HTTP."""
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": version,
    }
    if version == VERSIONS["http-2026"]:
        headers |= {"mcp-method": "tools/call", "mcp-name": in_header(tool)}
    body = request(version, number, tool, text)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    with contextlib.closing(connection):
        # A server that has seen enough answers and closes before it read all.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.request("POST", "/mcp", body, headers)
        response = connection.getresponse()
        content = response.read()
    answer = _json(content)
    if response.status != 200 and (answer is None or answer.get("id") != number):
        return Outcome(kind=str(response.status))
    assert answer is not None
    return named(answer)


def in_header(name: str) -> str:
    """A tool's name as the routing header of 2026-07-28 carries it."""
    if name and name.isascii() and name.isprintable() and name == name.strip():
        return name
    return f"=?base64?{base64.b64encode(name.encode()).decode()}?="


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None


# --- stdio ------------------------------------------------------------------


def over_stdio(folder: Path, calls: Sequence[tuple[str, str | None]]) -> Mapping[int, Outcome]:
    """
    Send every call down one pipe and wait for the answer to each: there is no silence.
    """
    answers: dict[Any, Any] = {}
    waiting = {"open", *range(len(calls))}
    done = threading.Event()
    process = subprocess.Popen(
        service(folder, "--stdio"),
        env=environ(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )

    def read(pipe: IO[bytes]) -> None:
        with pipe:
            for line in pipe:
                answer = json.loads(line)
                if "method" not in answer:
                    answers[answer["id"]] = answer
                    waiting.discard(answer["id"])
                    if not waiting:
                        done.set()
        done.set()

    assert process.stdin is not None
    assert process.stdout is not None
    reader = threading.Thread(target=read, args=(process.stdout,))
    reader.start()
    try:
        for message in OPENING:
            process.stdin.write(json.dumps(message).encode() + b"\n")
        for number, (tool, text) in enumerate(calls):
            process.stdin.write(request(VERSIONS["stdio"], number, tool, text) + b"\n")
        process.stdin.flush()
        assert done.wait(timeout=120), f"no answer to {sorted(map(str, waiting))}"
    finally:
        # The end of its input ends the service, and with it the reader.
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        reader.join()
        process.wait()
    # A text with a newline is two lines: the second one's answer has no id to carry.
    assert "error" in answers.pop(None, {"error": None})
    return {number: named(answers[number]) for number in range(len(calls))}
