"""
A refused draft is told to whoever cannot see the marks: at the editor, at each field, at a press of Send.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.workbench import bench as at

pytestmark = pytest.mark.browser

REFUSED = '{"query": 7, "tempo": 1}'


def test_the_editor_is_invalid_and_described_by_the_answer_while_it_is_refused(bench: Page):
    expect(at.editor(bench)).to_have_attribute("aria-invalid", "false")
    at.write(bench, REFUSED)
    expect(at.editor(bench)).to_have_attribute("aria-invalid", "true")
    expect(at.editor(bench)).to_have_accessible_description(
        re.compile("^Refused mismatch F8 next finding")
    )


def described(page: Page, place: str) -> str:
    """The words at a place, their blanks made single, as a description has them."""
    return " ".join((page.locator(place).text_content() or "").split())


def test_each_field_is_described_by_the_findings_about_it_and_by_no_other(bench: Page):
    at.write(bench, REFUSED)

    def findings_of(field: str) -> list[str]:
        button = bench.locator("#fields button", has_text=field).first
        ids = (button.get_attribute("aria-describedby") or "").split()
        return [described(bench, f"#{one} .finding-keyword") for one in ids]

    assert (findings_of("query"), findings_of("projectId")) == (["type"], ["required"])
    assert findings_of("limit") == []
    at.write(bench, '{"projectId": "demo", "query": "x"}')
    assert (findings_of("query"), findings_of("projectId")) == ([], [])


def test_a_press_of_send_that_can_send_nothing_leads_to_the_reason(bench: Page):
    at.write(bench, '{"projectId": ')
    bench.locator("#send").press("Enter")
    expect(bench.locator("#verdict-summary")).to_be_focused()
    expect(bench.locator("#send-note")).to_contain_text("Nothing was sent")


def test_a_meter_is_spoken_of_at_a_threshold_and_not_below(bench: Page):
    deep = "[" * 24 + "]" * 24
    at.write(bench, f'{{"projectId": "demo", "query": {deep}}}')
    expect(bench.locator("#live")).to_contain_text("Refused")
    expect(bench.locator("#live")).not_to_contain_text("of the limit")
    deeper = "[" * 27 + "]" * 27
    at.write(bench, f'{{"projectId": "demo", "query": {deeper}}}')
    expect(bench.locator("#live")).to_contain_text("% of the limit")


def test_a_name_that_turns_text_around_is_shown_as_what_it_is(bench: Page):
    at.write(bench, '{"projectId": "demo", "query": "x", "\\u202egpj.<b>exe</b>": 1}')
    told = bench.locator("#verdict-body").text_content() or ""
    assert "\u202e" not in told
    assert "202e" in told.lower()
    assert bench.locator("#verdict-body b").count() == 0
