"""
What a guarded server says of its catalog: the published schemas, and digests to compare.

A client that holds a catalog learns here whether the server holds the same one.
The records and the places where they stand are written down in docs/advertise.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from weighbridge.catalog import Catalog
from weighbridge.gate import Tool
from weighbridge.limits import as_dict
from weighbridge.version import CONTRACT, __version__

#: Where the result of ``tools/list`` carries the catalog's record, in its ``_meta``.
CATALOG_KEY: Final = "dev.theurian.weighbridge/catalog"

#: Where each listed tool carries its own record, in its ``_meta``.
TOOL_KEY: Final = "dev.theurian.weighbridge/tool"

#: What a server that judges calls first is capable of.
EXTENSION: Final = "dev.theurian.weighbridge/preflight"

#: Where a server says what it is capable of, and in which map an extension stands there.
GREETINGS: Final = {"initialize": "experimental", "server/discover": "extensions"}

#: All that a client hears when the list of tools could not be made.
NOT_LISTED: Final = (
    "The tools were not listed: the preflight check itself failed. Tell the operator of the "
    'server, whose log has a line of "weighbridge" about it.'
)


def catalog_record(catalog: Catalog, bundle_url: str | None = None) -> dict[str, Any]:
    """
    What a server says of the catalog that it judges by.
    """
    record: dict[str, Any] = {
        "contract": CONTRACT,
        "version": __version__,
        "digest": catalog.digest,
        "shapeDigest": catalog.shape_digest,
        "limits": as_dict(catalog.limits),
        "bookkeeping": sorted(catalog.bookkeeping),
    }
    if bundle_url is not None:
        record["bundle"] = bundle_url
    return record


def tool_record(catalog: Catalog, tool: Tool) -> dict[str, Any]:
    """
    What a server says of one tool that it lists.
    """
    record: dict[str, Any] = {
        "contract": CONTRACT,
        "version": __version__,
        "digest": tool.digest,
        "catalog": {"digest": catalog.digest, "shapeDigest": catalog.shape_digest},
    }
    narrower = catalog.narrower(tool)
    if narrower:
        record["limits"] = narrower
    if tool.byte_bounds:
        record["maxBytes"] = dict(tool.byte_bounds)
    return record


def tools_list(
    result: Mapping[str, Any], catalog: Catalog, bundle_url: str | None = None
) -> tuple[dict[str, Any], list[str]]:
    """
    One page of ``tools/list`` with the published schemas in place of the server's own.

    Order, cursor, ``_meta`` and every other field of a tool stay.  A title or a
    description that the server gives nowhere is the schema's.

    Returns:
        The page, and the names of the tools that were left out of it: the
        catalog does not publish them, so that every call of them is refused.
    """
    shown: list[dict[str, Any]] = []
    left_out: list[str] = []
    for listed in result["tools"]:
        tool = catalog.tools.get(listed["name"])
        if tool is None:
            left_out.append(listed["name"])
            continue
        entry = {**listed, "inputSchema": _copied(tool.published)}
        for said in ("title", "description"):
            if not (entry.get(said) or _hinted(listed, said)) and tool.published.get(said):
                entry[said] = tool.published[said]
        entry["_meta"] = {**(listed.get("_meta") or {}), TOOL_KEY: tool_record(catalog, tool)}
        shown.append(entry)
    meta = {**(result.get("_meta") or {}), CATALOG_KEY: catalog_record(catalog, bundle_url)}
    return {**result, "tools": shown, "_meta": meta}, left_out


def _hinted(listed: Mapping[str, Any], said: str) -> bool:
    """Whether a tool says it among its annotations, where a title may stand too."""
    return bool((listed.get("annotations") or {}).get(said))


def _copied(value: Any) -> Any:
    """
    A JSON value that shares nothing with this one.

    The SDK may list the tools before each call, and ``copy.deepcopy`` takes
    several times as long.
    """
    if isinstance(value, dict):
        return {key: _copied(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_copied(one) for one in value]
    return value


def capable(
    result: Mapping[str, Any], method: str, catalog: Catalog, bundle_url: str | None = None
) -> dict[str, Any]:
    """
    What a server says of itself, with the catalog's record among its capabilities.

    Args:
        result: what the server answers.
        method: one of ``GREETINGS``, to which it answers.
        catalog: what calls are judged by.
        bundle_url: where the server hosts its bundle.
    """
    capabilities, kind = result.get("capabilities") or {}, GREETINGS[method]
    several = {
        **(capabilities.get(kind) or {}),
        EXTENSION: catalog_record(catalog, bundle_url),
    }
    return {**result, "capabilities": {**capabilities, kind: several}}
