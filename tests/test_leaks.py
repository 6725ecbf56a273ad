"""
No value that a caller wrote, anywhere: not in a verdict, a log line or an exception.
"""

import dataclasses
import json
import logging
import random
import string
import traceback

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.catalogs import foreign
from tests.schemas import NAMES, schemas
from weighbridge import Catalog, Code
from weighbridge.characters import is_printable
from weighbridge.prepare import AUTHORITY

#: Letters of a canary: none of our sentences, names or schemas holds six of them in a row.
CANARY = "qxzjkvw"

#: What cannot stand in a line that a name is shown in.
FORGING = frozenset("\n\r\t\x00\x1b\x7f\x85\u2028\u2029\u202a\u202e\u2066\u2069\ufeff")


def canary(rng):
    return "".join(rng.choices(CANARY, k=24))


def number(rng):
    return int("9" + "".join(rng.choices("13579", k=22)))


#: Values of every type, each of them of digits or letters that can be found again.
def planted(rng, depth=0):
    """
    A value that is all canary, and the pieces by which it would be known.
    """
    kind = rng.randrange(7 if depth < 3 else 4)
    if kind == 0:
        text = canary(rng)
        return text, [text]
    if kind == 1:
        text = f"{canary(rng)}\n\x1b[31m\u202e{canary(rng)}"
        return text, [text[:24], text[-24:]]
    if kind == 2:
        whole = number(rng)
        return whole, [str(whole)]
    if kind == 3:
        part = float(f"0.{number(rng)}")
        return part, [repr(part)[2:12]]
    values, pieces = [], []
    for _ in range(rng.randrange(1, 4)):
        value, known = planted(rng, depth + 1)
        values.append(value)
        pieces += known
    if kind == 4:
        return values, pieces
    return {rng.choice(NAMES): value for value in values}, pieces


def seen(text, pieces):
    """
    Which planted pieces, or any six of their characters in a row, a text shows.
    """
    return [
        piece for piece in pieces if any(piece[at : at + 8] in text for at in range(len(piece) - 7))
    ]


def holding(verdict, caplog):
    """
    Everything that a caller could be told: the JSON, its text unescaped, the log, the reprs.
    """
    refusal = verdict.refusal
    words = [verdict.to_json(), json.dumps(json.loads(verdict.to_json()), ensure_ascii=False)]
    words += [repr(verdict), str(verdict), repr(refusal), caplog.text]
    return "\n".join(words)


QUIET = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
    ],
)


@QUIET
@given(schemas, st.integers(0, 2**32))
def test_no_value_is_shown_whatever_keyword_refuses_it(caplog, schema, seed):
    rng = random.Random(seed)
    catalog = foreign({"type": "object", **schema})
    for _ in range(4):
        value, pieces = planted(rng)
        caplog.clear()
        with caplog.at_level(logging.DEBUG):
            verdict = catalog.check("t", {"v": value})
            other = catalog.check_text("t", json.dumps({"v": value}))
        assert seen(holding(verdict, caplog), pieces) == []
        assert seen(holding(other, caplog), pieces) == []


@QUIET
@given(st.integers(0, 2**32))
def test_no_value_is_shown_by_the_published_tools(caplog, seed):
    rng = random.Random(seed)
    catalog = Catalog.bundled() if not BUNDLED else BUNDLED[0]
    BUNDLED[:] = [catalog]
    tool = rng.choice(list(catalog.tools))
    fields = list(catalog.tools[tool].published.get("properties", {})) or ["query"]
    arguments, pieces = {}, []
    for name in rng.sample(fields, min(len(fields), 4)):
        arguments[name], known = planted(rng)
        pieces += known
    caplog.clear()
    with caplog.at_level(logging.DEBUG):
        verdict = catalog.check(tool, arguments)
    assert not verdict.admitted
    assert seen(holding(verdict, caplog), pieces) == []


BUNDLED: list[Catalog] = []


