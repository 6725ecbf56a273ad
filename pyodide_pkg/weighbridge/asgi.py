"""
The gate over HTTP, and the files of a folder with the headers that WebAssembly needs.

Where a page cannot run the gate, ``judge`` answers with the very bytes that it
would have made. A browser compiles WebAssembly while it streams only if the
media type is right, and runs it under a strict policy only if that names
``wasm-unsafe-eval``. A name that holds a digest never changes its content, so
it is kept for good; every other name is asked about again each time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs

from anyio import to_thread
from starlette.datastructures import Headers
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from weighbridge.catalog import Catalog

#: By suffix, and not asked of the machine: its table differs from one to the next.
MEDIA_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".woff2": "font/woff2",
    ".zip": "application/zip",
}

#: Content encodings that may lie beside a file, best first, with their suffixes.
ENCODINGS: Final = {"br": ".br", "gzip": ".gz"}

#: A part between separators of eight or more hexadecimal digits, or of eight in the alphabet
#: of base 32 as bundlers write it: the name changes with the content.
HASHED: Final = re.compile(r"[.-](?:[0-9a-f]{8,96}|[A-Z2-7]{8})\.")

#: One element of ``Accept-Encoding``, in lower case.
_CODING: Final = re.compile(
    r"\s*(?P<name>[a-z0-9*-]+)\s*(?:;\s*q=(?P<weight>[01](?:\.\d{0,3})?)\s*)?"
)

#: On every answer: nothing inline, neither script nor style.
SECURITY: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
        "img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


def files(folders: Mapping[str, Path]) -> ASGIApp:
    """
    An ASGI application that serves each folder below its prefix; the longest prefix wins.

    A prefix begins and ends with a slash. A path that ends with one is its ``index.html``.
    """
    roots = {prefix: folders[prefix].resolve() for prefix in sorted(folders, key=len, reverse=True)}

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await to_thread.run_sync(_answer, roots, scope)
        response.headers.update(SECURITY)
        await response(scope, receive, send)

    return app


def judge(catalog: Catalog) -> ASGIApp:
    """
    An ASGI application that answers ``POST ?tool=NAME`` with the verdict on the JSON text in the body.

    The answer is `Verdict.to_json()`, admitted or refused, with status 200; the body is judged as
    `Catalog.check_text` judges its bytes and may hold ``catalog.limits.body`` of them. A request
    that is no question gets 400, 405, 413 or 415 and a sentence that quotes nothing of it. The
    media type must be ``application/json``, which a page of another origin may not send unasked.
    """
    most = catalog.limits.body

    async def answer(scope: Scope, receive: Receive) -> Response | None:
        objection = _objection(scope, most)
        if objection is not None:
            return objection
        tool = _tool(scope)
        if tool is None:
            return PlainTextResponse("The query must name one tool: ?tool=NAME\n", 400)
        body = await _body(receive, most)
        if not isinstance(body, bytes):
            return body
        verdict = await to_thread.run_sync(catalog.check_text, tool, body)
        return Response(verdict.to_json(), media_type="application/json")

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await answer(scope, receive)
        if response is None:
            return
        response.headers.update(SECURITY)
        response.headers["cache-control"] = "no-store"
        await response(scope, receive, send)

    return app


def _objection(scope: Scope, most: int) -> Response | None:
    """Why nothing is judged, as far as that can be said before the body is read."""
    headers = Headers(scope=scope)
    if scope["method"] != "POST":
        return PlainTextResponse("Only POST.\n", 405, {"allow": "POST"})
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return PlainTextResponse("The body must be application/json.\n", 415)
    announced = headers.get("content-length", "")
    if announced.isdecimal() and (len(announced) > len(str(most)) or int(announced) > most):
        return _too_long(most)
    return None


def _tool(scope: Scope) -> str | None:
    """The one tool that the query names, or None."""
    try:
        query = scope["query_string"].decode("ascii")
        given = parse_qs(query, keep_blank_values=True, errors="strict", max_num_fields=8)
    except ValueError:
        return None
    named = given.get("tool", [])
    return named[0] if len(named) == 1 else None


async def _body(receive: Receive, most: int) -> bytes | Response | None:
    """The body, held to ``most`` bytes while it comes; None when the client went away."""
    held = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        held += message.get("body", b"")
        if len(held) > most:
            return _too_long(most)
        if not message.get("more_body", False):
            return bytes(held)


def _too_long(most: int) -> Response:
    return PlainTextResponse(f"The body may hold {most} bytes.\n", 413, {"connection": "close"})


def _answer(roots: Mapping[str, Path], scope: Scope) -> Response:
    if scope["method"] not in ("GET", "HEAD"):
        return PlainTextResponse("Only GET and HEAD.\n", 405, {"allow": "GET, HEAD"})
    file = _find(roots, scope["path"])
    if file is None:
        return PlainTextResponse("There is no such file.\n", 404, {"cache-control": "no-cache"})
    asked = Headers(scope=scope)
    encoding, chosen = _encoded(file, asked.get("accept-encoding", ""))
    state = chosen.stat()
    headers = {
        "cache-control": "public, max-age=31536000, immutable"
        if HASHED.search(file.name)
        else "no-cache",
        "etag": f'"{state.st_mtime_ns:x}-{state.st_size:x}{encoding and "-" + encoding}"',
        "vary": "accept-encoding",
    }
    if asked.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    if encoding:
        headers["content-encoding"] = encoding
    kind = MEDIA_TYPES.get(file.suffix, "application/octet-stream")
    return FileResponse(chosen, headers=headers, media_type=kind, stat_result=state)


def _find(roots: Mapping[str, Path], path: str) -> Path | None:
    """
    The file that a path names, if it lies in the folder of its prefix.
    """
    if path.endswith("/"):
        path += "index.html"
    prefix = next((known for known in roots if path.startswith(known)), None)
    if prefix is None or "\0" in path:
        return None
    root, rest = roots[prefix], path.removeprefix(prefix)
    try:
        # Resolved before it is compared: "..", a second slash and a link all name other places.
        file = root.joinpath(rest).resolve()
        return file if file.is_relative_to(root) and file.is_file() else None
    except OSError:
        # A name that the file system cannot hold is no file of ours.
        return None


def _encoded(file: Path, accepted: str) -> tuple[str, Path]:
    """
    The best encoding that the client takes and that lies beside the file; ``""`` is the file.
    """
    parts = (_CODING.fullmatch(part) for part in accepted.lower().split(","))
    taken = {part["name"] for part in parts if part and float(part["weight"] or 1) > 0}
    for name, suffix in ENCODINGS.items():
        beside = file.with_name(file.name + suffix)
        if name in taken and beside.is_file():
            return name, beside
    return "", file
