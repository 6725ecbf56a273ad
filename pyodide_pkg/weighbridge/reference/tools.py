"""
The ten handlers, with the names that the published schemas give their fields.

A handler is called with arguments that its schema admits; what is left to
refuse depends on the state. Each takes exactly the fields of its schema, and a
test holds the two to each other.
"""
# ruff: noqa: N803, PLR0913, FBT001, FBT002 - parameters are the fields on the wire

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Final, NotRequired, TypedDict

from pydantic import BeforeValidator, WithJsonSchema, WrapValidator

from weighbridge.reference import queries
from weighbridge.reference.refusals import (
    VOCABULARIES,
    check_agent,
    check_revision,
    check_storable,
    check_word,
    declined,
    moment,
    served_limit,
)
from weighbridge.reference.store import Store

#: Items and records that one call can ask for; more is served as this many, with a note.
MOST_ITEMS: Final = 50
MOST_RECORDS: Final = 100

#: Entries of one document that a single call turns into proposals.
MOST_ENTRIES: Final = 500

#: Characters of one token, for the budget that a search is given in tokens.
TOKEN_CHARACTERS: Final = 4

#: The fields by which records of each sort are told apart.
FILTERS: Final = {
    "finding": ("reviewer", "severity", "family", "specialist", "commitSha", "pullRequest"),
    "thread": ("repository", "threadState", "author", "filePath", "pullRequest"),
}

#: The tools that write a proposal; every other one only reads.
WRITING: Final = (
    "knowledge.generateMigrationDraft",
    "knowledge.proposeChange",
    "review.generateKnowledgeCandidate",
)

#: JSON has one kind of number: ``1e19`` is an integer to a schema and a float to Python.
_AS_INTEGER: Final = BeforeValidator(
    lambda value: int(value) if isinstance(value, float) and value.is_integer() else value
)
Whole = Annotated[int, _AS_INTEGER]
WholeOrNull = Annotated[int | None, _AS_INTEGER]
if TYPE_CHECKING:
    Text = str | None
else:
    # The SDK parses a text argument as JSON unless its annotation is exactly
    # str: an author called "null" would arrive as nobody, "[1]" as a failure.
    Text = Annotated[
        str,
        WrapValidator(lambda value, rest: None if value is None else rest(value)),
        WithJsonSchema({"type": ["string", "null"]}),
    ]
Answer = dict[str, Any]


class Evidence(TypedDict):
    """
    Why a proposal exists.
    """

    agentId: str
    taskId: str
    model: str
    reasoning: str


class Anchor(TypedDict):
    """
    One place where a claim can be checked.
    """

    provider: str
    sourceUri: str
    repository: NotRequired[str | None]
    commitSha: NotRequired[str | None]
    filePath: NotRequired[str | None]


