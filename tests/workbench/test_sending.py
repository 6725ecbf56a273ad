"""
What a person sees when they send: two seats, one answer, and a mark that can fail.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.workbench import bench as at
from weighbridge import Catalog

pytestmark = pytest.mark.browser

SAMPLES = json.loads((Path(__file__).parents[2] / "web/workbench/samples.json").read_text("utf-8"))


def test_a_refused_call_that_is_sent_anyway_gets_the_same_bytes_from_the_server(
    bench: Page, catalog: Catalog
):
    text = '{"projectId":"demo","query":7,"offset":1}'
    at.write(bench, text)
    expect(bench.locator("#send")).to_have_text("Send anyway")
    at.send(bench)
    expected = catalog.check_text("knowledge.search", text).to_json()
    assert at.agreement(bench) == ("same", f"Same bytes ({len(expected):,})")
    shown = [json.loads(pre.text_content() or "") for pre in bench.locator(".seat pre").all()]
    assert shown == [json.loads(expected)] * 2
    messages = bench.locator(".seat .message").all_text_contents()
    assert messages == [json.loads(expected)["refusal"]["message"]] * 2


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"query": "a"}', "mismatch"),
        ("null", "mismatch"),
        ('{"projectId": "demo", "query": "' + "a" * 2001 + '"}', "mismatch"),
        ('{"projectId": "demo", "query": "\\u202e\\ud800"}', "not-json"),
        ('{"projectId": "demo", "\\u202egpj.exe": 1, "query": "a"}', "mismatch"),
        ('{"projectId": "demo", "query": ' + "[" * 33 + "]" * 33 + "}", "too-large: nesting"),
    ],
)
def test_every_kind_of_refusal_agrees(bench: Page, text: str, code: str):
    at.write(bench, text)
    assert at.answer(bench) == f"Refused {code}"
    at.send(bench)
    sign, words = at.agreement(bench)
    assert sign == "same", words


def test_arguments_that_the_sdk_answers_itself_are_not_taken_for_a_verdict(bench: Page):
    at.write(bench, '["demo"]')
    assert at.answer(bench) == "Refused mismatch"
    at.send(bench)
    assert at.agreement(bench) == ("none", "No answer to compare")
    expect(bench.locator(".seat").nth(1)).to_contain_text("did not reach a tool")


def test_a_sample_is_there_for_every_tool(catalog: Catalog):
    assert set(SAMPLES) == set(catalog.tools)


@pytest.mark.parametrize("tool", sorted(SAMPLES))
def test_the_sample_of_each_tool_is_admitted_here_and_served_there(bench: Page, tool: str):
    at.choose(bench, tool)
    assert at.answer(bench) == "Admitted"
    assert at.shown_verdict(bench)["tool"] == tool
    at.send(bench)
    assert at.agreement(bench) == ("same", "Admitted here, served there")
    assert bench.locator(".seat .answer").all_inner_texts() == ["Admitted", "Served"]


def test_a_handler_that_declines_is_told_apart_from_a_gate_that_refuses(bench: Page):
    at.write(bench, '{"projectId": "no-such-project", "query": "a"}')
    at.send(bench)
    assert at.agreement(bench) == ("same", "Admitted here, served there")
    expect(bench.locator(".seat").nth(1)).to_contain_text("the tool said no")


def test_the_mark_fails_where_the_server_has_no_gate(page: Page, ungated: str):
    at.open_bench(page, ungated)
    at.write(page, '{"projectId": "demo", "query": "a", "offset": 1}')
    at.send(page)
    assert at.agreement(page) == ("differ", "Refused here, served there")


def test_the_mark_fails_where_the_server_judges_by_another_catalog(page: Page, elsewhere: str):
    at.open_bench(page, elsewhere)
    at.write(page, '{"projectId": "demo", "query": 7}')
    at.send(page)
    assert at.agreement(page) == ("differ", "The bytes differ: the two catalogs are not the same")
    mine, theirs = (mark.inner_text() for mark in page.locator(".seat mark").all())
    assert mine != theirs
    assert "sha256:" in mine
    assert "sha256:" in theirs


def test_the_catalogs_are_compared_after_the_first_send_and_by_a_button(page: Page, service: str):
    at.open_bench(page, service)
    at.send(page)
    expect(page.locator("#comparison")).to_have_text("The server judges by the same catalog.")
    expect(page.locator("#verdict")).not_to_contain_text("Advisory")


def test_a_verdict_is_marked_as_advice_where_the_server_says_nothing_of_its_catalog(
    page: Page, ungated: str, service: str
):
    at.open_bench(page, ungated)
    page.get_by_role("button", name="Compare catalogs").click()
    expect(page.locator(".comparison-words")).to_have_attribute("data-outcome", "unknown")
    expect(page.locator("#verdict")).to_contain_text("Advisory")
    page.get_by_label("MCP server").fill(f"{service}mcp")
    page.get_by_role("button", name="Compare catalogs").click()
    expect(page.locator("#comparison")).to_contain_text("Nothing was compared")


def test_tools_that_take_other_arguments_are_named(page: Page, widened: str):
    at.open_bench(page, widened)
    page.get_by_role("button", name="Compare catalogs").click()
    expect(page.locator(".comparison-names code").first).to_have_text("knowledge.search")
    expect(page.locator(".comparison-words")).to_have_attribute("data-outcome", "differs")
    expect(page.locator("#verdict")).to_contain_text("Advisory")


def test_advice_names_what_a_javascript_client_would_change(bench: Page):
    at.write(
        bench,
        '{"projectId": "demo", "query": "a\\u0062", "limit": 1.0, "maxTokens": -0,'
        ' "x": 12345678901234567890, "query": "c", "7": 1}',
    )
    rows = bench.locator("#advice .change")
    changes = [
        (
            row.locator("code").inner_text(),
            row.locator("del").inner_text(),
            row.locator("ins").inner_text(),
        )
        for row in rows.all()
    ]
    assert changes == [
        (
            "the arguments",
            '"projectId", "query", "limit", "maxTokens", "x", "7"',
            '"7", "projectId", "query", "limit", "maxTokens", "x"',
        ),
        ("/query", '"query" twice', "the last one"),
        ("/limit", "1.0", "1"),
        ("/maxTokens", "-0", "0"),
        ("/x", "12345678901234567890", "12345678901234567000"),
    ]
    rows.nth(2).click()
    assert bench.evaluate("getSelection().toString()") == "1.0"


def test_no_advice_is_given_on_a_text_that_would_be_sent_as_it_is(bench: Page):
    at.write(bench, '{ "projectId" : "demo",\n "query" : "\u00e9 \\n", "limit" : 10 }')
    expect(bench.locator("#advice")).to_be_hidden()


def test_what_is_judged_at_a_send_is_what_goes_over_the_wire(bench: Page, catalog: Catalog):
    at.write(bench, '{"projectId": "demo", "query": "a", "limit": 1.0, "x": 12345678901234567890}')
    assert at.shown_verdict(bench)["charge"]["rendered"] == 4 + 9 + 5 + 1 + 5 + 3 + 1 + 20
    with bench.expect_request(lambda request: '"tools/call"' in (request.post_data or "")) as sent:
        at.send(bench)
    judged = '{"projectId":"demo","query":"a","limit":1,"x":12345678901234567000}'
    assert f'"arguments":{judged}' in (sent.value.post_data or "")
    assert at.agreement(bench)[0] == "same"
    first = json.loads(bench.locator(".seat pre").first.text_content() or "")
    assert first == json.loads(catalog.check_text("knowledge.search", judged).to_json())
    expect(bench.locator("#exchange .changes li")).to_have_count(2)


def test_a_text_that_no_javascript_client_can_send_is_not_sent(bench: Page):
    at.write(bench, '{"projectId": "demo"')
    expect(bench.locator("#send")).to_have_text("Send")
    bench.locator("#send").click()
    expect(bench.locator("#send-note")).to_contain_text("Nothing was sent")
    expect(bench.locator("#exchange")).to_be_hidden()


def test_an_address_without_a_server_gets_a_cause_and_a_cure(bench: Page, service: str):
    bench.get_by_label("MCP server").fill(f"{service}nothing-here")
    at.send(bench)
    assert at.agreement(bench) == ("none", "No answer to compare")
    seat = bench.locator(".seat").nth(1)
    expect(seat).to_contain_text("405")
    expect(seat).to_contain_text("There is no MCP endpoint at this address")
    bench.get_by_label("MCP server").fill(f"{service}mcp")
    at.send(bench)
    assert at.agreement(bench)[0] == "same"


def test_a_server_that_this_page_may_not_reach_gets_the_two_reasons(bench: Page):
    bench.get_by_label("MCP server").fill("http://127.0.0.2:9/mcp")
    at.send(bench)
    assert at.agreement(bench) == ("none", "No answer to compare")
    seat = bench.locator(".seat").nth(1)
    expect(seat).to_contain_text("CORS")
    expect(seat).to_contain_text("connect-src")


def test_a_result_is_shown_as_text_whatever_it_holds(bench: Page):
    at.choose(bench, "knowledge.proposeChange")
    call = SAMPLES["knowledge.proposeChange"] | {"itemId": "<img src=x onerror=alert(1)>\u202egpj"}
    at.write(bench, json.dumps(call, ensure_ascii=False))
    at.send(bench)
    assert at.agreement(bench)[0] == "same"
    assert bench.locator("#exchange img").count() == 0
    assert "\u202e" not in bench.locator("#exchange").inner_text()
