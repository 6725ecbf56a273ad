"""
Writes the table of printable code points that the package pins.

Run it with the oldest supported Python (3.12, Unicode 15.0), from the top of
the repository: ``python3.12 pyodide_pkg/generate/printable.py``.  The output is
the same on every run; a test compares it with the file that is committed.
"""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

TARGET = Path(__file__).parents[1] / "weighbridge" / "printable.py"

HEAD = '''"""
Which code points are printable, fixed at Unicode {version} and never asked again.

Interpreters disagree: a character that one prints another escapes, so a charge
or an escape that asked the running one would differ between two seats.  Made by
``pyodide_pkg/generate/printable.py`` under the oldest supported Python; do not
edit it by hand.
"""

from __future__ import annotations

#: The Unicode version that the table is fixed at.
UNICODE = "{version}"

#: Runs of code points that are not printable: the gap since the run before, and
#: the length of the run, in base 36, comma between runs.
_RUNS = (
{rows}
)


def _unpack(packed: str) -> tuple[tuple[int, int], ...]:
    runs = []
    at = 0
    for run in packed.split(","):
        gap, length = run.split(".")
        start = at + int(gap, 36)
        at = start + int(length, 36)
        runs.append((start, at - 1))
    return tuple(runs)


#: First and last code point of every run that is not printable, in order.
NOT_PRINTABLE = _unpack(_RUNS)
'''

#: Characters of one row of the table.
WIDTH = 76

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def base36(number: int) -> str:
    """Spell a whole number in base 36."""
    spelt = ""
    while True:
        number, digit = divmod(number, 36)
        spelt = DIGITS[digit] + spelt
        if not number:
            return spelt


def runs() -> list[tuple[int, int]]:
    """Every run of code points that this interpreter does not print."""
    found: list[tuple[int, int]] = []
    for point in range(sys.maxunicode + 1):
        if chr(point).isprintable():
            continue
        if found and found[-1][1] == point - 1:
            found[-1] = (found[-1][0], point)
        else:
            found.append((point, point))
    return found


def main() -> str:
    """The text of the generated module."""
    at = 0
    spelt = []
    for first, last in runs():
        spelt.append(f"{base36(first - at)}.{base36(last - first + 1)}")
        at = last + 1
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