@pytest.mark.parametrize(
    "text",
    [
        '{{"a": "{0}"',
        '{{"a": "{0}", "a": "{0}"}}',
        '{{"a": {0}}}',
        '"{0}',
        "{0}",
        '{{"a": "{0}\\ud800"}}',
        '{{"a": NaN, "b": "{0}"}}',
        '{{"a": "\\x{0}"}}',
        '\ufeff{{"a": "{0}"}}',
        '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["{0}"',
        '{{"a": "{0}"}} {0}',
    ],
)
@pytest.mark.parametrize("spelt", [str, str.encode, lambda text: text.encode() + b"\xff"])
def test_no_text_is_quoted_by_what_refuses_it(text, spelt, caplog):
    rng = random.Random(text)
    secret = canary(rng)
    catalog = foreign({"type": "object", "properties": {"v": {}}, "additionalProperties": False})
    with caplog.at_level(logging.DEBUG):
        verdict = catalog.check_text("t", spelt(text.format(secret)))
    assert not verdict.admitted
    assert seen(holding(verdict, caplog), [secret]) == []


NAMED = st.text(
    st.sampled_from(
        [*FORGING, *string.ascii_letters, '"', "'", "\\", "/", "~", "é", "\U000e0001", "\ud800"]
    ),
    min_size=1,
    max_size=300,
)


@QUIET
@given(NAMED, NAMED)
def test_a_name_is_shown_escaped_and_cut_or_not_at_all(caplog, tool, key):
    catalog = foreign(
        {
            "type": "object",
            "properties": {"v": {"type": "object", "additionalProperties": {"type": "null"}}},
            "additionalProperties": False,
            "propertyNames": {"maxLength": 1},
        }
    )
    caplog.clear()
    with caplog.at_level(logging.DEBUG):
        verdicts = [
            catalog.check(tool, {}),
            catalog.check("t", {key: 1}),
            catalog.check("t", {"v": {key: 1}}),
            catalog.check("t", {"v": {key: float("nan")}}),
        ]
    for verdict in verdicts:
        shown = [verdict.tool]
        if verdict.refusal is not None:
            shown.append(verdict.refusal.message)
            for finding in verdict.refusal.findings:
                shown += [finding.message, finding.expected, *finding.names]
                assert all(len(name) <= catalog.limits.fragment for name in finding.names)
        assert all(is_printable(char) for char in "".join(shown))
        assert len(verdict.tool) <= catalog.limits.fragment
        assert verdict.to_json().isascii()
    assert caplog.text == ""


class Bomb:
    """
    Stands where a compiled expression does, and raises with what it was given.
    """

    def steps(self, length):
        """As a real one would answer."""
        return length

    def search(self, text):
        """Raise with the caller's own text."""
        raise RuntimeError(text)

    conforms = search


def test_a_fault_of_ours_that_holds_a_value_shows_none_of_it(caplog, capsys):
    """
    The text of an exception may hold what a caller sent; only its type is told.
    """
    catalog = foreign({"type": "object", "properties": {"v": {"pattern": "^a"}}})
    tool = catalog.tools["t"]
    (node,) = (node for _name, node in dict(tool.root.keywords)["properties"].ready)
    node.keywords = tuple(
        (name, dataclasses.replace(fact, ready=Bomb())) for name, fact in node.keywords
    )
    node.validator = AUTHORITY(schema=node, _resolver=node)
    secret = canary(random.Random(1))
    with caplog.at_level(logging.DEBUG):
        verdict = catalog.check("t", {"v": secret})
    assert verdict.refusal.code is Code.UNUSABLE_SCHEMA
    out = "".join(capsys.readouterr())
    logged = "".join(
        record.getMessage() + "".join(traceback.format_exception(*record.exc_info))
        for record in caplog.records
        if record.exc_info
    )
    assert seen(holding(verdict, caplog) + out + logged, [secret]) == []
    assert [record.getMessage() for record in caplog.records] == [
        "a call could not be judged: RuntimeError"
    ]


def test_the_search_for_a_canary_can_find_one():
    """
    A finding of our own that did show a value would be seen.
    """
    rng = random.Random(3)
    value, pieces = planted(rng)
    assert seen(json.dumps(value, ensure_ascii=False), pieces) == pieces
