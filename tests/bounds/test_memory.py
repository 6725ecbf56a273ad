"""
What one verdict holds above the arguments: one test for each row of ``docs/memory.md``.
"""

import gc
import json
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pydantic_core
import pytest

from tests.adversary.attack import TOOL as ATTACK
from tests.adversary.attack import Attack, corpus
from tests.adversary.spelling import build
from tests.bounds.bodies import FOUR, THREE, TOOL, TWO, call, landing
from tests.bounds.tables import rows
from weighbridge import Catalog
from weighbridge.limits import INLINE_BODY, Limits
from weighbridge.plan import ASKED

pytestmark = pytest.mark.no_cover

MIB = 2**20
PUBLISHED = Catalog.bundled()
LIMITS = Limits()


def foreign(**of_a: Any) -> Catalog:
    schema = {"type": "object", "properties": {"a": of_a}}
    return Catalog.from_tools([{"name": TOOL, "inputSchema": schema}])


TEXT = foreign(type="string")


def ascii_but(character: str) -> str:
    return "a" * (INLINE_BODY - len(character.encode())) + character


def most_rendered(text: str, charged: int) -> str:
    return text * (LIMITS.rendered // charged)


Made = tuple[Catalog, dict[str, Any], str]

#: Each row of the table: what is judged, with the verdict that it gets.
GATE: dict[str, Callable[[], Made]] = {
    "an ASCII body of the greatest size": lambda: (
        PUBLISHED,
        call(landing("a")),
        "admitted",
    ),
    "the same beside an unknown name": lambda: (
        PUBLISHED,
        call(landing("a"), colour=1),
        "mismatch",
    ),
    "a body one byte longer": lambda: (PUBLISHED, call(landing("a") + "a"), "mismatch"),
    "a body of the wrong type": lambda: (PUBLISHED, call([landing("a")]), "mismatch"),
    "U+007F to the rendered limit": lambda: (
        TEXT,
        {"a": most_rendered("\x7f", 4)[:-1]},
        "admitted",
    ),
    "U+007F past the rendered limit": lambda: (TEXT, {"a": landing("\x7f")}, "rendered"),
    "U+007F and ASCII by turns": lambda: (TEXT, {"a": most_rendered("\x7fa", 5)}, "admitted"),
    "ASCII with one character of 2 bytes": lambda: (PUBLISHED, call(ascii_but(TWO)), "admitted"),
    "ASCII with one character of 3 bytes": lambda: (PUBLISHED, call(ascii_but(THREE)), "admitted"),
    "ASCII with one character of 4 bytes": lambda: (PUBLISHED, call(ascii_but(FOUR)), "admitted"),
    "characters of 2 bytes": lambda: (PUBLISHED, call(landing(TWO)), "admitted"),
    "characters of 3 bytes": lambda: (PUBLISHED, call(landing(THREE)), "admitted"),
    "characters of 4 bytes": lambda: (PUBLISHED, call(landing(FOUR)), "admitted"),
    "characters of 4 bytes, refused": lambda: (
        PUBLISHED,
        call(landing(FOUR), colour=1),
        "mismatch",
    ),
    "characters of 4 bytes to the rendered limit": lambda: (
        TEXT,
        {"a": FOUR * LIMITS.rendered},
        "rendered",
    ),
    "characters of 3 bytes, printable or not by turns": lambda: (
        TEXT,
        {"a": most_rendered("\u200b" + THREE, 7)[:-2]},
        "admitted",
    ),
    "characters of 4 bytes, printable or not by turns": lambda: (
        TEXT,
        {"a": most_rendered("\U0001dfff" + FOUR, 11)},
        "admitted",
    ),
    "a lone surrogate at the end": lambda: (TEXT, {"a": landing("a") + "\ud800"}, "not-json"),
    "an unknown name of the greatest size": lambda: (TEXT, {landing("a"): 1}, "mismatch"),
    "a number that is not finite below such a name": lambda: (
        TEXT,
        {"a": {landing("a"): float("inf")}},
        "not-json",
    ),
}

#: Many values, where what is held depends on how many there are.
MANY: dict[str, Callable[[], Made]] = {
    "a list of integers to the limit on nodes": lambda: (
        foreign(items={"type": "integer"}),
        {"a": [1] * (LIMITS.nodes - 3)},
        "admitted",
    ),
    "integers that must differ": lambda: (
        foreign(uniqueItems=True),
        {"a": list(range(LIMITS.nodes - 3))},
        "admitted",
    ),
    "objects that must differ": lambda: (
        foreign(uniqueItems=True),
        {"a": [{"k": at} for at in range((LIMITS.nodes - 3) // 3)]},
        "admitted",
    ),
    "long texts that must differ": lambda: (
        foreign(uniqueItems=True),
        {"a": ["x" * 120 + f"{at:05}" for at in range(LIMITS.nodes - 3)]},
        "admitted",
    ),
    "unknown names to the limit on nodes": lambda: (
        TEXT,
        {f"k{at}": 1 for at in range((LIMITS.nodes - 1) // 2)},
        "mismatch",
    ),
    "names that a pattern evaluates": lambda: (
        foreign(patternProperties={"^k": {}}, unevaluatedProperties=False),
        {"a": {f"k{at}": 1 for at in range((LIMITS.nodes - 3) // 2)}},
        "admitted",
    ),
    "numbers that are not finite, each at a place of its own": lambda: (
        foreign(),
        {"a": [[float("nan")] for _ in range((LIMITS.nodes - 3) // 2)]},
        "not-json",
    ),
}


def held(run: Callable[[], Any]) -> tuple[Any, int]:
    """What a function answers, and the most bytes of Python objects above those before it."""
    gc.collect()
    tracemalloc.start()
    try:
        answer = run()
        return answer, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def warmed(catalog: Any) -> None:
    """Have the plan of the tool written, which takes memory once and not for a call."""
    for _ in range(ASKED):
        catalog.check(TOOL, {})


def came(verdict: Any) -> str:
    refusal = verdict.refusal
    return "admitted" if refusal is None else refusal.limit or str(refusal.code)


def bound(name: str, *, first: str) -> int:
    """The bound that the document states for one row, in bytes."""
    (cells,) = [cells for cells in rows("docs/memory.md", first) if cells[0] == name]
    number, unit = cells[1].split()
    assert unit == "MiB"
    return int(number) * MIB


@pytest.mark.parametrize("name", GATE)
def test_one_long_text_costs_the_gate_less_than_its_row_says(name):
    catalog, arguments, expected = GATE[name]()
    warmed(catalog)
    verdict, peak = held(lambda: catalog.check(TOOL, arguments))
    assert came(verdict) == expected
    assert peak < bound(name, first="one long text")


@pytest.mark.parametrize("tool", PUBLISHED.tools)
def test_writing_the_plan_of_a_tool_takes_less_than_its_row_says(tool):
    catalog = replace(PUBLISHED)
    catalog.check(tool, {})
    _verdict, peak = held(lambda: catalog.check(tool, {}))
    assert peak < bound("writing the plan of a tool", first="once")


@pytest.mark.parametrize("name", MANY)
def test_many_values_cost_the_gate_less_than_their_row_says(name):
    catalog, arguments, expected = MANY[name]()
    warmed(catalog)
    verdict, peak = held(lambda: catalog.check(TOOL, arguments))
    assert came(verdict) == expected
    assert peak < bound(name, first="many values")


def test_the_attack_that_held_most_stays_under_its_row():
    """
    The members of the corpus that the search kept for what they held.
    """
    kept = [row for row in corpus("found.json") if row["sought"] == "memory"]
    assert kept
    for row in kept:
        attack = Attack(row["name"], row["schema"], row["arguments"])
        catalog, arguments = attack.catalog(), build(attack.arguments)
        _verdict, peak = held(lambda: catalog.check(ATTACK, arguments))  # noqa: B023
        assert peak < bound("the worst that the search found", first="many values")


def test_a_tool_name_of_megabytes_costs_less_than_a_mebibyte():
    name = landing("a")
    verdict, peak = held(lambda: PUBLISHED.check(name, {}))
    assert came(verdict) == "no-schema"
    assert peak < MIB


BODIES = {
    "ASCII": landing("a"),
    "U+007F, escaped": "\x7f" * (LIMITS.rendered // 4 - 100),
    "one character of 2 bytes": ascii_but(TWO),
    "one character of 3 bytes": ascii_but(THREE),
    "one character of 4 bytes": ascii_but(FOUR),
    "all of 4 bytes": landing(FOUR),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_parser_holds_the_multiple_of_the_wire_bytes_that_its_row_says(name):
    """
    The two parsers that the SDK's transports use on a request.
    """
    wire = json.dumps({"a": BODIES[name]}, ensure_ascii="escaped" in name).encode()
    (cells,) = [cells for cells in rows("docs/memory.md", "text") if cells[0] == name]
    readers = (json.loads, pydantic_core.from_json)
    # Up to the next whole multiple; a tenth for what stands beside the body.
    multiples = [
        max(1, round(held(lambda: reader(wire))[1] / len(wire) + 0.4))  # noqa: B023
        for reader in readers
    ]
    assert [f"{multiple}x" for multiple in multiples] == cells[1:]


@pytest.mark.parametrize("name", BODIES)
def test_the_text_door_holds_less_than_a_mebibyte_beside_its_parser(name):
    text = json.dumps(call(BODIES[name]), ensure_ascii="escaped" in name)
    value, parsing = held(lambda: json.loads(text))
    del value
    verdict, peak = held(lambda: PUBLISHED.check_text(TOOL, text))
    assert came(verdict) == "admitted"
    assert peak < parsing + MIB


def test_the_document_has_a_row_for_every_test_and_no_other():
    assert [cells[0] for cells in rows("docs/memory.md", "one long text")] == list(GATE)
    assert [cells[0] for cells in rows("docs/memory.md", "many values")] == [
        *MANY,
        "the worst that the search found",
    ]
    assert [cells[0] for cells in rows("docs/memory.md", "text")] == list(BODIES)