@dataclass(frozen=True, slots=True)
class Service:
    """
    The handlers, over one store.
    """

    store: Store

    #: What system.capabilities answers beside the vocabularies and limits.
    about: Answer

    # Parameters stand as the published table groups them, not one a line. What was
    # sent is ``locals()`` at the first line: every field, by its name on the wire.
    # fmt: off

    def project_list(self) -> Answer:
        """project.list."""
        with self.store.connect() as db:
            return {"projects": queries.projects(db)}

    def capabilities(self) -> Answer:
        """system.capabilities."""
        limits = {"items": MOST_ITEMS, "records": MOST_RECORDS, "entries": MOST_ENTRIES}
        words = {field: list(known) for field, known in VOCABULARIES.items()}
        return self.about | {"vocabularies": words, "limits": limits, "denseSearch": False}

    def status(
        self, projectId: str, snapshotId: Text = None, agentId: Text = None, taskId: Text = None,
    ) -> Answer:
        """knowledge.status."""
        with queries.enter(self.store, locals()) as scope:
            (waiting,) = scope.ask("SELECT count(*) FROM proposals WHERE project_id = :project")[0]
            items = queries.statuses(scope)
            return {"context": scope.context, "items": items, "proposals": waiting}

    def search(
        self, projectId: str, query: str, limit: Whole = 10, includeUnapproved: bool = False,
        maxTokens: Whole = 2_000, useDense: bool = False, asOf: Text = None,
        snapshotId: Text = None, agentId: Text = None, taskId: Text = None,
    ) -> Answer:
        """knowledge.search."""
        notes: list[str] = []
        limit = served_limit(limit, MOST_ITEMS, notes)
        if maxTokens < 1:
            raise declined("maxTokens is below 1.", "Send at least 1, or leave it out.")
        if useDense:
            notes.append("This service has no dense index: ranked by words alone.")
        then = moment("asOf", asOf)
        with queries.enter(self.store, locals()) as scope:
            earlier = scope if then is None else replace(scope, moment=min(then, scope.moment))
            hits = queries.search(earlier, query, unapproved=includeUnapproved, limit=limit)
        budget = maxTokens * TOKEN_CHARACTERS
        for hit in hits:
            budget -= len(hit["excerpt"])
            hit["excerpt"] = hit["excerpt"] if budget >= 0 else None
        if budget < 0:
            notes.append("Some excerpts were left out: maxTokens was used up.")
        return {"context": scope.context, "items": hits, "notes": notes}

    def get(
        self, projectId: str, itemId: str, includeUnapproved: bool = False,
        snapshotId: Text = None, agentId: Text = None, taskId: Text = None,
    ) -> Answer:
        """knowledge.get."""
        with queries.enter(self.store, locals()) as scope:
            item = queries.item(scope, itemId)
            if item is None:
                raise declined(
                    "This project has no item of that itemId.",
                    f"It has, among others: {queries.some_items(scope)}. "
                    "knowledge.search finds items by their words.",
                )
        if item["status"] != "approved" and not includeUnapproved:
            raise declined(
                f"That item is not approved; its status is {item['status']}.",
                "Send includeUnapproved true to read it all the same.",
            )
        return {"context": scope.context, "item": item}

    def findings(
        self, projectId: str, reviewer: Text = None, severity: Text = None, family: Text = None,
        specialist: Text = None, commitSha: Text = None, q: Text = None,
        pullRequest: WholeOrNull = None, limit: Whole = 20,
        snapshotId: Text = None, agentId: Text = None, taskId: Text = None,
    ) -> Answer:
        """review.findings."""
        return self._records("finding", locals())

    def threads(
        self, projectId: str, repository: Text = None, threadState: Text = None,
        author: Text = None, filePath: Text = None, q: Text = None, pullRequest: WholeOrNull = None,
        limit: Whole = 20,
        snapshotId: Text = None, agentId: Text = None, taskId: Text = None,
    ) -> Answer:
        """review.search."""
        return self._records("thread", locals())

    def _records(self, sort: str, sent: Answer) -> Answer:
        notes: list[str] = []
        filters = {field: sent[field] for field in FILTERS[sort]}
        for field in VOCABULARIES.keys() & filters:
            check_word(field, filters[field])
        check_storable("pullRequest", filters["pullRequest"])
        limit = served_limit(sent["limit"], MOST_RECORDS, notes)
        with queries.enter(self.store, sent) as scope:
            found = queries.records(scope, sort, filters, sent["q"], limit)
            return {"context": scope.context, f"{sort}s": found, "notes": notes}

    def propose_change(
        self, projectId: str, itemId: str, title: str, kind: str, owner: str, author: str,
        description: str, body: str, contentType: str, evidence: Evidence,
        sourceAnchors: Sequence[Anchor] = (), labels: Sequence[str] = (),
        scopePaths: Sequence[str] = (), namespace: Text = None, trustLevel: Text = None,
        sensitivity: Text = None, expectedRevision: Text = None, local: bool = False,
        snapshotId: Text = None, agentId: Text = None, taskId: Text = None,
    ) -> Answer:
        """knowledge.proposeChange."""
        proposal = _proposal(locals())
        with queries.enter(self.store, locals()) as scope:
            return _propose(scope, "knowledge.proposeChange", proposal)

    def migration_draft(
        self, projectId: str, document: Answer, evidence: Evidence, local: bool = False,
        snapshotId: Text = None, agentId: Text = None, taskId: Text = None,
    ) -> Answer:
        """knowledge.generateMigrationDraft."""
        check_agent(agentId, evidence["agentId"])
        entries = document.get("items")
        if not isinstance(entries, list) or len(entries) > MOST_ENTRIES:
            raise declined(
                f"document has no list named items, or one of more than {MOST_ENTRIES} entries.",
                "Send one entry for each item, with the texts id, title and text.",
            )
        proposals, skipped = [], []
        with queries.enter(self.store, locals()) as scope:
            for index, entry in enumerate(entries):
                if missing := _missing(entry):
                    skipped.append({"index": index, "missing": missing})
                    continue
                proposal = {
                    "itemId": entry["id"], "body": entry["text"], "evidence": evidence,
                    "sourceAnchors": (), "title": entry["title"], "local": local,
                }
                proposals.append(
                    queries.propose(scope, "knowledge.generateMigrationDraft", proposal)
                )
            return {"context": scope.context, "proposals": proposals, "skipped": skipped}

    def knowledge_candidate(
        self, projectId: str, repository: str, recordKey: str, fixCommit: str, itemId: str,
        title: str, body: str, kind: str, category: str, owner: str, author: str, description: str,
        evidence: Evidence, sourceAnchors: Sequence[Anchor], labels: Sequence[str] = (),
        scopePaths: Sequence[str] = (), namespace: Text = None, expectedRevision: Text = None,
        snapshotId: Text = None, agentId: Text = None, taskId: Text = None,
    ) -> Answer:
        """review.generateKnowledgeCandidate."""
        proposal = _proposal(locals())
        with queries.enter(self.store, locals()) as scope:
            if repository != queries.repository_of(scope, recordKey):
                raise declined(
                    "This project has no finding or thread of that recordKey in that repository.",
                    "review.findings and review.search answer with the ones there are.",
                )
            return _propose(scope, "review.generateKnowledgeCandidate", proposal)


