"""
Every figure and every rule that the page on audit and lint shows is what the code says.
"""

import json

from tests.bounds.tables import figures, prose, rows
from tests.doors.documents import blocks
from tests.test_audit import BODIES, NOT_PROVEN, TOOLS, envelope
from weighbridge import Catalog, audit, lint, lint_report
from weighbridge.audit_strings import TEXTS, costs
from weighbridge.limits import ENVELOPE, INLINE_BODY, Limits
from weighbridge.regex_sets import EVERYTHING

PAGE = "docs/audit.md"


def printed():
    """The rows of the table that ``catalog lint`` prints, as cells."""
    found = []
    for line in lint_report.lines(Catalog.bundled(), ()):
        cells = [cell.strip() for cell in line.split("  ") if cell.strip()]
        if cells and cells[0] in ("(limit)", *TOOLS):
            found.append(cells)
    return found


def test_the_table_of_the_page_is_the_one_that_is_printed():
    tables = rows(PAGE, "tool")
    assert [row for row in tables if len(row) == 1 + len(audit.AUDITED)] == printed()


def test_the_tools_that_are_not_proven_are_named_with_their_limits():
    told = {row[0]: set(row[1].split(", ")) for row in rows(PAGE, "tool") if len(row) == 3}
    assert told == NOT_PROVEN


def test_the_bytes_beside_a_body_are_those_that_are_computed():
    told = [row for row in rows(PAGE, "tool") if len(row) == 2]
    assert told == [[name, f"{envelope(TOOLS[name].root.schema):,}"] for name in BODIES]


def test_the_rules_of_the_page_are_those_of_the_linter():
    told = {rule.strip("`"): about for rule, about in rows(PAGE, "rule")}
    assert told == {rule: about.replace("``", "`") for rule, about in lint.RULES.items()}


def test_no_figure_stands_in_the_page_that_nothing_pins():
    worst = {text: max(one.each for one in costs(EVERYTHING, text).values()) for text in TEXTS}
    pinned = {
        *(figure for row in rows(PAGE, "tool") for cell in row for figure in figures(cell)),
        f"{INLINE_BODY:,}",
        f"{Limits().body - 3 * INLINE_BODY:,}",
        f"{ENVELOPE:,}",
        str(worst["escaped"]),
        str(worst["rendered"]),
        # Exit statuses, a letter's charge, and a multiple that the tests of multipleOf decide.
        *("0", "1", "2", "8", "10.1", "0.1"),
    }
    assert figures(prose(PAGE)) - pinned == set()


def test_the_exception_that_the_page_shows_keeps_a_remark(tmp_path):
    (block,) = blocks_of_json()
    (one,) = block["exceptions"]
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": one["schema"],
        "x-weighbridge-tool": "note.add",
        "type": "object",
        "properties": {"attributes": {"type": "object"}},
        "additionalProperties": False,
    }
    (tmp_path / "note-add-input.schema.json").write_text(json.dumps(schema), "utf-8")
    assert [remark.reason for remark in lint.of_folder(tmp_path)] == [""]
    (tmp_path / "catalog.json").write_text(json.dumps(block), "utf-8")
    assert [remark.reason for remark in lint.of_folder(tmp_path)] == [one["reason"]]


def blocks_of_json():
    return [json.loads(block.body) for block in blocks("json") if block.file == PAGE]
