"""
Keys that a client adds for itself are taken off a call, where the catalog names them.

They come off before anything is charged or judged, and before the handler is
called, so that both sides see the same call.  Off by default: a key that nobody
named is an unknown key, and is refused.
"""

from __future__ import annotations

from weighbridge.errors import CatalogError, named
from weighbridge.node import Node, reached_in_place

#: What a client notes down about a call.  An array or an object is no note: it
#: stays, and is judged, so that no depth hides from the walk.
_NOTES = frozenset({str, int, float, bool, type(None)})


def without(names: frozenset[str], arguments: object) -> object:
    """
    The arguments less those keys at their root, or the same object where none is there.
    """
    if type(arguments) is not dict:
        return arguments
    found = [name for name in names if name in arguments and type(arguments[name]) in _NOTES]
    if not found:
        return arguments
    kept = dict(arguments)
    for name in found:
        del kept[name]
    return kept


def refuse_declared(names: frozenset[str], root: Node, file: str) -> None:
    """
    A key that a tool takes cannot be taken off its calls.

    Raises:
        CatalogError: the schema, or one that it composes, declares one of them.
    """
    for node in reached_in_place(root):
        for keyword, fact in node.keywords:
            declared: list[str] = []
            if keyword == "properties":
                declared = sorted(names & {name for name, _ in fact.ready})
            elif keyword == "patternProperties":
                patterns = [entry.pattern for entry in fact.ready]
                declared = sorted(n for n in names if any(one.search(n) for one in patterns))
            if declared:
                uri = node.resource.uri
                raise CatalogError(
                    uri if node.pointer.startswith(f"{uri}#") else file,
                    f"{node.pointer}/{keyword}",
                    f"it declares {named(declared[0])}, which catalog.json has taken off every call",
                    "drop it here, or from bookkeeping in catalog.json",
                )
