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

from weighbridge.dialects import BY_NAME, MANY, ONE, Dialect, token
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

    Schema by schema, what stands inside one taken for granted until its own
    turn: a metaschema that follows a schema down spends the depth of an
    evaluation on a few levels.
    """
    left = WORK
    faults: list[tuple[int, str, str]] = []
    waiting: list[tuple[str, Any]] = [("", schema)]
    while waiting:
        pointer, here = waiting.pop()
        shallow, below = _opened(here, dialect)
        waiting += [(pointer + at, one) for at, one in below]
        evaluation = Evaluation(left)
        try:
            misses, _more = smallest(_root(dialect.uri), shallow, evaluation, most=1)
        except WorkPassed:
            return "", "it is too large to be held to its metaschema"
        left -= evaluation.spent
        for miss in misses:
            place = pointer + "".join(f"/{token(str(step))}" for step in miss.tokens)
            faults.append((-place.count("/"), place, miss.keyword))
    if not faults:
        return None
    _depth, place, keyword = min(faults)
    return place, f"its metaschema refuses it, by {keyword}"


def _opened(schema: Any, dialect: Dialect) -> tuple[Any, list[tuple[str, Any]]]:
    """
    A schema with ``true`` for every object schema inside it, and those by place.
    """
    if not isinstance(schema, dict):
        return schema, []
    shallow = dict(schema)
    below: list[tuple[str, Any]] = []
    for keyword, value in schema.items():
        if keyword in dialect.without or keyword in dialect.unknown:
            continue
        at = f"/{token(keyword)}"
        if keyword in ONE and isinstance(value, dict):
            below.append((at, value))
            shallow[keyword] = True
        elif keyword in MANY and isinstance(value, list):
            below += [(f"{at}/{i}", one) for i, one in enumerate(value) if isinstance(one, dict)]
            shallow[keyword] = [True if isinstance(one, dict) else one for one in value]
        elif keyword in BY_NAME and isinstance(value, dict):
            inside = {name: one for name, one in value.items() if isinstance(one, dict)}
            below += [(f"{at}/{token(name)}", one) for name, one in inside.items()]
            shallow[keyword] = value | dict.fromkeys(inside, True)
    return shallow, below


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
