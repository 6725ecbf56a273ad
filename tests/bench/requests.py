"""
A whole request over loopback, with the gate and with a middleware that does nothing.
"""

from __future__ import annotations

import contextlib
import json
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.calls import text_of
from tests.bench.paired import measure
from tests.bench.served import SCHEMA, TOOL
from tests.server.wire import NEWEST, params, request
from tests.support.machine import ROOT

#: The two eras: before and since the protocol without sessions.
ERAS = ("2025-06-18", NEWEST)

_8_MIB = 8_388_608


@dataclass(frozen=True, slots=True)
class Body:
    """
    One request, and the most that the gate may cost it.
    """

    name: str
    arguments: dict[str, Any]

    #: The aim, as a ratio, by era.
    aims: tuple[float, float]


def bodies() -> list[Body]:
    """The requests, with the ratios that are aimed at."""
    small = [{"a": at, "b": True} for at in range(5_000)]
    return [
        Body("small", {"text": "retry"}, (1.03, 1.03)),
        Body("100 KB of text", {"text": text_of(100_000)}, (1.03, 1.03)),
        Body("100 KB of small nodes", {"rows": small}, (1.3, 1.3)),
        Body("1 MB of text", {"text": text_of(1_000_000)}, (1.10, 1.10)),
        Body("8 MiB, ASCII", {"text": text_of(_8_MIB)}, (1.6, 1.3)),
        Body("8 MiB, two-byte characters", {"text": "é" * (_8_MIB // 2)}, (2.2, 1.6)),
    ]


@dataclass(frozen=True, slots=True)
class Server:
    """
    One server that is running.
    """

    process: subprocess.Popen[str]
    port: int

    def peak(self) -> int:
        """The most bytes of memory that it has held so far."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1]) * 1024


@contextlib.contextmanager
def serving(folder: str) -> Iterator[Server]:
    """A server of its own process, gated by ``folder`` where that is not empty."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.bench.served", folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT / 'pyodide_pkg'}:{ROOT}", "PATH": ""},
    ) as process:
        assert process.stdout is not None
        try:
            yield Server(process, int(process.stdout.readline()))
        finally:
            assert process.stdin is not None
            process.stdin.close()


@contextlib.contextmanager
def both() -> Iterator[dict[str, Server]]:
    """The two servers."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        (Path(folder) / "bench-take.schema.json").write_text(json.dumps(SCHEMA), "ascii")
        yield {
            "gate": stack.enter_context(serving(folder)),
            "empty middleware": stack.enter_context(serving("")),
        }


@dataclass(slots=True)
class Caller:
    """
    Posts one body over one connection, again and again.

    By hand and in one piece: a client that sends head and body apart waits for
    an acknowledgement that comes forty milliseconds later.
    """

    connection: socket.socket
    post: bytes

    #: Bytes of the body alone.
    size: int

    def __call__(self) -> None:
        """Post it, and read what comes."""
        self.connection.sendall(self.post)
        answer = bytearray()
        while b"\r\n\r\n" not in answer:
            answer += self._received()
        head, _, text = bytes(answer).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), bytes(answer[:300])
        found = re.search(rb"content-length: (\d+)", head)
        assert found is not None
        left = int(found[1]) - len(text)
        while left > 0:
            more = self._received()
            left -= len(more)
            text += more
        assert b'"isError":true' not in text, text[:300]

    def _received(self) -> bytes:
        # Acknowledged at once: a server that writes head and body apart waits for it.
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
        return self.connection.recv(65_536)


def caller(port: int, era: str, arguments: dict[str, Any]) -> Caller:
    """A caller of one server."""
    body = request("tools/call", params(era, TOOL, arguments, {}))
    head = [
        "POST /mcp HTTP/1.1",
        f"host: 127.0.0.1:{port}",
        "content-type: application/json",
        "accept: application/json, text/event-stream",
        f"mcp-protocol-version: {era}",
        f"content-length: {len(body)}",
    ]
    if era == NEWEST:
        head += ["mcp-method: tools/call", f"mcp-name: {TOOL}"]
    connection = socket.create_connection(("127.0.0.1", port), timeout=120)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Caller(connection, "\r\n".join([*head, "", ""]).encode() + body, len(body))


def run(say: Callable[[str], None]) -> list[dict[str, Any]]:
    """Measure every body in both eras."""
    told = []
    with both() as servers:
        for body in bodies():
            for era, aim in zip(ERAS, body.aims, strict=True):
                say(f"request: {body.name}, {era}")
                callers = {
                    name: caller(one.port, era, body.arguments) for name, one in servers.items()
                }
                size = callers["gate"].size
                measured = measure(callers, rounds=21 if size < 200_000 else 11)
                told.append(
                    {
                        "body": body.name,
                        "era": era,
                        "bytes": size,
                        "aim": aim,
                        "milliseconds": {
                            name: measured.seconds(name) * 1e3 for name in measured.turns
                        },
                        "ratio": measured.ratio("gate", "empty middleware").as_dict(),
                    }
                )
                for one in callers.values():
                    one.connection.close()
    return told


def memory(say: Callable[[str], None]) -> list[dict[str, Any]]:
    """
    The most that each server holds for one body of 8 MiB, each in a process of its own.
    """
    told = []
    for era in ERAS:
        say(f"memory of 8 MiB, {era}")
        peaks = {}
        with both() as servers:
            for name, one in servers.items():
                for arguments in ({"text": "a"}, {"text": text_of(_8_MIB)}):
                    post = caller(one.port, era, arguments)
                    post()
                    post()
                    post.connection.close()
                peaks[name] = one.peak()
        told.append({"era": era, "bytes": peaks, "more": peaks["gate"] - peaks["empty middleware"]})
    return told
