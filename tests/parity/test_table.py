"""
The table in this process: the author's expectations, the frozen bytes, both doors.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping

import pytest

import weighbridge
from tests.cases import freeze, table
from tests.cases.expectation import disagreements
from tests.oracle import tokens
from tests.parity import seat
from tests.parity.compare import bundled, differences, frozen, named, rows

FILES = [*table.FILES, "foreign"]


@functools.cache
def judged(file: str) -> tuple[str, ...]:
    """What this process says of every row of a file, by the text door."""
    return tuple(freeze.verdict_of(row, bundled()) for row in table.read(file))


@pytest.mark.parametrize("file", FILES)
def test_every_verdict_is_what_the_author_of_its_row_worked_out(file):
    found = {
        row.name: wrong
        for row, text in zip(table.read(file), judged(file), strict=True)
        if (wrong := disagreements(row, text))
    }
    assert found == {}


@pytest.mark.parametrize("file", FILES)
def test_every_verdict_is_the_frozen_one_byte_for_byte(file):
    want = []
    for row in table.read(file):
        catalog = freeze.foreign(row) if row.has_schema else bundled()
        digest = {"contract": weighbridge.CONTRACT, "digest": catalog.digest}
        want.append((row.name, table.frozen(row, digest)))
    assert differences(want, judged(file)) == {}


@pytest.mark.parametrize("mode", ["value", "reversed"])
def test_the_value_door_gives_the_bytes_of_the_text_door(mode):
    """
    But for rows whose text says more than its value: a transport's parser hides that too.
    """
    stricter = [row for row in rows() if any("refused" in told for told in row.wire.values())]
    compared = [row for row in rows() if row not in stricter]
    want = [(row.name, frozen()[row.name]) for row in compared]
    got = [by_value(mode)[row.name] for row in compared]
    assert differences(want, got) == {}
    assert sum(text is not None for text in got) > 850


@functools.cache
def by_value(mode: str) -> dict[str, str | None]:
    """What this process says of every row by the value door; None where there is no value."""
    return {row.name: seat.judge(bundled(), mode, row.tool, row.form) for row in rows()}


def test_the_text_door_is_never_the_laxer_one():
    laxer = [
        row.name
        for row in rows()
        if json.loads(frozen()[row.name])["admitted"]
        and (told := by_value("value")[row.name]) is not None
        and not json.loads(told)["admitted"]
    ]
    assert laxer == []


def test_the_table_covers_every_code_limit_keyword_and_tool():
    verdicts = [json.loads(text) for text in frozen().values()]
    refusals = [verdict["refusal"] for verdict in verdicts if verdict["refusal"]]
    findings = [finding for refusal in refusals for finding in refusal["findings"]]
    assert {refusal["code"] for refusal in refusals} == {
        "no-schema",
        "not-json",
        "too-large",
        "mismatch",
    }
    assert {refusal["limit"] for refusal in refusals} == {
        None,
        "body",
        "nesting",
        "nodes",
        "rendered",
    }
    assert {finding["keyword"] for finding in findings} == keywords()
    admitted = {verdict["tool"] for verdict in verdicts if verdict["admitted"]}
    refused = {verdict["tool"] for verdict in verdicts if not verdict["admitted"]}
    assert set(bundled().tools) == admitted
    assert set(bundled().tools) <= refused
    assert len(verdicts) >= 300


def keywords() -> set[str]:
    """Every keyword of the ten published schemas that can refuse; ours is not listed."""
    silent = {"properties", "items", "title", "description", "examples", "default", "$comment"}
    found = {"x-maxBytes"}
    todo: list[object] = [tool.published for tool in bundled().tools.values()]
    while todo:
        schema = todo.pop()
        if isinstance(schema, dict):
            found |= {key for key in schema if not key.startswith(("$", "x-weighbridge"))}
            todo += schema.get("properties", {}).values()
            todo.append(schema.get("items"))
            if schema.get("additionalProperties") is True:
                silent.add("additionalProperties")
    closing = {"additionalProperties", "unevaluatedProperties"}
    return (found - silent) | (found & closing)


def test_the_foreign_table_covers_the_codes_that_only_a_foreign_schema_gives():
    verdicts = [row.verdict for row in table.read("foreign")]
    codes = {verdict["refusal"]["code"] for verdict in verdicts if verdict["refusal"]}
    assert {"mismatch", "unusable-schema"} <= codes
    assert all(verdict["advisory"] for verdict in verdicts)


def test_a_flipped_byte_in_one_frozen_verdict_is_found_and_named():
    name = rows()[0].name
    flipped = {**frozen(), name: frozen()[name].replace('"admitted":true', '"admitted":tRue')}
    got = [bundled().check_text(row.tool, row.text).to_json() for row in rows()[:40]]
    assert list(differences([(row.name, flipped[row.name]) for row in rows()[:40]], got)) == [name]


def test_freezing_refuses_a_verdict_that_contradicts_its_author():
    row = rows()[0]
    contradicted = table.Row(
        name=row.name,
        tool=row.tool,
        form=row.form,
        expect={**row.expect, "admitted": False, "code": "mismatch"},
        wire=row.wire,
        verdict=row.verdict,
    )
    assert disagreements(contradicted, table.frozen(row, named())) != []


def test_every_schema_pointer_leads_to_its_keyword_in_the_published_form():
    """
    What a finding points into is what a client holds: the flat form that is listed.

    But for ``x-maxBytes``: strict clients refuse it, so the description there says it in words.
    """
    astray = {}
    for name, text in frozen().items():
        verdict = json.loads(text)
        for finding in (verdict["refusal"] or {"findings": []})["findings"]:
            here: object = bundled().tools[verdict["tool"]].published
            *path, last = tokens(finding["schemaPointer"])
            for token in path:
                here = here[token] if isinstance(here, Mapping) else here[int(token)]
            listed = last in here or last == "x-maxBytes"
            if last != finding["keyword"] or not listed:
                astray[name] = finding["schemaPointer"]
    assert astray == {}
