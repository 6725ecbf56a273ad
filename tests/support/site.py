"""
A static server on this machine alone, that says what was asked of it.
"""

import mimetypes
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".json": "application/json",
    ".html": "text/html; charset=utf-8",
    ".css": "text/css",
}


@dataclass(frozen=True, slots=True)
class Site:
    """
    A running static server.
    """

    #: ``http://127.0.0.1:41234``, without a slash at its end.
    url: str
    #: The path of every request, in the order of arrival, refused ones too.
    requests: list[str] = field(default_factory=list)


def _file_for(mounts: Mapping[str, Path | bytes], path: str) -> tuple[str, bytes] | None:
    for prefix in sorted(mounts, key=len, reverse=True):
        target = mounts[prefix]
        if isinstance(target, bytes):
            if path == prefix:
                return prefix, target
            continue
        if not path.startswith(prefix):
            continue
        root = target.resolve()
        file = (root / path[len(prefix) :].lstrip("/")).resolve()
        if file.is_dir():
            file /= "index.html"
        if file.is_relative_to(root) and file.is_file():
            return file.name, file.read_bytes()
        return None
    return None


@contextmanager
def serving(respond: Callable[[BaseHTTPRequestHandler, str], None]) -> Iterator[Site]:
    """
    Let ``respond`` answer each request: GET and HEAD, with the path unquoted.
    """
    requests: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path)
            requests.append(path)
            respond(self, path)

        def do_HEAD(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            """
            The test reads ``requests``; its output is its own.
            """

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """
            A browser that closes early is no fault of the test.
            """

    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield Site(url=f"http://127.0.0.1:{server.server_port}", requests=requests)
        finally:
            server.shutdown()
            thread.join()


def begin(handler: BaseHTTPRequestHandler, status: int, headers: Mapping[str, str]) -> None:
    """
    Send all of an answer that stands before its body.
    """
    handler.send_response(status)
    for key, value in headers.items():
        handler.send_header(key, value)
    handler.end_headers()


@contextmanager
def site(
    mounts: Mapping[str, Path | bytes], headers: Mapping[str, str] | None = None
) -> Iterator[Site]:
    """
    Serve folders (``{"/": folder, "/deep/er/": other}``) and single files
    (``{"/page.html": b"..."}``), the longest prefix first, with ``headers`` on each answer.
    """

    def respond(handler: BaseHTTPRequestHandler, path: str) -> None:
        found = _file_for(mounts, path)
        name, body = found if found is not None else ("none", b"nothing here\n")
        suffix = Path(name).suffix
        kind = TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        sent = {"Content-Type": kind, "Content-Length": str(len(body)), **(headers or {})}
        begin(handler, HTTPStatus.OK if found is not None else HTTPStatus.NOT_FOUND, sent)
        if handler.command != "HEAD":
            handler.wfile.write(body)

    with serving(respond) as served:
        yield served
