"""
When our own code fails, the call is refused, and nothing of it or of the fault gets out.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import mcp.shared._otel
import pytest
from mcp.server.context import ServerRequestContext
from opentelemetry.trace import INVALID_SPAN_CONTEXT, NonRecordingSpan

import weighbridge.envelope
import weighbridge.mcp
from tests.server import small_server, wire
from tests.server.conftest import Reach, Seat
from weighbridge import Catalog
from weighbridge.limits import RANGES
from weighbridge.mcp import FAILED, META_KEY, PreflightMiddleware

CANARY = "c4nary-9e1d"
KINDS = tuple(small_server.KINDS)

#: The call that every fault is injected into: it would be admitted, or refused for one key.
ADMITTED = {"text": CANARY}
REFUSED = {"text": CANARY, "colour": CANARY}


class Fault(Exception):
    """What no wire, log or span may repeat."""

    def __str__(self) -> str:
        """Quote what a caller wrote, as exceptions do."""
        return f"while reading {CANARY}"


def failing(*_: object, **__: object) -> Any:
    """Stands in for a step of ours that breaks."""
    raise Fault


def _break_check(patch: pytest.MonkeyPatch, catalog: Catalog) -> None:
    patch.setattr(Catalog, "check", failing)


def _break_rendering(patch: pytest.MonkeyPatch, catalog: Catalog) -> None:
    patch.setattr(type(catalog.check("note.add", {})), "to_json", failing)


def _break_the_other_params(patch: pytest.MonkeyPatch, catalog: Catalog) -> None:
    patch.setattr(weighbridge.envelope, "charge", failing)


def _break_the_shape(patch: pytest.MonkeyPatch, catalog: Catalog) -> None:
    patch.setattr(weighbridge.mcp, "is_call", failing)


def _break_the_params(patch: pytest.MonkeyPatch, catalog: Catalog) -> None:
    patch.setattr(weighbridge.mcp, "settled", failing)


def _break_the_envelope(patch: pytest.MonkeyPatch, catalog: Catalog) -> None:
    patch.setattr(weighbridge.mcp, "_refusal", failing)


Break = Callable[[pytest.MonkeyPatch, Catalog], None]

#: Each step that can break, and a call that reaches it.
STEPS: dict[str, tuple[Break, dict[str, Any]]] = {
    "the check": (_break_check, ADMITTED),
    "the verdict's text": (_break_rendering, REFUSED),
    "the other params": (_break_the_other_params, ADMITTED),
    "the shape of a call": (_break_the_shape, ADMITTED),
    "the reading of params": (_break_the_params, ADMITTED),
    "the envelope": (_break_the_envelope, REFUSED),
}


class Spans:
    """A tracer that remembers all that is put into its spans."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.told: list[object] = []

    @contextmanager
    def start_as_current_span(self, name: str, **given: Any) -> Iterator[_Span]:
        """Open a span, as the SDK does around each message."""
        self.told += [name, given.get("attributes")]
        yield _Span(self.told)


class _Span(NonRecordingSpan):
    def __init__(self, told: list[object]) -> None:
        super().__init__(INVALID_SPAN_CONTEXT)
        self._told = told

    def set_attribute(self, key: str, value: Any) -> None:
        self._told.append((key, value))

    def set_attributes(self, attributes: Any) -> None:
        self._told.append(attributes)

    def set_status(self, status: Any, description: str | None = None) -> None:
        self._told.append((status, description))

    def record_exception(self, exception: BaseException, *_: Any, **__: Any) -> None:
        self._told.append(repr(exception) + str(exception))


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Spans:
    """Every span that the SDK opens around a message."""
    tracer = Spans()
    monkeypatch.setattr(mcp.shared._otel, "_tracer", tracer)
    return tracer


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("version", wire.VERSIONS)
@pytest.mark.parametrize("step", STEPS)
def test_a_step_of_ours_that_breaks_refuses_the_call_in_fixed_words(
    reach: Reach,
    catalog: Catalog,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    spans: Spans,
    kind: str,
    version: str,
    step: str,
):
    break_it, arguments = STEPS[step]
    client = reach(Seat(kind, "stateless", version)).client
    failed = client.call("note.fail", {}).message
    with monkeypatch.context() as patch:
        break_it(patch, catalog)
        answer = client.call("note.add", arguments)
    whole = client.call("note.add", ADMITTED)

    verdict = answer.result["_meta"][META_KEY]
    assert verdict == fixed("note.add", catalog.digest)
    message = answer.message
    del message["result"]["_meta"][META_KEY]
    if not message["result"]["_meta"]:
        del message["result"]["_meta"]
    assert message["result"]["content"][0].pop("text") == FAILED
    del failed["result"]["content"][0]["text"]
    assert message == failed
    assert whole.result["isError"] is False

    ours = [record for record in caplog.records if record.levelname == "ERROR"]
    assert len(ours) == 1
    assert ours[0].levelno == logging.ERROR
    assert "Fault" in ours[0].getMessage()
    assert ours[0].exc_info is None
    for told in (answer.body.decode(), caplog.text, repr(spans.told)):
        assert CANARY not in told
    assert ("error.type", "tool_error") in spans.told


