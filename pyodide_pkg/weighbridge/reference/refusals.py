"""
The refusals that only the state can give, each with what to do instead.

A published schema cannot know which projects are registered or what a database
can hold; a handler can, and says so with a remedy. As at the gate, the text
never repeats a caller's value: it names the field and what would be accepted.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time
from typing import Any, Final

from mcp.server.mcpserver.exceptions import ToolError

#: Vocabularies that a handler explains, by the field that uses them.
VOCABULARIES: Final = {
    "kind": ("decision", "guide", "pitfall", "reference", "rule", "runbook"),
    "reviewer": ("agent", "human", "linter"),
    "severity": ("blocker", "major", "minor", "note"),
    "threadState": ("open", "outdated", "resolved"),
}

#: The integers that SQLite stores: 64 bits, signed.
SQLITE_INTEGERS: Final = range(-(2**63), 2**63)


def declined(fact: str, remedy: str) -> ToolError:
    """
    A failure that the caller can act on; the SDK hands its text on as it is.
    """
    return ToolError(f"{fact} {remedy} Nothing was changed.")


def listed(names: Sequence[str]) -> str:
    """
    Names of ours in one line, or the word none.
    """
    return ", ".join(names) or "none"


def check_word(field: str, word: str | None) -> None:
    """
    Refuse a word that is not in the vocabulary of that field.
    """
    if word is not None and word not in VOCABULARIES[field]:
        raise declined(
            f"{field} is not one that this service knows.",
            f"Use one of: {listed(VOCABULARIES[field])}.",
        )


def check_storable(field: str, number: int | None) -> None:
    """
    Refuse an integer that the database cannot hold, before it raises about it.
    """
    if number is not None and number not in SQLITE_INTEGERS:
        raise declined(
            f"{field} is outside the integers that the database holds (64 bits, signed).",
            f"Send the number as the repository shows it, or leave {field} out.",
        )


def served_limit(limit: int, most: int, notes: list[str]) -> int:
    """
    The limit that is served: refused below 1, lowered to ``most`` with a note.
    """
    if limit < 1:
        raise declined("limit is below 1.", f"Send 1 to {most}, or leave it out.")
    if limit > most:
        notes.append(f"limit was lowered to {most}, the most that this tool answers with.")
    return min(limit, most)


def check_agent(context_agent: str | None, evidence_agent: str) -> None:
    """
    Refuse evidence that one agent gives in the name of another.
    """
    if context_agent not in (None, evidence_agent):
        raise declined(
            "evidence.agentId is not the agentId of this call.",
            "Send the same one in both places, or leave the call's agentId out.",
        )


def check_project(db: sqlite3.Connection, project: str | None) -> None:
    """
    Refuse a project that is not registered, and list the ones that are.
    """
    known = [row[0] for row in db.execute("SELECT project_id FROM projects ORDER BY 1")]
    if project not in known:
        raise declined(
            "No project is registered under that projectId.",
            f"Registered: {listed(known)}. project.list says what they are.",
        )


def check_revision(current: Mapping[str, Any] | None, expected: str | None) -> None:
    """
    Refuse a proposal that was written against another revision than the current one.
    """
    revision = None if current is None else str(current["revision"])
    if expected in (None, revision):
        return
    if revision is None:
        raise declined("There is no such item yet.", "Leave expectedRevision out to create it.")
    raise declined(
        "The item is at another revision than expectedRevision says.",
        f"It is at {revision}: read it with knowledge.get and write the proposal against that.",
    )


def moment(field: str, text: str | None) -> str | None:
    """
    A date or date-time as the database compares it: UTC, to the second.

    A date means its last second; a time without an offset is taken as UTC.
    """
    if text is None:
        return None
    try:
        when = _last_second(text) or datetime.fromisoformat(text)
        when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except (ValueError, OverflowError):
        raise declined(
            f"{field} is not a date or date-time.",
            "Send one such as 2026-01-31 or 2026-01-31T12:00:00Z.",
        ) from None
    return when.isoformat(timespec="seconds").replace("+00:00", "Z")


def _last_second(text: str) -> datetime | None:
    with suppress(ValueError):
        return datetime.combine(date.fromisoformat(text), time.max)
    return None
