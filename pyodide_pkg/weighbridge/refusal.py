"""
The bounded answer, as data: a code, a message, and findings without a value.

A refusal is for the caller, who may be a model or a person, and says what to
change.  Its size is set by our limits whatever the call held.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from weighbridge.charge import Charge


class Code(StrEnum):
    """
    Why a call is refused.
    """

    NO_SCHEMA = "no-schema"
    NOT_JSON = "not-json"
    TOO_LARGE = "too-large"
    MISMATCH = "mismatch"
    UNUSABLE_SCHEMA = "unusable-schema"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """
    One place where the arguments miss the published schema.
    """

    #: JSON Pointer into the arguments, exact as far as it goes.
    pointer: str

    #: Whether ``pointer`` is complete.
    exact: bool

    keyword: str

    #: JSON Pointer into the published form of the schema.
    schema_pointer: str

    #: What the schema wants there, at most 240 characters.
    expected: str

    #: The schema's facts, under the names that ajv uses.
    params: dict[str, Any]

    #: The JSON type that came.
    received: str

    #: Names at fault, escaped and cut, in code-point order.
    names: tuple[str, ...] = ()

    #: How many more there are.
    omitted: int = 0

    #: The published name that was most likely meant.
    suggestion: str | None = None

    #: One sentence, at most 240 characters.
    message: str

    def as_dict(self) -> dict[str, Any]:
        """The finding as it stands in a verdict's JSON."""
        return {
            "pointer": self.pointer,
            "exact": self.exact,
            "keyword": self.keyword,
            "schemaPointer": self.schema_pointer,
            "expected": self.expected,
            "params": self.params,
            "received": self.received,
            "names": list(self.names),
            "omitted": self.omitted,
            "suggestion": self.suggestion,
            "message": self.message,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """
    Why a call may not reach its handler.
    """

    code: Code

    #: The limit passed, by its name in ``Limits``; only with ``too-large``.
    limit: str | None = None

    #: The whole answer in words, at most ``Limits.refusal`` characters.
    message: str

    #: Whether findings, or the message, leave something out.
    truncated: bool = False

    findings: tuple[Finding, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The refusal as it stands in a verdict's JSON."""
        return {
            "code": str(self.code),
            "limit": self.limit,
            "message": self.message,
            "truncated": self.truncated,
            "findings": [finding.as_dict() for finding in self.findings],
        }


def charge_as_dict(charge: Charge | None) -> dict[str, int] | None:
    """A charge as it stands in a verdict's JSON."""
    if charge is None:
        return None
    return {"nesting": charge.nesting, "nodes": charge.nodes, "rendered": charge.rendered}
