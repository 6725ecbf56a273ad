"""
The table and the generated calls in Chromium, by the bundle as it is served.
"""

from __future__ import annotations

import bisect
import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import weighbridge
from tests.cases import table
from tests.cases.spell import spell
from tests.parity import seat
from tests.parity.compare import bundled, differences, expected, frozen, generated, named, rows
from tests.parity.pages import judging, verdicts
from tests.parity.transports import environ

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def judge(browser, dist):
    with judging(browser, dist) as page:
        yield page


def test_the_page_publishes_the_catalog_of_this_process(judge):
    published = judge.evaluate("JSON.stringify(window.catalog)")
    assert json.loads(published) == json.loads(bundled().to_json())
    assert json.loads(published)["digest"] == named()["digest"]


def test_every_row_gets_the_frozen_bytes(judge):
    got = verdicts(judge, [{"tool": row.tool, "text": row.form} for row in rows()])
    assert differences(frozen().items(), got) == {}


@pytest.mark.no_cover
def test_generated_calls_get_the_bytes_of_this_process(judge):
    got = verdicts(judge, [{"tool": call.tool, "text": call.text} for call in generated()])
    want = [
        (f"{index}: {call.label}", text)
        for index, (call, text) in enumerate(zip(generated(), expected(), strict=True))
    ]
    assert differences(want, got) == {}


def test_an_object_is_judged_as_the_text_that_stringify_makes_of_it(judge):
    """
    Where JavaScript reads the text as the same value, the verdict is the same too.
    """
    calls = [call for call in generated()[:600] if survives(call.text)]
    assert len(calls) > 200
    got = verdicts(
        judge, [{"tool": call.tool, "text": call.text} for call in calls], function="judgeParsed"
    )
    want = [
        (f"{index}: {call.label}", bundled().check(call.tool, call.arguments).to_json())
        for index, call in enumerate(calls)
    ]
    assert differences(want, got) == {}


def survives(text: str) -> bool:
    """Whether no number of ``text`` is one that a double spells otherwise."""
    spelled: list[str] = []
    json.loads(text, parse_int=spelled.append, parse_float=spelled.append)
    return all(len(number) < 15 and number.lstrip("-").isdigit() for number in spelled)


@pytest.fixture(scope="module")
def keywords(tmp_path_factory) -> Path:
    """
    A folder of published schemas, one tool for each row of the foreign table that can be published.
    """
    folder = tmp_path_factory.mktemp("keywords")
    alone = tmp_path_factory.mktemp("alone") / "alone-input.schema.json"
    kept = 0
    for number, row in enumerate(table.read("foreign")):
        document = document_of(number, row.schema)
        alone.write_text(document, "ascii")
        # What cannot be published has its own tests; every seat reads the same files.
        with contextlib.suppress(weighbridge.CatalogError):
            weighbridge.Catalog.read(alone.parent)
            (folder / f"row-{number}-input.schema.json").write_text(document, "ascii")
            kept += 1
    assert kept > 200
    # Other limits than ours, so that nothing in the page can stand on the defaults.
    named = {"nesting": 4, "nodes": 9, "rendered": 40, "body": 65_636}
    narrower = {
        f"row.{number}": {"limits": {limit: most}, "reason": "one limit to pass"}
        for number, (limit, most) in enumerate(named.items())
    }
    settings = {"limits": {"fragment": 40, "refusal": 640}, "tools": narrower}
    (folder / "catalog.json").write_text(json.dumps(settings), "ascii")
    return folder


def document_of(number: int, schema: Any) -> str:
    """A row's schema as the file that would publish it."""
    if not isinstance(schema, dict) or "$schema" in schema or "$id" in schema:
        return "null"
    named = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://example.org/{number}",
        "x-weighbridge-tool": f"row.{number}",
    }
    return json.dumps(named | schema)


@pytest.fixture(scope="module")
def other(browser, keywords, tmp_path_factory):
    """A page with a bundle of that catalog, made by the command that anybody would use."""
    out = tmp_path_factory.mktemp("bundle") / "out"
    subprocess.run(
        [sys.executable, "-m", "weighbridge", "web", str(out), "--catalog", str(keywords)],
        env=environ(),
        check=True,
    )
    with judging(browser, out) as page:
        yield page


