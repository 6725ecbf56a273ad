"""
A refused call is shown by each library where a person looks for it, in the gate's words.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.doors.documents import Block, blocks
from tests.support.machine import ROOT

pytestmark = pytest.mark.browser

AXE = ROOT / "web/node_modules/axe-core/axe.min.js"

SEARCH = "knowledge.search"

#: A wrong type, an unknown name and a missing name at once.
THREE = {"query": 7, "tempo": 1}

MISSING = '"projectId" is missing'
UNKNOWN = '"tempo" is not a name that is allowed here'
TYPE = "expected a string"


def ask(page: Page, function: str, *arguments: Any) -> Any:
    """What a function of the page gives."""
    return page.evaluate("([name, rest]) => bridged[name](...rest)", [function, list(arguments)])


def test_react_jsonschema_form_shows_each_at_its_field(bridged: Page):
    seen = ask(bridged, "rjsf", SEARCH, THREE)
    assert seen["fields"] == {
        "root__error": UNKNOWN,
        "root_projectId__error": MISSING,
        "root_query__error": TYPE,
    }
    assert len(seen["list"]) == 3
    assert ask(bridged, "rjsf", "project.list", {}) == {"fields": {}, "list": []}


def test_json_forms_shows_each_at_its_control(bridged: Page):
    assert ask(bridged, "jsonForms", SEARCH, THREE) == {"projectId": MISSING, "query": TYPE}
    assert ask(bridged, "jsonForms", SEARCH, {"projectId": "demo", "query": "x"}) == {}


def test_a_form_that_takes_a_standard_schema_gets_errors_or_the_judged_value(bridged: Page):
    assert ask(bridged, "hookForm", SEARCH, {"query": 7}) == {
        "errors": {"projectId": MISSING, "query": TYPE}
    }
    good = {"projectId": "demo", "query": "x"}
    assert ask(bridged, "hookForm", SEARCH, good) == {"value": good}


def test_a_standard_schema_says_the_path_and_takes_a_string_as_a_string(bridged: Page):
    refused = ask(bridged, "standard", SEARCH, '{"projectId": "demo", "query": "x"}')
    assert refused == {"issues": [{"message": "expected an object", "path": []}]}
    assert ask(bridged, "standard", SEARCH, THREE) == {
        "issues": [
            {"message": TYPE, "path": ["query"]},
            {"message": UNKNOWN, "path": []},
            {"message": MISSING, "path": ["projectId"]},
        ]
    }
    assert ask(bridged, "standard", "project.list", None) == {"value": {}}


def test_codemirror_marks_the_value_the_key_and_the_object(bridged: Page):
    text = '{"tempo": "\U0001f600",\n "query": 7}'
    assert sorted(ask(bridged, "codeMirror", SEARCH, text)) == [
        ['"tempo"', "error", UNKNOWN],
        ["7", "error", TYPE],
        [text, "error", MISSING],
    ]
    (half,) = ask(bridged, "codeMirror", SEARCH, '{"query": ')
    assert half[:2] == ['{"query": ', "error"]


def test_monaco_marks_the_same_across_lines(bridged: Page):
    text = '{"tempo": "\U0001f600",\r\n "query":\n  7}'
    marks = ask(bridged, "monacoMarkers", SEARCH, text)
    told = {(mark[0].replace("\r\n", "\n"), *mark[1:]) for mark in marks}
    # Monaco gives every line of a text the line break that most of them have.
    assert told == {
        ('"tempo"', True, "additionalProperties", UNKNOWN, 1),
        ("7", True, "type", TYPE, 3),
        (text.replace("\r\n", "\n"), True, "required", MISSING, 1),
    }
    assert ask(bridged, "monacoMarkers", "project.list", "{}") == []


GENERATIONS = pytest.mark.parametrize(
    ("generation", "mode"), [("v1", "legacy"), ("v2", "legacy"), ("v2", "auto")]
)


@GENERATIONS
@pytest.mark.parametrize(
    "given",
    [
        {"projectId": "demo", "query": "retry"},
        '{"projectId":  "demo", "query": "r\\u0065try"}',
    ],
    ids=["object", "text"],
)
def test_what_was_judged_is_what_is_sent_once_and_only_when_told(
    bridged: Page, generation: str, mode: str, given: Any
):
    call = {"projectId": "demo", "query": "retry"}
    got = ask(bridged, "sent", generation, mode, {"name": SEARCH, "arguments": given})
    assert got["before"] == 0
    assert got["calls"] == [call]
    assert got["given"] == call
    assert got["text"] == '{"projectId":"demo","query":"retry"}'
    assert got["isFrozen"]
    assert got["answer"]["isOnce"]
    assert "isError" not in got["answer"]["result"] or not got["answer"]["result"]["isError"]


@GENERATIONS
def test_a_refused_call_is_not_sent_and_rejects_with_its_verdict(
    bridged: Page, generation: str, mode: str
):
    got = ask(bridged, "sent", generation, mode, {"name": SEARCH, "arguments": {"query": 7}})
    assert got["calls"] == []
    answer = got["answer"]
    assert (answer["name"], answer["isVerdict"]) == ("RefusedCall", True)
    assert answer["toResult"]["content"] == [{"type": "text", "text": answer["message"]}]
    half = ask(bridged, "sent", generation, mode, {"name": SEARCH, "arguments": "{"})
    assert (half["calls"], half["answer"]["name"]) == ([], "RefusedCall")


def test_an_advisory_refusal_is_a_warning_and_is_sent_where_the_caller_says_so(bridged: Page):
    refused = {"name": SEARCH, "arguments": {"query": 7}}
    try:
        assert ask(bridged, "advisory", "empty") is True
        severities = {mark[1] for mark in ask(bridged, "codeMirror", SEARCH, '{"query": 7}')}
        kept = ask(bridged, "sent", "v2", "auto", refused)
        sent = ask(bridged, "sent", "v2", "auto", refused, {"sendAdvisory": True})
        half = ask(
            bridged, "sent", "v2", "auto", {**refused, "arguments": "{"}, {"sendAdvisory": True}
        )
    finally:
        assert ask(bridged, "advisory", "served") is False
    assert severities == {"warning"}
    assert (kept["calls"], kept["answer"]["name"]) == ([], "RefusedCall")
    assert sent["calls"] == [{"query": 7}]
    assert sent["answer"]["result"]["isError"] is True
    assert (half["calls"], half["answer"]["name"]) == ([], "RefusedCall")


#: What a server of the newest era adds to a result.
OF_THE_SERVER = {"resultType", "io.modelcontextprotocol/serverInfo"}


@GENERATIONS
def test_the_result_for_the_model_is_the_servers(bridged: Page, generation: str, mode: str):
    params = {"name": SEARCH, "arguments": THREE}
    got = ask(bridged, "unguarded", generation, mode, params)
    result = {key: each for key, each in got["result"].items() if key not in OF_THE_SERVER}
    result["_meta"] = {
        key: each for key, each in result["_meta"].items() if key not in OF_THE_SERVER
    }
    assert result == got["toResult"]


def test_the_hook_shows_the_newest_draft_alone_and_ends_with_its_component(bridged: Page):
    """
    In StrictMode, with edits that come faster than the gate is asked.
    """
    got = ask(bridged, "hook", ['{"a": 1}', '{"b": 2}', "{}"])
    assert got == {"asked": ["{}"], "last": "admitted", "settled": ["{}"], "isQuiet": True}


def test_an_answer_that_comes_late_is_not_shown(bridged: Page):
    assert ask(bridged, "overtaken", '{"a": 1}', "{}") == ["true", "true"]
    assert ask(bridged, "overtaken", "{}", '{"a": 1}') == ["false", "false"]


def axe(page: Page) -> list[str]:
    """Ids of what axe finds wrong."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return [each["id"] for each in found["violations"]]


