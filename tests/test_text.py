"""
The text door refuses what parsing hides or cannot survive, before anything is parsed.
"""

import json
import math
import random
import string
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.support.counted import no_hang
from weighbridge.charge import Passed
from weighbridge.limits import ENVELOPE, INTEGER_DIGITS, Limits
from weighbridge.text import NotStrict, Parsed, integer, nested_past, parse

HOSTILE = (
    *("{", "}", "[", "]", ",", ":", '"', '"a"', '"b\\""', '"\\\\"', '"[{"', "\\", "\\u00e9"),
    *("1", "-", "0", "01", ".5", "1e5", "true", "nul", "NaN", "-Infinity", " ", "\n", "\x00"),
    *("\ufeff", "\ud800", "\x1f", "\u2028", "é", "😀"),
)
TOKENS = st.lists(st.sampled_from(HOSTILE), max_size=14).map("".join)


def nested(brackets):
    return "[" * brackets + "]" * brackets


def naive_deepest(text):
    depth = most = 0
    inside = escaped = False
    for char in text:
        if inside:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                inside = False
        elif char == '"':
            inside = True
        elif char in "[{":
            depth += 1
            most = max(most, depth)
        elif char in "]}":
            depth -= 1
    return most


@settings(max_examples=400, deadline=None)
@given(TOKENS)
@example('["\\')
@example(']]]"[[["[')
@example('"\\\\"[[')
def test_open_brackets_are_counted_outside_strings_whether_well_formed_or_not(text):
    most = naive_deepest(text)
    assert not nested_past(text, most)
    assert most == 0 or nested_past(text, most - 1)


def test_brackets_are_counted_across_the_pieces_of_a_long_text():
    shallow = "[]" * 40_000
    assert not nested_past(f"[[{shallow}]]", 3)
    assert nested_past(f"[[{shallow}[[", 3)
    assert not nested_past(f"{shallow}]]]{shallow}[[[", 1)


def strictly(text):
    """
    The standard parser, told to be strict; the oracle of what is JSON here.
    """

    def pairs(members):
        if len({key for key, _ in members}) < len(members):
            raise ValueError
        return dict(members)

    return json.loads(text, object_pairs_hook=pairs)


@settings(max_examples=400, deadline=None)
@given(TOKENS)
def test_what_is_parsed_is_what_the_standard_parser_reads_and_the_rest_is_refused(text):
    parsed = parse(text, Limits())
    try:
        expected = strictly(text)
    except ValueError:
        assert isinstance(parsed, NotStrict)
    else:
        assert isinstance(parsed, Parsed)
        assert repr(parsed.value) == repr(expected)


@settings(max_examples=200, deadline=None)
@given(TOKENS)
def test_bytes_are_read_as_their_text(text):
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError:
        assert parse(text.encode("utf-8", "surrogatepass"), Limits()) == NotStrict("utf-8")
    else:
        assert repr(parse(content, Limits())) == repr(parse(text, Limits()))


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=40))
@example(b"\xff\xfe{\x00}\x00")
@example(b'{"a":"\xf0\x9f\x98"}')
@example(b"\xc0\x80")
@example(b'{"a":1}\x00')
def test_bytes_of_any_kind_give_an_answer_and_no_exception(content):
    assert isinstance(parse(content, Limits()), Parsed | NotStrict | Passed)


@pytest.mark.parametrize("limit", [1, 2, 32, 100])
def test_nesting_admits_its_edge_and_refuses_one_bracket_more(limit):
    limits = Limits(nesting=limit)
    assert isinstance(parse(nested(limit), limits), Parsed)
    assert parse(nested(limit + 1), limits) == Passed("nesting")
    assert parse("[" * (limit + 1), limits) == Passed("nesting")
    assert parse('{"' + "[" * 500 + '":1}', limits) != Passed("nesting")


def test_the_size_is_refused_at_one_byte_past_the_body_less_its_envelope():
    limits = Limits(body=ENVELOPE + 10)
    assert parse('"12345678"', limits) == Parsed("12345678")
    assert parse('"123456789"', limits) == Passed("body")
    assert parse('"éé56"', limits) == Parsed("éé56")
    assert parse('"ééé78"', limits) == Parsed("ééé78")
    assert parse('"éééé"', limits) == Parsed("éééé")
    assert parse('"éééé9"', limits) == Passed("body")
    assert parse('"éééé9"'.encode(), limits) == Passed("body")


