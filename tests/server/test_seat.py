"""
The gate in front of a real server, over every transport and protocol version.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.server import wire
from tests.server.conftest import Reach, Seat
from weighbridge import Catalog
from weighbridge.mcp import META_KEY

CANARY = "c4nary-9e1d"

VALID = {"text": "hello", "labels": ["a", "b"], "about": {"n": 1, "x": [None, True, 1.5]}}


def verdict_of(answer: wire.Answer) -> dict[str, Any]:
    return answer.result["_meta"][META_KEY]


def judged(catalog: Catalog, tool: str, arguments: object) -> dict[str, Any]:
    return json.loads(catalog.check(tool, arguments).to_json())


def test_an_unknown_key_is_refused_and_named_and_its_value_is_absent(
    reach: Reach, seat: Seat, catalog: Catalog
):
    answer = reach(seat).client.call("note.add", {**VALID, "colour": CANARY})

    assert answer.result["isError"] is True
    (block,) = answer.result["content"]
    assert "colour" in block["text"]
    (finding,) = verdict_of(answer)["refusal"]["findings"]
    assert (finding["pointer"], finding["names"]) == ("", ["colour"])
    assert CANARY.encode() not in answer.body


def test_without_this_one_middleware_the_same_call_is_served_with_the_key_and_without_it(
    reach: Reach, seat: Seat
):
    lifted = reach(seat, gated=False).client
    with_key = lifted.call("note.add", {**VALID, "colour": CANARY})
    without = lifted.call("note.add", VALID)

    assert with_key.result["isError"] is False
    assert with_key == without


def test_a_valid_call_is_answered_as_if_the_gate_were_not_there(reach: Reach, seat: Seat):
    answer = reach(seat).client.call("note.add", VALID)

    assert json.loads(answer.result["content"][0]["text"]) == VALID
    assert answer == reach(seat, gated=False).client.call("note.add", VALID)


def test_a_tool_without_a_published_schema_does_not_run_while_its_neighbour_is_served(
    reach: Reach, seat: Seat, catalog: Catalog
):
    seated = reach(seat)
    refused = seated.client.call("note.purge", {"really": True})
    served = seated.client.call("note.count", {})

    assert verdict_of(refused) == judged(catalog, "note.purge", {"really": True})
    assert verdict_of(refused)["refusal"]["code"] == "no-schema"
    assert not seated.sentinel.exists()
    assert served.result["content"] == [{"text": "none", "type": "text"}]


def test_the_sentinel_would_show_the_handler_had_it_run(reach: Reach, seat: Seat):
    lifted = reach(seat, gated=False)
    lifted.client.call("note.purge", {})

    assert lifted.sentinel.exists()


def test_a_refusal_has_the_shape_of_a_handlers_failure(reach: Reach, seat: Seat):
    client = reach(seat).client
    refused = client.call("note.add", {"text": 1}).message
    failed = client.call("note.fail", {}).message

    verdict = refused["result"]["_meta"].pop(META_KEY)
    assert refused["result"]["content"] == [{"type": "text", "text": verdict["refusal"]["message"]}]
    if not refused["result"]["_meta"]:
        # Before 2026-07-28 nothing but the verdict is in _meta, and a failure has none.
        del refused["result"]["_meta"]
    for message in (refused, failed):
        del message["result"]["content"][0]["text"]
    assert refused == failed


def test_the_stamps_of_the_newest_version_stand_on_no_older_one(reach: Reach, seat: Seat):
    result = reach(seat).client.call("note.add", {}).result

    newest = seat.version == wire.NEWEST
    assert ("resultType" in result) is newest
    assert ("io.modelcontextprotocol/serverInfo" in result["_meta"]) is newest


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("note.add", {}),
        ("note.add", {"text": "x" * 201}),
        ("note.add", {"text": "a", "labels": ["x" * 41, 3, None]}),
        ("note.add", {"text": "a", "about": {str(n): n for n in range(51)}}),
        ("note.add", {"text": None, "Text": "a"}),
        ("note.count", {"colour": 1}),
        ("note.purge", {}),
        ("note.cuont", {}),
        ("n" * 500, {}),
        ("", {}),
        ("note.add\n\x1b[31m", {}),
    ],
)
def test_the_verdict_on_the_wire_is_the_catalogs_own(
    reach: Reach, seat: Seat, catalog: Catalog, tool: str, arguments: dict[str, Any]
):
    assert verdict_of(reach(seat).client.call(tool, arguments)) == judged(catalog, tool, arguments)


@pytest.mark.parametrize("arguments", [wire.ABSENT, None, {}], ids=["absent", "null", "empty"])
def test_arguments_that_are_absent_or_null_are_judged_as_empty(
    reach: Reach, seat: Seat, catalog: Catalog, arguments: Any
):
    client = reach(seat).client

    assert verdict_of(client.call("note.add", arguments)) == judged(catalog, "note.add", {})
    assert client.call("note.count", arguments) == client.call("note.count", {})


@pytest.mark.parametrize("arguments", [[], "{}", 0, False, [["text", "a"]]], ids=repr)
def test_arguments_that_are_no_object_are_the_sdks_to_answer(
    reach: Reach, seat: Seat, arguments: Any
):
    answer = reach(seat).client.call("note.add", arguments)

    assert "error" in answer.message
    assert answer == reach(seat, gated=False).client.call("note.add", arguments)


@pytest.mark.parametrize(
    "name", [wire.ABSENT, None, 5, ["note.add"]], ids=["absent", "null", "number", "list"]
)
def test_a_name_that_is_no_string_is_the_sdks_to_answer(reach: Reach, seat: Seat, name: Any):
    answer = reach(seat).client.call(name, {"colour": CANARY})

    assert "error" in answer.message
    assert answer == reach(seat, gated=False).client.call(name, {"colour": CANARY})


def test_no_other_method_is_touched(reach: Reach, seat: Seat):
    gated, lifted = reach(seat), reach(seat, gated=False)

    for method in ("prompts/list", "resources/list", "ping", "no/such"):
        given = {"name": "note.purge", "arguments": {"colour": CANARY}}
        assert gated.client.send(method, given) == lifted.client.send(method, given)


def test_a_call_without_an_id_is_a_notification_and_gets_no_verdict(reach: Reach, seat: Seat):
    seated = reach(seat)
    given = wire.params(seat.version, "note.purge", {}, {})
    notice = wire.request("tools/call", given, wire.ABSENT)

    if isinstance(seated.client, wire.Http):
        answer = seated.client.raw(notice, "note.purge")
        assert (answer.status, META_KEY.encode() in answer.body) == (202, False)
    else:
        seated.client.write(notice)
    # The next answer is the next request's own: the notification had none.
    assert seated.client.call("note.count").message["id"] == 7
    assert not seated.sentinel.exists()
