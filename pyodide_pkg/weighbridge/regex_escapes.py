r"""
The escapes that stand for one code point by its number, in a pattern and in a name.
"""

from __future__ import annotations

from weighbridge.regex_sets import BEYOND

_HEX = frozenset("0123456789abcdefABCDEF")

_FOUR = 4
_HIGH = 0xD800
_LOW = 0xDC00
_PAIRED = 0x10000
_PAST_LOW = 0xE000


def hexadecimal(source: str, at: int, count: int) -> int | None:
    """
    The number that exactly ``count`` hexadecimal digits at ``at`` spell, or None.
    """
    digits = source[at : at + count]
    if len(digits) < count or not _HEX.issuperset(digits):
        return None
    return int(digits, 16)


def unicode(source: str, at: int) -> tuple[int, int] | None:
    r"""
    The code point of ``\u`` when ``at`` is just after it, and the offset past it.

    Two escapes that are the halves of a surrogate pair are one code point.
    """
    if source.startswith("{", at):
        return _braced(source, at + 1)
    high = hexadecimal(source, at, _FOUR)
    if high is None:
        return None
    after = at + _FOUR
    if _HIGH <= high < _LOW and source.startswith("\\u", after):
        low = hexadecimal(source, after + 2, _FOUR)
        if low is not None and _LOW <= low < _PAST_LOW:
            return _PAIRED + ((high - _HIGH) << 10) + low - _LOW, after + 2 + _FOUR
    return high, after


def _braced(source: str, start: int) -> tuple[int, int] | None:
    # Leading zeros may go on without end, so the number is built digit by digit.
    value, at = 0, start
    while source[at : at + 1] in _HEX and value < BEYOND:
        value = value * 16 + int(source[at], 16)
        at += 1
    if at == start or value >= BEYOND or not source.startswith("}", at):
        return None
    return value, at + 1
