import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.suite import official_suite
from tests.support.counted import lines
from weighbridge import patterns
from weighbridge.formats import FORMATS

NAMES = [
    "date",
    "date-time",
    "duration",
    "email",
    "ipv4",
    "ipv6",
    "json-pointer",
    "regex",
    "time",
    "uri",
    "uuid",
]


def suite(name: str) -> list[dict]:
    path = official_suite() / "draft2020-12" / "optional" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_asserted_formats_are_these_and_no_other():
    assert sorted(FORMATS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_official_suite_is_answered_as_it_says(name):
    cases = [
        (case["data"], case["valid"])
        for group in suite(f"format/{name}")
        if group["schema"].get("format") == name
        for case in group["tests"]
        if isinstance(case["data"], str)
    ]
    assert cases
    assert [(text, FORMATS[name].conforms(text)) for text, _ in cases] == cases


def test_the_official_suite_finds_ecma_262_where_a_regex_is_asked_for():
    cases = [
        (case["data"], case["valid"])
        for group in suite("format/ecmascript-regex")
        for case in group["tests"]
        if isinstance(case["data"], str)
    ]
    assert cases
    assert [(text, FORMATS["regex"].conforms(text)) for text, _ in cases] == cases


def judged(schema: dict, instance: object) -> bool:
    """The few keywords that the two files of patterns use."""
    if isinstance(instance, str):
        return "pattern" not in schema or patterns.compile(schema["pattern"]).search(instance)
    assert isinstance(instance, dict)
    named = {
        key: [
            sub
            for source, sub in schema["patternProperties"].items()
            if patterns.compile(source).search(key)
        ]
        for key in instance
    }
    if schema.get("additionalProperties") is False and not all(named.values()):
        return False
    return all(
        sub is True or (sub == {"type": "integer"} and isinstance(instance[key], int))
        for key, subs in named.items()
        for sub in subs
    )


@pytest.mark.parametrize("name", ["ecmascript-regex", "non-bmp-regex"])
def test_the_official_suite_finds_ecma_262_in_patterns(name):
    cases = [
        (group["schema"], case["data"], case["valid"])
        for group in suite(name)
        for case in group["tests"]
    ]
    assert len(cases) > 10
    assert [(schema, instance, judged(schema, instance)) for schema, instance, _ in cases] == cases


# What the suite does not ask; each line is a sentence of the RFC.
ANSWERS = {
    "date": {
        "0000-02-29": True,
        "1900-02-29": False,
        "2000-02-29": True,
        "2026-00-10": False,
        "2026-01-00": False,
        "2026-01-31\n": False,
        "+2026-01-31": False,
        "": False,
        "2026-1-031": False,
        "\uff12026-01-31": False,
    },
    "time": {
        "00:00:00-00:00": True,
        "23:59:60.999Z": True,
        "00:59:60+01:00": True,
        "23:59:59.Z": False,
        "23:59:59,5Z": False,
        "23:59:59 Z": False,
        "235959Z": False,
        "12:00:00+2400": False,
        "12:00:00+24:00": False,
        "12:00:00Z\n": False,
    },
    "date-time": {
        "2026-01-31 12:00:00Z": False,
        "2026-01-31T12:00:00": False,
        "2026-01-31T12:00:00.123456789012345678901234567890Z": True,
        "2026-02-30T12:00:00Z": False,
        "2026-01-31T24:00:00Z": False,
        "2026-01-31": False,
        "": False,
    },
    "duration": {
        "P1Y2M3DT4H5M6S": True,
        "P1Y3D": False,
        "PT1H1S": False,
        "P1.5D": False,
        "-P1D": False,
        "P1W1D": False,
        "p1d": False,
        "P1DT": False,
        "P": False,
        "P99999999999999999999D": True,
        "P1D\n": False,
    },
    "uri": {
        "a:": True,
        "A+1-.:x": True,
        "1a:x": False,
        "http://": True,
        "http://[::1]:80/": True,
        "http://[::1]x/": False,
        "http://[::g]/": False,
        "http://[v1.a:b]/": True,
        "http://[::1/": False,
        "http://a:b@c:80": True,
        "http://a:b": False,
        "http://a@b@c/": False,
        "http://a/%4": False,
        "http://a/%zz": False,
        "http://a/\u00e9": False,
        "http://a/ ": False,
        "http://a/#b#c": False,
        "http://a/?b?c/d#e?f/g": True,
        "http://a/[": False,
        "a:/b//c": True,
        "a://b^c": False,
        "": False,
        "a:b\n": False,
    },
    "email": {
        "a@b": True,
        "a@b.": False,
        "a@-b.c": False,
        "a@b-.c": False,
        "a@b_c.d": False,
        "a@@b": False,
        "a b@c.d": False,
        '"a\\"b"@c.d': True,
        '"a"b"@c.d': False,
        '""@c.d': True,
        '"a\nb"@c.d': False,
        "\u00e9@b.c": False,
        f"{'a' * 64}@b.c": True,
        f"{'a' * 65}@b.c": False,
        f"a@{'b' * 63}.c": True,
        f"a@{'b' * 64}.c": False,
        "a@[IPv6:1::2]": True,
        "a@[ipv6:1::2]": True,
        "a@[IPv6:g::2]": False,
        "a@[tag:text]": False,
        "a@[127.0.0.1": False,
        "@b.c": False,
        "a@": False,
        "": False,
        "a@b.c\n": False,
    },
    "uuid": {
        "00000000-0000-0000-0000-000000000000\n": False,
        "{00000000-0000-0000-0000-000000000000}": False,
        "urn:uuid:00000000-0000-0000-0000-000000000000": False,
        "\uff10" * 8 + "-0000-0000-0000-000000000000": False,
        "": False,
    },
    "ipv4": {
        "0.0.0.0": True,  # noqa: S104 - an address, not a place to bind
        "255.255.255.255": True,
        "255.255.255.256": False,
        "1.2.3": False,
        "1.2.3.4.": False,
        "01.2.3.4": False,
        "1.2.3.4\n": False,
        "": False,
        "1..2.3": False,
        " 1.2.3.4": False,
    },
    "ipv6": {
        "1:2:3:4:5:6:7::": True,
        "::2:3:4:5:6:7:8": True,
        "1:2:3:4:5:6:7:8::": False,
        "1::2:3:4:5:6:7:8": False,
        ":::": False,
        ":": False,
        "": False,
        "1:": False,
        ":1": False,
        "::1.2.3.4": True,
        "1.2.3.4::": False,
        "::1.2.3.4:5": False,
        "1:2:3:4:5:6:1.2.3.4": True,
        "1:2:3:4:5:1.2.3.4": False,
        "1:2:3:4:5:6:7:1.2.3.4": False,
        "::1\n": False,
        "::01.2.3.4": False,
        "1::2::": False,
        "::1::": False,
    },
    "json-pointer": {
        "/\n": True,
        "/\u00e9\U0001f600": True,
        "/~": False,
        "~": False,
        "/a~1~0": True,
        "/a~01": True,
        " /a": False,
    },
    "regex": {
        "": True,
        "^a$": True,
        "(a)\\1": True,
        "\\p{Script=Greek}": True,
        "(?i:a)": True,
        "(?<a>x)|(?<a>y)": True,
        "\\Z": False,
        "a{": False,
        "(?<a>x)(?<a>y)": False,
        "[": False,
        "\\": False,
    },
}


@pytest.mark.parametrize("name", NAMES)
def test_a_text_conforms_where_the_rfc_says_so_and_nowhere_else(name):
    expected = ANSWERS[name]
    assert {text: FORMATS[name].conforms(text) for text in expected} == expected


@pytest.mark.parametrize("name", NAMES)
def test_what_is_expected_is_short_and_its_own_example_conforms(name):
    expected = FORMATS[name].expected
    assert len(expected) <= 80
    assert expected.isascii()
    example = re.search("such as (.+)$", expected)
    assert name == "regex" or FORMATS[name].conforms(example[1])


@given(st.sampled_from(NAMES), st.text())
def test_any_text_has_an_answer_and_no_text_raises(name, text):
    assert FORMATS[name].conforms(text) in (True, False)


# Texts that go on as long as a grammar can be made to look at them.
WORST = {
    "date": ["2026-01-31", "9" * 50_000],
    "date-time": [f"2026-01-31T12:00:00.{'1' * 50_000}Z", "2026-01-31T12:00:00." + "1" * 50_000],
    "time": [f"12:00:00.{'1' * 50_000}Z", f"12:00:00.{'1' * 50_000}"],
    "duration": [f"P{'1' * 50_000}D", f"P{'1' * 50_000}", f"PT{'1' * 25_000}H{'1' * 25_000}"],
    "uri": [
        "a:" + "%41" * 17_000,
        "a:" + "a%41" * 12_500,
        f"http://{'a:' * 25_000}@{'b' * 10}",
        "http://" + "@" * 50_000,
        "a" * 50_000,
        "http://a/" + "?#" * 25_000,
        "a:" + "a/" * 25_000 + " ",
    ],
    "email": ["a@" + "a.b-" * 63, "a." * 31 + "a@" + "a" * 255, f'"{"!" * 60}"@a', "@" * 50_000],
    "ipv4": ["255.255.255.255", "1" * 50_000, "255.255.255." + "0" * 50_000],
    "ipv6": ["0000:" * 6 + "255.255.255.255", ":" * 45, "1:" * 22, "1" * 50_000],
    "json-pointer": ["/" * 50_000, "/a" * 25_000 + "~", "/" + "~0" * 25_000, "/" + "a" * 50_000],
    "uuid": ["00000000-0000-0000-0000-000000000000", "0" * 50_000],
    "regex": [
        "(" * 30_000,
        "()" * 15_000,
        "[" + "a-z" * 10_000,
        "(?<a>" * 6_000,
        "".join(f"(?<a{number}>)" for number in range(4_000)),
        "\\u{0000041}" * 3_000,
        "\\p{Script=Greek}" * 2_000,
        "a{1,2}" * 5_000,
        "(?<" + "a" * 30_000,
        "\\u{" + "0" * 30_000,
        "a{" + "1" * 30_000,
        "[\\d-\\w]" * 4_000,
        "(?=)" * 7_000,
        "\\k<a>" * 5_000 + "(?<a>)",
        "(?<a>)|" * 5_000,
        "\\uD83D\\uDE00" * 2_500,
    ],
}


@pytest.mark.parametrize("name", NAMES)
def test_steps_are_not_below_the_lines_that_the_worst_text_runs(name):
    """
    A step stands for a microsecond, in which two dozen lines run; ``make steps``
    holds the expressions below them to the clock.
    """
    form = FORMATS[name]
    late = []
    for text in WORST[name]:
        ran = lines(lambda text=text: form.conforms(text))
        if ran > 24 * form.steps(len(text)):
            late.append((text[:20], ran, form.steps(len(text))))
    assert late == []


@pytest.mark.parametrize("name", NAMES)
def test_steps_never_fall_as_the_text_grows(name):
    steps = [FORMATS[name].steps(length) for length in (0, 1, 10, 100, 1_000, 10**6, 10**7)]
    assert steps == sorted(steps)
    assert steps[0] >= 1
