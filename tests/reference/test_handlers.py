"""
The handlers over a real database, called as the SDK calls them once a call was admitted.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool

from tests.reference import published
from weighbridge.reference.store import Store, StoreLayoutError, open_store
from weighbridge.reference.tools import MOST_ENTRIES, WRITING, Service, handlers

Call = Callable[..., dict[str, Any]]

EVIDENCE = {"agentId": "scribe", "taskId": "t-1", "model": "human", "reasoning": "It was seen."}
ANCHOR = {"provider": "git", "sourceUri": "https://example.test/c/1", "filePath": None}
CHANGE = {
    "projectId": "demo",
    "itemId": "tracking.new-item",
    "title": "A title",
    "kind": "rule",
    "owner": "delivery-core",
    "author": "scribe",
    "description": "Why.",
    "body": "# Text\n",
    "contentType": "text/markdown",
    "evidence": EVIDENCE,
}
CANDIDATE = {name: value for name, value in CHANGE.items() if name != "contentType"} | {
    "repository": "lumen-parcels/tracking",
    "recordKey": "finding-3",
    "fixCommit": "0f3c",
    "category": "reliability-rule",
    "sourceAnchors": [ANCHOR],
}
DRAFT = {"projectId": "demo", "evidence": EVIDENCE}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """
    A fresh database in a file.
    """
    return open_store(tmp_path / "reference.sqlite3")


@pytest.fixture
def call(store: Store) -> Call:
    """
    Call a tool by its name on the wire, through the SDK's reading of the handler's signature.
    """
    service = Service(store, {})

    def run(tool: str, **arguments: Any) -> dict[str, Any]:
        handler = handlers(service)[tool]
        read = Tool.from_function(handler, name=tool).fn_metadata.validate_arguments(arguments)
        return handler(**read)

    return run


def proposals(store: Store) -> list[dict[str, Any]]:
    with store.connect() as db:
        return [dict(row) for row in db.execute("SELECT * FROM proposals ORDER BY id")]


def refusal(call: Call, tool: str, **arguments: Any) -> str:
    with pytest.raises(ToolError) as caught:
        call(tool, **arguments)
    return str(caught.value)


def names(answer: dict[str, Any], kind: str = "items", key: str = "itemId") -> list[str]:
    return [one[key] for one in answer[kind]]


# -- Agreement with what is published


def test_the_handlers_and_the_published_tools_are_the_same_set(store: Store):
    assert set(handlers(Service(store, {}))) == set(published.tools())


@pytest.mark.parametrize("tool", sorted(published.tools()))
def test_a_handler_takes_exactly_the_fields_that_its_schema_publishes(store: Store, tool: str):
    taken = Tool.from_function(handlers(Service(store, {}))[tool], name=tool).parameters
    document = published.tools()[tool]

    assert set(taken["properties"]) == set(published.fields(document))
    assert set(taken.get("required", [])) == published.required(document)


def kinds(schema: dict[str, Any]) -> set[str]:
    """
    The JSON types that a schema admits, however it spells them.
    """
    if "anyOf" in schema:
        return set().union(*(kinds(branch) for branch in schema["anyOf"]))
    if "$ref" in schema:
        return {"object"}
    found = schema["type"]
    return set(found) if isinstance(found, list) else {found}


@pytest.mark.parametrize("tool", sorted(published.tools()))
def test_a_handler_takes_each_field_with_the_types_that_its_schema_publishes(
    store: Store, tool: str
):
    taken = Tool.from_function(handlers(Service(store, {}))[tool], name=tool).parameters
    fields = published.fields(published.tools()[tool])

    assert {name: kinds(schema) for name, schema in taken["properties"].items()} == {
        name: kinds(schema) for name, schema in fields.items()
    }


# -- Reading


def test_a_search_finds_every_word_and_only_what_is_approved(call: Call):
    found = call("knowledge.search", projectId="demo", query="retries budget carrier")

    assert names(found) == ["tracking.retry-policy"]
    assert "budget" in found["items"][0]["excerpt"]


def test_a_search_can_include_what_is_not_approved_and_marks_it(call: Call):
    asked = {"projectId": "demo", "query": "webhook"}
    with_drafts = call("knowledge.search", **asked, includeUnapproved=True)

    assert names(call("knowledge.search", **asked)) == []
    assert [(i["itemId"], i["status"]) for i in with_drafts["items"]] == [
        ("tracking.webhook-guide", "draft")
    ]


def test_a_search_as_of_a_moment_sees_the_revision_of_that_moment(call: Call):
    asked = {"projectId": "demo", "query": "retry budget"}
    then = call("knowledge.search", **asked, asOf="2026-04-01")
    exactly = call("knowledge.search", **asked, asOf="2026-06-18T15:40:00+02:00")
    before = call("knowledge.search", **asked, asOf="2026-06-18T15:39:59+02:00")

    assert [a["items"][0]["revision"] for a in (then, exactly, before)] == [1, 2, 1]


@pytest.mark.parametrize(
    ("moment", "revision"),
    [
        ("2026-06-17", 1),
        ("2026-06-18", 2),
        ("20260618", 2),
        ("2026-06-18T13:39:59", 1),
        ("2026-06-18T13:40", 2),
        ("9999-12-31", 2),
    ],
)
def test_a_date_means_its_last_second_and_a_time_without_an_offset_is_utc(
    call: Call, moment: str, revision: int
):
    found = call("knowledge.search", projectId="demo", query="retry budget", asOf=moment)

    assert found["items"][0]["revision"] == revision


def test_a_snapshot_pins_a_read_to_what_was_known_then(call: Call, store: Store):
    with store.connect() as db:
        (early,) = db.execute(
            "SELECT snapshot_id FROM snapshots WHERE project_id = 'demo' ORDER BY rowid LIMIT 1"
        ).fetchone()
    pinned = call("knowledge.status", projectId="demo", snapshotId=early)

    assert pinned["items"] == {"approved": 1}
    assert pinned["context"]["snapshotId"] == early
    assert call("knowledge.status", projectId="demo")["context"]["snapshotId"] != early


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ('"', []),
        ("a\0b", []),
        ("NEAR(retry", []),
        ("retry OR nothing", []),
        ("*", []),
        ("  ", []),
        ("'; DROP TABLE documents", []),
        ("name:budget", []),
        ("-retry +budget*", ["tracking.retry-policy"]),
    ],
)
def test_no_query_is_a_query_language(call: Call, query: str, found: list[str]):
    """
    Each would raise, or mean something else, if it reached the index as it stands.
    """
    assert names(call("knowledge.search", projectId="demo", query=query)) == found


def test_a_query_of_a_thousand_words_is_answered(call: Call):
    query = "retry " * 333

    assert names(call("knowledge.search", projectId="demo", query=query)) != []


def test_excerpts_stop_where_the_token_budget_ends_and_the_answer_says_so(call: Call):
    found = call("knowledge.search", projectId="demo", query="carrier", maxTokens=70)
    excerpts = [item["excerpt"] for item in found["items"]]

    assert excerpts[0] is not None
    assert excerpts[-1] is None
    assert found["notes"] == ["Some excerpts were left out: maxTokens was used up."]


def test_a_search_by_meaning_is_answered_by_words_and_says_so(call: Call):
    found = call("knowledge.search", projectId="demo", query="retry", useDense=True)

    assert names(found) != []
    assert found["notes"] == ["This service has no dense index: ranked by words alone."]


def test_an_item_is_answered_whole(call: Call):
    item = call("knowledge.get", projectId="demo", itemId="tracking.retry-policy")["item"]

    assert (item["revision"], item["status"]) == (2, "approved")
    assert item["body"].startswith("# Retry carrier calls with a budget\n")


def test_a_project_does_not_see_into_another(call: Call):
    refused = refusal(
        call, "knowledge.get", projectId="ferry-timetable", itemId="tracking.retry-policy"
    )

    assert "timetable.tide-limits" in refused
    assert "tracking." not in refused


def test_findings_are_filtered_by_every_field_and_newest_come_first(call: Call):
    every = call("review.findings", projectId="demo")
    of_one = call("review.findings", projectId="demo", pullRequest=402)
    some = call(
        "review.findings",
        projectId="demo",
        reviewer="agent",
        severity="major",
        family="concurrency",
        specialist="concurrency-review",
        commitSha=of_one["findings"][0]["commitSha"],
        q="lock workers",
        pullRequest=402,
    )

    moments = [finding["recordedAt"] for finding in every["findings"]]
    assert moments == sorted(moments, reverse=True)
    assert names(some, "findings", "recordKey") == ["finding-4"]


def test_a_commit_is_found_by_its_beginning_and_not_by_its_middle(call: Call):
    commit = call("review.findings", projectId="demo", pullRequest=431)["findings"][0]["commitSha"]
    begun = call("review.findings", projectId="demo", commitSha=commit[:7])
    inside = call("review.findings", projectId="demo", commitSha=commit[1:])

    assert names(begun, "findings", "recordKey") == ["finding-10", "finding-9"]
    assert names(inside, "findings", "recordKey") == []


def test_threads_are_filtered_by_every_field(call: Call):
    found = call(
        "review.search",
        projectId="demo",
        repository="lumen-parcels/tracking",
        threadState="open",
        author="l.moreau",
        filePath="services/webhooks/verify.py",
        q="bytes sign",
        pullRequest=455,
    )

    assert names(found, "threads", "recordKey") == ["thread-8"]


def test_a_filter_that_nothing_passes_answers_with_nothing(call: Call):
    assert call("review.search", projectId="demo", author="nobody")["threads"] == []


def test_text_that_looks_like_json_reaches_the_handler_as_the_text_it_is(call: Call):
    """
    The SDK would make None of "null", and a failure of "[1]".
    """
    answer = call("knowledge.status", projectId="demo", agentId="null", taskId="[1]")

    assert (answer["context"]["agentId"], answer["context"]["taskId"]) == ("null", "[1]")


def test_projects_are_listed_with_their_sizes(call: Call):
    assert call("project.list")["projects"] == [
        {
            "projectId": "demo",
            "title": "Parcel tracking",
            "repository": "lumen-parcels/tracking",
            "items": 10,
            "reviewRecords": 21,
        },
        {
            "projectId": "ferry-timetable",
            "title": "Ferry timetable planner",
            "repository": "harbour-lines/timetable",
            "items": 3,
            "reviewRecords": 2,
        },
    ]


def test_the_capabilities_name_the_vocabularies_that_the_handlers_accept(call: Call):
    for severity in call("system.capabilities")["vocabularies"]["severity"]:
        assert call("review.findings", projectId="demo", severity=severity)["findings"] != []


# -- Writing


def test_a_change_becomes_a_proposal_with_everything_it_said(call: Call, store: Store):
    sent = CHANGE | {"sourceAnchors": [ANCHOR], "labels": ["a"], "agentId": "scribe"}
    answer = call("knowledge.proposeChange", **sent)
    (row,) = proposals(store)
    details = json.loads(row["details"])

    assert answer["creates"] is True
    assert answer["proposal"] == {
        "proposalId": "proposal-1",
        "itemId": "tracking.new-item",
        "status": "proposed",
    }
    assert (row["status"], row["body"], row["tool"]) == (
        "proposed",
        "# Text\n",
        "knowledge.proposeChange",
    )
    assert json.loads(row["evidence"]) == EVIDENCE
    assert json.loads(row["anchors"]) == [ANCHOR]
    assert (details["labels"], details["context"]["agentId"]) == (["a"], "scribe")


def test_a_proposal_changes_no_item_and_approves_nothing(call: Call, store: Store):
    before = call("knowledge.get", projectId="demo", itemId="tracking.retry-policy")
    answer = call("knowledge.proposeChange", **CHANGE | {"itemId": "tracking.retry-policy"})

    assert answer["creates"] is False
    assert call("knowledge.get", projectId="demo", itemId="tracking.retry-policy") == before
    assert call("knowledge.status", projectId="demo")["proposals"] == 1


def test_the_database_itself_holds_no_approved_proposal(call: Call, store: Store):
    call("knowledge.proposeChange", **CHANGE)
    with pytest.raises(sqlite3.IntegrityError), store.connect() as db:
        db.execute("UPDATE proposals SET status = 'approved'")


def test_a_review_becomes_a_proposal_tied_to_what_taught_it(call: Call, store: Store):
    call("review.generateKnowledgeCandidate", **CANDIDATE)
    (row,) = proposals(store)
    details = json.loads(row["details"])

    assert (details["recordKey"], details["fixCommit"], details["category"]) == (
        "finding-3",
        "0f3c",
        "reliability-rule",
    )


def test_a_document_becomes_a_proposal_for_each_entry_that_can_be_read(call: Call, store: Store):
    entries = [{"id": "a.b", "title": "T", "text": "x"}, {"id": 1, "title": "T"}, 7]
    answer = call("knowledge.generateMigrationDraft", **DRAFT, document={"items": entries})

    assert names(answer, "proposals") == ["a.b"]
    assert answer["skipped"] == [
        {"index": 1, "missing": ["id", "text"]},
        {"index": 2, "missing": ["id", "title", "text"]},
    ]
    assert len(proposals(store)) == 1


def test_the_largest_body_is_kept_byte_for_byte(call: Call, store: Store):
    body = "\U0001f4e6" * (8_388_608 // 4)
    call("knowledge.proposeChange", **CHANGE | {"body": body})

    assert proposals(store)[0]["body"] == body


# -- What only the state can refuse

CANARY = "zq-canary-7"

REFUSED = {
    "an unregistered project": (
        "knowledge.status",
        {"projectId": CANARY},
        "Registered: demo, ferry-timetable.",
    ),
    "an unknown snapshot": (
        "knowledge.status",
        {"projectId": "demo", "snapshotId": CANARY},
        "knowledge.status reports the current one",
    ),
    "an unknown item": (
        "knowledge.get",
        {"projectId": "demo", "itemId": CANARY},
        "knowledge.search finds items",
    ),
    "an item that is not approved": (
        "knowledge.get",
        {"projectId": "demo", "itemId": "tracking.polling-interval", "taskId": CANARY},
        "its status is retired. Send includeUnapproved true",
    ),
    "a limit of nothing": (
        "knowledge.search",
        {"projectId": "demo", "query": CANARY, "limit": 0},
        "Send 1 to 50",
    ),
    "a negative limit": (
        "review.search",
        {"projectId": "demo", "q": CANARY, "limit": -(10**30)},
        "Send 1 to 100",
    ),
    "no tokens at all": (
        "knowledge.search",
        {"projectId": "demo", "query": CANARY, "maxTokens": -1},
        "Send at least 1",
    ),
    "a moment that is none": (
        "knowledge.search",
        {"projectId": "demo", "query": "x", "asOf": CANARY},
        "Send one such as 2026-01-31",
    ),
    "a moment before the first year": (
        "knowledge.search",
        {"projectId": "demo", "query": CANARY, "asOf": "0001-01-01T00:00:00+23:00"},
        "Send one such as 2026-01-31",
    ),
    "a reviewer that nobody knows": (
        "review.findings",
        {"projectId": "demo", "reviewer": CANARY},
        "Use one of: agent, human, linter.",
    ),
    "a severity that nobody knows": (
        "review.findings",
        {"projectId": "demo", "severity": CANARY},
        "Use one of: blocker, major, minor, note.",
    ),
    "a thread state that nobody knows": (
        "review.search",
        {"projectId": "demo", "threadState": CANARY},
        "Use one of: open, outdated, resolved.",
    ),
    "a kind that nobody knows": (
        "knowledge.proposeChange",
        CHANGE | {"kind": CANARY},
        "Use one of: decision, guide, pitfall, reference, rule, runbook.",
    ),
    "an integer past what the database holds": (
        "review.findings",
        {"projectId": "demo", "pullRequest": 2**63, "q": CANARY},
        "leave pullRequest out",
    ),
    "an integer below what the database holds": (
        "review.search",
        {"projectId": "demo", "pullRequest": -(2**63) - 1, "q": CANARY},
        "leave pullRequest out",
    ),
    "an integer that came as a float": (
        "review.findings",
        {"projectId": "demo", "pullRequest": 1e19, "q": CANARY},
        "leave pullRequest out",
    ),
    "evidence in another agent's name": (
        "knowledge.proposeChange",
        CHANGE | {"agentId": CANARY},
        "Send the same one in both places",
    ),
    "a draft's evidence in another agent's name": (
        "knowledge.generateMigrationDraft",
        DRAFT | {"agentId": CANARY, "document": {"items": []}},
        "Send the same one in both places",
    ),
    "a revision of an item that does not exist": (
        "knowledge.proposeChange",
        CHANGE | {"expectedRevision": CANARY},
        "Leave expectedRevision out",
    ),
    "a revision that is not the current one": (
        "knowledge.proposeChange",
        CHANGE | {"itemId": "tracking.retry-policy", "expectedRevision": CANARY},
        "It is at 2:",
    ),
    "a lesson from nowhere": (
        "review.generateKnowledgeCandidate",
        CANDIDATE | {"recordKey": CANARY},
        "review.findings and review.search answer",
    ),
    "a lesson from another repository": (
        "review.generateKnowledgeCandidate",
        CANDIDATE | {"repository": CANARY},
        "review.findings and review.search answer",
    ),
    "a document without items": (
        "knowledge.generateMigrationDraft",
        DRAFT | {"document": {CANARY: []}},
        "Send one entry for each item",
    ),
    "a document of too many items": (
        "knowledge.generateMigrationDraft",
        DRAFT | {"document": {"items": [CANARY] * (MOST_ENTRIES + 1)}},
        "Send one entry for each item",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refusal_names_the_remedy_repeats_no_value_and_leaves_nothing_behind(
    call: Call, store: Store, case: str
):
    tool, arguments, remedy = REFUSED[case]
    said = refusal(call, tool, **arguments)

    assert remedy in said
    assert said.endswith("Nothing was changed.")
    assert CANARY not in said
    assert proposals(store) == []


@pytest.mark.parametrize(
    ("tool", "most", "shown"),
    [
        ("knowledge.search", 50, "items"),
        ("review.findings", 100, "findings"),
        ("review.search", 100, "threads"),
    ],
)
@pytest.mark.parametrize("limit", [1e19, 10**400])
def test_a_limit_past_the_most_is_lowered_and_the_answer_says_so(
    call: Call, tool: str, most: int, shown: str, limit: float
):
    arguments = {"query": "carrier"} if tool == "knowledge.search" else {}
    answer = call(tool, projectId="demo", limit=limit, **arguments)

    assert answer[shown] != []
    assert answer["notes"] == [
        f"limit was lowered to {most}, the most that this tool answers with."
    ]


def test_a_limit_is_kept(call: Call):
    assert len(call("review.findings", projectId="demo", limit=2)["findings"]) == 2


def test_the_edges_of_the_database_are_served(call: Call):
    for number in (2**63 - 1, -(2**63), 0):
        assert call("review.findings", projectId="demo", pullRequest=number)["findings"] == []


def test_a_proposal_against_the_current_revision_is_taken(call: Call):
    sent = CHANGE | {"itemId": "tracking.retry-policy", "expectedRevision": "2"}

    assert call("knowledge.proposeChange", **sent)["creates"] is False


def test_the_tools_that_say_they_write_are_the_ones_that_do(call: Call, store: Store):
    document = {"items": [{"id": "a.b", "title": "T", "text": "x"}]}
    calls: dict[str, dict[str, Any]] = {
        "knowledge.search": {"projectId": "demo", "query": "retry"},
        "knowledge.get": {"projectId": "demo", "itemId": "tracking.retry-policy"},
        "knowledge.status": {"projectId": "demo"},
        "project.list": {},
        "system.capabilities": {},
        "review.findings": {"projectId": "demo"},
        "review.search": {"projectId": "demo"},
        "knowledge.proposeChange": CHANGE,
        "knowledge.generateMigrationDraft": DRAFT | {"document": document},
        "review.generateKnowledgeCandidate": CANDIDATE,
    }
    writing = []
    for tool, arguments in calls.items():
        before = len(proposals(store))
        call(tool, **arguments)
        if len(proposals(store)) > before:
            writing.append(tool)

    assert sorted(writing) == sorted(WRITING)


# -- The file


def test_a_second_replica_finds_what_the_first_one_wrote(call: Call, store: Store):
    call("knowledge.proposeChange", **CHANGE)
    again = Service(open_store(store.path), {})

    assert again.status(projectId="demo")["proposals"] == 1
    assert again.status(projectId="demo")["items"] == {"approved": 8, "draft": 1, "retired": 1}


def test_replicas_that_start_at_once_fill_the_file_once(tmp_path: Path):
    path, together = tmp_path / "reference.sqlite3", Barrier(8)

    def start(_: int) -> dict[str, Any]:
        together.wait()
        return Service(open_store(path), {}).project_list()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(start, range(8)))

    assert [project["items"] for project in answers[0]["projects"]] == [10, 3]
    assert [answer for answer in answers if answer != answers[0]] == []


def test_a_database_that_is_not_ours_is_left_alone(tmp_path: Path):
    path = tmp_path / "other.sqlite3"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE theirs (x)")
    before = path.read_bytes()

    with pytest.raises(StoreLayoutError) as caught:
        open_store(path)
    assert (caught.value.path, caught.value.found) == (path, 0)
    assert path.read_bytes() == before


def test_a_database_of_another_version_is_left_alone(store: Store):
    with closing(sqlite3.connect(store.path)) as db:
        db.execute("PRAGMA user_version = 99")

    with pytest.raises(StoreLayoutError) as caught:
        open_store(store.path)
    assert caught.value.found == 99
    assert "--database" in str(caught.value)