@pytest.mark.no_cover
def test_every_keyword_means_the_same_in_the_page(other, keywords):
    catalog = weighbridge.Catalog.read(keywords)
    numbers = [int(name.removeprefix("row.")) for name in catalog.tools]
    kept = {number: row for number, row in enumerate(table.read("foreign")) if number in numbers}
    calls = [{"tool": f"row.{number}", "text": row.form} for number, row in kept.items()]
    want = [
        (row.name, catalog.check_text(f"row.{number}", row.text).to_json())
        for number, row in kept.items()
    ]
    assert differences(want, verdicts(other, calls)) == {}


def test_the_limits_of_another_catalog_hold_in_the_page(other, keywords):
    catalog = weighbridge.Catalog.read(keywords)
    texts = [
        '{"x":[[[1]]]}',
        '{"x":[[1]]}',
        '{"x":[1,2,3,4,5,6]}',
        '{"x":[1,2,3,4,5,6,7]}',
        json.dumps({"x": "a" * 39}),
        json.dumps({"x": "a" * 40}),
        json.dumps({"x": 1}) + " " * 93,
        json.dumps({"x": 1}) + " " * 92,
        json.dumps({"\x1b" * 41: 1, "k" * 41: 2}),
    ]
    calls = [{"tool": f"row.{number}", "text": text} for number in range(4) for text in texts]
    calls += [{"tool": "\n" * 41, "text": "{}"}]
    want = [
        (f"{call['tool']} {call['text'][:40]}", catalog.check_text(**call).to_json())
        for call in calls
    ]
    limits = {(json.loads(text)["refusal"] or {}).get("limit") for _, text in want}
    assert limits == {None, "nesting", "nodes", "rendered", "body"}
    assert differences(want, verdicts(other, calls)) == {}


@pytest.mark.no_cover
def test_work_runs_out_at_the_same_count_in_the_page(other, keywords):
    """
    The last list that a limit on work admits and the first that it refuses, to the item.
    """
    catalog = weighbridge.Catalog.read(keywords)
    row = next(
        number
        for number, row in enumerate(table.read("foreign"))
        if row.name.startswith("foreign: a short list under many branches")
    )

    def form(items: int) -> dict[str, Any]:
        return {"join": ['{"x":[', {"repeat": "1,", "times": items}, "1]}"]}

    def limit(items: int) -> str | None:
        verdict = catalog.check_text(f"row.{row}", spell(form(items)))
        return verdict.refusal.limit if verdict.refusal else None

    # Nodes would be told first past this many.
    most = 99_000
    assert limit(most) == "work"
    first = bisect.bisect_left(range(most), 1, key=lambda items: limit(items) == "work")
    assert limit(first - 1) is None
    calls = [{"tool": f"row.{row}", "text": form(items)} for items in (first - 1, first)]
    want = [
        (str(call["text"]), catalog.check_text(call["tool"], spell(call["text"])).to_json())
        for call in calls
    ]
    assert differences(want, verdicts(other, calls)) == {}


def test_a_bundle_of_another_catalog_is_told_apart(other):
    """
    The negative control: the same rows, the same page, another catalog in the bundle.
    """
    compared = rows()[:120]
    got = verdicts(other, [{"tool": row.tool, "text": row.form} for row in compared])
    want = [(row.name, frozen()[row.name]) for row in compared]
    assert set(differences(want, got)) == {row.name for row in compared}
    assert (
        json.loads(other.evaluate("JSON.stringify(window.catalog)"))["digest"] != named()["digest"]
    )


def test_a_flipped_byte_in_what_a_page_said_is_found(judge):
    compared = rows()[:5]
    got = verdicts(judge, [{"tool": row.tool, "text": row.form} for row in compared])
    want = [(row.name, frozen()[row.name]) for row in compared]
    assert differences(want, got) == {}
    got[3] = got[3].replace("c", "C", 1)
    assert list(differences(want, got)) == [compared[3].name]


def test_the_value_door_of_this_process_says_what_the_page_says_of_an_object(judge):
    call = {"tool": "knowledge.search", "text": '{"projectId":"demo","query":"retry","limit":1.0}'}
    (text,) = verdicts(judge, [call])
    assert text == seat.judge(bundled(), "value", call["tool"], call["text"])