def test_an_admitted_card_is_run_by_keyboard_alone(bridged: Page):
    call = {"name": SEARCH, "arguments": {"projectId": "demo", "query": "retry"}}
    ask(bridged, "card", call)
    assert axe(bridged) == []
    expect(bridged.get_by_role("status")).to_have_text("The arguments match the published schema.")
    bridged.get_by_label("Arguments").focus()
    bridged.keyboard.press("Tab")
    expect(bridged.get_by_role("button", name="Run it", exact=True)).to_be_focused()
    bridged.keyboard.press("Enter")
    bridged.wait_for_function("told.length === 1")
    assert bridged.evaluate("told") == [["result", False]]
    assert axe(bridged) == []


def test_a_refused_card_explains_at_a_press_and_sends_nothing(bridged: Page):
    """
    Characters that turn or hide text are shown as escapes, and markup is text.
    """
    query = "<b>\u202eevil\u200b</b>"
    ask(bridged, "card", {"name": SEARCH, "arguments": {"query": query}})
    assert axe(bridged) == []
    expect(bridged.get_by_label("Arguments")).to_contain_text(r"<b>\u{202e}evil\u{200b}</b>")
    run = bridged.get_by_role("button", name="Run it", exact=True)
    expect(run).to_have_attribute("aria-disabled", "true")
    run.focus()
    bridged.keyboard.press("Enter")
    summary = bridged.get_by_role("alert")
    expect(summary).to_be_focused()
    message = summary.text_content()
    bridged.keyboard.press("Tab")
    bridged.keyboard.press("Tab")
    expect(bridged.get_by_role("button", name="Do not run it")).to_be_focused()
    bridged.keyboard.press("Enter")
    assert bridged.evaluate("told") == [["reject", message]]


PAGES = ("docs/forms.md", "docs/approve-a-call.md")


@pytest.mark.parametrize("block", [one for one in blocks("js") if one.file in PAGES], ids=str)
def test_a_block_of_the_documents_runs_and_takes_what_there_is(bridged: Page, block: Block):
    shown = ask(bridged, "run", block.body, SEARCH, '{"query": 7}')
    assert ("Run " in shown) == ("approvalCard" in block.body)
    assert ("retry" in shown) == ("call.send()" in block.body)
