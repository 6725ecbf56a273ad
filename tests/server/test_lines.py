"""
Lines from a pipe: cut, bounded, and never parsed to find who asked.
"""

from __future__ import annotations

import json
import tracemalloc
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weighbridge.lines import NAME, TOKENS, Asked, Lines, TooLong, request_id


def cut(pieces: list[bytes], most: int) -> list[bytes | TooLong]:
    lines = Lines(most)
    return [*(line for piece in pieces for line in lines.feed(piece)), *lines.end()]


def test_lines_end_at_a_newline_with_or_without_a_carriage_return_or_at_the_end():
    assert cut([b"one\r\ntwo\n\n \t\r\nthree"], 10) == [b"one", b"two", b"three"]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_a_line_is_kept_up_to_its_limit_and_not_one_byte_past_it(end: bytes):
    assert cut([b"x" * 10 + end, b"after\n"][: 1 + bool(end)], 10)[0] == b"x" * 10
    assert cut([b"x" * 11 + end, b"after\n"][: 1 + bool(end)], 10)[0] == TooLong(None)


def test_the_line_after_one_that_was_not_kept_is_read_as_any_other():
    assert cut([b'{"id":1,"method":"m"', b"x" * 50, b"}\nnext\n"], 30) == [TooLong(1), b"next"]


LINES = b'{"method":"a","id":"x\\"y"}\r\nshort\n\n{"id":7,"method":"' + b"m" * 40 + b'"}\r\nlast'


@given(st.lists(st.integers(0, len(LINES)), max_size=6))
def test_where_the_pipe_cuts_does_not_matter(places: list[int]):
    edges = [0, *sorted(places), len(LINES)]
    pieces = [LINES[start:end] for start, end in pairwise(edges)]

    assert cut(pieces, 30) == [b'{"method":"a","id":"x\\"y"}', b"short", TooLong(7), b"last"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b'{"jsonrpc":"2.0","id":7,"method":"m"}', 7),
        (b'{"method":"m","params":{"id":9,"x":["id",{"id":3}]},"jsonrpc":"2.0","id":7}', 7),
        (b'{ "method" : "m" , "id" : -12 }', -12),
        (b'{"method":"m","id":"a\\"b\\u00e9"}', 'a"b\u00e9'),
        (b'{"method":"m","params":"{\\"id\\":9}","id":"7"}', "7"),
        (b'{"method":"m","id":7', 7),
        (b'{"method":"m","id":7,"params":' + b"[" * 9_000, 7),
        (b'{"method":"m","params":' + b"[" * 9_000 + b"]" * 9_000 + b',"id":7}', 7),
        (b'{"method":"m","id":7,"params":{"\xff":"\\ud800"}', 7),
        (b'\xef\xbb\xbf{"method":"m","id":7}', 7),
        (b'{"method":"m","id":1.5}', None),
        (b'{"method":"m","id":true}', None),
        (b'{"method":"m","id":null}', None),
        (b'{"method":"m","id":"\\ud800"}', None),
        (b'{"method":"m","id":"' + b"7" * (NAME + 1) + b'"}', None),
        (b'{"method":"m","id":' + b"7" * (NAME + 1) + b"}", None),
        (b'[{"method":"m","id":7}]', None),
        (b'{"method":"m","params":{"id":7}}', None),
        (b'"id"', None),
        (b"", None),
    ],
)
def test_the_id_is_the_roots_own(line: bytes, found: str | int | None):
    assert request_id(line) == found


def test_text_within_an_id_that_is_no_text_is_not_the_id():
    finder = Asked()
    for piece in (b'{"method":"m","id":["se', b'ven"],"x":1}'):
        finder.feed(piece)

    assert finder.id is None


def test_a_text_that_comes_in_many_pieces_is_not_kept():
    finder = Asked()
    finder.feed(b'{"params":"')
    for _ in range(20_000):
        finder.feed(b"x")

    assert len(finder._string or b"") <= 2 * NAME + 2


def test_what_answers_a_request_is_not_taken_for_one():
    """
    Its id is one of ours: an error under it would answer a request that the peer sent.
    """
    assert request_id(b'{"jsonrpc":"2.0","id":7,"result":{"method":"m","x":"\\ud800"}}') is None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=12,
)
KEYS = st.sampled_from(["jsonrpc", "params", "result", "Id", 'i"d', "x\\"])


@given(
    st.text(max_size=20) | st.integers(-(10**40), 10**40),
    st.dictionaries(KEYS, VALUES),
    st.dictionaries(KEYS, VALUES),
    st.integers(1, 40),
    st.booleans(),
)
def test_it_is_the_id_that_a_parser_finds(
    asked: str | int, before: object, after: object, size: int, plain: Any
):
    message = {**before, "id": asked, **after, "method": "m"}
    line = json.dumps(message, ensure_ascii=plain).encode("utf-8", "surrogatepass")
    finder = Asked()
    for start in range(0, len(line), size):
        finder.feed(line[start : start + size])

    assert finder.id == json.loads(line)["id"]


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "piece",
    [b"[", b'{"a":', b'"x",', b'"', b"\\", b'"\\', b"x", b",", b"1,", b'"\\"'],
    ids=repr,
)
def test_what_is_not_kept_takes_no_memory(piece: bytes):
    lines = Lines(1_000)
    chunk = (piece * 65_536)[:65_536]
    list(lines.feed(b'{"params":' + chunk))
    tracemalloc.start()
    for _ in range(4):
        list(lines.feed(chunk))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 150_000


def test_the_search_for_an_id_ends_where_it_says():
    filled = b'{"method":"m","params":[' + b"[]," * (TOKENS // 2 - 20)
    assert request_id(filled + b'0],"id":7}') == 7
    assert request_id(filled + b"[]," * 30 + b'0],"id":7}') is None
