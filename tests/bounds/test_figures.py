"""
No figure stands in the documents of limits and memory that nothing here pins.
"""

import json

import pytest

from tests.adversary.attack import CORPUS, TOOL, Attack, corpus, outcome, steps
from tests.adversary.search import BOUNDS
from tests.bounds.bodies import TWO
from tests.bounds.tables import DOCUMENTS, figures, prose, rows
from tests.bounds.test_landing import base, ceiling
from tests.bounds.test_memory import MIB
from weighbridge import Catalog, limits
from weighbridge.limits import Limits
from weighbridge.reference.__main__ import CONCURRENCY

pytestmark = pytest.mark.no_cover

DEFAULTS = Limits()

FILES = ("known.json", "found.json")

#: Lists to the limit on nodes under schemas that people write: items, and how many.
ORDINARY = {
    "integers between two bounds": (
        {"type": "integer", "minimum": 0, "maximum": 1_000_000},
        {"~": "number", "times": 1, "plus": 0},
        DEFAULTS.nodes - 3,
    ),
    "objects of three fields": (
        {
            "type": "object",
            "properties": {
                "id": {"type": "string", "maxLength": 40},
                "count": {"type": "integer", "minimum": 0},
                "kind": {"enum": ["a", "b", "c"]},
            },
            "required": ["id", "count"],
            "additionalProperties": False,
        },
        {"id": "x{i}", "count": 3, "kind": "b"},
        (DEFAULTS.nodes - 3) // 7,
    ),
    "texts of bounded length by a pattern": (
        {"type": "string", "maxLength": 200, "pattern": "^[a-z0-9]+(?:-[a-z0-9]+)*$"},
        "item-{i}",
        DEFAULTS.nodes - 3,
    ),
    "dates with their time": (
        {"type": "string", "format": "date-time"},
        "2026-01-31T12:00:00Z",
        DEFAULTS.nodes - 3,
    ),
    "integers or null": (
        {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        None,
        DEFAULTS.nodes - 3,
    ),
}


@pytest.mark.parametrize("name", ORDINARY)
def test_an_ordinary_list_to_the_limit_on_nodes_is_admitted_at_the_steps_of_its_row(name):
    items, of, many = ORDINARY[name]
    schema = {"properties": {"a": {"type": "array", "items": items}}}
    came = outcome(Attack(name, schema, {"a": {"~": "list", "n": many, "of": of}}))
    assert came.verdict == "admitted"
    assert [name, f"{came.steps:,}"] in rows("docs/limits.md", "list of")


def test_the_longest_attacks_are_told_as_they_were_recorded():
    measured = json.loads((CORPUS / "measured.json").read_text("utf-8"))
    recorded = {row["name"]: row["steps"] for file in FILES for row in corpus(file)}
    assert rows("docs/limits.md", "attack") == [
        [name, f"{recorded[name]:,}", f"{seconds:g}"] for name, seconds in measured.items()
    ]
    assert max(measured.values()) <= BOUNDS["seconds"]


def test_a_schema_counts_two_for_itself_and_one_for_each_keyword():
    """
    One hundred more schemas of two keywords each, on one value.
    """

    def spent(many):
        catalog = Catalog.from_tools(
            [{"name": TOOL, "inputSchema": {"allOf": [{"minProperties": 0, "maxProperties": 9}] * many}}],
            unknown_keys="as-published",
        )  # fmt: skip
        return steps(catalog, {})

    assert spent(200) - spent(100) == 100 * (2 + 2)


def test_the_texts_of_the_body_limit_are_told_as_they_were_recorded():
    measured = json.loads((CORPUS / "texts.json").read_text("utf-8"))
    assert rows("docs/memory.md", "text of the body limit") == [
        [name, *(f"{seconds:g}" for seconds in both)] for name, both in measured.items()
    ]
    assert all(parsed > door for parsed, door in measured.values())


#: What a figure may be, beside what stands in a table that has a test of its own.
PINNED = {
    *(f"{number:,}" for number in limits.as_dict(DEFAULTS).values()),
    f"{DEFAULTS.composed:,}",
    f"{limits.ENVELOPE:,}",
    f"{limits.INLINE_BODY:,}",
    f"{limits.INTEGER_DIGITS:,}",
    *map(
        str,
        (
            limits.TEXT_NODES,
            2 * limits.TEXT_NODES,
            limits.EVALUATION_DEPTH,
            limits.FINDINGS,
            limits.SENTENCE,
            limits.POINTER,
        ),
    ),
    # The bounds of the search and of the memory rows.
    f"{BOUNDS['seconds']:g}",
    f"{BOUNDS['rate'] * 1e6:g}",
    str(BOUNDS["memory"] // MIB),
    # The arithmetic of requests at once.
    str(CONCURRENCY),
    f"{-(-ceiling(base(), CONCURRENCY, DEFAULTS.body) // MIB):,}",
    str((ceiling(0, 1, DEFAULTS.body) - ceiling(0, 0, DEFAULTS.body)) // MIB),
    str(ceiling(0, 0, DEFAULTS.body) // MIB),
    "503",
    # Levels of the arguments, and what each name costs in a table of CONTRACT's charges:
    # driven character by character in the tests of the charge.
    "4",
    "10",
    "6",
    str(len(TWO.encode())),
    "1",
}

#: Tables whose every row is compared with what was computed or driven, by its first heading.
TABLES = {
    "docs/limits.md": ("limit", "characters", "leaf", "number", "attack", "list of"),
    "docs/memory.md": (
        "text",
        "values",
        "text of the body limit",
        "one long text",
        "many values",
        "share",
        "memory of the machine",
    ),
}


@pytest.mark.parametrize("file", DOCUMENTS)
def test_no_figure_stands_in_the_document_that_nothing_pins(file):
    of_tables = {
        figure
        for first in TABLES[file]
        for row in rows(file, first)
        for cell in row
        for figure in figures(cell)
    }
    assert figures(prose(file)) - of_tables - PINNED == set()


def test_a_figure_that_nothing_pins_is_found():
    assert figures("a table of 12,345 rows, of U+007F and of RFC 3339") - PINNED == {"12,345"}
