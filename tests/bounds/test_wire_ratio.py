"""
How many bytes travel for a byte that lands, which is where the 3 in the body limit is from.
"""

import json
from functools import cache

from tests.bounds.tables import rows
from weighbridge.limits import ENVELOPE, INLINE_BODY, WIRE_RATIO, Limits

SHORT = {8, 9, 10, 12, 13}
QUOTED = {0x22, 0x5C}
CONTROLS = set(range(0x20)) - SHORT

#: The classes of the table, each a set of code points; together they are all of them.
CLASSES = {
    "printable ASCII": set(range(0x20, 0x7F)) - QUOTED,
    "quotation mark and backslash": QUOTED,
    "control characters with a short escape": SHORT,
    "control characters without one": CONTROLS,
    "U+007F": {0x7F},
    "U+0080 to U+07FF": set(range(0x80, 0x800)),
    "U+0800 to U+FFFF, surrogates left out": {*range(0x800, 0xD800), *range(0xE000, 0x10000)},
    "U+10000 to U+10FFFF": set(range(0x10000, 0x110000)),
}


@cache
def ratios(*, escaped: bool) -> list[float]:
    """Wire bytes per landed byte of every code point; 0 for a surrogate."""
    encoder = json.JSONEncoder(ensure_ascii=escaped)
    found = []
    for point in range(0x110000):
        if 0xD800 <= point <= 0xDFFF:
            found.append(0.0)
            continue
        text = chr(point)
        wire = len(encoder.encode(text).encode()) - 2
        found.append(wire / len(text.encode()))
    return found


def test_the_classes_hold_every_character_once():
    assert sum(map(len, CLASSES.values())) == 0x110000 - 0x800
    assert len(set().union(*CLASSES.values())) == 0x110000 - 0x800


def test_the_table_of_ratios_is_what_both_families_of_encoders_write():
    shown = {name: cells for name, *cells in rows("docs/limits.md", "characters")}
    expected = {}
    for name, members in CLASSES.items():
        sizes = {len(chr(point).encode()) for point in members}
        escaped = {ratios(escaped=True)[point] for point in members}
        raw = {ratios(escaped=False)[point] for point in members}
        # One row has one answer: a class that had two would be two classes.
        (size,), (one,), (other,) = sizes, escaped, raw
        expected[name] = [str(size), f"{one:g}", f"{other:g}"]
    assert shown == expected


def test_the_worst_ratio_but_for_the_residual_set_is_the_constant():
    residual = CONTROLS | {0x7F}
    worst = [max(both) for both in zip(ratios(escaped=True), ratios(escaped=False), strict=True)]
    assert {point for point, ratio in enumerate(worst) if ratio > WIRE_RATIO} == residual
    assert max(worst) == 6
    assert max(ratio for point, ratio in enumerate(worst) if point not in residual) == WIRE_RATIO


def test_the_body_limit_is_the_largest_body_at_the_worst_ratio_and_a_mebibyte():
    assert Limits().body == WIRE_RATIO * INLINE_BODY + 2**20
    assert ENVELOPE < 2**20
