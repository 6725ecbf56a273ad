"""
How the time of one verdict grows with each thing that a caller can send more of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.bench.paired import measure
from weighbridge import Catalog

_CLOSED = {"type": "object", "additionalProperties": False}

_TEXT = {**_CLOSED, "properties": {"a": {"type": "string", "maxLength": 12_000_000}}}
_LIST = {
    **_CLOSED,
    "properties": {"a": {"type": "array", "items": {"type": "integer"}, "maxItems": 100_000}},
}
_OPEN = {"type": "object", "properties": {"a": {}}}


def _each(length: int) -> dict[str, Any]:
    names = {f"name{at}": {"type": "integer"} for at in range(length)}
    return {**_CLOSED, "properties": names}


@dataclass(frozen=True, slots=True)
class Axis:
    """
    One thing that grows.
    """

    name: str
    unit: str
    points: tuple[int, ...]

    #: For so many of it: the catalog, and arguments that hold and that do not.
    calls: Callable[[int], tuple[Catalog, Any, Any]]


def _one(schema: dict[str, Any]) -> Catalog:
    return Catalog.from_tools([{"name": "t", "inputSchema": schema}])


def _nodes(count: int) -> tuple[Catalog, Any, Any]:
    items = list(range(count))
    return _one(_LIST), {"a": items}, {"a": [*items[:-1], "no number"]}


def _length(count: int) -> tuple[Catalog, Any, Any]:
    return _one(_TEXT), {"a": "a" * count}, {"a": "a" * count, "b": None}


def _nesting(count: int) -> tuple[Catalog, Any, Any]:
    inside: Any = 1
    for _ in range(count - 1):
        inside = {"a": inside}
    return _one(_OPEN), {"a": inside}, {"a": inside, "b": inside}


def _tools(count: int) -> tuple[Catalog, Any, Any]:
    tools = [{"name": "t", "inputSchema": _TEXT}]
    tools += [{"name": f"tool{at}", "inputSchema": _TEXT} for at in range(count - 1)]
    return Catalog.from_tools(tools), {"a": "text"}, {"b": "text"}


def _findings(count: int) -> tuple[Catalog, Any, Any]:
    right = {f"name{at}": at for at in range(count)}
    return _one(_each(count)), right, dict.fromkeys(right, "no number")


AXES = (
    Axis("nodes", "items", (1, 10, 100, 1_000, 10_000, 99_000), _nodes),
    Axis("string length", "characters", (1, 100, 10_000, 100_000, 1_000_000, 8_388_608), _length),
    Axis("nesting", "levels", (1, 2, 4, 8, 16, 31), _nesting),
    Axis("tools in the catalog", "tools", (10, 100, 1_000, 5_000), _tools),
    Axis("findings", "values that miss", (1, 8, 64, 512, 4_096), _findings),
)


def run(say: Callable[[str], None]) -> list[dict[str, Any]]:
    """Measure every point of every axis, in microseconds."""
    return [
        {"axis": axis.name, "unit": axis.unit, "points": list(_points(axis, say))} for axis in AXES
    ]


def _points(axis: Axis, say: Callable[[str], None]) -> Iterator[dict[str, Any]]:
    for count in axis.points:
        say(f"{axis.name}: {count:,}")
        catalog, right, wrong = axis.calls(count)
        for _ in range(3):
            assert catalog.check("t", right).admitted
            assert not catalog.check("t", wrong).admitted
        measured = measure(
            {
                "admitted": lambda c=catalog, a=right: c.check("t", a),
                "refused": lambda c=catalog, a=wrong: c.check("t", a),
            },
            rounds=9,
        )
        yield {"at": count, **{name: measured.seconds(name) * 1e6 for name in measured.turns}}
