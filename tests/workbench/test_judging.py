"""
What a person sees while they edit: the verdict, its places in the text, what the call costs.
"""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.workbench import bench as at
from weighbridge import Catalog

pytestmark = pytest.mark.browser

BROKEN = """{
  "projectId": "Demo Project",
  "limit": "many",
  "offset": 3,
  "agentId": null
}"""


def test_an_edit_changes_the_verdict(bench: Page):
    assert at.answer(bench) == "Admitted"
    at.write(bench, '{"projectId": "demo", "query": 7}')
    assert at.answer(bench) == "Refused mismatch"
    at.write(bench, '{"projectId": "demo", "query": "7"}')
    assert at.answer(bench) == "Admitted"


@pytest.mark.parametrize(
    "text",
    [
        '{"projectId": "demo", "query": "a"}',
        BROKEN,
        '{"projectId": "demo", "query": "a"',
        '{"projectId": "demo", "projectId": "demo", "query": "a"}',
        "null",
        "[]",
        "[" * 40 + "]" * 40,
        "",
    ],
)
def test_the_page_shows_the_verdict_that_the_package_gives(
    bench: Page, catalog: Catalog, text: str
):
    at.write(bench, text)
    assert at.shown_verdict(bench) == json.loads(
        catalog.check_text("knowledge.search", text).to_json()
    )


def test_the_refusal_is_shown_as_it_was_written(bench: Page, catalog: Catalog):
    at.write(bench, BROKEN)
    refusal = catalog.check_text("knowledge.search", BROKEN).refusal
    assert refusal is not None
    assert bench.locator("#verdict-body .message").text_content() == refusal.message
    assert bench.locator("#digest-text").text_content() == catalog.digest


def test_findings_are_marked_at_their_places(bench: Page):
    at.write(bench, BROKEN)
    assert at.marked(bench) == ["{", '"Demo Project"', '"many"', '"offset"']


def test_a_finding_deep_inside_is_marked_there_and_nowhere_else(bench: Page):
    at.choose(bench, "knowledge.proposeChange")
    draft = json.loads(
        at.editor(bench).evaluate("(e) => e.cmTile?.view?.state.doc.toString() ?? e.innerText")
    )
    draft["sourceAnchors"][0]["sourceUri"] = None
    draft["evidence"]["extra~/key"] = 1
    at.write(bench, json.dumps(draft, indent=2))
    assert at.marked(bench) == ['"extra~/key"', "null"]


def test_text_that_is_not_json_is_marked_where_it_breaks(bench: Page):
    at.write(bench, '{\n  "projectId": "demo",\n  "query": oops\n}')
    assert at.answer(bench) == "Refused not-json"
    (mark,) = at.marked(bench)
    assert mark.startswith("o")


def test_a_key_that_stands_twice_is_marked(bench: Page):
    at.write(bench, '{"projectId": "demo", "query": "a", "query": "b"}')
    assert at.answer(bench) == "Refused not-json"
    assert at.marked(bench) == ['"query"']


def test_choosing_a_finding_leads_to_its_place(bench: Page):
    at.write(bench, BROKEN)
    bench.locator(".finding", has_text="/limit").click()
    assert bench.evaluate("getSelection().toString()") == '"many"'
    expect(at.editor(bench)).to_be_focused()


def test_the_editor_says_that_it_is_invalid_and_why(bench: Page):
    expect(at.editor(bench)).to_have_attribute("aria-invalid", "false")
    at.write(bench, BROKEN)
    expect(at.editor(bench)).to_have_attribute("aria-invalid", "true")
    described = at.editor(bench).get_attribute("aria-describedby") or ""
    assert "Refused" in bench.locator(f"#{described.split()[0]}").inner_text()


def test_the_meters_read_the_charge(bench: Page, catalog: Catalog):
    text = '{"projectId": "demo", "query": "a\\n\u00e9"}'
    at.write(bench, text)
    charge = catalog.check_text("knowledge.search", text).charge
    assert charge is not None
    readings = {
        meter.get_attribute("aria-label"): int(meter.get_attribute("aria-valuenow") or "")
        for meter in bench.get_by_role("meter").all()
    }
    assert readings["Nesting, levels"] == charge.nesting
    assert readings["Nodes, keys and values"] == charge.nodes
    assert readings["Rendered, characters"] == charge.rendered
    assert readings["Body, bytes"] == len(text.encode())


def test_a_limit_that_is_passed_is_shown_as_passed(bench: Page):
    at.choose(bench, "knowledge.generateMigrationDraft")
    at.write(bench, '{"document": ' + '{"a":' * 40 + "1" + "}" * 41)
    assert at.answer(bench) == "Refused too-large: nesting"
    expect(bench.locator(".meter.passed .meter-label")).to_have_text("Nesting")


