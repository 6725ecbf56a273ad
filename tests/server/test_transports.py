"""
The table in ``docs/transports.md``, made again from the SDK that is installed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.server import small_server, wire
from tests.support.machine import ROOT
from weighbridge import Catalog
from weighbridge.limits import Limits
from weighbridge.mcp import META_KEY

DOCUMENT = ROOT / "docs" / "transports.md"

#: The SDK's own cap on a body over HTTP.
SDK_CAP = 4 * 1_024 * 1_024

COLUMNS = (
    "the text door",
    "HTTP, before 2026-07-28",
    "HTTP, 2026-07-28",
    "stdio",
    "stdio, `serve_stdio`",
)


@dataclass(frozen=True, slots=True)
class Sample:
    """
    One text of arguments, and what is done to the bytes of the request that holds it.
    """

    text: str
    prefix: bytes = b""
    encoding: str = "utf-8"

    #: A character of ``text`` that is sent as these bytes instead.
    instead: tuple[str, bytes] | None = None

    def encoded(self, text: str) -> bytes:
        """``text`` as this sample's bytes."""
        made = text.encode(self.encoding)
        if self.instead is not None:
            made = made.replace(self.instead[0].encode(), self.instead[1])
        return self.prefix + made


def said(value: str) -> str:
    return f'{{"text":{value}}}'


def about(value: str) -> str:
    return f'{{"text":"a","about":{{"x":{value}}}}}'


def nested(levels: int) -> str:
    return about("[" * levels + "]" * levels)


ROWS: dict[str, tuple[Sample, ...]] = {
    "NaN, an infinity, a number that overflows": (
        Sample(about("NaN")),
        Sample(about("-Infinity")),
        Sample(about("1e400")),
    ),
    "a lone surrogate escape, in a key or a value": (
        Sample(about('"\\ud800"')),
        Sample(about('{"\\udfff":1}')),
    ),
    "201 levels of nesting": (Sample(nested(201)),),
    "100,000 levels of nesting": (Sample(nested(100_000)),),
    "an integer of 4,301 digits": (Sample(about("9" * 4_301)),),
    "a key twice in one object": (Sample('{"text":"first","text":"last"}'),),
    "a byte order mark": (Sample(said('"a"'), prefix=b"\xef\xbb\xbf"),),
    "UTF-16": (Sample(said('"a"'), encoding="utf-16"),),
    "bytes that are not UTF-8": (Sample(said('"a?"'), instead=("?", b"\xff")),),
    "more bytes than the SDK's cap": (Sample(said('"' + "x" * SDK_CAP + '"')),),
    "more bytes than `limits.body`": (Sample(said('"' + "x" * Limits().body + '"')),),
}


def request(version: str, sample: Sample) -> bytes:
    """The request that calls ``note.add`` with the sample's text as its arguments."""
    given = wire.params(version, "note.add", "HERE", {})
    return sample.encoded(wire.request("tools/call", given).decode().replace('"HERE"', sample.text))


def named(answer: wire.Answer) -> str:
    """The outcome of one call, in the words of the table."""
    if answer.status not in {None, 200}:
        return str(answer.status)
    message = answer.message
    if "error" in message:
        return "JSON-RPC error"
    verdict = message["result"].get("_meta", {}).get(META_KEY)
    if verdict is not None:
        return f"refused `{verdict['refusal']['code']}`"
    assert message["result"]["isError"] is False
    return "served"


def over_stdio(client: wire.Stdio, body: bytes) -> str:
    """The same over a pipe, where no answer at all may come: then the next request's comes."""
    client.write(body)
    client.write(wire.request("ping", {}, "next"))
    answer = client.read()
    if answer.message["id"] == "next":
        return "no reply"
    assert client.read().message["id"] == "next"
    return named(answer)


@pytest.fixture(scope="module")
def clients(
    schemas: Path, catalog: Catalog, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, wire.Http | wire.Stdio]]:
    """
    One client for each column after the text door's.

    The lowlevel server runs its handlers where it reads: answers come in the
    order of the requests, which is how it can be told that one never comes.
    """
    sentinel = tmp_path_factory.mktemp("transports") / "sentinel"
    command = [Path(small_server.__file__), "Server", sentinel, "--catalog", schemas]
    with ExitStack() as stack:
        server = small_server.build("Server", sentinel, catalog)
        port = stack.enter_context(wire.http_server(server, stateless=True))
        plain = stack.enter_context(wire.stdio_process(command))
        lines = stack.enter_context(wire.stdio_process([*command, "--lines"]))
        yield {
            COLUMNS[1]: wire.Http(port, wire.OLDER[-1]),
            COLUMNS[2]: wire.Http(port, wire.NEWEST),
            COLUMNS[3]: wire.Stdio(plain, wire.OLDER[-1]),
            COLUMNS[4]: wire.Stdio(lines, wire.OLDER[-1]),
        }


def outcome(
    column: str, sample: Sample, catalog: Catalog, clients: dict[str, wire.Http | wire.Stdio]
) -> str:
    if column == COLUMNS[0]:
        refusal = catalog.check_text("note.add", sample.encoded(sample.text)).refusal
        return "admitted" if refusal is None else f"refused `{refusal.code}`"
    client = clients[column]
    body = request(client.version, sample)
    return named(client.raw(body)) if isinstance(client, wire.Http) else over_stdio(client, body)


def row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def test_the_table_says_what_each_transport_does(
    catalog: Catalog, clients: dict[str, wire.Http | wire.Stdio]
):
    made = [row(["in `arguments`", *COLUMNS]), row(["---"] * (len(COLUMNS) + 1))]
    for name, samples in ROWS.items():
        cells = [name]
        for column in COLUMNS:
            outcomes = {outcome(column, sample, catalog, clients) for sample in samples}
            cells.append(" or ".join(sorted(outcomes)))
        made.append(row(cells))

    lines = DOCUMENT.read_text(encoding="utf-8").splitlines()
    written = [line for line in lines if line.startswith("|")]
    assert written == made, "\n".join(made)


def test_of_a_key_sent_twice_the_handler_sees_the_last(clients: dict[str, wire.Http | wire.Stdio]):
    (sample,) = ROWS["a key twice in one object"]
    for client in clients.values():
        answer = client.raw(request(client.version, sample))
        assert '\\"last\\"' in answer.result["content"][0]["text"].replace('"', '\\"')
        assert b"first" not in answer.body


def test_the_text_door_refuses_all_on_which_a_transport_would_never_reply(
    catalog: Catalog, clients: dict[str, wire.Http | wire.Stdio]
):
    for samples in ROWS.values():
        for sample in samples:
            if outcome("stdio", sample, catalog, clients) == "no reply":
                verdict = catalog.check_text("note.add", sample.encoded(sample.text))
                assert not verdict.admitted
