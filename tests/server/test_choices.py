"""
Which catalog a call is judged by, what judges it beside that one, and who is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp.server.lowlevel import Server

from tests.catalogs import folder, input_schema
from tests.server import small_server, wire
from tests.server.test_failing_closed import fixed, message
from tests.server.test_listing import CATALOG, EXTENSION, TOOL
from weighbridge import Catalog, Verdict
from weighbridge.mcp import FAILED, META_KEY, PreflightMiddleware, install

ERAS = (wire.OLDER[-1], wire.NEWEST)
CANARY = "c4nary-9e1d"


async def on_list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
    """One tool, derived from nothing."""
    tool = types.Tool(name="t", description="T.", input_schema={"type": "object"})
    return types.ListToolsResult(tools=[tool])


async def on_call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    """Say exactly what arguments came."""
    said = json.dumps(params.arguments, sort_keys=True)
    return types.CallToolResult(content=[types.TextContent(type="text", text=said)])


def plain() -> Server[Any]:
    """A server of one tool that answers with what it was given."""
    return Server("plain", version="1", on_list_tools=on_list_tools, on_call_tool=on_call_tool)


@contextlib.contextmanager
def serving(catalog: Any, version: str, **options: Any) -> Iterator[wire.Http]:
    """A client of that server behind a gate with those choices."""
    server = plain()
    install(server, catalog, **options)
    with wire.http_server(server, stateless=True) as port:
        yield wire.Http(port, version)


def made(where: Path, settings: dict[str, Any] | None = None, **properties: Any) -> Catalog:
    """A catalog of the one tool, which takes those fields."""
    fields = {name: {"type": kind} for name, kind in properties.items()}
    files: dict[str, Any] = {"t.json": input_schema("t", description="T.", properties=fields)}
    if settings is not None:
        files["catalog.json"] = settings
    return Catalog.read(folder(where, files))


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """The tool takes ``a`` and ``b``."""
    return made(tmp_path_factory.mktemp("older"), a="integer", b="integer")


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """The tool takes ``a`` and ``c``."""
    return made(tmp_path_factory.mktemp("newer"), a="integer", c="integer")


def outcome(answer: wire.Answer) -> str | None:
    """The code of a refusal; None for a call that was served."""
    meta = answer.result.get("_meta", {}).get(META_KEY)
    return None if meta is None else meta["refusal"]["code"]


def handled(answer: wire.Answer) -> Any:
    """What the handler was given."""
    return json.loads(answer.result["content"][0]["text"])


def listed(client: wire.Http) -> tuple[Any, list[str]]:
    """The digest that a list carries, and the fields of the tool in it."""
    result = client.send("tools/list", {}).result
    (tool,) = result["tools"]
    assert tool["_meta"][TOOL]["catalog"]["digest"] == result["_meta"][CATALOG]["digest"]
    return result["_meta"][CATALOG]["digest"], list(tool["inputSchema"]["properties"])


@pytest.mark.parametrize("version", ERAS)
@pytest.mark.parametrize("form", ["plain", "async"])
def test_a_catalog_changes_between_two_calls_of_a_server_that_runs(
    older: Catalog, newer: Catalog, version: str, form: str
):
    held = [older]

    def current(ctx: Any) -> Catalog:
        return held[0]

    async def awaited(ctx: Any) -> Catalog:
        await asyncio.sleep(0)
        return held[0]

    with serving(current if form == "plain" else awaited, version) as client:
        before = listed(client), outcome(client.call("t", {"b": 1}))
        held[0] = newer
        after = listed(client), outcome(client.call("t", {"b": 1}))
        verdict = client.call("t", {"b": 1}).result["_meta"][META_KEY]

    assert before == ((older.digest, ["a", "b"]), None)
    assert after == ((newer.digest, ["a", "c"]), "mismatch")
    assert verdict == json.loads(newer.check("t", {"b": 1}).to_json())


@pytest.mark.parametrize("version", ERAS)
def test_each_tenant_is_judged_by_a_catalog_of_its_own(
    older: Catalog, newer: Catalog, version: str
):
    """
    Told apart here by a header; an access token does as well.
    """

    def tenant(ctx: Any) -> Catalog:
        return newer if ctx.request.headers["user-agent"] == "newer" else older

    server = plain()
    install(server, tenant)
    with wire.http_server(server, stateless=True) as port:
        found = {}
        for name in ("older", "newer"):
            client = wire.Http(port, version, agent=name)
            kind = "extensions" if version == wire.NEWEST else "experimental"
            said = client.opened.result["capabilities"][kind][EXTENSION]["digest"]
            calls = [outcome(client.call("t", {key: 1})) for key in "abc"]
            found[name] = (said, listed(client)[0], calls)

    assert found == {
        "older": (older.digest, older.digest, [None, None, "mismatch"]),
        "newer": (newer.digest, newer.digest, [None, "mismatch", None]),
    }


@pytest.mark.parametrize("version", ERAS)
def test_the_function_is_asked_once_for_each_request(older: Catalog, version: str):
    asked: list[str] = []

    def counting(ctx: Any) -> Catalog:
        asked.append(ctx.method)
        return older

    server = small_server.build("MCPServer", Path("never"), None)
    install(server, counting)
    with wire.http_server(server, stateless=True) as port:
        client = wire.Http(port, version)
        asked.clear()
        client.call("t", {"zz": 1})
        client.call("no such", {})
        client.send("tools/list", {})
        client.send("ping", {})
        client.call(7, {})

    # The older releases list the tools for themselves before a call.
    expected = ["tools/call", "tools/call", "tools/list"]
    assert [one for one in asked if one == "tools/call"] == expected[:2]
    assert asked[-1] == "tools/list"
    assert set(asked) == set(expected)


def lost(ctx: Any) -> Catalog:
    """Fails, and says what a caller wrote."""
    raise LookupError(f"no tenant {CANARY}")


async def lost_later(ctx: Any) -> Catalog:
    """Fails once it is awaited."""
    await asyncio.sleep(0)
    raise LookupError(f"no tenant {CANARY}")


async def nothing_later(ctx: Any) -> Any:
    """Gives nothing, once it is awaited."""
    return None


NO_CATALOG: dict[str, Callable[[Any], Any]] = {
    "it raises": lost,
    "it raises later": lost_later,
    "it gives nothing": lambda ctx: None,
    "it gives nothing later": nothing_later,
    "it gives a folder": lambda ctx: "schemas/mcp",
    "it gives a class": lambda ctx: Catalog,
}


@pytest.mark.parametrize("version", ERAS)
@pytest.mark.parametrize("name", NO_CATALOG)
def test_without_a_catalog_no_call_is_served(
    version: str, name: str, caplog: pytest.LogCaptureFixture
):
    with serving(NO_CATALOG[name], version) as client:
        answer = client.call("t", {"a": CANARY})

    assert answer.result["isError"] is True
    assert answer.result["content"] == [{"type": "text", "text": FAILED}]
    assert answer.result["_meta"][META_KEY] == fixed("t", "")
    assert ("resultType" in answer.result) is (version == wire.NEWEST)
    lines = [one.getMessage() for one in caplog.records if one.name == "weighbridge"]
    assert any("a call, which was refused: " in line for line in lines)
    assert CANARY not in str(lines) + str(answer.message)


def test_one_tenants_failure_is_not_anothers(older: Catalog):
    def tenant(ctx: Any) -> Catalog | None:
        return older if ctx.request.headers["user-agent"] == "known" else None

    server = plain()
    install(server, tenant)
    with wire.http_server(server, stateless=True) as port:
        known, stranger = (wire.Http(port, ERAS[0], agent=one) for one in ("known", "stranger"))
        assert outcome(stranger.call("t", {"a": 1})) == "unusable-schema"
        assert outcome(known.call("t", {"a": 1})) is None


# --- report mode, the candidate, and who is told ------------------------------

Seen = list[tuple[Verdict, Verdict | None]]


@pytest.mark.parametrize("version", ERAS)
def test_a_candidate_is_judged_and_told_and_decides_nothing(
    older: Catalog, newer: Catalog, version: str
):
    seen: Seen = []
    told = {"on_verdict": lambda *both: seen.append(both)}
    with serving(older, version, candidate=newer, **told) as client:
        answers = [client.call("t", {key: 1}) for key in "abcd"]
        digest, fields = listed(client)

    assert [outcome(answer) for answer in answers] == [None, None, "mismatch", "mismatch"]
    assert [handled(answer) for answer in answers[:2]] == [{"a": 1}, {"b": 1}]
    assert seen == [(older.check("t", {key: 1}), newer.check("t", {key: 1})) for key in "abcd"]
    assert (digest, fields) == (older.digest, ["a", "b"])


def test_a_candidate_may_be_a_function_too(older: Catalog, newer: Catalog):
    seen: Seen = []

    async def later(ctx: Any) -> Catalog:
        return newer

    choices = {"candidate": later, "on_verdict": lambda *both: seen.append(both)}
    with serving(lambda ctx: older, ERAS[1], **choices) as client:
        assert outcome(client.call("t", {"b": 1})) is None
    assert seen == [(older.check("t", {"b": 1}), newer.check("t", {"b": 1}))]


class Bursting(Catalog):
    """A catalog whose check fails, which no real one does."""

    def check(self, tool: str, arguments: object) -> Verdict:
        """Fail, and say what a caller wrote."""
        raise RuntimeError(CANARY)


def bursting(catalog: Catalog) -> Catalog:
    """The same catalog, but for that."""
    return Bursting(catalog.limits, catalog.digest, catalog.shape_digest, catalog.tools)


@pytest.mark.parametrize("how", ["raises", "raises later", "gives nothing", "bursts"])
def test_a_candidate_that_fails_is_none(older: Catalog, caplog: pytest.LogCaptureFixture, how: str):
    candidates: dict[str, Any] = {
        "raises": lost,
        "raises later": lost_later,
        "gives nothing": nothing_later,
        "bursts": bursting(older),
    }
    seen: Seen = []
    choices = {"candidate": candidates[how], "on_verdict": lambda *both: seen.append(both)}
    with serving(older, ERAS[1], **choices) as client:
        found = [outcome(client.call("t", {key: 1})) for key in "az"]

    assert found == [None, "mismatch"]
    assert seen == [(older.check("t", {key: 1}), None) for key in "az"]
    lines = [one.getMessage() for one in caplog.records if one.name == "weighbridge"]
    assert len(lines) == 2
    assert all("candidate" in line and CANARY not in line for line in lines)


@pytest.mark.parametrize("version", [wire.OLDER[0], *ERAS])
def test_report_mode_changes_no_byte_and_tells_each_verdict(
    older: Catalog, newer: Catalog, version: str
):
    """
    What would be refused is served, keys and all; nothing is listed or announced.
    """
    seen: Seen = []
    told = {"on_verdict": lambda *both: seen.append(both)}
    sent: list[Any] = [{"a": 1}, {"z": CANARY}, None]
    server = plain()
    with (
        serving(older, version, report_only=True, candidate=newer, **told) as gated,
        wire.http_server(server, stateless=True) as port,
    ):
        lifted = wire.Http(port, version)
        assert gated.opened == lifted.opened
        assert gated.send("tools/list", {}) == lifted.send("tools/list", {})
        for arguments in sent:
            assert gated.call("t", arguments) == lifted.call("t", arguments)
        assert gated.call("none", {}) == lifted.call("none", {})

    assert seen == [
        *((older.check("t", one), newer.check("t", one)) for one in sent),
        (older.check("none", {}), newer.check("none", {})),
    ]


def test_report_mode_passes_on_what_the_gate_itself_fails_at(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    seen: Seen = []
    told = {"on_verdict": lambda *both: seen.append(both)}
    with serving(lost, ERAS[1], report_only=True, **told) as client:
        answer = client.call("t", {"z": 1})

    assert (outcome(answer), handled(answer)) == (None, {"z": 1})
    ((verdict, candidate),) = seen
    assert (verdict.refusal.message, verdict.tool, candidate) == (FAILED, "t", None)


@pytest.mark.parametrize(("key", "does"), [("c", "admits"), ("b", "refuses")])
def test_without_a_callback_the_log_tells_what_differs(
    older: Catalog, newer: Catalog, caplog: pytest.LogCaptureFixture, key: str, does: str
):
    with serving(older, ERAS[1], candidate=newer) as client:
        for arguments in ({"a": 1}, {"d": CANARY}, {key: 1}):
            client.call("t", arguments)

    assert [one.getMessage() for one in caplog.records if one.name == "weighbridge"] == [
        f"the candidate {does} what the catalog does not: a call to t"
    ]


def test_without_a_callback_the_log_tells_what_report_mode_let_through(
    older: Catalog, caplog: pytest.LogCaptureFixture
):
    with serving(older, ERAS[1], report_only=True) as client:
        client.call("t", {"a": 1})
        client.call("t", {CANARY: CANARY})
        client.call("new\nline", {})

    lines = [one for one in caplog.records if one.name == "weighbridge"]
    assert [(one.levelno, one.getMessage()) for one in lines] == [
        (logging.WARNING, "a call to t would be refused: mismatch"),
        (logging.WARNING, "a call to new\\nline would be refused: no-schema"),
    ]


@pytest.mark.parametrize("version", ERAS)
def test_what_a_callback_raises_decides_nothing(
    older: Catalog, caplog: pytest.LogCaptureFixture, version: str
):
    def failing(verdict: Verdict, candidate: Verdict | None) -> None:
        raise RuntimeError(CANARY)

    with serving(older, version, on_verdict=failing) as client:
        answers = [client.call("t", {"a": 1}), client.call("t", {"z": 1})]

    assert [outcome(answer) for answer in answers] == [None, "mismatch"]
    lines = [one.getMessage() for one in caplog.records if one.name == "weighbridge"]
    assert [line.partition(":")[0] for line in lines] == ["on_verdict failed"] * 2
    assert CANARY not in str(lines)


def test_a_callback_sees_a_verdict_and_nothing_of_the_call(older: Catalog):
    seen: Seen = []
    with serving(older, ERAS[1], on_verdict=lambda *both: seen.append(both)) as client:
        client.call("t", {"z": CANARY, "a": CANARY}, other=CANARY)
        client.call("t", {"a": 1}, other={"x": [[[[[[[[[[[[1]]]]]]]]]]]]})
    assert CANARY not in repr(seen)
    assert [one.admitted for one, _ in seen] == [False, True]


def test_a_refusal_of_the_params_beside_is_told_as_a_refusal(tmp_path: Path):
    catalog = made(tmp_path, {"limits": {"nesting": 4}}, a="integer")
    seen: Seen = []
    with serving(catalog, ERAS[0], on_verdict=lambda *both: seen.append(both)) as client:
        answer = client.call("t", {"a": 1}, other=[[[[[1]]]]])
    ((verdict, _),) = seen
    assert json.loads(verdict.to_json()) == answer.result["_meta"][META_KEY]
    assert (verdict.admitted, verdict.refusal.limit) == (False, "nesting")


# --- keys that clients add for themselves -------------------------------------

NOTES = {"bookkeeping": [{"key": "toolCallId", "reason": "A client adds it to every call."}]}


@pytest.mark.parametrize("version", wire.VERSIONS)
def test_a_handler_does_not_get_the_keys_that_a_client_adds_for_itself(
    tmp_path: Path, version: str
):
    catalog = made(tmp_path, NOTES, a="integer")
    with serving(catalog, version) as client:
        noted = client.call("t", {"toolCallId": CANARY, "a": 1})
        deep = client.call("t", {"toolCallId": [CANARY], "a": 1})
        other = client.call("t", {"sessionId": CANARY, "a": 1})
        alone = client.call("t", {"toolCallId": None})
        said = client.send("tools/list", {}).result

    assert (outcome(noted), handled(noted)) == (None, {"a": 1})
    assert (outcome(alone), handled(alone)) == (None, {})
    assert [outcome(deep), outcome(other)] == ["mismatch", "mismatch"]
    assert said["_meta"][CATALOG]["bookkeeping"] == ["toolCallId"]
    # It is no field of the tool, so it is not listed as one.
    assert list(said["tools"][0]["inputSchema"]["properties"]) == ["a"]


def test_the_key_of_a_candidate_stays_on_the_call(tmp_path: Path):
    catalog, candidate = made(tmp_path / "a", a="integer"), made(tmp_path / "b", NOTES, a="integer")
    seen: Seen = []
    choices = {"candidate": candidate, "on_verdict": lambda *both: seen.append(both)}
    with serving(catalog, ERAS[1], **choices) as client:
        refused = client.call("t", {"toolCallId": "x", "a": 1})
    assert outcome(refused) == "mismatch"
    assert [(one.admitted, other.admitted) for one, other in seen] == [(False, True)]


def test_the_dict_that_a_middleware_in_front_holds_keeps_its_keys(tmp_path: Path):
    catalog = made(tmp_path, NOTES, a="integer")
    given = {"name": "t", "arguments": {"toolCallId": "x", "a": 1}}
    reached: list[Any] = []

    async def end(ctx: Any) -> Any:
        reached.append(ctx.params)
        return {}

    asyncio.run(PreflightMiddleware(catalog)(message(params=given), end))
    assert reached == [{"name": "t", "arguments": {"a": 1}}]
    assert given == {"name": "t", "arguments": {"toolCallId": "x", "a": 1}}


# --- what cannot be a choice ----------------------------------------------------


async def told_later(verdict: Verdict, candidate: Verdict | None) -> None:
    """A callback that would have to be awaited."""


@pytest.mark.parametrize(
    ("choice", "value"),
    [
        ("catalog", "schemas/mcp"),
        ("catalog", None),
        ("candidate", "schemas/mcp"),
        ("on_verdict", told_later),
        ("on_verdict", "log"),
        ("bundle_url", 7),
    ],
)
def test_what_cannot_be_chosen_is_refused_when_the_server_is_built(
    older: Catalog, choice: str, value: Any
):
    choices: dict[str, Any] = {"catalog": older, choice: value}
    for build in (PreflightMiddleware, lambda **chosen: install(plain(), **chosen)):
        with pytest.raises(TypeError, match=choice):
            build(**choices)


def test_other_choices_put_another_gate_where_the_first_stood(older: Catalog, newer: Catalog):
    server = plain()
    before = list(server.middleware)
    choices: list[dict[str, Any]] = [
        {},
        {"candidate": newer},
        {"report_only": True},
        {"on_verdict": print},
        {"bundle_url": "/weighbridge/"},
    ]
    gates = [install(server, older, **chosen) for chosen in choices]
    assert len({id(gate) for gate in gates}) == len(choices)
    assert server.middleware == [*before, gates[-1]]
    assert install(server, older, **choices[-1]) is gates[-1]
