"""
Our reader on standard input: every line is answered, and none is held past its limit.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import weighbridge
from tests.server import small_server, wire
from weighbridge.limits import ENVELOPE, Limits
from weighbridge.mcp import META_KEY

CANARY = "c4nary-9e1d"
PARSE_ERROR, INVALID_REQUEST = -32700, -32600

#: The narrowest body limit that a catalog may set.
NARROW = Limits(body=ENVELOPE + 2)

STATUS = Path("/proc/self/status")


def call(text: str, *, asked: Any = 7) -> bytes:
    """A call of ``note.add`` with ``text`` as JSON spells it, the id last."""
    spelt = '{"method":"tools/call","params":{"name":"note.add","arguments":{"text":%s}},%s}'
    return (spelt % (text, f'"jsonrpc":"2.0","id":{asked}')).encode("utf-8", "surrogatepass")


#: What the SDK's own reader never answers, and what ours answers it with.
UNREADABLE = {
    "a lone surrogate in a value": (call('"c4nary-9e1d\\ud800"'), PARSE_ERROR, 7),
    "a lone surrogate in a key": (call('{"c4nary-9e1d\\udc00":1}'), PARSE_ERROR, 7),
    "nested 201 deep": (call("[" * 201 + '"c4nary-9e1d"' + "]" * 201), PARSE_ERROR, 7),
    "nested 100,000 deep": (call("[" * 100_000 + "]" * 100_000), PARSE_ERROR, 7),
    "an integer of 4,301 digits": (call("9" * 4_301), PARSE_ERROR, 7),
    "a byte order mark": (b"\xef\xbb\xbf" + call('"c4nary-9e1d"'), PARSE_ERROR, 7),
    "UTF-16": (call('"c4nary-9e1d"').decode().encode("utf-16-le"), PARSE_ERROR, None),
    "cut short": (call('"c4nary-9e1d"')[:-1], PARSE_ERROR, 7),
    "an id that is text": (call('"\\ud800"', asked='"a\\u00e9"'), PARSE_ERROR, "a\u00e9"),
    "no JSON at all": (b"c4nary-9e1d", PARSE_ERROR, None),
    "a broken answer": (b'{"jsonrpc":"2.0","id":7,"result":{"a":"\\ud800"}}', PARSE_ERROR, None),
    "several in an array": (b"[" + call('"c4nary-9e1d"') + b"]", INVALID_REQUEST, None),
    "another version": (call("1").replace(b'"2.0"', b'"1.0"'), INVALID_REQUEST, 7),
    "an empty object": (b"{}", INVALID_REQUEST, None),
    "a number": (b"7", INVALID_REQUEST, None),
}


@contextlib.contextmanager
def opened(
    folder: Path, version: str, *, lines: bool = True, limits: Limits | None = None
) -> Iterator[wire.Stdio]:
    """A gated server behind a pipe of its own."""
    given = None if limits is None else asdict(limits)
    schemas = small_server.write_catalog(folder / "schemas", given)
    command = [Path(small_server.__file__), "MCPServer", folder / "sentinel", "--catalog", schemas]
    with wire.stdio_process([*command, *(["--lines"] if lines else [])]) as process:
        yield wire.Stdio(process, version)


@pytest.mark.parametrize("version", [wire.OLDER[-1], wire.NEWEST])
def test_every_line_that_the_sdk_drops_is_answered_and_the_next_is_served(
    tmp_path: Path, version: str
):
    told = {}
    with opened(tmp_path, version) as client:
        for name, (line, _, _) in UNREADABLE.items():
            told[name] = client.raw(line)
            assert client.call("note.count").result["isError"] is False
        client.process.stdin.close()
        heard = client.process.stderr.read()

    assert {
        name: (answer.message["error"]["code"], answer.message["id"])
        for name, answer in told.items()
    } == {name: (code, asked) for name, (_, code, asked) in UNREADABLE.items()}
    for answer in told.values():
        assert CANARY.encode() not in answer.body
        assert len(answer.body) < 400
        assert answer.message["error"]["message"].startswith("The line was not read: ")
    assert CANARY.encode() not in heard


def test_the_sdks_own_reader_answers_none_of_them(tmp_path: Path):
    """
    The control: after each such line the next answer is the next request's.
    """
    with opened(tmp_path, wire.OLDER[-1], lines=False) as client:
        for line, _, _ in UNREADABLE.values():
            client.write(line)
            assert client.call("note.count").result["content"][0]["text"] == "none"


def test_text_that_is_no_utf8_is_refused_and_not_mended(tmp_path: Path):
    line = call('"c4nary-9e1d?"').replace(b"?", b"\xff")
    with opened(tmp_path, wire.OLDER[-1], lines=False) as client:
        assert client.raw(line).result["isError"] is False
    with opened(tmp_path, wire.OLDER[-1]) as client:
        answer = client.raw(line)

    assert (answer.message["error"]["code"], answer.message["id"]) == (PARSE_ERROR, 7)


@pytest.mark.parametrize("end", [b"", b"\r"], ids=["newline", "carriage return and newline"])
def test_a_line_is_read_up_to_the_body_limit_and_not_one_byte_past_it(tmp_path: Path, end: bytes):
    room = NARROW.body - len(call('""'))
    with opened(tmp_path, wire.OLDER[-1], limits=NARROW) as client:
        at_limit = client.raw(call('"' + "x" * room + '"') + end)
        past_it = client.raw(call('"' + "x" * (room + 1) + '"') + end)
        after = client.call("note.count")

    assert at_limit.result["_meta"][META_KEY]["refusal"]["code"] == "mismatch"
    assert past_it.message["error"]["code"] == INVALID_REQUEST
    assert str(NARROW.body) in past_it.message["error"]["message"]
    assert past_it.message["id"] == 7
    assert after.result["isError"] is False


def test_the_last_line_is_answered_without_a_line_end(tmp_path: Path):
    with opened(tmp_path, wire.OLDER[-1]) as client:
        client.process.stdin.write(call('"\\ud800"'))
        client.process.stdin.close()
        assert client.read().message["error"]["code"] == PARSE_ERROR


def peak(process: subprocess.Popen[bytes]) -> int:
    """The most KiB of memory that a process has held so far."""
    lines = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii").splitlines()
    (line,) = [line for line in lines if line.startswith("VmHWM:")]
    return int(line.split()[1])


@pytest.mark.skipif(not STATUS.exists(), reason="not measured: this system has no /proc")
@pytest.mark.parametrize("spelt", ['"%s"', "[%s]"], ids=["one string", "elements"])
def test_memory_stays_flat_whatever_the_length_of_a_line(tmp_path: Path, spelt: str):
    before, after = spelt.encode().split(b"%s")
    head, tail = call('"X"').split(b'"X"')
    with opened(tmp_path, wire.OLDER[-1], limits=NARROW) as client:
        client.call("note.count")
        held = peak(client.process)
        client.process.stdin.write(head + before)
        for _ in range(1_000):
            client.process.stdin.write(b"1," * 50_000)
        client.write(b"1" + after + tail)
        answer = client.read()
        grown = peak(client.process) - held

    assert answer.message["error"]["code"] == INVALID_REQUEST
    assert grown < 4_096


@pytest.mark.skipif(not STATUS.exists(), reason="not measured: this system has no /proc")
def test_the_sdks_own_reader_holds_all_of_it(tmp_path: Path):
    """
    The control for the test above, with a tenth of the line.
    """
    with opened(tmp_path, wire.OLDER[-1], lines=False, limits=NARROW) as client:
        client.call("note.count")
        held = peak(client.process)
        client.raw(call('"' + "x" * 10_000_000 + '"'))
        grown = peak(client.process) - held

    assert grown > 16_384


def test_handlers_and_their_children_cannot_read_the_pipe():
    script = """
        import os, subprocess, sys
        from weighbridge.stdio import _standard_input
        with _standard_input() as pipe:
            child = subprocess.run(["cat"], stdout=subprocess.PIPE).stdout
            print(os.read(0, 10), child, pipe.read(6), flush=True)
        print(os.read(0, 10))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        input=b"first\nsecond\n",
        env={"PYTHONPATH": str(Path(weighbridge.__file__).parents[1]), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        check=True,
    )

    assert done.stdout == b"b'' b'' b'first\\n'\nb'second\\n'\n"