def test_size_is_refused_before_nesting_and_nesting_before_form():
    limits = Limits(body=ENVELOPE + 60)
    assert parse("[" * 61, limits) == Passed("body")
    assert parse("[" * 60, limits) == Passed("nesting")
    assert parse("\ufeff" + "[" * 40, limits) == Passed("nesting")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("\ufeff{}", NotStrict("bom", line=1, column=1)),
        ('{"a":1,"a":1}', NotStrict("duplicate", key="a")),
        ('{"a":1,"\\u0061":2}', NotStrict("duplicate", key="a")),
        ('{"":1,"":2}', NotStrict("duplicate", key="")),
        ('[{"x":{"k":1,"k":2}},{"j":1,"j":2}]', NotStrict("duplicate", key="k")),
        ('{"\\ud83d\\ude00":1,"😀":2}', NotStrict("duplicate", key="😀")),
        ("1" * (INTEGER_DIGITS + 1), NotStrict("digits")),
        ("-" + "1" * (INTEGER_DIGITS + 1), NotStrict("digits")),
        ("", NotStrict("malformed", line=1, column=1)),
        ("{'a':1}", NotStrict("malformed", line=1, column=2)),
        ('{"a":1,}', NotStrict("malformed", line=1, column=8)),
        ("[1,\n 2\n 3]", NotStrict("malformed", line=3, column=2)),
        ("{} {}", NotStrict("malformed", line=1, column=4)),
        ('{"a":"\x01"}', NotStrict("malformed", line=1, column=6)),
        ("{}\x00", NotStrict("malformed", line=1, column=3)),
        ("\xa0{}", NotStrict("malformed", line=1, column=1)),
        ("1.", NotStrict("malformed", line=1, column=2)),
        ("01", NotStrict("malformed", line=1, column=2)),
        ("Infinity1", NotStrict("malformed", line=1, column=9)),
    ],
)
def test_a_text_that_is_not_strict_json_is_refused_with_its_fault(text, fault):
    assert parse(text, Limits()) == fault


def test_different_spellings_that_are_not_the_same_key_are_no_duplicate():
    assert parse('{"é":1,"e\u0301":2}', Limits()) == Parsed({"é": 1, "e\u0301": 2})
    assert parse('[{"a":1},{"a":2}]', Limits()) == Parsed([{"a": 1}, {"a": 2}])


def test_what_the_walk_refuses_is_parsed_and_left_to_it():
    parsed = parse('[NaN,Infinity,-Infinity,1e400,-1e400,"\\ud800",-0,1.0]', Limits())
    assert isinstance(parsed, Parsed)
    assert math.isnan(parsed.value[0])
    assert parsed.value[1:] == [math.inf, -math.inf, math.inf, -math.inf, "\ud800", 0, 1.0]
    assert [type(one) for one in parsed.value[-2:]] == [int, float]


@pytest.mark.parametrize("digits", [1, 599, 600, 601, 1200, 1201, INTEGER_DIGITS])
@pytest.mark.parametrize("most", [640, 4300])
def test_an_integer_is_read_exactly_whatever_limit_the_process_has_set(digits, most):
    rng = random.Random(digits)
    spelt = rng.choice("123456789") + "".join(rng.choices(string.digits, k=digits - 1))
    expected = sum(int(one) * 10**at for at, one in enumerate(reversed(spelt)))
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(most)
    try:
        assert integer(spelt) == expected
        assert parse(f"[-{spelt}]", Limits()) == Parsed([-expected])
        assert parse('["' + spelt + f'", {spelt}]', Limits()) == Parsed([spelt, expected])
    finally:
        sys.set_int_max_str_digits(before)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000,
        '{"a":' * 20_000,
        "[" * 25_000_000,
        "[]" * 10_000_000,
        '"' + "\\" * 10_000_001,
        '"' + '\\"' * 5_000_000,
        "1" * 10_000_000,
        ("1" * 599 + " ") * 20_000,
        "[" + "1," * 3_000_000,
        '"' * 10_000_001,
        "\n" * 10_000_000 + "x",
        "{" + '"a":1,' * 50,
        "0." + "0" * 10_000_000 + "1",
        "1e" + "9" * 10_000_000,
    ],
    ids=lambda text: f"{text[:8]!r}x{len(text)}",
)
def test_a_hostile_text_of_many_megabytes_is_answered(text):
    """
    That the calls grow with its length alone is counted in ``tests/bounds``.
    """
    with no_hang():
        answer = parse(text, Limits())
    assert isinstance(answer, Parsed | NotStrict | Passed)
