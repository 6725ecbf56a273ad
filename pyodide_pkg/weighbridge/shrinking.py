"""
A value made smaller for as long as something stays true of it.

What is smaller is one order over all JSON values: fewer values first, then plainer
ones, then shorter ones.  So the result depends on what is true and hardly on where it
began, and a shrinker that always takes something smaller comes to an end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

#: How often it is asked whether it still holds.
ASKED: Final = 3_000

#: Characters and items of what is shortened one by one.
SHORT: Final = 40

#: What is tried in place of any value, the plainest first.
PLAIN: Final[tuple[Any, ...]] = (None, False, True, 0, 1, "", "a", [], {})

#: How plain a value is.
_RANK: Final = {type(None): 0, bool: 1, int: 2, float: 3, str: 4, list: 5, dict: 6}

#: Bits from which on an integer is compared by how many there are.
_BITS: Final = 1_000

#: Floats that are short to write.
_ROUND: Final = (1.0, 2.0, 4.0, 10.0, 100.0, 1e6, 1e10, 1e19, 1e30, 1e100)

Holds = Callable[[Any], bool]


@dataclass(slots=True)
class _Asked:
    """
    What is asked of smaller values, and how often it still may be.
    """

    holds: Holds
    left: int

    def __call__(self, value: Any) -> bool:
        """Whether it is true of a value; never, once it was asked too often."""
        self.left -= 1
        return self.left >= 0 and self.holds(value)


def shrunk(value: Any, holds: Holds, asked: int = ASKED) -> Any:
    """
    The smallest value that was found of which ``holds`` is true.

    Args:
        value: one of which it is true.
        holds: is asked of smaller ones; it changes nothing.
        asked: how often at most.
    """
    ask = _Asked(holds, asked)
    while True:
        smaller = _once(value, ask)
        if weight_of(smaller) >= weight_of(value):
            return value
        value = smaller


def _once(value: Any, ask: Holds) -> Any:
    """A value with each of its parts made smaller once."""
    for plain in PLAIN:
        if weight_of(plain) >= weight_of(value):
            break
        if ask(plain):
            return plain
    if isinstance(value, dict | list):
        inside = value.values() if isinstance(value, dict) else value[:SHORT]
        for one in inside:
            if (isinstance(one, dict | list) or len(value) == 1) and ask(one):
                return one
    if isinstance(value, dict):
        return _object(value, ask)
    if isinstance(value, list | str):
        value = _shorter(value, ask)
        return _text(value, ask) if isinstance(value, str) else _items(value, ask)
    return value if isinstance(value, bool | None) else _nearer(value, ask)


def _object(value: dict[str, Any], ask: Holds) -> dict[str, Any]:
    for name in list(value):
        without = {key: one for key, one in value.items() if key != name}
        if ask(without):
            value = without
    for name in list(value):

        def of_one(one: Any, whole: dict[str, Any] = value, name: str = name) -> bool:
            return ask({**whole, name: one})

        value = {**value, name: _once(value[name], of_one)}
    return value


def _items(value: list[Any], ask: Holds) -> list[Any]:
    for index in range(min(len(value), SHORT)):

        def of_one(one: Any, whole: list[Any] = value, index: int = index) -> bool:
            return ask([*whole[:index], one, *whole[index + 1 :]])

        value = [*value[:index], _once(value[index], of_one), *value[index + 1 :]]
    return value


def _text(value: str, ask: Holds) -> str:
    plain = "a" * len(value)
    if value != plain and ask(plain):
        return plain
    for index in range(min(len(value), SHORT)):
        changed = f"{value[:index]}a{value[index + 1 :]}"
        if weight_of(changed) < weight_of(value) and ask(changed):
            value = changed
    return value


def _shorter(value: Any, ask: Holds) -> Any:
    """A list or a text by halves, then by one, then where it is short without each part."""
    for step in (2, 4, 8, 16, 32, 64):
        cut = len(value) // step
        while 0 < cut < len(value) and ask(value[:-cut]):
            value = value[:-cut]
    while value and ask(value[:-1]):
        value = value[:-1]
    index = 0
    while index < len(value) <= SHORT:
        without = value[:index] + value[index + 1 :]
        if ask(without):
            value = without
        else:
            index += 1
    return value


def _nearer(number: Any, ask: Holds) -> Any:
    """A number that is plainer, or nearer to nothing."""
    while True:
        lighter = [one for one in _nearby(number) if weight_of(one) < weight_of(number)]
        found = next((one for one in sorted(lighter, key=weight_of) if ask(one)), None)
        if found is None:
            return number
        number = found


def _nearby(number: Any) -> list[Any]:
    if isinstance(number, float):
        near = [float(round(number)), number / 2, *(math.copysign(one, number) for one in _ROUND)]
        return [*near, int(number)] if number.is_integer() else near
    return [abs(number), number // 2, number - (1 if number > 0 else -1)]


def weight_of(value: Any) -> tuple[int, int, int, str]:
    """
    What values are compared by: how many there are, how plain, how long, and what they are.
    """
    count = rank = length = 0
    shown: list[str] = []
    waiting = [value]
    while waiting:
        here = waiting.pop()
        count += 1
        rank += _RANK[type(here)]
        if isinstance(here, dict):
            waiting += [one for pair in here.items() for one in pair]
            shown.append("{")
        elif isinstance(here, list):
            waiting += here
            shown.append("[")
        else:
            text = here if isinstance(here, str) else _number(here)
            length += len(text)
            shown.append(text)
    return count, rank, length, " ".join(shown)


def _number(leaf: Any) -> str:
    """A leaf in characters; an integer of any length by its bits alone."""
    if leaf is None or isinstance(leaf, bool):
        return str(int(leaf or 0))
    if isinstance(leaf, int) and leaf.bit_length() >= _BITS:
        return f"{'-' if leaf < 0 else ''}{'9' * leaf.bit_length()}"
    return repr(leaf)
