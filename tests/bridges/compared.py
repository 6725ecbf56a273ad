"""
The single-fault calls of the table as ajv and our findings tell them, side by side.

Run as a module it prints each call where the two are not equal, for whoever
writes ``differences.json``.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cases import table
from weighbridge import Catalog

HERE = Path(__file__).parent

#: Characters of a text; ajv takes minutes for some that are longer.
LONGEST = 20_000

#: Patterns that take ajv longer than anyone waits, however short the text.
ENDLESS = ("^(a+)+$",)


@dataclass(frozen=True, slots=True)
class Told:
    """
    One call as both tell it.
    """

    #: The row of the table.
    name: str

    #: What ``verdict.issues`` holds.
    issues: list[dict[str, Any]]

    omitted: dict[str, Any]

    #: What ajv gives with ``allErrors``; None where it cannot compile the schema.
    errors: list[dict[str, Any]] | None

    @property
    def is_equal(self) -> bool:
        """Whether place, keyword and params are the same, in any order."""
        return self.errors is not None and facts(self.issues) == facts(self.errors)


def facts(told: list[dict[str, Any]]) -> list[str]:
    """Place, keyword and params of each, sorted."""
    kept = ([one["instancePath"], one["keyword"], one["params"]] for one in told)
    return sorted(json.dumps(one, sort_keys=True) for one in kept)


def single_faults() -> Iterator[tuple[str, Any, str, str]]:
    """Name, schema, text and verdict of each short row that is refused with one finding."""
    tools = Catalog.bundled().tools
    for row in [*table.read(), *table.read("foreign")]:
        refusal = row.verdict and row.verdict["refusal"]
        if not refusal or len(refusal["findings"]) != 1:
            continue
        text = row.text
        if text is not None and len(text) <= LONGEST:
            schema = row.schema if row.has_schema else tools[row.tool].published
            if any(json.dumps(pattern) in json.dumps(schema) for pattern in ENDLESS):
                continue
            yield row.name, schema, text, json.dumps(row.verdict)


def ask(cases: list[tuple[str, Any, str, str]]) -> list[Told]:
    """Tell each case in one run of Node; a schema of None asks ajv nothing."""
    done = subprocess.run(
        ["node", HERE / "issues.mjs"],
        input=json.dumps([case[1:] for case in cases]),
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return [
        Told(case[0], **answer) for case, answer in zip(cases, json.loads(done.stdout), strict=True)
    ]


if __name__ == "__main__":
    for told in ask(list(single_faults())):
        if not told.is_equal:
            print(told.name, told.issues, told.errors, sep="\n  ")
