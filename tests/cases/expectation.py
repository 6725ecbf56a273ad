"""
Holds a verdict against what the author of a row expected, and says where they part.

Every verdict, whatever its row says, is also held to what the contract promises
of all verdicts: every member present, every bound kept, findings in order.
"""

from __future__ import annotations

import json
from typing import Any

from tests import oracle
from tests.cases.table import Row

MEMBERS = {"admitted", "advisory", "tool", "catalog", "charge", "refusal"}
OF_REFUSAL = {"code", "limit", "message", "truncated", "findings"}
OF_FINDING = {
    "pointer",
    "exact",
    "keyword",
    "schemaPointer",
    "expected",
    "params",
    "received",
    "names",
    "omitted",
    "suggestion",
    "message",
}
CODES = {"no-schema", "not-json", "too-large", "mismatch", "unusable-schema"}
LIMITS = {"body", "nesting", "nodes", "rendered", "work"}
TYPES = {"string", "number", "object", "array", "boolean", "null"}

#: Bounds of one refusal with the limits as they stand by default.
REFUSAL, SENTENCE, POINTER, FINDINGS, NAMES, FRAGMENT = 800, 240, 800, 8, 8, 120


def disagreements(row: Row, text: str) -> list[str]:
    """
    Every way in which the verdict ``text`` is not what ``row`` expects.
    """
    verdict = json.loads(text)
    found = list(_shape(text, verdict))
    if found:
        return found
    expect = row.expect
    refusal = verdict["refusal"]
    code = refusal["code"] if refusal else None
    if "either" in expect and code != expect["code"]:
        return [] if code == expect["either"] else [f"code: {code!r}"]
    seen = {
        "admitted": verdict["admitted"],
        "code": code,
        "limit": refusal["limit"] if refusal else None,
        "charge": verdict["charge"],
    }
    for member, got in seen.items():
        if got != expect[member]:
            found.append(f"{member}: expected {expect[member]!r}, got {got!r}")
    if "tool" in expect and verdict["tool"] != expect["tool"]:
        found.append(f"tool: expected {expect['tool']!r}, got {verdict['tool']!r}")
    findings = refusal["findings"] if refusal else []
    found += _findings(expect, findings)
    message = refusal["message"] if refusal else ""
    found += [
        f"the message lacks {word!r}" for word in expect.get("says", ()) if word not in message
    ]
    unescaped = json.dumps(verdict, ensure_ascii=False)
    found += [
        f"the verdict holds {word!r}"
        for word in expect.get("silent", ())
        if word in text or word in unescaped
    ]
    return found


def _findings(expect: dict[str, Any], findings: list[dict[str, Any]]) -> list[str]:
    wanted = expect["findings"]
    if "some" not in expect and len(wanted) != len(findings):
        got = [(each["pointer"], each["keyword"], each["names"]) for each in findings]
        return [f"expected {len(wanted)} findings, got {got}"]
    found = []
    for index, want in enumerate(wanted):
        got = findings[index] if index < len(findings) else {}
        for member, value in want.items():
            if not _meets(member, value, got.get(member)):
                found.append(
                    f"finding {index} {member}: expected {value!r}, got {got.get(member)!r}"
                )
    return found


def _meets(member: str, want: Any, got: Any) -> bool:
    """``params`` are met member by member: a finding may know more than its author."""
    if member == "params":
        return isinstance(got, dict) and all(got.get(key) == value for key, value in want.items())
    return oracle.canonical(want) == oracle.canonical(got)


def _shape(text: str, verdict: Any) -> list[str]:
    """What the contract promises of every verdict."""
    found = []

    def hold(fact: object, promise: str) -> None:
        if not fact:
            found.append(promise)

    hold(text.isascii() and text == oracle.canonical(verdict), "the text is canonical ASCII")
    hold(set(verdict) == MEMBERS, f"members: {sorted(verdict)}")
    hold(
        set(verdict["catalog"]) == {"contract", "digest"}, "the catalog is a contract and a digest"
    )
    refusal = verdict["refusal"]
    hold(verdict["admitted"] is (refusal is None), "admitted is no refusal")
    if refusal is None:
        return found
    hold(set(refusal) == OF_REFUSAL, f"members of the refusal: {sorted(refusal)}")
    hold(refusal["code"] in CODES, f"code {refusal['code']}")
    hold(
        (refusal["limit"] in LIMITS) == (refusal["code"] == "too-large"),
        "a limit where one is passed",
    )
    hold(0 < len(refusal["message"]) <= REFUSAL, f"{len(refusal['message'])} characters of message")
    hold(
        bool(refusal["findings"]) == (refusal["code"] == "mismatch"), "findings are for mismatches"
    )
    hold(len(refusal["findings"]) <= FINDINGS, "at most eight findings")
    order = []
    for each in refusal["findings"]:
        hold(set(each) == OF_FINDING, f"members of a finding: {sorted(each)}")
        hold(len(each["message"]) <= SENTENCE, "the message of a finding is bounded")
        hold(len(each["expected"]) <= SENTENCE, "what was expected is bounded")
        hold(len(each["pointer"]) <= POINTER, "a pointer is bounded")
        hold(each["received"] in TYPES, f"received {each['received']!r}")
        hold(each["omitted"] >= 0, "none omitted is zero")
        if each["omitted"]:
            hold(len(each["names"]) == NAMES, "names are omitted only past the eighth")
        order.append((each["pointer"], each["keyword"], each["schemaPointer"]))
    hold(len(set(order)) == len(order), "one finding a place and keyword")
    written = [
        refusal["message"],
        verdict["tool"],
        *(each["message"] for each in refusal["findings"]),
    ]
    hold(all(_plain(each) for each in written), "nothing unprintable is written")
    return found


def _plain(text: str) -> bool:
    """Whether no character of ``text`` can move a cursor, hide or reorder."""
    return all(oracle.character(char) in (1, 2) and char not in "\t\n\r" for char in text)
