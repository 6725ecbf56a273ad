"""
An ASGI application on a port of its own, and the bare bytes of what it answers.
"""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass

import uvicorn
from starlette.types import ASGIApp


@dataclass(frozen=True, slots=True)
class Got:
    """
    One HTTP answer, as it was sent.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


@contextmanager
def serve(app: ASGIApp, port: int = 0) -> Iterator[int]:
    """
    Serve ``app`` while the block runs, on a port of the system's choice if none is named; gives it.
    """
    running = uvicorn.Server(
        uvicorn.Config(app, log_level="error", ws="none", timeout_graceful_shutdown=5)
    )
    with closing(socket.create_server(("127.0.0.1", port))) as listening:
        # Connections queue in the socket until the loop takes them: nothing to wait for.
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            running.should_exit = True
            thread.join()


def fetch(
    port: int,
    path: str,
    *,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
) -> Got:
    """
    One request with exactly these headers, and ``Host`` unless it is among them.
    """
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request(method, path, body, dict(headers or {}))
        response = connection.getresponse()
        return Got(
            response.status,
            {name.lower(): value for name, value in response.getheaders()},
            response.read(),
        )
