"""
What a rule of the linter gives: a place, what is so there, and the cure.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from weighbridge.audit_sizes import every
from weighbridge.dialects import token

__all__ = ["Note", "at", "every", "spelt"]


class Note(NamedTuple):
    """
    What one rule finds at one place.
    """

    pointer: str
    message: str
    cure: str


def at(pointer: str, *steps: Any) -> str:
    """A place below another."""
    return pointer + "".join(f"/{token(str(step))}" for step in steps)


def spelt(names: Any) -> str:
    """Names in a sentence, in order, the first eight of them."""
    told = sorted(names)
    more = f" and {len(told) - 8} more" if len(told) > 8 else ""  # noqa: PLR2004
    return ", ".join(told[:8]) + more
