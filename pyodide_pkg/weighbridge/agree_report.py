"""
What ``weighbridge agree`` prints, and what a failing test says.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.agree import Agreement


def lines(found: Agreement) -> Iterator[str]:
    """
    Whether both sides agree, each difference in a line, and what stands outside.
    """
    calls = sum(one.admitted for one in found.judged.values())
    said = "agrees"
    if not found.agrees:
        said = f"does not agree: {_count(len(found.open), 'difference')}"
    asked = f"{_count(len(found.judged), 'tool')}, {_count(calls, 'admitted call')}"
    yield f"{said}; {asked}, seed {found.seed}"
    yield from map(str, found.differences)
    for name, one in found.judged.items():
        if one.reached < one.places:
            left = _count(one.places - one.reached, "place")
            yield f"not asked, {name}: {left} of {one.places:,} had no value in any call"
    for what, those in found.outside.as_dict().items():
        names = those
        if isinstance(those, dict):
            names = [f"{name} ({', '.join(where)})" for name, where in those.items()]
        if names:
            yield f"outside, {what}: {', '.join(names)}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
