"""
What the handlers ask of the database, one function a question.

Every value travels as a parameter. What a person typed to search with is cut
into words and each word is quoted, so that no text is a query language.
"""
# ruff: noqa: S608 - statements are put together from text of ours alone

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from weighbridge.reference.refusals import check_project, declined, listed
from weighbridge.reference.store import Store

#: Later than anything recorded: the moment of a call that names none.
NOW: Final = "9999-12-31T23:59:59Z"

#: Where a call belongs, in every tool but two.
CONTEXT: Final = ("projectId", "snapshotId", "agentId", "taskId")

#: Words of one excerpt.
EXCERPT_WORDS: Final = 32

#: Identifiers that a refusal lists.
LISTED: Final = 8

#: The revision of each document that was current at a moment.
_CURRENT: Final = """
    d.project_id = :project AND d.recorded_at <= :moment AND NOT EXISTS (
        SELECT 1 FROM documents later WHERE later.project_id = d.project_id AND later.key = d.key
        AND later.revision > d.revision AND later.recorded_at <= :moment)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """
    One call's place: an open connection, a project known to exist, a moment.
    """

    db: sqlite3.Connection

    #: What the caller sent as context, with the snapshot that answers filled in.
    context: Mapping[str, str | None]

    #: Nothing that was recorded after this is seen; UTC, to the second.
    moment: str

    def ask(self, statement: str, **values: object) -> list[sqlite3.Row]:
        """
        The rows of a statement, which may name ``:project`` and ``:moment``.
        """
        place = {"project": self.context["projectId"], "moment": self.moment}
        return self.db.execute(statement, place | values).fetchall()


@contextmanager
def enter(store: Store, sent: Mapping[str, Any]) -> Iterator[Scope]:
    """
    The scope of one call, in one transaction; the fields of ``CONTEXT`` say which.

    Refuses an unregistered project and an unknown snapshot.
    """
    context = {field: sent[field] for field in CONTEXT}
    with store.connect() as db:
        check_project(db, context["projectId"])
        snapshot = db.execute(
            "SELECT snapshot_id, recorded_at FROM snapshots WHERE project_id = :projectId"
            " AND (:snapshotId IS NULL OR snapshot_id = :snapshotId)"
            " ORDER BY rowid DESC LIMIT 1",
            context,
        ).fetchone()
        if snapshot is None:
            raise declined(
                "This project has no snapshot of that snapshotId.",
                "knowledge.status reports the current one; null or leaving it out means that one.",
            )
        moment = NOW if context["snapshotId"] is None else snapshot["recorded_at"]
        filled = {**context, "snapshotId": snapshot["snapshot_id"]}
        yield Scope(db=db, context=filled, moment=moment)


def quoted_words(text: str) -> str:
    """
    An FTS5 expression that asks for every word of ``text`` and cannot ask anything else.
    """
    words = text.replace("\0", " ").split()
    return " ".join('"' + word.replace('"', '""') + '"' for word in words)


def projects(db: sqlite3.Connection) -> list[dict[str, Any]]:
    """
    Every registered project with its sizes, by identifier.
    """
    rows = db.execute(
        "SELECT p.project_id AS projectId, title, repository,"
        " count(DISTINCT iif(sort = 'item', key, NULL)) AS items,"
        " count(DISTINCT iif(sort = 'item', NULL, key)) AS reviewRecords"
        " FROM projects p JOIN documents USING (project_id) GROUP BY 1 ORDER BY 1"
    )
    return [dict(row) for row in rows]


def statuses(scope: Scope) -> dict[str, int]:
    """
    How many items stand at each status.
    """
    rows = scope.ask(
        f"SELECT status, count(*) FROM documents d WHERE {_CURRENT} AND sort = 'item' GROUP BY 1"
    )
    return dict(map(tuple, rows))


def search(scope: Scope, query: str, *, unapproved: bool, limit: int) -> list[dict[str, Any]]:
    """
    The items that hold every word, best first, each with an excerpt.
    """
    rows = scope.ask(
        f"SELECT record, snippet(words, 1, '', '', '...', {EXCERPT_WORDS}) AS excerpt"
        " FROM words JOIN documents d ON d.id = words.rowid"
        f" WHERE words MATCH :words AND {_CURRENT} AND sort = 'item'"
        " AND (:unapproved OR status = 'approved') ORDER BY bm25(words), key LIMIT :limit",
        words=quoted_words(query) or '""',
        unapproved=unapproved,
        limit=limit,
    )
    shown = ("itemId", "title", "kind", "status", "revision", "labels")
    return [
        {k: json.loads(r["record"])[k] for k in shown} | {"excerpt": r["excerpt"]} for r in rows
    ]


def item(scope: Scope, key: str) -> dict[str, Any] | None:
    """
    One item as it stood at the moment of the scope, or nothing.
    """
    rows = scope.ask(
        f"SELECT record FROM documents d WHERE {_CURRENT} AND sort = 'item' AND key = :key", key=key
    )
    return json.loads(rows[0]["record"]) if rows else None


def some_items(scope: Scope) -> str:
    """
    A few identifiers of approved items, for a refusal to list.
    """
    rows = scope.ask(
        f"SELECT key FROM documents d WHERE {_CURRENT} AND sort = 'item' AND status = 'approved'"
        f" ORDER BY 1 LIMIT {LISTED}"
    )
    return listed([row["key"] for row in rows])


def records(
    scope: Scope, sort: str, filters: Mapping[str, object], words: str | None, limit: int
) -> list[dict[str, Any]]:
    """
    Findings or threads that pass every filter that is not None, newest first.

    The keys of ``filters`` are names of ours in a record; ``commitSha`` matches by its beginning.
    """
    where = [f"{_CURRENT} AND sort = :sort"]
    used = {name: value for name, value in filters.items() if value is not None}
    for name in used:
        value = f"json_extract(record, '$.{name}')"
        start = f"substr({value}, 1, length(:{name}))" if name == "commitSha" else value
        where.append(f"{start} = :{name}")
    if words is not None and (asked := quoted_words(words)):
        where.append("id IN (SELECT rowid FROM words WHERE words MATCH :asked)")
        used["asked"] = asked
    rows = scope.ask(
        f"SELECT record FROM documents d WHERE {' AND '.join(where)}"
        " ORDER BY recorded_at DESC, id LIMIT :limit",
        sort=sort,
        limit=limit,
        **used,
    )
    return [json.loads(row["record"]) for row in rows]


def repository_of(scope: Scope, key: str) -> str | None:
    """
    The repository of one finding or thread, or nothing.
    """
    rows = scope.ask(
        f"SELECT json_extract(record, '$.repository') FROM documents d"
        f" WHERE {_CURRENT} AND sort != 'item' AND key = :key",
        key=key,
    )
    return rows[0][0] if rows else None


def propose(scope: Scope, tool: str, proposal: Mapping[str, Any]) -> dict[str, Any]:
    """
    Record a proposal and answer with what it is called; the item it is about stays as it is.

    ``proposal`` holds ``itemId``, ``body``, ``evidence``, ``sourceAnchors`` and more.
    """
    columns = ("itemId", "body", "evidence", "sourceAnchors")
    details = {name: value for name, value in proposal.items() if name not in columns}
    row = scope.db.execute(
        "INSERT INTO proposals (project_id, tool, item_id, body, evidence, anchors, details)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            scope.context["projectId"],
            tool,
            proposal["itemId"],
            proposal["body"],
            json.dumps(proposal["evidence"]),
            json.dumps(proposal["sourceAnchors"]),
            json.dumps({**details, "context": scope.context}),
        ),
    )
    made = {"proposalId": f"proposal-{row.lastrowid}", "itemId": proposal["itemId"]}
    return made | {"status": "proposed"}
