"""
One SQLite file: what the sample projects know, and what was proposed to them.

Nothing here changes a document. Proposals land in a table of their own whose
only status is ``proposed``; approving is a person's work and has no code. A
connection lives as long as one call, so any number of threads and replicas can
share the file.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

#: Written into the file; a file with another number was made by another version.
LAYOUT: Final = 1

#: Seconds that a writer waits for another one.
BUSY: Final = 5

#: A document is an item, a finding or a thread; the record is what an answer shows of it.
_TABLES: Final = """
CREATE TABLE projects (project_id TEXT PRIMARY KEY, title TEXT NOT NULL, repository TEXT NOT NULL);
CREATE TABLE documents (
    id INTEGER PRIMARY KEY, sort TEXT NOT NULL CHECK (sort IN ('item', 'finding', 'thread')),
    project_id TEXT NOT NULL REFERENCES projects, key TEXT NOT NULL, revision INTEGER NOT NULL,
    status TEXT NOT NULL, recorded_at TEXT NOT NULL, record TEXT NOT NULL,
    UNIQUE (project_id, key, revision));
CREATE TABLE snapshots (
    project_id TEXT NOT NULL REFERENCES projects, snapshot_id TEXT NOT NULL,
    recorded_at TEXT NOT NULL, UNIQUE (project_id, snapshot_id));
CREATE TABLE proposals (
    id INTEGER PRIMARY KEY AUTOINCREMENT, project_id TEXT NOT NULL REFERENCES projects,
    tool TEXT NOT NULL, item_id TEXT NOT NULL, body TEXT NOT NULL, evidence TEXT NOT NULL,
    anchors TEXT NOT NULL, details TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'proposed' CHECK (status = 'proposed'));
CREATE VIRTUAL TABLE words USING fts5 (name, text, tokenize = 'porter unicode61')
"""


@dataclass(frozen=True)
class StoreLayoutError(Exception):
    """
    The file exists and was not made by this version.
    """

    #: The file, as it was given.
    path: Path

    #: What the file says; 0 for a database that is not ours at all.
    found: int

    def __str__(self) -> str:
        """Name the file, both layouts and the way out."""
        return (
            f"{self.path} holds a database of layout {self.found}, and this version reads layout "
            f"{LAYOUT}: give another file with --database, or move this one away."
        )


@dataclass(frozen=True, slots=True)
class Store:
    """
    Where the file is; opened again for each call.
    """

    path: Path

    @contextmanager
    def connect(self) -> Iterator[sqlite3.Connection]:
        """
        A connection whose statements are one transaction, committed unless they raise.
        """
        with closing(sqlite3.connect(self.path, timeout=BUSY)) as db:
            db.row_factory = sqlite3.Row
            db.execute("PRAGMA foreign_keys = ON")
            with db:
                yield db


def open_store(path: Path) -> Store:
    """
    The store in that file, made and filled with the sample projects if it is new.

    Raises `StoreLayoutError`, and what SQLite raises about a file that it cannot use.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path, timeout=BUSY, isolation_level=None)) as db:
        # Immediate, so that of two replicas that start at once one fills the
        # file and the other finds it filled.
        db.execute("BEGIN IMMEDIATE")
        (layout,) = db.execute("PRAGMA user_version").fetchone()
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if layout != LAYOUT and (layout or tables):
            raise StoreLayoutError(path, layout)
        if layout != LAYOUT:
            for statement in _TABLES.split(";\n"):
                db.execute(statement)
            _fill(db, json.loads(files(__package__).joinpath("sample.json").read_text("utf-8")))
            db.execute(f"PRAGMA user_version = {LAYOUT}")
        db.execute("COMMIT")
        db.execute("PRAGMA journal_mode = WAL")
    return Store(path)


def _fill(db: sqlite3.Connection, sample: dict[str, list[dict[str, Any]]]) -> None:
    for project in sample["projects"]:
        db.execute("INSERT INTO projects VALUES (:projectId, :title, :repository)", project)
    for sort in ("item", "finding", "thread"):
        for record in sample[f"{sort}s"]:
            _fill_document(db, sort, record)
    for project in sample["projects"]:
        _fill_snapshots(db, project["projectId"])


def _fill_document(db: sqlite3.Connection, sort: str, record: dict[str, Any]) -> None:
    key = record["itemId"] if sort == "item" else record["recordKey"]
    written = {"sort": sort, "key": key, "record": json.dumps(record)}
    row = db.execute(
        "INSERT INTO documents (sort, project_id, key, revision, status, recorded_at, record)"
        " VALUES (:sort, :projectId, :key, :revision, :status, :recordedAt, :record)",
        {"revision": 1, "status": "recorded"} | record | written,
    )
    name = [key, record.get("title", ""), record.get("filePath", ""), *record.get("labels", [])]
    said = [message["text"] for message in record.get("messages", [])]
    text = record.get("body") or record.get("text") or "\n".join(said)
    db.execute(
        "INSERT INTO words (rowid, name, text) VALUES (?, ?, ?)",
        (row.lastrowid, " ".join(name), text),
    )


def _fill_snapshots(db: sqlite3.Connection, project: str) -> None:
    """
    One snapshot for each change, named by everything that was known then.
    """
    known: list[list[Any]] = []
    changes = db.execute(
        "SELECT recorded_at, key, revision, status FROM documents WHERE project_id = ?"
        " ORDER BY recorded_at, key, revision",
        (project,),
    )
    for change in changes.fetchall():
        known.append([project, *change])
        name = hashlib.sha256(json.dumps(known).encode("ascii")).hexdigest()
        db.execute("INSERT INTO snapshots VALUES (?, ?, ?)", (project, name, change[0]))
