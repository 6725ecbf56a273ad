"""
One spelling for one JSON value: the bytes that digests and parity compare.
"""

from __future__ import annotations

import json
from typing import Any


def canonical(value: Any) -> str:
    """
    Spell ``value`` as ASCII JSON: keys by code point, compact, whole numbers as integers.
    """
    return json.dumps(
        _whole(value), sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )


def are_equal(one: Any, other: Any) -> bool:
    """
    Whether two JSON values are the same one: ``true`` is not 1, and 1.0 is.
    """
    return canonical(one) == canonical(other)


def _whole(value: Any) -> Any:
    """The value with every number that has no fraction as an integer."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _whole(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_whole(one) for one in value]
    return value
