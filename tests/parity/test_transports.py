"""
The table over a real server: HTTP in both eras and stdio, gate in front, bytes compared.
"""

from __future__ import annotations

import json
import urllib.request

import pytest

from tests.cases.table import Row
from tests.parity.compare import bundled, expected, frozen, generated, rows
from tests.parity.transports import VERSIONS, Outcome, agrees, http_service, over_http, over_stdio


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    with http_service(tmp_path_factory.mktemp("http")) as port:
        yield port


def sendable() -> list[Row]:
    """The rows that bytes can carry: not those with a raw lone surrogate."""
    return [row for row in rows() if row.wire]


@pytest.mark.parametrize("transport", ["http-2025", "http-2026"])
def test_every_row_is_answered_as_the_table_tells_over_http(port, transport):
    version = VERSIONS[transport]
    wrong = {}
    for number, row in enumerate(sendable()):
        outcome = over_http(port, version, number, row.tool, row.text)
        got = agrees(row.wire[transport], outcome, frozen()[row.name])
        if got is not None:
            wrong[row.name] = {"told": row.wire[transport], "got": got}
    assert wrong == {}


def test_every_row_is_answered_as_the_table_tells_over_stdio(tmp_path):
    answers = over_stdio(tmp_path, [(row.tool, row.text) for row in sendable()])
    wrong = {}
    for number, row in enumerate(sendable()):
        got = agrees(row.wire["stdio"], answers[number], frozen()[row.name])
        if got is not None:
            wrong[row.name] = {"told": row.wire["stdio"], "got": got}
    assert wrong == {}


@pytest.mark.parametrize("transport", ["http-2025", "http-2026"])
def test_generated_calls_get_the_verdict_of_this_process_over_http(port, transport):
    wrong = {}
    for number, (call, want) in enumerate(zip(generated(), expected(), strict=True)):
        outcome = over_http(port, VERSIONS[transport], number, call.tool, call.text)
        got = same(outcome, want)
        if got is not None:
            wrong[f"{number}: {call.label}"] = got
    assert wrong == {}


def test_generated_calls_get_the_verdict_of_this_process_over_stdio(tmp_path):
    answers = over_stdio(tmp_path, [(call.tool, call.text) for call in generated()])
    wrong = {}
    for number, (call, want) in enumerate(zip(generated(), expected(), strict=True)):
        got = same(answers[number], want)
        if got is not None:
            wrong[f"{number}: {call.label}"] = got
    assert wrong == {}


def same(outcome: Outcome, want: str) -> str | None:
    """Nothing where a refusal came whole and an admitted call reached its handler."""
    if json.loads(want)["admitted"]:
        return None if outcome.kind in ("served", "tool-error") else outcome.kind
    return agrees("verdict", outcome, want)


def test_the_service_says_the_digest_that_this_process_computes(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz") as answer:
        assert json.load(answer)["digest"] == bundled().digest


def test_without_the_gate_the_comparison_fails_for_every_refusal(tmp_path):
    """
    The negative control: the same rows, the same server, one middleware fewer.
    """
    refused = [
        row
        for row in sendable()
        if row.wire["http-2026"] == "verdict" and len(str(row.form)) < 5_000
    ]
    with http_service(tmp_path, "--no-gate") as port:
        for number, row in enumerate(refused[::20]):
            outcome = over_http(port, VERSIONS["http-2026"], number, row.tool, row.text)
            assert agrees("verdict", outcome, frozen()[row.name]) is not None


def test_a_verdict_with_one_byte_flipped_is_not_taken_for_the_frozen_one():
    refused = next(row for row in sendable() if row.wire["stdio"] == "verdict")
    text = frozen()[refused.name]
    message = json.loads(text)["refusal"]["message"]
    whole = Outcome(kind="verdict", verdict=text, message=message)
    flipped = Outcome(kind="verdict", verdict=text.replace("false", "falsE", 1), message=message)
    assert agrees("verdict", whole, text) is None
    with pytest.raises(ValueError, match="Expecting"):
        agrees("verdict", flipped, text)
    other = text.replace('"truncated":false', '"truncated":true')
    assert agrees("verdict", Outcome(kind="verdict", verdict=other, message=message), text)
