"""
The code points that a pattern cannot tell apart, each such family as one symbol.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from weighbridge.regex_positions import OTHER, WORDLIKE
from weighbridge.regex_sets import WORD, CodePoints

#: Characters turned into symbols in one go: bounds what a long text costs in memory.
CHUNK = 4_096

_ASCII = 128
_BYTE = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Alphabet:
    """
    Every code point's symbol, and every symbol's positions.
    """

    #: The first code point of every run, from 0 on, and the symbol of the run.
    starts: tuple[int, ...]
    symbols: tuple[int, ...]
    #: For a symbol, the positions that take it, as bits.
    members: tuple[int, ...]
    #: For a symbol, what it is beside a boundary: WORDLIKE or OTHER.
    sides: tuple[int, ...]
    #: The positions, as bits, that share one set; every position is in one family.
    families: tuple[int, ...]
    #: The symbols of the ASCII characters; None when a symbol needs more than a byte.
    ascii: bytes | None

    def of(self, text: str) -> Sequence[int]:
        """
        The symbols of a text.
        """
        if self.ascii is not None and text.isascii():
            return text.encode("ascii").translate(self.ascii)
        starts, symbols = self.starts, self.symbols
        return [symbols[bisect_right(starts, ord(point)) - 1] for point in text]

    def chunks(self, text: str) -> Iterator[Sequence[int]]:
        """
        The symbols of a text, a piece at a time.
        """
        for start in range(0, len(text), CHUNK):
            yield self.of(text[start : start + CHUNK])

    def chunks_backwards(self, text: str) -> Iterator[Sequence[int]]:
        """
        The symbols of a text from its end to its beginning, a piece at a time.
        """
        for end in range(len(text), 0, -CHUNK):
            yield self.of(text[max(end - CHUNK, 0) : end])[::-1]


def alphabet(sets: Sequence[CodePoints], *, words: bool) -> Alphabet:
    r"""
    The coarsest alphabet in which every set, and ``\w`` if asked, is some symbols.
    """
    # Copies of a repeated part share their sets, and hashing a wide set is slow.
    positions: dict[int, int] = {}
    end = 0
    for same, run in groupby(map(id, sets)):
        start, end = end, end + sum(1 for _ in run)
        positions[same] = positions.get(same, 0) | (1 << end) - (1 << start)
    distinct: dict[CodePoints, int] = {}
    for points in {id(points): points for points in sets}.values():
        distinct[points] = distinct.get(points, 0) | positions[id(points)]
    # Passing the bound of a set, its positions begin or cease to take characters.
    wordlike = 1 << len(sets)
    split = [*distinct.items(), *([(WORD, wordlike)] if words else [])]
    toggles: dict[int, int] = {0: 0}
    for points, bits in split:
        for bound in points:
            toggles[bound] = toggles.get(bound, 0) ^ bits
    starts = sorted(toggles)
    numbers: dict[int, int] = {}
    symbols = []
    taking = 0
    for start in starts:
        taking ^= toggles[start]
        symbols.append(numbers.setdefault(taking, len(numbers)))
    return Alphabet(
        starts=tuple(starts),
        symbols=tuple(symbols),
        members=tuple(taking & ~wordlike for taking in numbers),
        sides=tuple(WORDLIKE if taking & wordlike else OTHER for taking in numbers),
        families=tuple(distinct.values()),
        ascii=_bytes(starts, symbols) if len(numbers) <= _BYTE else None,
    )


def ones(bits: int) -> Iterator[int]:
    """
    The numbers of the bits that are set, the smallest first.
    """
    if not bits & (bits - 1):
        if bits:
            yield bits.bit_length() - 1
        return
    # Taking the lowest bit off would copy the whole integer for each.
    spelt = bin(bits)[:1:-1]
    at = spelt.find("1")
    while at >= 0:
        yield at
        at = spelt.find("1", at + 1)


def _bytes(starts: list[int], symbols: list[int]) -> bytes:
    row = [symbols[bisect_right(starts, point) - 1] for point in range(_ASCII)]
    return bytes(row).ljust(_BYTE, b"\0")
