"""
What a character costs and how it is escaped, the same on every interpreter.

Both answers stand on one pinned table, so that a charge is never below what any
supported ``repr`` renders and an escaped name is the same text in every seat.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from weighbridge.printable import NOT_PRINTABLE

#: Characters looked at in one go; what a charge copies at a time.
CHUNK = 65_536

_BYTE = 0xFF
_BMP = 0xFFFF
_PLANE = 0x10000

_STARTS = tuple(first for first, _ in NOT_PRINTABLE)

_SHORT = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}


def _members(first: int, last: int) -> list[tuple[int, int]]:
    """The runs that are not printable within two code points, as offsets."""
    return [
        (max(start, first) - first, min(end, last) - first)
        for start, end in NOT_PRINTABLE
        if start <= last and end >= first
    ]


def _run_of(first: int, last: int, *, shifted: bool = False) -> re.Pattern[str]:
    base = 0 if shifted else first
    body = "".join(
        f"\\U{start + base:08x}-\\U{end + base:08x}" for start, end in _members(first, last)
    )
    return re.compile(f"[{body}]+")


_IN_BYTE = _run_of(0, _BYTE)
_IN_BMP = _run_of(0, _BMP)
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")

# A class of many astral ranges is tried one range after another, 200 ns a
# character.  A plane moved down to the first one is a table look-up.
_PLANES = tuple(
    (
        re.compile(f"[^\\U{plane * _PLANE:08x}-\\U{plane * _PLANE + _BMP:08x}]+"),
        _run_of(plane * _PLANE, plane * _PLANE + _BMP, shifted=True),
    )
    for plane in range(1, 17)
)


def _count(runs: re.Pattern[str], chunk: str) -> int:
    return len(chunk) - len(runs.sub("", chunk))


def _astral_not_printable(chunk: str) -> int:
    total = 0
    for others, runs in _PLANES:
        members = others.sub("", chunk)
        if members:
            raw = bytearray(members.encode("utf-32-le"))
            raw[2::4] = bytes(len(members))
            total += _count(runs, raw.decode("utf-32-le", "surrogatepass"))
    return total


def _charge_of_chunk(chunk: str, *, quoted: bool) -> int:
    total = len(chunk) + chunk.count("\\")
    if quoted:
        total += chunk.count("'")
    if _IN_BMP.search(chunk):
        short = chunk.count("\t") + chunk.count("\n") + chunk.count("\r")
        in_byte = _count(_IN_BYTE, chunk)
        in_bmp = _count(_IN_BMP, chunk) - in_byte
        total += short + 3 * (in_byte - short) + 5 * in_bmp
    if not chunk.isascii() and _ASTRAL.search(chunk):
        total += 9 * _astral_not_printable(chunk)
    return total


def charge_of_text(text: str, budget: int) -> int:
    """
    Characters that rendering ``text`` takes, its quotes left out.

    Exact up to ``budget``; past it, some number that is past it too, so that a
    refusal costs no more than the limit it names.
    """
    # An apostrophe is escaped only where the text holds a quotation mark too.
    quoted = '"' in text and "'" in text
    if len(text) <= CHUNK:
        return _charge_of_chunk(text, quoted=quoted)
    total = 0
    for start in range(0, len(text), CHUNK):
        total += _charge_of_chunk(text[start : start + CHUNK], quoted=quoted)
        if total > budget:
            break
    return total


def has_lone_surrogate(text: str) -> bool:
    """Whether ``text`` holds a surrogate, which no UTF-8 text can carry."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def utf8_length(text: str) -> int:
    """
    Bytes of ``text`` in UTF-8, a lone surrogate counted as three.

    Measured in pieces: the bytes of a large body are never built whole.
    """
    if text.isascii():
        return len(text)
    return sum(
        len(text[start : start + CHUNK].encode("utf-8", "surrogatepass"))
        for start in range(0, len(text), CHUNK)
    )


def is_printable(character: str) -> bool:
    """Whether the pinned table calls one character printable."""
    at = bisect_right(_STARTS, ord(character)) - 1
    return at < 0 or NOT_PRINTABLE[at][1] < ord(character)


def escaped_character(character: str) -> str:
    """One character as a refusal shows it: itself, or an escape in ASCII."""
    short = _SHORT.get(character)
    if short is not None:
        return short
    if is_printable(character):
        return character
    point = ord(character)
    if point <= _BYTE:
        return f"\\x{point:02x}"
    if point <= _BMP:
        return f"\\u{point:04x}"
    return f"\\U{point:08x}"


def fragment(name: str, most: int, *, quote: str = "") -> str:
    """
    A caller-written name, escaped and at most ``most`` characters long.

    A name that does not fit is cut between two escapes and says how many
    characters it had; ``quote`` is escaped as well where the name is put
    between such marks.
    """
    pieces: list[str] = []
    length = 0
    for character in name[: most + 1]:
        piece = "\\" + quote if character == quote else escaped_character(character)
        pieces.append(piece)
        length += len(piece)
        if length > most:
            break
    else:
        return "".join(pieces)
    tail = f"... ({len(name)} characters)"
    while length > most - len(tail):
        length -= len(pieces.pop())
    return "".join(pieces) + tail