# fmt: on


def _proposal(sent: Answer) -> Answer:
    """
    What a handler was sent, without the place of the call.
    """
    return {field: sent[field] for field in sent if field not in {"self", *queries.CONTEXT}}


def _propose(scope: queries.Scope, tool: str, proposal: Answer) -> Answer:
    """
    What the two tools that propose one item have in common: the checks, then the row.
    """
    check_agent(scope.context["agentId"], proposal["evidence"]["agentId"])
    check_word("kind", proposal["kind"])
    current = queries.item(scope, proposal["itemId"])
    check_revision(current, proposal["expectedRevision"])
    made = queries.propose(scope, tool, proposal)
    return {"context": scope.context, "proposal": made, "creates": current is None}


def _missing(entry: object) -> list[str]:
    """
    The texts that an entry of a document would need and does not have.
    """
    found = entry if isinstance(entry, dict) else {}
    return [name for name in ("id", "title", "text") if not isinstance(found.get(name), str)]


def handlers(service: Service) -> dict[str, Callable[..., Answer]]:
    """
    The handler of each tool, by its name on the wire.
    """
    return {
        "knowledge.generateMigrationDraft": service.migration_draft,
        "knowledge.get": service.get,
        "knowledge.proposeChange": service.propose_change,
        "knowledge.search": service.search,
        "knowledge.status": service.status,
        "project.list": service.project_list,
        "review.findings": service.findings,
        "review.generateKnowledgeCandidate": service.knowledge_candidate,
        "review.search": service.threads,
        "system.capabilities": service.capabilities,
    }
