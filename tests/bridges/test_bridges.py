"""
A refused call is shown by each library where a person looks for it, in the gate's words.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser

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
