"""
Where a text stops being JSON is told the same by every interpreter.
"""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from weighbridge.syntax import SEARCHED, malformed_at

HOSTILE = (
    *tuple('{}[],:"\\ \n\t'),
    *('"a"', '"\\n"', '"\\u12fG"', '"\\x"', "0", "-0", "00", "-", "1.5", "1.", ".1", "1e", "1E+2"),
    *("true", "false", "null", "nulls", "NaN", "Infinity", "-Infinity", "-NaN", "\x0b", "\ufeff"),
    *("é", "\ud800"),
)
PIECES = st.lists(st.sampled_from(HOSTILE), max_size=12).map("".join)


def is_json(text):
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@settings(max_examples=600, deadline=None)
@given(PIECES)
@example('{"a":1}')
@example('{"a":1]')
@example("[1,]")
@example("{,}")
@example('{"a",1}')
@example('"')
def test_a_place_is_told_for_exactly_the_texts_that_are_not_json(text):
    assert (malformed_at(text) == (0, 0)) == is_json(text)


@settings(max_examples=600, deadline=None)
@given(PIECES)
def test_the_text_before_the_place_could_still_become_json(text):
    """
    Nothing before the place is at fault, and the place is inside the text or at its end.
    """
    line, column = malformed_at(text)
    if (line, column) == (0, 0):
        return
    lines = text.split("\n")
    assert line in range(1, len(lines) + 1)
    assert column in range(1, len(lines[line - 1]) + 2)
    before = "\n".join([*lines[: line - 1], lines[line - 1][: column - 1]])
    again = malformed_at(before)
    assert again in {(0, 0), end_of(before)} or before.strip(" \t\r\n") == ""


def end_of(text):
    """
    Where a text that stops too early is at fault: after its last character but blanks.
    """
    lines = text.split("\n")
    return len(lines), len(lines[-1]) + 1


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", (1, 1)),
        ("  ", (1, 3)),
        ("{", (1, 2)),
        ('{"a"', (1, 5)),
        ('{"a":', (1, 6)),
        ('{"a":1', (1, 7)),
        ('{"a":1,', (1, 8)),
        ('{"a":1,}', (1, 8)),
        ('{"a":1,,', (1, 8)),
        ("{1:2}", (1, 2)),
        ("[1 2]", (1, 4)),
        ("[1}", (1, 3)),
        ("]", (1, 1)),
        ("[]]", (1, 3)),
        ("\n\n x", (3, 2)),
        ("\r\n x", (2, 2)),
        ('"a\nb"', (1, 1)),
        ("+1", (1, 1)),
        ("1e5e5", (1, 4)),
        ("tru", (1, 1)),
        ("True", (1, 1)),
        ("// note", (1, 1)),
        ("[1, // two\n2]", (1, 5)),
        ("undefined", (1, 1)),
    ],
)
def test_the_place_is_where_a_person_would_look(text, place):
    assert malformed_at(text) == place


def test_a_longer_text_is_not_searched():
    assert malformed_at("[" + " " * (SEARCHED - 1)) == (1, SEARCHED + 1)
    assert malformed_at("[" + " " * SEARCHED) == (0, 0)


def test_brackets_by_the_ten_thousand_need_no_stack():
    assert malformed_at("[" * 60_000) == (1, 60_001)
    assert malformed_at("[" * 30_000 + "]" * 30_000) == (0, 0)
