"""
The most that one string can cost, from what a schema says of it.

Which characters a string may hold decides what each of them can cost at worst:
an anchored pattern of ASCII classes is charged 1 a character, free text up to 10.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, product

from weighbridge.characters import charge_of_text
from weighbridge.printable import NOT_PRINTABLE
from weighbridge.regex_build import build
from weighbridge.regex_errors import UnusablePattern
from weighbridge.regex_positions import NOTHING, SIDES, Positions, kinds_where
from weighbridge.regex_scan import scan
from weighbridge.regex_sets import EVERYTHING, CodePoints, complement, pairs, ranges, union

#: Bounds on a string: what ``repr`` renders, and the bytes between the quotation
#: marks that JSON encoders write: escaped to ASCII, and raw UTF-8.
TEXTS = ("rendered", "escaped", "raw")

#: First and last code point of each size in UTF-8, by its bytes.
_SIZES = {1: (0, 0x7F), 2: (0x80, 0x7FF), 3: (0x800, 0xFFFF), 4: (0x10000, 0x10FFFF)}
_SURROGATES = ranges([(0xD800, 0xDFFF)])
_HIDDEN = ranges(NOT_PRINTABLE)

#: Steps through a pattern's positions after which its texts count as endless.
_LONGEST = 20_000

#: How few of a size may stay beside two others: see ``most``.
_FEW = 3


@dataclass(frozen=True, slots=True)
class Language:
    """
    What is known of the texts that a pattern or a format admits.
    """

    #: The code points that such a text is made of.
    letters: CodePoints = EVERYTHING

    #: Code points of the longest; None for no bound.
    longest: int | None = None

    #: One of the costliest texts, where that is known.
    sample: str = ""


@dataclass(frozen=True, slots=True)
class Cost:
    """
    What the costliest character of one size costs, and which one it is.
    """

    each: int
    letter: str


_ASCII = ranges([(0x20, 0x7E)])
_URI = ranges(
    [(ord(a), ord(a)) for a in "!#$%&'()*+,-./:;=?@_~[]"] + [(48, 57), (65, 90), (97, 122)]
)
_DIGITS = ranges([(48, 57)])

#: What each asserted format is made of, and how long its texts are at most.
FORMATS: Mapping[str, Language] = {
    "date": Language(ranges([(48, 57), (45, 45)]), 10, "2026-01-31"),
    "date-time": Language(_ASCII),
    "time": Language(_ASCII),
    "duration": Language(_ASCII),
    "uri": Language(_URI),
    "email": Language(_ASCII, 320),
    "uuid": Language(
        ranges([(45, 45), (48, 57), (65, 70), (97, 102)]),
        36,
        "2eb8aa08-aa98-11ea-b4aa-73b441d16380",
    ),
    "ipv4": Language(ranges([(46, 46), (48, 57)]), 15, "192.168.100.200"),
    "ipv6": Language(
        ranges([(46, 46), (48, 58), (65, 70), (97, 102)]),
        45,
        "2001:0db8:0000:0000:0000:0000:192.168.100.200",
    ),
    "json-pointer": Language(),
    "regex": Language(),
}


@lru_cache(maxsize=1_024)
def language(source: str) -> Language:
    """
    What the texts are made of that a pattern matches.

    A pattern that is not anchored at both ends says nothing of the rest of a text.
    """
    try:
        positions = build(source, scan(source)).positions
    except UnusablePattern:
        return Language()
    if not _is_whole(positions):
        return Language()
    return Language(union(positions.sets), _longest(positions))


def _is_whole(positions: Positions) -> bool:
    """Whether every match is the whole text."""
    starts = kinds_where(positions.looks, [(NOTHING, after) for after in range(SIDES)])
    ends = kinds_where(positions.looks, [(before, NOTHING) for before in range(SIDES)])
    return (
        all(not ways.once & ~starts for ways in positions.first)
        and all(not ways.once & ~ends for ways in positions.last)
        and not positions.empty.once & ~(starts & ends)
    )


def _longest(positions: Positions) -> int | None:
    """Characters of the longest match; None where there is no end to them."""
    here = 0
    for bits in positions.first.values():
        here |= bits
    length = 0
    while here:
        length += 1
        if length > min(len(positions.sets), _LONGEST):
            return None
        after = 0
        for link in positions.links:
            sources = here & link.sources
            if sources:
                after |= sources << link.by if link.by else link.targets
        here = after
    return length


def both(one: CodePoints, other: CodePoints) -> CodePoints:
    """What is in both sets."""
    return complement(union((complement(one), complement(other))))


@cache
def costs(letters: CodePoints, text: str) -> Mapping[int, Cost]:
    """
    The costliest character of each size in UTF-8 that ``letters`` has.
    """
    found: dict[int, Cost] = {}
    usable = both(letters, complement(_SURROGATES))
    for size, ends in _SIZES.items():
        points = both(usable, ranges([ends]))
        if points:
            found[size] = max(_candidates(points, size, text), key=lambda one: one.each)
    return found


def _candidates(points: CodePoints, size: int, text: str) -> Iterator[Cost]:
    if size == 1:
        for first, last in pairs(points):
            for point in range(first, last + 1):
                letter = chr(point)
                yield Cost(cost_of(letter, text), letter)
        if text == "rendered" and {"'", '"'} <= set(_members(points)):
            # An apostrophe counts twice in a text that holds a quotation mark.
            yield Cost(2, "'")
        return
    for some in (both(points, _HIDDEN), points):
        # Within a size only what is printable is charged differently, and within
        # the two bytes also whether an escape of two digits will do.
        for part in (some, both(some, ranges([(0x100, 0x10FFFF)]))):
            if part:
                yield Cost(cost_of(chr(part[0]), text), chr(part[0]))


def _members(points: CodePoints) -> Iterator[str]:
    for first, last in pairs(points):
        yield from map(chr, range(first, last + 1))


def cost_of(value: str, text: str) -> int:
    """What a whole string costs, by one of ``TEXTS``."""
    if text == "rendered":
        return charge_of_text(value, len(value) * 10)
    return len(json.dumps(value, ensure_ascii=text == "escaped").encode()) - 2


def most(each: Mapping[int, int], count: int, size: int | None) -> dict[int, int]:
    """
    How many characters of each size cost the most together.

    Args:
        each: what one character costs, by its bytes in UTF-8.
        count: characters that there may be.
        size: bytes that they may have together; None for no bound.

    Of three sizes one is always few: some of the middle one can be taken for as
    many of the outer two, or the reverse, and one of both does not cost less.
    """
    if not each or not count:
        return {}
    if size is None or size >= count * max(each):
        return {max(each, key=lambda one: each[one]): count}
    # A size that costs no more than a smaller one is never the better choice.
    each = {
        one: value
        for one, value in each.items()
        if all(value > other for smaller, other in each.items() if smaller < one)
    }
    best: tuple[int, dict[int, int]] = (0, {})
    for large in combinations(sorted(each), min(2, len(each))):
        others = [one for one in sorted(each) if one not in large]
        for few in product(range(_FEW + 1), repeat=len(others)):
            left, room = count - sum(few), size - sum(map(int.__mul__, others, few))
            if left < 0 or room < 0:
                continue
            for split in _splits(large, left, room):
                chosen = dict(zip(others, few, strict=True)) | split
                value = sum(each[one] * many for one, many in chosen.items())
                if value > best[0]:
                    best = value, chosen
    return best[1]


def _splits(large: tuple[int, ...], count: int, size: int) -> Iterator[dict[int, int]]:
    """The divisions between two sizes among which the costliest is."""
    if len(large) == 1:
        yield {large[0]: min(count, size // large[0])}
        return
    low, high = large
    end = min(count, size // high)
    # Up to here every character has room; past it each high one takes low ones away.
    turn = min(end, max(0, (size - low * count) // (high - low)))
    near = low + 1
    for at in {*range(turn - near, turn + near + 1), *range(near), *range(end - near, end + 1)}:
        if 0 <= at <= end:
            yield {high: at, low: min(count - at, (size - high * at) // low)}
