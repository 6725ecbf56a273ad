"""
Schemas and arguments of a megabyte, spelled in a line.

An object whose first member is ``~`` says what to build in its place:

======================================================  ====================================
``{"~": "list", "n": 3, "of": ...}``                    three of it
``{"~": "map", "n": 3, "key": "k{i}", "of": ...}``      an object of three names
``{"~": "nest", "n": 3, "key": "c", "of": ...}``        it, inside three objects; no key:
                                                        three arrays
``{"~": "join", "of": [[...], [...]]}``                 one list out of several
``{"~": "merge", "of": [{...}, {...}]}``                one object out of several
``{"~": "text", "of": "ab", "n": 3, "end": "!"}``       ``ababab!``
``{"~": "number", "times": 2, "plus": 1}``              ``2 * i + 1``, i the place in the
                                                        innermost list or object
``{"~": "float", "of": 0.1}``                           ``0.1 * i``
``{"~": "power", "base": 10, "n": 9, "plus": 1}``       ``10**9 + i + 1``
======================================================  ====================================

In a string ``{i}`` becomes the place, and ``{i+1}`` the next one.
"""

from __future__ import annotations

from typing import Any


def build(spelled: Any, at: int = 0) -> Any:
    """The value that ``spelled`` stands for; every container in it is one of its own."""
    if isinstance(spelled, str):
        return spelled.replace("{i}", str(at)).replace("{i+1}", str(at + 1))
    if isinstance(spelled, list):
        return [build(one, at) for one in spelled]
    if not isinstance(spelled, dict):
        return spelled
    if "~" in spelled:
        return _BUILT[spelled["~"]](spelled, at)
    return {key: build(one, at) for key, one in spelled.items()}


def size(spelled: Any) -> tuple[int, int]:
    """
    Values and characters that ``build`` would make, nearly; nothing is built.
    """
    if isinstance(spelled, str):
        return 1, len(spelled) + 4
    if isinstance(spelled, list):
        return _sum([(1, 0), *map(size, spelled)])
    if not isinstance(spelled, dict):
        return 1, 8
    kind = spelled.get("~")
    if kind in ("list", "map"):
        each = _sum([size(spelled["of"]), size(spelled.get("key", 0))])
        return 1 + spelled["n"] * each[0], spelled["n"] * each[1]
    if kind == "text":
        end = size(spelled.get("end", ""))[1]
        return 1, len(spelled["of"]) * spelled["n"] + end
    if kind in ("number", "float"):
        return 1, 20
    if kind == "power":
        return 1, spelled["n"]
    inner = [size(one) for one in spelled.values()]
    return _sum([(2 * len(inner) + spelled.get("n", 0) if kind else 2 * len(inner), 0), *inner])


def _sum(sizes: list[tuple[int, int]]) -> tuple[int, int]:
    return sum(one for one, _ in sizes), sum(one for _, one in sizes)


def _list(spelled: dict[str, Any], _at: int) -> list[Any]:
    return [build(spelled["of"], each) for each in range(spelled["n"])]


def _map(spelled: dict[str, Any], _at: int) -> dict[str, Any]:
    key, of = spelled["key"], spelled["of"]
    return {build(key, each): build(of, each) for each in range(spelled["n"])}


def _nest(spelled: dict[str, Any], at: int) -> Any:
    value = build(spelled["of"], at)
    for _ in range(spelled["n"]):
        value = {spelled["key"]: value} if spelled.get("key") else [value]
    return value


def _join(spelled: dict[str, Any], at: int) -> list[Any]:
    return [one for part in spelled["of"] for one in build(part, at)]


def _merge(spelled: dict[str, Any], at: int) -> dict[str, Any]:
    return {key: one for part in spelled["of"] for key, one in build(part, at).items()}


def _text(spelled: dict[str, Any], at: int) -> str:
    end: str = build(spelled.get("end", ""), at)
    return build(spelled["of"], at) * spelled["n"] + end


def _number(spelled: dict[str, Any], at: int) -> int:
    return at * spelled["times"] + spelled["plus"]


def _float(spelled: dict[str, Any], at: int) -> float:
    return at * spelled["of"]


def _power(spelled: dict[str, Any], at: int) -> int:
    return spelled["base"] ** spelled["n"] + at + spelled["plus"]


_BUILT = {
    "list": _list,
    "map": _map,
    "nest": _nest,
    "join": _join,
    "merge": _merge,
    "text": _text,
    "number": _number,
    "float": _float,
    "power": _power,
}
