"""
An open gate answers every call exactly once, with the server's own bytes or a typed error.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.serving import folder, importing, opened, page, serve
from weighbridge import Catalog

pytestmark = pytest.mark.browser

CATALOG = Catalog.bundled()

SEARCH = {"projectId": "demo", "query": "retry"}


@pytest.fixture(scope="module")
def gate(browser: Browser, dist: Path) -> Iterator[Page]:
    """
    A page with an open gate as ``globalThis.gate``, which every test here leaves as it was.
    """
    with serve(page(importing("/dist/weighbridge.js")), folder("/dist/", dist)) as served:
        with opened(browser, served.url) as seen:
            seen.page.evaluate("async () => { globalThis.gate = await weighbridge.load(); }")
            yield seen.page


def bytes_of(tool: str, text: str) -> str:
    return CATALOG.check_text(tool, text).to_json()


def test_the_catalog_is_the_one_that_the_server_publishes(gate: Page):
    assert gate.evaluate("gate.catalog") == json.loads(CATALOG.to_json())


def test_the_interpreter_names_itself(gate: Page, dist: Path):
    manifest = json.loads((dist / "manifest.json").read_text())
    assert gate.evaluate("gate.engine") == {
        "build": manifest["build"],
        "python": manifest["python"],
        "version": manifest["version"],
    }


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("undefined", "{}"),
        ("null", "{}"),
        ('""', ""),
        ("{}", "{}"),
        ("{ b: 1, a: [undefined, null, -0], c: undefined }", '{"b":1,"a":[null,null,0]}'),
        ("[1]", "[1]"),
        ("5", "5"),
        ('\'{"projectId": "demo", "query": "x"}\'', '{"projectId": "demo", "query": "x"}'),
        ("'null'", "null"),
        ("'{'", "{"),
        ("Object.create(null)", "{}"),
        ('{ query: "\\ud800", "\\udfff": 1 }', '{"query":"\\ud800","\\udfff":1}'),
    ],
)
def test_what_is_judged_is_one_text_and_is_shown(gate: Page, call: str, text: str):
    seen = gate.evaluate(
        f"async () => {{ const v = await gate.check('knowledge.search', {call}); return [v.text, v.json]; }}"
    )
    assert seen == [text, bytes_of("knowledge.search", text)]


@pytest.mark.parametrize(
    "text",
    [
        '{"projectId":"demo","query":"\ud800"}',
        '{"projectId":"demo","query":"a\udfffb"}',
        '{"projectId":"demo","query":"\ude00\ud83d"}',
        '{"\ud800":1}',
        '{"projectId":"demo","query":"\U0001f600\0\u2028"}',
        '\ufeff{"projectId":"demo","query":"x"}',
    ],
)
def test_text_reaches_the_gate_code_unit_for_code_unit(gate: Page, text: str):
    """
    Lone surrogates too, which UTF-8 on the way would have replaced.
    """
    units = [
        int.from_bytes(text.encode("utf-16-le", "surrogatepass")[i : i + 2], "little")
        for i in range(0, len(text.encode("utf-16-le", "surrogatepass")), 2)
    ]
    json_text = gate.evaluate(
        "async (units) => (await gate.check('knowledge.search', String.fromCharCode(...units))).json",
        units,
    )
    assert json_text == bytes_of("knowledge.search", text)


def test_a_tool_name_is_taken_as_it_is(gate: Page):
    for units, name in (([0xD800, 0x41], "\ud800A"), ([0x6B, 0], "k\0"), ([], "")):
        seen = gate.evaluate(
            "async (units) => (await gate.check(String.fromCharCode(...units), '{}')).json", units
        )
        assert seen == bytes_of(name, "{}")


@pytest.mark.parametrize(
    "call",
    [
        "(() => { const a = {}; a.a = a; return a; })()",
        "{ n: 1n }",
        "{ when: new Date(0) }",
        "{ deep: [{ toJSON: () => ({}) }] }",
        "{ f: () => 1 }",
        "Symbol('s')",
        "() => 1",
        "{ s: Symbol('secret') }",
        "{ get boom() { throw new Error('secret'); } }",
    ],
)
def test_what_json_cannot_hold_rejects_with_a_typed_error_and_is_never_judged(
    gate: Page, call: str
):
    seen = gate.evaluate(
        f"""async () => {{
          try {{ return (await gate.check('knowledge.search', {call})).json; }}
          catch (error) {{ return [error.name, error.code, error.phase, error.message.includes('secret')]; }}
        }}"""
    )
    assert seen == ["WeighbridgeError", "arguments-not-json", "check", False]


@pytest.mark.parametrize(
    ("text", "is_sendable"),
    [
        ('{"a":1}', True),
        ("{}", True),
        ('{"a": 1}', False),
        ('{"a":1.0}', False),
        ('{"a":-0}', False),
        ('{"a":1,"a":1}', False),
        ('{"b":1,"1":2}', False),
        ('{"a":9007199254740993}', False),
        ('{"a":1e400}', False),
        ('{"a":"\\u0041"}', False),
        ('{"__proto__":1}', True),
        ('{"a":"\\ud800"}', True),
        ("{", False),
        ("", False),
        ("NaN", False),
    ],
)
def test_sendable_says_whether_a_client_that_rewrites_sends_what_was_judged(
    gate: Page, text: str, is_sendable: object
):
    seen = gate.evaluate("async (text) => (await gate.check('project.list', text)).sendable", text)
    assert seen is is_sendable


def test_a_verdict_shows_nothing_of_the_call_when_it_is_logged_or_copied(gate: Page):
    """
    The call is there for whoever asks for it by name, and for nobody else.
    """
    call = {**SEARCH, "limit": "a private value"}
    seen = gate.evaluate(
        """async (call) => {
          const verdict = await gate.check("knowledge.search", call);
          const { text, json, timing } = verdict;
          return [JSON.stringify(verdict), JSON.stringify({ ...verdict }), text, json, timing];
        }""",
        call,
    )
    logged, copied, text, verdict, timing = seen
    assert json.loads(text) == call
    assert json.loads(logged) == json.loads(copied) == json.loads(verdict)
    assert "private" not in verdict
    assert 0 <= timing["gate"] <= timing["total"]


def test_a_refusal_becomes_the_tool_result_that_the_server_sends(gate: Page):
    seen = gate.evaluate(
        """async (call) => {
          const admitted = await gate.check("knowledge.search", call);
          const refused = await gate.check("knowledge.search", { ...call, extra: 1 });
          return [admitted.toResult(), refused.toResult()];
        }""",
        SEARCH,
    )
    refused = json.loads(bytes_of("knowledge.search", json.dumps({**SEARCH, "extra": 1})))
    assert seen == [
        None,
        {
            "content": [{"type": "text", "text": refused["refusal"]["message"]}],
            "isError": True,
            "_meta": {"dev.theurian.weighbridge/verdict": refused},
        },
    ]


def test_fifty_calls_at_once_each_get_their_own_verdict(gate: Page):
    texts = [json.dumps({**SEARCH, "limit": n, "query": "q" * (n * 41)}) for n in range(50)]
    seen = gate.evaluate(
        """(texts) => Promise.all(
          texts.map(async (text) => (await gate.check("knowledge.search", text)).json)
        )""",
        texts,
    )
    assert seen == [bytes_of("knowledge.search", text) for text in texts]
    assert len({json.loads(verdict)["admitted"] for verdict in seen}) == 2


def test_an_aborted_call_rejects_and_takes_no_other_with_it(gate: Page):
    seen = gate.evaluate(
        """async (call) => {
          const { signal } = Object.assign(new AbortController(), {});
          const one = new AbortController();
          const calls = [1, 2, 3, 4].map((n) =>
            gate.check("knowledge.search", { ...call, limit: n }, n % 2 ? { signal: one.signal } : { signal })
              .then((verdict) => verdict.admitted, (error) => [error.code, error.cause]));
          one.abort("not needed");
          calls.push(gate.check("project.list", {}, { signal: one.signal }).catch((error) => error.code));
          calls.push(gate.check("project.list").then((verdict) => verdict.admitted));
          return Promise.all(calls);
        }""",
        SEARCH,
    )
    given_up = ["aborted", "not needed"]
    assert seen == [given_up, True, given_up, True, "aborted", True]
