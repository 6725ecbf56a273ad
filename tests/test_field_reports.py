"""
Holds the gate to faults that people met when they built or used servers and clients.

Each is a small input with the right answer: one schema, read as the catalog of a
server that is not ours, and the calls that it must admit or refuse.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import weighbridge
from tests.cases.spell import spell

FILE = Path(__file__).parent / "cases" / "field_reports.jsonl"
REPORTS = [json.loads(line) for line in FILE.read_text("ascii").splitlines()]

CALLS = [
    pytest.param(report, call, id=f"{report['case']}-{number}")
    for report in REPORTS
    for number, call in enumerate(report["calls"])
]


def verdict(report: dict[str, Any], call: dict[str, Any]) -> dict[str, Any]:
    catalog = weighbridge.Catalog.from_tools([{"name": "t", "inputSchema": report["schema"]}])
    answer: dict[str, Any] = json.loads(catalog.check_text("t", spell(call["text"])).to_json())
    return answer


@pytest.mark.parametrize(("report", "call"), CALLS)
def test_a_fault_that_somebody_met_gets_the_right_answer(report, call):
    answer = verdict(report, call)
    refusal = answer["refusal"] or {"code": None, "limit": None}
    if "either" in call and refusal["code"] == call["either"]:
        return
    assert refusal["code"] == call["code"]
    assert refusal["limit"] == call.get("limit")
    assert answer["admitted"] is (call["code"] is None)
    assert answer["advisory"] is True


@pytest.mark.parametrize(
    ("report", "call"), [param for param in CALLS if "told" in param.values[1]]
)
def test_a_mismatch_is_told_at_its_place_under_its_rule(report, call):
    answer = verdict(report, call)
    if "either" in call and answer["refusal"]["code"] == call["either"]:
        return
    findings = answer["refusal"]["findings"]
    got = [
        {member: finding[member] for member in want}
        for want, finding in zip(call["told"], findings, strict=True)
    ]
    assert got == call["told"]


@pytest.mark.parametrize(
    ("report", "call"),
    [param for param in CALLS if "says" in param.values[1] or "silent" in param.values[1]],
)
def test_a_message_says_what_mends_the_call_and_no_value_that_came(report, call):
    answer = verdict(report, call)
    message = answer["refusal"]["message"]
    assert [word for word in call.get("says", ()) if word not in message] == []
    assert [word for word in call.get("silent", ()) if word in json.dumps(answer)] == []


def test_a_schema_that_cannot_be_used_does_not_take_its_neighbours_down():
    tools = [{"name": report["case"], "inputSchema": report["schema"]} for report in REPORTS]
    catalog = weighbridge.Catalog.from_tools(tools)
    usable = [report for report in REPORTS if report["case"] not in catalog.unusable]
    assert {"F102", "F103", "F121", "F122"} <= set(catalog.unusable)
    assert len(usable) >= len(REPORTS) - 6
    for report in usable:
        alone = verdict(report, report["calls"][0])
        together = catalog.check_text(report["case"], spell(report["calls"][0]["text"]))
        assert together.admitted is alone["admitted"]
