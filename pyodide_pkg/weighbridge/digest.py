"""
One short name for everything that can change a verdict.

Two seats that show the same digest judge by the same contract; the shape digest
is the same with what only readers see left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from weighbridge.canonical import canonical
from weighbridge.dialects import ANNOTATIONS, BY_NAME, MANY, ONE
from weighbridge.limits import Limits, as_dict

Schemas = Mapping[str, Any]


def of(value: Any) -> str:
    """``sha256:`` and the hexadecimal digest of the canonical text of ``value``."""
    return f"sha256:{sha256(canonical(value).encode('ascii')).hexdigest()}"


def digest(contract: int, limits: Limits, schemas: Schemas, others: Mapping[str, Any]) -> str:
    """
    The digest of a catalog.

    Args:
        contract: the contract's number.
        limits: the catalog's limits.
        schemas: every document by its ``$id``.
        others: what else of ``catalog.json`` can change a verdict.
    """
    whole = {"contract": contract, "limits": as_dict(limits), "schemas": dict(schemas)}
    return of(whole | dict(others))


def shape_digest(contract: int, limits: Limits, schemas: Schemas, others: Mapping[str, Any]) -> str:
    """The digest of a catalog without its annotations."""
    shapes = {name: shape(schema) for name, schema in schemas.items()}
    return digest(contract, limits, shapes, others)


def tool_digest(name: str, published: Any) -> str:
    """The digest of one tool, over its ``tools/list`` form."""
    return of({"name": name, "inputSchema": published})


def shape(schema: Any) -> Any:
    """
    A schema without annotations; a property that is called ``title`` stays.
    """
    if not isinstance(schema, dict):
        return schema
    return {
        keyword: _shape_of(keyword, value)
        for keyword, value in schema.items()
        if keyword not in ANNOTATIONS
    }


def _shape_of(keyword: str, value: Any) -> Any:
    if isinstance(value, dict) and keyword in BY_NAME:
        return {name: shape(one) for name, one in value.items()}
    if isinstance(value, list) and keyword in MANY:
        return [shape(one) for one in value]
    return shape(value) if keyword in ONE else value
