"""
Writes the table of general categories that the package pins.

Run it with the oldest supported Python (3.12, Unicode 15.0), from the top of
the repository: ``python3.12 pyodide_pkg/generate/regex_categories.py``.  The
output is the same on every run; a test compares it with the committed file.
"""

from __future__ import annotations

import sys
import unicodedata
from itertools import groupby
from pathlib import Path

TARGET = Path(__file__).parents[1] / "weighbridge" / "regex_categories.py"

HEAD = '''r"""
The general category of every code point, fixed at Unicode {version}.

Interpreters and browsers each carry their own version of these, so ``\\p{{L}}``
asked of the running one would differ between two seats.  Made by
``pyodide_pkg/generate/regex_categories.py`` under the oldest supported Python;
do not edit it by hand.
"""

from __future__ import annotations

from functools import cache

#: The Unicode version that the table is fixed at.
UNICODE = "{version}"

#: Runs of one category, from U+0000 on: two letters and the length of the run in
#: base 36, comma between runs.
_RUNS = (
{rows}
)


@cache
def categories() -> dict[str, tuple[int, ...]]:
    """
    The code points of every two-letter category, as sorted boundaries.

    An even entry begins a run, an odd one is the first code point after it.
    """
    found: dict[str, list[int]] = {{}}
    at = 0
    for run in _RUNS.split(","):
        after = at + int(run[2:], 36)
        found.setdefault(run[:2], []).extend((at, after))
        at = after
    return {{name: tuple(bounds) for name, bounds in found.items()}}
'''

#: Characters of the table in one line.
WIDTH = 92

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def base36(number: int) -> str:
    """Spell a whole number in base 36."""
    spelt = ""
    while True:
        number, digit = divmod(number, 36)
        spelt = DIGITS[digit] + spelt
        if not number:
            return spelt


def main() -> str:
    """The text of the generated module."""
    names = (unicodedata.category(chr(point)) for point in range(sys.maxunicode + 1))
    spelt = [f"{name}{base36(sum(1 for _ in run))}" for name, run in groupby(names)]
    rows, row = [], ""
    for index, run in enumerate(spelt):
        piece = run + ("," if index + 1 < len(spelt) else "")
        if len(row) + len(piece) > WIDTH:
            rows.append(row)
            row = ""
        row += piece
    rows.append(row)
    body = "\n".join(f'    "{row}"' for row in rows)
    return HEAD.format(version=unicodedata.unidata_version, rows=body)


if __name__ == "__main__":
    TARGET.write_text(main(), encoding="ascii")