def test_a_threshold_is_announced_once_and_a_keystroke_is_not(page: Page, service: str):
    at.open_bench(page, service)
    page.evaluate(
        """() => {
          window.announced = [];
          new MutationObserver(() => window.announced.push(document.getElementById("live").textContent))
            .observe(document.getElementById("live"), { childList: true, characterData: true, subtree: true });
        }"""
    )
    at.choose(page, "knowledge.generateMigrationDraft")
    at.write(page, '{"document": ' + '{"a":' * 26 + "1" + "}" * 27)
    expect(page.locator("#live")).to_contain_text("Nesting: 87 % of the limit.")
    at.editor(page).press("ControlOrMeta+End")
    page.keyboard.type(" " * 12)
    at.write(page, '{"projectId": 1}')
    expect(page.locator("#live")).to_contain_text("Refused: 1 finding.")
    announced = page.evaluate("announced")
    assert len([text for text in announced if "Nesting" in text]) == 1
    assert len(announced) <= 4


def test_the_newest_text_wins_over_an_older_one_that_takes_longer(bench: Page, catalog: Catalog):
    at.editor(bench).click()
    bench.keyboard.press("ControlOrMeta+a")
    bench.keyboard.insert_text('{"projectId": "demo", "query": [' + "1," * 90_000 + "1]}")
    expect(bench.locator("#verdict[data-stale]")).to_have_count(1)
    at.write(bench, '{"projectId": "demo", "query": "newest"}')
    assert at.answer(bench) == "Admitted"
    at.settled(bench)
    assert at.shown_verdict(bench)["admitted"]


def test_the_search_finds_a_tool_by_the_name_of_a_field(bench: Page):
    bench.get_by_role("searchbox").fill("fixCommit")
    expect(bench.get_by_role("radio")).to_have_count(1)
    expect(bench.locator("#tool-count")).to_have_text("1 of 10 tools")


def test_the_fields_say_what_the_schema_publishes(bench: Page, catalog: Catalog):
    at.choose(bench, "knowledge.proposeChange")
    rows = bench.locator("#fields tr")
    properties = catalog.tools["knowledge.proposeChange"].published["properties"]
    inner = len(properties["evidence"]["properties"]) + len(
        properties["sourceAnchors"]["items"]["properties"]
    )
    expect(rows).to_have_count(len(properties) + inner)
    body = rows.filter(has=bench.get_by_role("button", name="/body, ")).inner_text()
    assert "required" in body
    assert "at most 8,388,608 characters" in body


def test_a_field_that_is_missing_is_added_where_it_belongs(bench: Page):
    at.write(bench, '{\n  "projectId": "demo"\n}')
    bench.get_by_role("button", name="/query, ").click()
    bench.keyboard.type("found")
    at.settled(bench)
    assert at.answer(bench) == "Admitted"
    assert at.editor(bench).inner_text() == '{\n  "projectId": "demo",\n  "query": "found"\n}'


def test_keys_are_offered_from_the_schema(bench: Page):
    at.write(bench, '{\n  "projectId": "demo",\n  "query": "a",\n  \n}')
    for key in ("ArrowUp", "End"):
        bench.keyboard.press(key)
    bench.keyboard.type('"incl')
    expect(bench.locator(".cm-tooltip-autocomplete li")).to_have_text(
        ['"includeUnapproved"boolean']
    )
    bench.keyboard.press("Enter")
    at.settled(bench)
    assert '"includeUnapproved": false' in at.editor(bench).inner_text()
    assert at.answer(bench) == "Admitted"


def test_a_new_layout_keeps_every_spelling(bench: Page):
    at.write(bench, '{"projectId":"demo","query":"a","limit":1.0,"maxTokens":-0,"limit":2}')
    bench.get_by_role("button", name="Format").click()
    at.settled(bench)
    assert at.editor(bench).inner_text() == (
        '{\n  "projectId": "demo",\n  "query": "a",\n  "limit": 1.0,\n  "maxTokens": -0,\n  "limit": 2\n}'
    )


def test_drafts_stay_while_the_page_is_open_and_leave_nothing_behind(bench: Page, service: str):
    at.write(bench, '{"projectId": "demo", "query": "canary-7431"}')
    at.choose(bench, "knowledge.get")
    at.choose(bench, "knowledge.search")
    assert "canary-7431" in at.editor(bench).inner_text()
    assert bench.url == service
    kept = bench.evaluate(
        """async () => JSON.stringify([
          { ...localStorage }, { ...sessionStorage }, document.cookie, history.state,
          await indexedDB.databases(), await caches.keys(), location.href,
        ])"""
    )
    assert kept == json.dumps([{}, {}, "", None, [], [], service], separators=(",", ":"))
