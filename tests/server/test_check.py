"""
``POST /check`` is the gate: the same bytes, a bounded body, and nothing said back of a bad request.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from tests.cases import table
from tests.reference.serving import Got, fetch, serve
from weighbridge import Catalog, asgi
from weighbridge.reference.service import build_app, build_server

CATALOG = Catalog.bundled()
JSON = {"content-type": "application/json"}
CANARY = "canary-5f1d"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """
    The reference service, as it is served.
    """
    database: Path = tmp_path_factory.mktemp("service") / "reference.sqlite3"
    with serve(build_app(build_server(database, CATALOG), CATALOG)) as port:
        yield port


def asked(port: int, tool: str, body: bytes) -> Got:
    """One question."""
    return fetch(port, f"/check?tool={quote(tool)}", method="POST", headers=JSON, body=body)


@pytest.mark.parametrize(
    ("tool", "body"),
    [
        ("knowledge.search", b'{"projectId":"demo","query":"retry"}'),
        ("knowledge.search", b'{"projectId":"demo","query":"","more":1}'),
        ("project.list", b"null"),
        ("project.list", b""),
        ("project.list", b"[]"),
        ("project.list", b'{"a":1,"a":2}'),
        ("project.list", b"\xef\xbb\xbf{}"),
        ("project.list", b"\xff"),
        ("project.list", b'{"a":"\\ud800"}'),
        ("project.list", b"[" * 20_000),
        ("knowledge.serach", b"{}"),
        ("\u202e\u00e9 &tool=x", b"{}"),
        ("", b"{}"),
        ("project.list", b" " * (CATALOG.limits.body - 65_535)),
    ],
)
def test_the_answer_is_the_bytes_of_the_gate(port: int, tool: str, body: bytes):
    got = asked(port, tool, body)
    expected = CATALOG.check_text(tool, body).to_json()
    assert (got.status, got.body.decode("ascii")) == (200, expected)
    assert got.headers["content-type"] == "application/json"
    assert got.headers["cache-control"] == "no-store"


def test_the_case_table_gives_the_same_bytes_over_http(port: int):
    """
    Rows that fit into one look; what cannot be spelled in UTF-8 cannot be sent.
    """
    rows = [
        row
        for row in table.read()
        if row.text is not None and row.text.isascii() and len(row.text) < 1 << 16
    ]
    assert len(rows) > 100
    sent = {
        row.name: asked(port, row.tool, row.text.encode()).body.decode()
        for row in rows
        if row.text and row.tool.isascii()
    }
    held = {
        row.name: CATALOG.check_text(row.tool, row.text).to_json()
        for row in rows
        if row.name in sent
    }
    assert sent == held


@pytest.mark.parametrize(
    ("method", "path", "headers", "status", "told"),
    [
        ("GET", "/check?tool=project.list", JSON, 405, "Only POST.\n"),
        ("OPTIONS", "/check?tool=project.list", JSON, 405, "Only POST.\n"),
        ("POST", "/check?tool=a", {}, 415, "The body must be application/json.\n"),
        (
            "POST",
            "/check?tool=a",
            {"content-type": f"text/plain; {CANARY}"},
            415,
            "The body must be application/json.\n",
        ),
        ("POST", f"/check?{CANARY}", JSON, 400, "The query must name one tool: ?tool=NAME\n"),
        (
            "POST",
            f"/check?tool=a&tool={CANARY}",
            JSON,
            400,
            "The query must name one tool: ?tool=NAME\n",
        ),
        ("POST", "/check?tool=%ff", JSON, 400, "The query must name one tool: ?tool=NAME\n"),
        (
            "POST",
            "/check" + "?" + "&" * 20,
            JSON,
            400,
            "The query must name one tool: ?tool=NAME\n",
        ),
        (
            "POST",
            "/check?tool=a",
            {**JSON, "content-length": str(CATALOG.limits.body + 1)},
            413,
            f"The body may hold {CATALOG.limits.body} bytes.\n",
        ),
        (
            "POST",
            "/check?tool=a",
            {**JSON, "content-length": "9" * 18},
            413,
            f"The body may hold {CATALOG.limits.body} bytes.\n",
        ),
    ],
)
def test_what_is_no_question_is_answered_by_a_sentence_that_quotes_nothing(
    port: int, method: str, path: str, headers: dict[str, str], status: int, told: str
):
    got = fetch(port, path, method=method, headers=headers)
    assert (got.status, got.body.decode()) == (status, told)


def spoken(messages: Iterator[dict[str, Any]]) -> list[Any]:
    """What the application sends when it is told these messages, and no more than it asks for."""
    sent: list[Any] = []

    async def receive() -> Any:
        return next(messages)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/check",
        "query_string": b"tool=project.list",
        "headers": [(b"content-type", b"application/json")],
    }
    asyncio.run(asgi.judge(CATALOG)(scope, receive, send))
    return sent


def test_a_body_of_unknown_length_is_read_no_further_than_the_limit():
    """
    A client that never stops sending is answered all the same.
    """
    size, taken = 1 << 20, 0

    def endless() -> Iterator[dict[str, Any]]:
        nonlocal taken
        while True:
            taken += size
            yield {"type": "http.request", "body": b" " * size, "more_body": True}

    sent = spoken(endless())
    assert sent[0]["status"] == 413
    assert taken == (CATALOG.limits.body // size + 1) * size


def test_a_body_in_pieces_is_one_text():
    pieces = [b'{"a":"\xc3', b'\xa9"', b"}"]
    messages = [
        {"type": "http.request", "body": piece, "more_body": piece != b"}"} for piece in pieces
    ]
    sent = spoken(iter(messages))
    expected = CATALOG.check_text("project.list", b"".join(pieces)).to_json()
    assert (sent[0]["status"], sent[1]["body"].decode()) == (200, expected)


def test_a_client_that_went_away_is_answered_nothing():
    started = {"type": "http.request", "body": b"{", "more_body": True}
    assert spoken(iter([started, {"type": "http.disconnect"}])) == []


def test_it_can_be_mounted_in_an_application_of_another():
    body = b'{"projectId":"demo","query":""}'
    with serve(Starlette(routes=[Mount("/check", asgi.judge(CATALOG))])) as port:
        got = fetch(port, "/check/?tool=knowledge.search", method="POST", headers=JSON, body=body)
    assert got.body.decode() == CATALOG.check_text("knowledge.search", body).to_json()
