"""
Calls with a body of the greatest size, one for each kind of character.
"""

from __future__ import annotations

from typing import Any

from weighbridge.limits import INLINE_BODY

TOOL = "knowledge.proposeChange"

TWO, THREE, FOUR = "\u00e9", "\u4f60", "\U0001f600"


def call(body: Any, **beside: Any) -> dict[str, Any]:
    """A proposal that the reference service accepts, with this body."""
    return {
        "projectId": "demo",
        "itemId": "tracking.retry-policy",
        "title": "A title",
        "kind": "rule",
        "owner": "delivery-core",
        "author": "someone",
        "description": "What changes",
        "body": body,
        "contentType": "text/markdown",
        "evidence": {"agentId": "a", "taskId": "t", "model": "m", "reasoning": "r"},
        **beside,
    }


def landing(character: str, landed: int = INLINE_BODY) -> str:
    """A text of exactly so many bytes of UTF-8, of that character and the least ASCII."""
    size = len(character.encode())
    return character * (landed // size) + "a" * (landed % size)
