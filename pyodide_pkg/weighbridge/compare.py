"""
Whether a server that lists its tools judges by the very catalog that is held here.

What a server says of itself is read as anybody's text: a record that is missing,
odd or at odds with the list beside it makes the answer ``unknown``, never ``same``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

from weighbridge.advertise import CATALOG_KEY, TOOL_KEY, catalog_record
from weighbridge.canonical import are_equal, canonical
from weighbridge.catalog import Catalog
from weighbridge.characters import fragment
from weighbridge.charge import Charge, charge
from weighbridge.digest import shape, tool_digest
from weighbridge.gate import Tool
from weighbridge.limits import RANGES, Limits
from weighbridge.text import Parsed, parse

Outcome = Literal["same", "text differs", "differs", "unknown"]

#: What a list of tools may cost: it holds schemas, which nest deeper than calls.
READ: Final = Limits(nesting=RANGES["nesting"][1], nodes=1_000_000, rendered=1 << 26, body=1 << 27)

#: Names told of each kind of difference.
NAMES: Final = 100


@dataclass(frozen=True, slots=True)
class Comparison:
    """
    How the catalog held here stands to the one that a server lists.
    """

    outcome: Outcome

    #: Tools that the server lists and this catalog has not; that this catalog
    #: has and the server does not list; that take other arguments there.  In
    #: code-point order, escaped and cut, at most ``NAMES`` of each.
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    #: How many names were left out of the three.
    omitted: int = 0

    #: What else is not the same, by its name in the catalog's record: ``limits``,
    #: ``bookkeeping``, ``contract``, ``version``, ``shapeDigest``.
    others: tuple[str, ...] = ()

    @property
    def advisory(self) -> bool:
        """Whether a verdict of this catalog may not be the server's."""
        return self.outcome in ("differs", "unknown")

    def as_dict(self) -> dict[str, Any]:
        """The comparison as JSON values; every key is always present."""
        return {
            "outcome": self.outcome,
            "advisory": self.advisory,
            "added": list(self.added),
            "removed": list(self.removed),
            "changed": list(self.changed),
            "omitted": self.omitted,
            "others": list(self.others),
        }

    def to_json(self) -> str:
        """The canonical text; the same bytes in every seat."""
        return canonical(self.as_dict())


UNKNOWN: Final = Comparison("unknown")


def compare(catalog: Catalog, listed: object) -> Comparison:
    """
    Compare ``catalog`` with the result of ``tools/list``, its pages joined.

    ``same`` and ``text differs`` mean that every verdict is the server's too.
    Never raises for anything that a server can say.
    """
    try:
        if not isinstance(charge(listed, READ), Charge):
            return UNKNOWN
        return _compared(catalog, listed)
    except Exception:  # noqa: BLE001 - what cannot be read is not known to be the same
        return UNKNOWN


def compare_text(catalog: Catalog, text: str | bytes) -> Comparison:
    """
    The same for the JSON text of the result, held to be strict JSON.
    """
    parsed = parse(text, READ)
    return compare(catalog, parsed.value) if isinstance(parsed, Parsed) else UNKNOWN


@dataclass(frozen=True, slots=True)
class _Standing:
    """How one listed tool stands to ours."""

    #: The same as listed; the same but for what only readers see; else neither.
    is_same: bool
    is_alike: bool


def _compared(catalog: Catalog, listed: Any) -> Comparison:
    tools = {entry["name"]: entry for entry in listed["tools"]}
    if len(tools) != len(listed["tools"]) or not all(isinstance(name, str) for name in tools):
        return UNKNOWN
    record = _record(listed, tools.values())
    if record is None:
        return UNKNOWN
    ours = catalog_record(catalog)
    both = sorted(tools.keys() & catalog.tools.keys())
    standing = {name: _stands(catalog, catalog.tools[name], tools[name]) for name in both}
    added = sorted(tools.keys() - catalog.tools.keys())
    removed = sorted(catalog.tools.keys() - tools.keys())
    changed = [name for name in both if not standing[name].is_alike]
    compared = ("bookkeeping", "contract", "limits", "shapeDigest", "version")
    others = tuple(
        key for key in compared if key in record and not are_equal(record[key], ours[key])
    )
    if added or removed or changed or {"bookkeeping", "limits"} & {*others}:
        return _differs(added, removed, changed, others)
    if others or not {"contract", "shapeDigest", "version"} <= record.keys():
        return Comparison("unknown", others=others)
    alike = all(one.is_same for one in standing.values())
    return Comparison("same" if alike else "text differs")


def _record(listed: dict[str, Any], tools: Iterable[dict[str, Any]]) -> dict[str, Any] | None:
    """
    What the server says of its catalog: on the list, or the same on every tool.

    Some clients drop what stands on the list.
    """
    record = (listed.get("_meta") or {}).get(CATALOG_KEY)
    if isinstance(record, dict):
        return record
    said = [(one.get("_meta") or {}).get(TOOL_KEY) for one in tools]
    records = [
        {
            "contract": one["contract"],
            "version": one["version"],
            "shapeDigest": one["catalog"]["shapeDigest"],
        }
        for one in said
        if isinstance(one, dict)
    ]
    alike = len(records) == len(said) and all(are_equal(one, records[0]) for one in records)
    return records[0] if records and alike else None


def _stands(catalog: Catalog, ours: Tool, listed: dict[str, Any]) -> _Standing:
    """By the schema that was listed: what is said of it may be of another."""
    schema = listed["inputSchema"]
    said = (listed.get("_meta") or {}).get(TOOL_KEY)
    if isinstance(said, dict):
        # What a listed schema does not show; the shape digest covers it as well.
        hidden = {"limits": said.get("limits", {}), "maxBytes": said.get("maxBytes", {})}
        held = {"limits": catalog.narrower(ours), "maxBytes": dict(ours.byte_bounds)}
        if not are_equal(hidden, held):
            return _Standing(is_same=False, is_alike=False)
    if tool_digest(ours.name, schema) == ours.digest:
        return _Standing(is_same=True, is_alike=True)
    return _Standing(is_same=False, is_alike=are_equal(shape(schema), shape(ours.published)))


def _differs(
    added: list[str], removed: list[str], changed: list[str], others: tuple[str, ...]
) -> Comparison:
    omitted = sum(max(0, len(names) - NAMES) for names in (added, removed, changed))
    return Comparison("differs", _told(added), _told(removed), _told(changed), omitted, others)


def _told(names: list[str]) -> tuple[str, ...]:
    return tuple(fragment(name, Limits().fragment) for name in names[:NAMES])
