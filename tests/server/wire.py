"""
One client for every transport and protocol version, which shows the bytes that came back.

The SDK's own client would repair or refuse what it does not like; this one
writes JSON-RPC by hand and hands over what the server wrote.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import weighbridge
from tests.reference.serving import serve

OLDER = ("2025-03-26", "2025-06-18", "2025-11-25")
NEWEST = "2026-07-28"
VERSIONS = (*OLDER, NEWEST)

#: In place of arguments that are not sent at all.
ABSENT: Any = object()

_PREFIX = "io.modelcontextprotocol/"
CLIENT = {"name": "wire", "version": "1"}


@dataclass(frozen=True)
class Answer:
    """
    What came back for one message.
    """

    #: The HTTP status, or None over stdio.
    status: int | None

    #: The JSON-RPC text as the server wrote it, without SSE framing or line end.
    body: bytes

    @property
    def message(self) -> Any:
        """The whole JSON-RPC answer."""
        return json.loads(self.body)

    @property
    def result(self) -> dict[str, Any]:
        """The result; a KeyError where the server answered with an error."""
        return self.message["result"]


def params(version: str, name: Any, arguments: Any, beside: dict[str, Any]) -> dict[str, Any]:
    """The params of one call, with the envelope that the newest version asks for."""
    made: dict[str, Any] = {} if name is ABSENT else {"name": name}
    if arguments is not ABSENT:
        made["arguments"] = arguments
    made.update(beside)
    return enveloped(version, made)


def enveloped(version: str, given: dict[str, Any]) -> dict[str, Any]:
    """Those params as the protocol version has them."""
    if version != NEWEST:
        return given
    meta = {
        _PREFIX + "protocolVersion": version,
        _PREFIX + "clientInfo": CLIENT,
        _PREFIX + "clientCapabilities": {},
    }
    return {**given, "_meta": {**meta, **given.get("_meta", {})}}


def request(method: str, given: dict[str, Any], request_id: Any = 7) -> bytes:
    """One JSON-RPC request, as bytes."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": given}
    if request_id is not ABSENT:
        message["id"] = request_id
    return json.dumps(message).encode()


INITIALIZE = {"capabilities": {}, "clientInfo": CLIENT}


@dataclass
class Http:
    """
    One client of a Streamable HTTP endpoint at ``/mcp``.
    """

    port: int
    version: str
    session: str | None = None
    agent: str = "wire"
    opened: Answer = field(init=False)

    def __post_init__(self) -> None:
        """Open as that version opens: a handshake, or a look at what is served."""
        if self.version == NEWEST:
            self.opened = self.send("server/discover", {})
            return
        self.opened = self.send("initialize", {**INITIALIZE, "protocolVersion": self.version})
        self.post(request("notifications/initialized", {}, ABSENT), "notifications/initialized")

    def call(self, name: Any, arguments: Any = ABSENT, **beside: Any) -> Answer:
        """Call one tool; ``beside`` goes into the params beside name and arguments."""
        given = params(self.version, name, arguments, beside)
        return self.post(request("tools/call", given), "tools/call", name)

    def send(self, method: str, given: dict[str, Any]) -> Answer:
        """Send any request."""
        return self.post(request(method, enveloped(self.version, given)), method)

    def raw(self, body: bytes, name: str = "note.add") -> Answer:
        """Post these very bytes as a call."""
        return self.post(body, "tools/call", name)

    def post(self, body: bytes, method: str, name: Any = None) -> Answer:
        """Post one message with the headers that its version asks for."""
        headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            "user-agent": self.agent,
        }
        if self.version == NEWEST:
            headers["mcp-method"] = method
            if isinstance(name, str):
                headers["mcp-name"] = _in_header(name)
        if self.version == NEWEST or method != "initialize":
            headers["mcp-protocol-version"] = self.version
        if self.session is not None:
            headers["mcp-session-id"] = self.session
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        with contextlib.closing(connection):
            connection.request("POST", "/mcp", body, headers)
            response = connection.getresponse()
            text = response.read()
        self.session = response.getheader("mcp-session-id") or self.session
        if (response.getheader("content-type") or "").startswith("text/event-stream"):
            text = _from_events(text)
        return Answer(response.status, text)


def _in_header(name: str) -> str:
    """A tool's name as the routing header of the newest version carries it."""
    plain = name and name.isascii() and name.isprintable() and name == name.strip()
    if plain:
        return name
    return f"=?base64?{base64.b64encode(name.encode('utf-8', 'surrogatepass')).decode()}?="


def _from_events(text: bytes) -> bytes:
    """The one JSON-RPC response in a stream of server-sent events."""
    data = [line[6:] for line in text.splitlines() if line.startswith(b"data: ")]
    (answer,) = [line for line in data if line.strip() and "id" in json.loads(line)]
    return answer


@dataclass
class Stdio:
    """
    One client of a server behind a pipe.
    """

    process: subprocess.Popen[bytes]
    version: str
    opened: Answer = field(init=False)

    def __post_init__(self) -> None:
        """Open as that version opens."""
        if self.version == NEWEST:
            self.opened = self.send("server/discover", {})
            return
        self.opened = self.send("initialize", {**INITIALIZE, "protocolVersion": self.version})
        self.write(request("notifications/initialized", {}, ABSENT))

    def call(self, name: Any, arguments: Any = ABSENT, **beside: Any) -> Answer:
        """Call one tool."""
        return self.send_raw("tools/call", params(self.version, name, arguments, beside))

    def send(self, method: str, given: dict[str, Any]) -> Answer:
        """Send any request."""
        return self.send_raw(method, enveloped(self.version, given))

    def send_raw(self, method: str, given: dict[str, Any]) -> Answer:
        """Send a request with params exactly as given."""
        return self.raw(request(method, given))

    def raw(self, body: bytes, name: str = "note.add") -> Answer:
        """Write this very line and read the next one that is an answer."""
        self.write(body)
        return self.read()

    def write(self, line: bytes) -> None:
        """Write one line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def read(self) -> Answer:
        """Read one line; the server's end is an error."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise EOFError
        return Answer(None, line.rstrip(b"\n"))


@contextlib.contextmanager
def http_server(server: Any, *, stateless: bool, **options: Any) -> Iterator[int]:
    """Serve ``server`` on a port of the system's choice, for as long as the block runs."""
    app = server.streamable_http_app(stateless_http=stateless, json_response=stateless, **options)
    with serve(app) as port:
        yield port


@contextlib.contextmanager
def stdio_process(command: Sequence[str | Path]) -> Iterator[subprocess.Popen[bytes]]:
    """Run ``command`` with pipes on its three streams, ended by the end of its input."""
    # The very package that this test imported, installed or not.
    package = str(Path(weighbridge.__file__).parents[1])
    with subprocess.Popen(
        [sys.executable, *command],
        env={**os.environ, "PYTHONPATH": package},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            yield process
        finally:
            if process.stdin is not None and process.stdin.closed:
                process.stdin = None
            process.communicate(timeout=60)
