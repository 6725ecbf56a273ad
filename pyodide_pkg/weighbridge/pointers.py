"""
Where a reference inside one document leads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def tokens(pointer: str) -> tuple[str, ...]:
    """The tokens of a JSON Pointer, unescaped; ``""`` has none."""
    parts = pointer.split("/")[1:]
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in parts)


def target(reference: Any, root: Any) -> Any:
    """
    What ``#/...`` leads to in a document; None where it leads nowhere, or out of it.
    """
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    here = root
    for name in tokens(reference.removeprefix("#")):
        if isinstance(here, list) and name.isdecimal() and int(name) < len(here):
            here = here[int(name)]
        elif isinstance(here, Mapping) and name in here:
            here = here[name]
        else:
            return None
    return here
