"""
Freezes the verdicts of the table, and never one that contradicts its author.

Run ``python -m tests.cases.freeze`` from the top of the repository after a change
that is meant to change verdicts, and read the difference before committing it.
It ends with 1 and writes nothing for a file in which any row disagrees.
"""

from __future__ import annotations

import json
import sys

import weighbridge
from tests.cases.expectation import disagreements
from tests.cases.table import FILES, HERE, Row, dumps, read


def verdict_of(row: Row, catalog: weighbridge.Catalog) -> str:
    """The verdict of the text door: our catalog's, or that of the row's own schema."""
    if row.has_schema:
        catalog = foreign(row)
    return catalog.check_text(row.tool, row.text).to_json()


def foreign(row: Row) -> weighbridge.Catalog:
    """The catalog of the one tool ``t`` that a row of ``foreign.json`` carries."""
    return weighbridge.Catalog.from_tools([{"name": "t", "inputSchema": row.schema}])


def main(files: list[str]) -> int:
    """Freeze the named files, or all; say every disagreement."""
    catalog = weighbridge.Catalog.bundled()
    status = 0
    for file in files or [*FILES, "foreign"]:
        document = json.loads((HERE / f"{file}.json").read_text("ascii"))
        clean = True
        for row, written in zip(read(file), document["rows"], strict=True):
            text = verdict_of(row, catalog)
            for each in disagreements(row, text):
                print(f"{row.name}\n    {each}")
                clean = False
            verdict = json.loads(text)
            del verdict["catalog"]
            written["verdict"] = verdict
        if clean:
            (HERE / f"{file}.json").write_text(dumps(document["rows"]), "ascii")
        else:
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