@pytest.mark.parametrize("version", wire.VERSIONS)
def test_a_broken_gate_does_not_run_a_tool_that_nobody_published(
    reach: Reach, monkeypatch: pytest.MonkeyPatch, version: str
):
    seated = reach(Seat("MCPServer", "stateless", version))
    monkeypatch.setattr(Catalog, "check", failing)
    answer = seated.client.call("note.purge", {})
    neighbours = seated.client.send("tools/list", {})

    assert answer.result["_meta"][META_KEY]["tool"] == "note.purge"
    assert not seated.sentinel.exists()
    listed = [tool["name"] for tool in neighbours.result["tools"]]
    assert listed == ["note.add", "note.count", "note.fail"]


def test_a_hostile_tool_name_stands_escaped_and_cut_in_the_fixed_refusal(
    reach: Reach, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
):
    client = reach(Seat("Server", "stateless", wire.OLDER[0])).client
    monkeypatch.setattr(Catalog, "check", failing)
    shown = client.call("\x1b[31m\n" * 5_000).result["_meta"][META_KEY]["tool"]

    assert len(shown) <= catalog.limits.fragment
    assert shown.isascii()
    assert shown.isprintable()


@pytest.mark.parametrize("arguments", [ADMITTED, REFUSED], ids=["admitted", "refused"])
def test_a_verdict_leaves_no_log_line_and_no_value_in_a_span(
    reach: Reach, caplog: pytest.LogCaptureFixture, spans: Spans, arguments: dict[str, Any]
):
    caplog.set_level(logging.DEBUG)
    for version in wire.VERSIONS:
        reach(Seat("Server", "stateless", version)).client.call("note.add", arguments)

    assert [record for record in caplog.records if record.name == "weighbridge"] == []
    assert CANARY not in repr(spans.told)


def fixed(tool: str, digest: str) -> dict[str, Any]:
    """
    The verdict that a call gets where our own code failed.
    """
    return {
        "admitted": False,
        "advisory": False,
        "tool": tool,
        "catalog": {"contract": weighbridge.CONTRACT, "digest": digest},
        "charge": None,
        "refusal": {
            "code": "unusable-schema",
            "limit": None,
            "message": FAILED,
            "truncated": False,
            "findings": [],
        },
    }


def message(**given: Any) -> ServerRequestContext[Any, Any]:
    """One message as the middleware is given it."""
    facts = {
        "session": None,
        "lifespan_context": {},
        "protocol_version": wire.NEWEST,
        "method": "tools/call",
        "request_id": 1,
        **given,
    }
    return ServerRequestContext(**facts)


@pytest.mark.parametrize("stop", [asyncio.CancelledError, KeyboardInterrupt, SystemExit])
def test_what_ends_a_task_or_the_process_is_not_held_up(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, stop: type[BaseException]
):
    ran = []

    def stopping(*_: object) -> Any:
        raise stop

    async def call_next(ctx: Any) -> dict[str, Any]:
        ran.append(ctx)
        return {}

    monkeypatch.setattr(Catalog, "check", stopping)
    given = message(params={"name": "note.add", "arguments": {}})
    call = PreflightMiddleware(catalog)(given, call_next)
    with pytest.raises(stop):
        call.send(None)

    assert ran == []


def test_what_the_handler_raises_is_not_taken_for_a_fault_of_ours(
    catalog: Catalog, caplog: pytest.LogCaptureFixture
):
    async def call_next(ctx: Any) -> dict[str, Any]:
        raise Fault

    given = message(params={"name": "note.count", "arguments": {}})
    with pytest.raises(Fault):
        asyncio.run(PreflightMiddleware(catalog)(given, call_next))

    assert caplog.records == []


def test_what_a_fixed_refusal_hands_out_can_be_changed_without_changing_the_next(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
):
    gate = PreflightMiddleware(catalog, {"name": "small", "version": "7.1"})
    monkeypatch.setattr(Catalog, "check", failing)
    given = message(params={"name": "note.count"})

    first: Any = asyncio.run(gate(given, failing))
    kept = json.dumps(first)
    first["_meta"][META_KEY]["refusal"].clear()
    first["content"].clear()

    assert json.dumps(asyncio.run(gate(given, failing))) == kept


def test_a_log_that_breaks_does_not_decide_the_call(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
):
    class Broken(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            raise Fault

    monkeypatch.setattr(Catalog, "check", failing)
    monkeypatch.setattr(logging.getLogger("weighbridge"), "handlers", [Broken()])
    given = message(params={"name": "note.count"})

    refused: Any = asyncio.run(PreflightMiddleware(catalog)(given, failing))

    assert refused["content"] == [{"type": "text", "text": FAILED}]


def test_the_fixed_refusal_fits_the_narrowest_message():
    assert len(FAILED) <= RANGES["refusal"][0]
