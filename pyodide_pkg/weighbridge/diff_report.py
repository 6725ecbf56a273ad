"""
What ``weighbridge catalog diff`` prints.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.agree_records import shortened
from weighbridge.diff import CatalogDiff, ToolDiff
from weighbridge.diff_search import Witness


def lines(found: CatalogDiff) -> Iterator[str]:
    """
    Limits, then tools, each with the calls that show how it changed; the outcome last.
    """
    for name, (before, after) in found.limits.items():
        yield f"limit     {name} {before} -> {after}"
    for one in found.tools:
        yield from _tool(one, found)
    yield _outcome(found)


def _tool(one: ToolDiff, found: CatalogDiff) -> Iterator[str]:
    if one.standing != "same":
        yield f"{one.standing:<9} {one.name}"
    for name, (before, after) in one.limits.items():
        if found.limits.get(name) != (before, after):
            yield f"  its limit {name} {before} -> {after}"
    if one.standing not in ("changed", "unproven"):
        return
    for witness, is_so, now in (
        (one.narrower, "refused now", "was admitted"),
        (one.wider, "admitted now", "was refused"),
    ):
        if witness is None:
            yield f"  no witness found in {one.asked:,} tries of a call that {now} and is {is_so}"
        else:
            yield f"  {now}, {is_so}: {shortened(witness.arguments)} ({_why(witness)})"


def _why(witness: Witness) -> str:
    if witness.keyword is None:
        return f"{witness.code}, {witness.limit}" if witness.limit else witness.code
    where = f" at {witness.pointer}" if witness.pointer else ""
    return f"{witness.keyword}{where}"


def _outcome(found: CatalogDiff) -> str:
    if not found.admits_the_same:
        known = [one for one in found.tools if one.standing not in ("same", "text", "unproven")]
        return "differs" if known else "not proven to admit the same"
    if found.digests[0] == found.digests[1]:
        return "same"
    return "text differs" if found.shape_digests[0] == found.shape_digests[1] else "admits the same"
