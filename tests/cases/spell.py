"""
Spells the texts of the table; the standard library alone, so that any interpreter can.
"""

from __future__ import annotations

from typing import Any


def spell(form: Any) -> str | None:
    """
    The text that a form stands for.

    A string is itself and null is absent arguments. ``{"join": [part, ...]}`` joins
    parts: a string; ``{"repeat": unit, "times": n}``; ``{"each": [before, after],
    "times": n}``, which counts from 0 between the two, commas between.
    """
    if form is None or isinstance(form, str):
        return form
    return "".join(map(_part, form["join"]))


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if "repeat" in part:
        return str(part["repeat"]) * int(part["times"])
    before, after = part["each"]
    return ",".join(f"{before}{index}{after}" for index in range(part["times"]))
