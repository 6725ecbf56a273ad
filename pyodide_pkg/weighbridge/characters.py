"""
What a character costs and how it is escaped, the same on every interpreter.

Both answers stand on one pinned table, so that a charge is never below what any
supported ``repr`` renders and an escaped name is the same text in every seat.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right

from weighbridge.printable import NOT_PRINTABLE

#: Characters looked at in one go where their bytes are counted or hashed.
CHUNK = 65_536

#: Characters looked at in one go where they are charged: every second one may
#: be taken out, and each piece that is left is an object of 80 bytes.
CHARGED_AT_ONCE = 8_192

#: Short texts that are looked at in one go.
TEXTS_AT_ONCE = 64

_BYTE = 0xFF
_BMP = 0xFFFF
_PLANE = 0x10000

# Found now, so that the first call with an astral character imports nothing.
codecs.lookup("utf-32-le")

_STARTS = tuple(first for first, _ in NOT_PRINTABLE)

_SHORT = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}


def _members(first: int, last: int) -> list[tuple[int, int]]:
    """The runs that are not printable within two code points, as offsets."""
    return [
        (max(start, first) - first, min(end, last) - first)
        for start, end in NOT_PRINTABLE
        if start <= last and end >= first
    ]


def _run_of(runs: list[tuple[int, int]]) -> re.Pattern[str]:
    body = "".join(f"\\U{start:08x}-\\U{end:08x}" for start, end in runs)
    return re.compile(f"[{body}]+")


_IN_BYTE = _run_of(_members(0, _BYTE))
_IN_BMP = _run_of(_members(0, _BMP))
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_SHORTENED = b"\t\n\r"
_CONTROLS = bytes([*range(32), 127])
_SURROGATE = re.compile("[\ud800-\udfff]")

# Past the first astral plane there are few runs: a class tries one after another.
_LATER = _run_of([run for run in NOT_PRINTABLE if run[0] >= 2 * _PLANE])
_UP_TO_FIRST = b"\x00\x01"


def _rows_of_first() -> tuple[bytes, re.Pattern[str]]:
    """
    The first astral plane in rows of 256, moved down to where a class is a look-up.

    Row 0 is every row that is printable throughout, row 1 every one that is not
    at all; each other has its own, below the surrogates.
    """
    rows = bytearray(256)
    runs = [(256, 511)]
    used = 2
    for row in range(256):
        first = _PLANE + row * 256
        members = _members(first, first + 255)
        if members == [(0, 255)]:
            rows[row] = 1
        elif members:
            rows[row] = used
            runs += [(used * 256 + start, used * 256 + end) for start, end in members]
            used += 1
    return bytes(rows), _run_of(runs)


_ROWS, _IN_ROWS = _rows_of_first()

# The mask that keeps only what the byte of its plane says is in the first.
_FIRST_ALONE = bytes(255 if plane == 1 else 0 for plane in range(256))


def _count(runs: re.Pattern[str], chunk: str) -> int:
    return len(chunk) - len(runs.sub("", chunk))


def _astral_not_printable(chunk: str) -> int:
    raw = chunk.encode("utf-32-le", "surrogatepass")
    planes = raw[2::4]
    total = _count(_LATER, chunk) if planes.lstrip(_UP_TO_FIRST) else 0
    if 1 in planes:
        mask = planes.translate(_FIRST_ALONE)
        moved = bytearray(len(raw))
        moved[0::4] = _masked(raw[0::4], mask)
        moved[1::4] = _masked(raw[1::4].translate(_ROWS), mask)
        total += _count(_IN_ROWS, moved.decode("utf-32-le"))
    return total


def _masked(octets: bytes, mask: bytes) -> bytes:
    """The octets where the mask is 255, and 0 where it is 0."""
    kept = int.from_bytes(octets, "little") & int.from_bytes(mask, "little")
    return kept.to_bytes(len(octets), "little")


def _charge_of_chunk(chunk: str, *, quoted: bool) -> int:
    total = len(chunk) + chunk.count("\\")
    if quoted:
        total += chunk.count("'")
    if chunk.isascii():
        # By deleting bytes: no expression is as fast, and most text is this.
        octets = chunk.encode("ascii")
        left = len(octets.translate(None, _CONTROLS))
        if left == len(octets):
            return total
        short = len(octets) - len(octets.translate(None, _SHORTENED))
        return total + short + 3 * (len(octets) - left - short)
    for control in "\t\n\r":
        if control in chunk:
            total += chunk.count(control)
            chunk = chunk.replace(control, "")
    if _IN_BMP.search(chunk):
        in_byte = _count(_IN_BYTE, chunk)
        total += 3 * in_byte + 5 * (_count(_IN_BMP, chunk) - in_byte)
    if _ASTRAL.search(chunk):
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
    if len(text) <= CHARGED_AT_ONCE:
        return _charge_of_chunk(text, quoted=quoted)
    total = 0
    for start in range(0, len(text), CHARGED_AT_ONCE):
        total += _charge_of_chunk(text[start : start + CHARGED_AT_ONCE], quoted=quoted)
        if total > budget:
            break
    return total


def charge_of_texts(texts: list[str], budget: int) -> int:
    """
    The same for many texts together: short ones are looked at in one go.

    Exact up to ``budget``, and past it where the true charge is.
    """
    total = 0
    for start in range(0, len(texts), TEXTS_AT_ONCE):
        several = texts[start : start + TEXTS_AT_ONCE]
        joined = "".join(several) if sum(map(len, several)) <= CHARGED_AT_ONCE else None
        # One text's quotation mark says nothing about another's apostrophe.
        if joined is not None and not ('"' in joined and "'" in joined):
            total += _charge_of_chunk(joined, quoted=False)
        else:
            for text in several:
                total += charge_of_text(text, budget - total)
                if total > budget:
                    return total
        if total > budget:
            return total
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
    # Of ASCII every interpreter prints the same.
    plain = len(name) <= most and name.isascii() and name.isprintable()
    if plain and "\\" not in name and not (quote and quote in name):
        return name
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
