"""
Whether a schema is one: jsonschema and the metaschemas decide.
"""

from __future__ import annotations

from typing import Any

import referencing
from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]

from weighbridge.dialects import Dialect, token

#: The registry that every catalog's own begins with: the metaschemas.
METASCHEMAS: referencing.Registry[Any] = REGISTRY


def metaschema_fault(schema: Any, dialect: Dialect) -> tuple[str, str] | None:
    """
    Where a schema breaks its metaschema: the smallest place and the rule there.
    """
    peer = dialect.peer(dialect.peer.META_SCHEMA)  # type: ignore[attr-defined]
    faults = [
        ("".join(f"/{token(str(step))}" for step in error.absolute_path), str(error.validator))
        for error in peer.iter_errors(schema)
    ]
    return min(faults, key=lambda fault: (-fault[0].count("/"), fault)) if faults else None
