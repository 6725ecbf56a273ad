"""
A call grown to each limit that two catalogs do not share, and to one past it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from weighbridge.catalog import Catalog
from weighbridge.limits import as_dict

#: Limits that only say how a refusal is worded.
WORDING: Final = frozenset({"fragment", "refusal"})

#: Characters that a call is grown to at most.
REACH: Final = 1 << 25

#: What is charged ten characters, so that few of them fill a limit.
DEAR: Final = "\U000e0001"


def narrowed(old: Catalog, new: Catalog, tool: str) -> dict[str, tuple[int, int]]:
    """The limits that can change what a tool admits, where they differ: before and after."""
    before, after = (as_dict(one.tools[tool].limits) for one in (old, new))
    return {
        name: (before[name], after[name])
        for name in before
        if before[name] != after[name] and name not in WORDING
    }


def grown(
    limit: str, both: tuple[int, int], call: dict[str, Any], names: list[str]
) -> Iterator[dict[str, Any]]:
    """
    A call that is grown at each of some root names to a limit and past it, the lower first.
    """
    for most in sorted(both):
        for name in names:
            rest = {key: one for key, one in call.items() if key != name}
            for target in (most, most + 1):
                for filled in _filled(limit, target, rest, name):
                    yield {**rest, name: filled}


def _filled(limit: str, most: int, rest: dict[str, Any], name: str) -> Iterator[Any]:
    if limit == "nesting":
        deep: Any = 1
        for _ in range(min(most, 200) - 2):
            deep = [deep]
        yield deep
        yield {"a": deep[0]} if isinstance(deep, list) and deep else {}
    elif limit == "nodes" and most <= REACH >> 4:
        # The arguments object, two for each name, and what other values hold.
        spare = max(0, most - 2 * len(rest) - 3)
        yield [1] * spare
        yield {f"n{at}": 1 for at in range(spare // 2)}
    elif limit in ("rendered", "body") and most <= REACH:
        charged = sum(len(key) + len(json.dumps(one)) for key, one in rest.items()) + len(name)
        for spare in (most - charged, most - charged + 16, most):
            if spare > 0:
                yield "a" * spare
                yield DEAR * (spare // 10) + "a" * (spare % 10)
