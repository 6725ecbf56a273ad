"""
Whether a schema is one: the metaschemas decide, applied by our own keywords.

jsonschema itself counts nothing and renders what it refuses: ten thousand
objects where ``required`` wants names would keep it for minutes.  The gate's
own steps are counted, and so are those of a load.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import referencing
from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]

from weighbridge.dialects import Dialect, token
from weighbridge.evaluation import Evaluation, WorkPassed
from weighbridge.gate import smallest
from weighbridge.limits import Limits
from weighbridge.node import Node
from weighbridge.prepare import prepare

#: The registry that every catalog's own begins with: the metaschemas.
METASCHEMAS: referencing.Registry[Any] = REGISTRY

#: Steps that holding one document to its metaschema may take; a schema of ours
#: takes about two hundred for each schema inside it.
WORK = 10_000_000


def metaschema_fault(schema: Any, dialect: Dialect) -> tuple[str, str] | None:
    """
    Where a schema breaks its metaschema: the smallest place, and what is wrong there.
    """
    try:
        misses, _more = smallest(_root(dialect.uri), schema, Evaluation(WORK), most=1)
    except WorkPassed:
        return "", "it is too large or too deep to be held to its metaschema"
    if not misses:
        return None
    place = "".join(f"/{token(str(step))}" for step in misses[0].tokens)
    return place, f"its metaschema refuses it, by {misses[0].keyword}"


@cache
def _root(uri: str) -> Node:
    """The metaschema of one dialect, made ready once."""
    registry: referencing.Registry[Any] = referencing.Registry().with_resources(
        (name, referencing.Resource.from_contents(_asserting(REGISTRY.contents(name))))
        for name in REGISTRY
    )
    return prepare(
        registry.get_or_retrieve(uri).value.contents,
        file=uri,
        uri=uri,
        registry=registry.crawl(),
        limits=Limits(),
        published=False,
        vouch=lambda _schema, _dialect: None,
    )


def _asserting(metaschema: Any) -> Any:
    """A metaschema without ``format``: what it says of patterns is ours to say."""

    def kept(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return {k: v for k, v in pairs if not (k == "format" and isinstance(v, str))}

    return json.loads(json.dumps(metaschema), object_pairs_hook=kept)
