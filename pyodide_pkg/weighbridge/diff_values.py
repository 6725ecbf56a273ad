"""
Values on either side of whatever two schemas say of one place, so that a difference shows.

Each keyword that any of them has there gives what lies at its bound, one past it, and
what it lists or is matched by; keywords that no place of theirs has give nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any, Final

from weighbridge.agree_shapes import Schemas
from weighbridge.agree_witness import PROBES
from weighbridge.instances import OF_FORMAT, OF_TYPE, REACH, value
from weighbridge.instances_text import matching
from weighbridge.multiples import is_multiple

#: Strings that are drawn for an expression, and places of one that are repeated.
DRAWN: Final = 12
PUMPED: Final = 12

#: What is put around and into a string that an expression matches.
BESIDE: Final = ("a", "A", "0", "z", "-", "_", ".", "/", ":", " ", "\n", "\u00e9")

#: Names that no schema is likely to have.
UNKNOWN: Final = ("zz", "x", "other")

#: Characters of one, two, three and four bytes.
WIDTHS: Final = ("a", "\u00e9", "\u6f22", "\U0001f600")

Values = Iterator[Any]


def of_place(
    speaking: Schemas, roots: tuple[Any, ...], lengths: tuple[int, ...], rng: random.Random
) -> Values:
    """
    What to put at a place.

    Args:
        speaking: every schema of both sides that speaks of the value there.
        roots: the two whole schemas, for references.
        lengths: bounds in bytes at that place.
        rng: what is drawn is drawn from.
    """
    for one in speaking:
        yield from one.get("enum", ())
        if "const" in one:
            yield one["const"]
    yield from (values[0] for values in OF_TYPE.values())
    for one in speaking:
        yield from _numbers(one)
        if one.get("format") in OF_FORMAT:
            yield from OF_FORMAT[one["format"]]
        for listed in one.get("enum", ()):
            if isinstance(listed, str):
                yield from (f"{listed}x", listed.upper(), listed[:-1])
    yield from _strings(speaking, lengths, rng)
    yield from _arrays(speaking, roots, rng)
    for sort in (*OF_TYPE.values(), *PROBES):
        yield from sort


def _bounds(speaking: Schemas, *keywords: str) -> tuple[Any, ...]:
    return tuple(sorted({one[key] for one in speaking for key in keywords if key in one}))


def _near(bounds: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted({at + by for at in bounds for by in (-1, 0, 1) if at + by >= 0}))


def _numbers(one: Mapping[str, Any]) -> Values:
    for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
        if keyword not in one:
            continue
        at = one[keyword]
        yield from (at, at - 1, at + 1, at - 0.5, at + 0.5)
        if isinstance(at, int) and abs(at) < 2**53:
            yield from (float(at), float(at + 1), float(at - 1))
    if "multipleOf" in one:
        step = one["multipleOf"]
        near = one.get("minimum", one.get("exclusiveMinimum", 0))
        yield from (step * times for times in (1, 2, 3, 1.5, 0.5))
        yield from (near + by for by in range(13) if is_multiple(near + by, step))


def _strings(speaking: Schemas, lengths: tuple[int, ...], rng: random.Random) -> Values:
    wanted = _near(_bounds(speaking, "minLength", "maxLength"))
    for length in wanted:
        yield "a" * length
    for length in _near(lengths):
        for char in WIDTHS:
            yield (char * (length // len(char.encode())))
            yield (char * -(-length // len(char.encode())))
    for pattern in sorted({one["pattern"] for one in speaking if "pattern" in one}):
        drawn = sorted({matching(pattern, rng) for _ in range(DRAWN)}, key=lambda s: (len(s), s))
        yield from drawn
        for text in drawn[:3] + drawn[-2:]:
            for beside in BESIDE:
                yield from (text + beside, beside + text, beside + text[1:], text[:-1] + beside)
                middle = len(text) // 2
                yield text[:middle] + beside + text[middle + 1 :]
            yield from (text[:-1], text[1:])
        for text in drawn[:2] + drawn[-3:]:
            for length in wanted:
                yield from _pumped(text, length)


def _pumped(text: str, length: int) -> Iterator[str]:
    """A string made that long by repeating one part of it, or by leaving some out."""
    if not text or length > REACH:
        return
    yield text[:length]
    yield (text * (length // len(text) + 1))[:length]
    more = length - len(text)
    for at in range(min(len(text), PUMPED) if more > 0 else 0):
        yield text[:at] + text[at] * more + text[at:]


def _arrays(speaking: Schemas, roots: tuple[Any, ...], rng: random.Random) -> Values:
    lists = [one for one in speaking if {"items", "maxItems", "minItems", "uniqueItems"} & {*one}]
    for inner in [one.get("items", True) for one in lists][:4]:
        items: list[Any] = []
        most = max(_bounds(speaking, "maxItems", "minItems"), default=2)
        if most > REACH:
            continue
        for root in roots:
            for _ in range(3 * most + 3):
                item = value(inner, root, rng, 3)
                if item not in items:
                    items.append(item)
        whole = [f"a{at}" for at in range(most + 1)]
        for length in _near(_bounds(speaking, "minItems", "maxItems")):
            for row in (items, whole):
                yield row[:length]
            if items:
                yield (items * length)[:length]
                yield [items[0]] * length
        for item in items[:2]:
            yield [item]
            yield [item, item]


def names_beside(speaking: Schemas, more: tuple[str, ...], rng: random.Random) -> Iterator[str]:
    """Names to add to an object: unknown ones, and what its expressions for names match."""
    yield from UNKNOWN
    yield from more
    for one in speaking:
        for pattern in one.get("patternProperties", ()):
            yield from (matching(pattern, rng) for _ in range(6))
        inner = one.get("propertyNames")
        if isinstance(inner, Mapping):
            yield from inner.get("enum", ())
            yield from (text for text in _strings((inner,), (), rng) if len(text) < REACH)


def values_beside(speaking: Schemas, roots: tuple[Any, ...], rng: random.Random) -> Values:
    """Values to give such a name."""
    yield from (values[0] for values in OF_TYPE.values())
    for one in speaking:
        inner = [one.get("additionalProperties"), *one.get("patternProperties", {}).values()]
        for schema in inner:
            if isinstance(schema, Mapping):
                found = [value(schema, root, rng, 3) for root in roots for _ in range(3)]
                yield from found
                yield from _numbers(schema)
                yield from _strings((schema,), (), rng)
