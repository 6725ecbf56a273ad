"""
When two JSON values are equal, in steps that are counted.

JSON Schema compares by value: ``1`` and ``1.0`` are equal, ``true`` and ``1``
are not, objects compare without order.  Python's own ``==`` and ``hash`` say
otherwise about booleans, and a caller can choose integers that share one hash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any

from weighbridge.characters import CHUNK

#: Code points that one step hashes or compares.
CHARACTERS_A_STEP = 64

#: Steps of sorting one item among the others.
SORTING = 3

Spend = Callable[[int], None]


def kind_of(value: object) -> str:
    """The group of values that a value can be equal to."""
    kind = type(value)
    if kind is str:
        return "string"
    if kind is bool or value is None:
        return repr(value)
    if kind is int or kind is float:
        return "number"
    return "container"


def size(value: object) -> int:
    """Steps of comparing a leaf once: at least 1."""
    kind = type(value)
    if kind is str:
        return len(value) // CHARACTERS_A_STEP + 1  # type: ignore[arg-type]
    if kind is int:
        return value.bit_length() // 1024 + 1  # type: ignore[attr-defined, no-any-return]
    return 1


def equal(one: object, other: object, spend: Spend) -> bool:
    """
    Whether two JSON values are equal, without recursion.
    """
    waiting: list[tuple[Any, Any]] = [(one, other)]
    while waiting:
        left, right = waiting.pop()
        spend(2)
        if kind_of(left) != kind_of(right):
            return False
        if kind_of(left) != "container":
            spend(min(size(left), size(right)))
            if left != right:
                return False
        elif type(left) is not type(right) or len(left) != len(right):
            return False
        elif type(left) is dict:
            # By the left one's order: in ``enum`` and ``const`` the schema's.
            for key in left:
                if key not in right:
                    return False
                waiting.append((left[key], right[key]))
        else:
            waiting.extend(zip(left, right, strict=True))
    return True


def first_pair(items: list[Any], spend: Spend) -> tuple[int, int] | None:
    """
    Positions of two equal items: the smallest second one, with its first.

    By sorting within a kind, so that no hash of a caller's choosing is used:
    about ``n log n`` comparisons, the size of every item once.
    """
    kinds: dict[str, list[tuple[Any, int]]] = {}
    for at, item in enumerate(items):
        kind = kind_of(item)
        spend(SORTING + size(item))
        key = _digest(item, spend) if kind == "container" else item
        # All values of these kinds are equal, and cannot be sorted.
        if item is None or kind in ("True", "False"):
            key = 0
        kinds.setdefault(kind, []).append((key, at))
    pairs = [pair for keyed in kinds.values() for pair in _equal_neighbours(keyed)]
    if not pairs:
        return None
    second, first = min(pairs)
    return first, second


def _equal_neighbours(keyed: list[tuple[Any, int]]) -> Iterator[tuple[int, int]]:
    """The second and the first position of each value that is there twice."""
    keyed.sort()
    start = 0
    for at in range(1, len(keyed)):
        if keyed[at][0] != keyed[start][0]:
            start = at
        elif at == start + 1:
            yield keyed[at][1], keyed[start][1]


def _digest(value: object, spend: Spend) -> bytes:
    """
    Thirty-two bytes that are the same exactly for equal containers.
    """
    digest = blake2b(digest_size=32)
    for piece in _pieces(value, spend):
        digest.update(piece)
    return digest.digest()


def _pieces(value: object, spend: Spend) -> Iterator[bytes]:
    waiting: list[Any] = [value]
    while waiting:
        here = waiting.pop()
        kind = type(here)
        spend(1 + size(here))
        if kind is str:
            yield b"s%d:" % len(here)
            for start in range(0, len(here), CHUNK):
                yield here[start : start + CHUNK].encode("utf-8", "surrogatepass")
        elif kind is list:
            yield b"[%d:" % len(here)
            waiting.extend(reversed(here))
        elif kind is dict:
            spend(SORTING * len(here))
            yield b"{%d:" % len(here)
            for key in sorted(here, reverse=True):
                waiting.append(here[key])
                waiting.append(key)
        elif kind is float and not here.is_integer():
            yield b"f%s;" % here.hex().encode()
        elif kind is int or kind is float:
            yield b"i%x;" % int(here)
        else:
            yield b"%s;" % repr(here).encode()
