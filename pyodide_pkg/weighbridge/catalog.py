"""
The published input schemas, one per tool, as one contract with one digest.

A catalog loads whole or not at all: what could fail in a call fails here, with
the file, the place and the cure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, Self

import referencing

from weighbridge import bookkeeping, foreign, gate, publish
from weighbridge import digest as digests
from weighbridge.canonical import canonical
from weighbridge.closure import require_closed
from weighbridge.dialects import DIALECTS, DRAFT202012, token
from weighbridge.errors import CatalogError, named
from weighbridge.gate import Contract, Tool, Verdict
from weighbridge.limits import Limits, as_dict
from weighbridge.metaschema import metaschema_fault
from weighbridge.plan import Lazily
from weighbridge.prepare import prepare
from weighbridge.reading import (
    Document,
    Folder,
    Recorded,
    Settings,
    bundled_folder,
    load,
    registry_of,
)
from weighbridge.version import CONTRACT, __version__

__all__ = ["Catalog", "Tool"]


@dataclass(frozen=True, slots=True)
class Catalog:
    """
    What a gate judges by.
    """

    limits: Limits

    #: ``sha256:`` over everything that can change a verdict.
    digest: str

    #: The same with what only readers see left out.
    shape_digest: str

    #: The tools by name, in code-point order.
    tools: Mapping[str, Tool]

    #: Whether every verdict is advisory: another server has the last word.
    advisory: bool = False

    #: Why a tool of a foreign catalog cannot be judged, by name.
    unusable: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    #: Names of the tools whose published form is bundled: it has no flat one.
    bundled_forms: frozenset[str] = frozenset()

    #: Keys that clients add for themselves, taken off every call before it is judged.
    bookkeeping: frozenset[str] = frozenset()

    #: The schema files that it was read from; none for a foreign catalog.
    documents: tuple[Document, ...] = field(default=(), repr=False)

    #: Why a handler may differ from its schema, by rule, ``$id`` and place.
    differences: Recorded = field(default_factory=dict, repr=False)

    #: Whether calls may be admitted by a compiled plan; no verdict depends on it.
    planned: bool = True

    #: What every verdict of this catalog has in common.
    contract: Contract = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Put together what the gate works with, once."""
        contract = Contract(
            self.tools,
            self.unusable,
            self.limits,
            CONTRACT,
            self.digest,
            self.advisory,
            self.bookkeeping,
            _plans(self.tools) if self.planned else {},
        )
        object.__setattr__(self, "contract", contract)

    @classmethod
    def read(cls, folder: str | Path | Folder) -> Self:
        """
        Load a folder of schema files, with its ``catalog.json`` if there is one.

        Raises:
            CatalogError: anything that keeps any part of it from being used.
        """
        where: Any = Path(folder) if isinstance(folder, str) else folder
        documents, settings = load(where)
        catalog: Self = _published(cls, documents, settings, str(where.name))
        return catalog

    @classmethod
    def bundled(cls) -> Self:
        """Load the sample contract that travels in this package: ten tools."""
        return cls.read(bundled_folder())

    @classmethod
    def from_tools(
        cls,
        tools: Iterable[Mapping[str, Any]],
        unknown_keys: Literal["refuse", "as-published"] = "refuse",
    ) -> Self:
        """
        Take over the ``tools/list`` of a server that is not ours.

        Args:
            tools: objects with ``name`` and ``inputSchema``, as they were listed.
            unknown_keys: ``refuse`` a root key that the schema names nowhere,
                unless it writes its own closure; or keep to it ``as-published``.

        Every verdict is advisory.  A tool that cannot be used is listed in
        ``unusable`` with the reason, and its calls are refused; it takes nothing
        else down.

        Raises:
            ValueError: ``unknown_keys`` is neither of the two.
        """
        limits = Limits()
        usable, unusable = foreign.tools_of(tools, limits, unknown_keys)
        schemas = {name: tool.published for name, tool in usable.items()}
        others = {"unknownKeys": unknown_keys, "unusable": sorted(unusable)}
        return cls(
            limits=limits,
            digest=digests.digest(CONTRACT, limits, schemas, others),
            shape_digest=digests.shape_digest(CONTRACT, limits, schemas, others),
            tools=MappingProxyType(dict(sorted(usable.items()))),
            advisory=True,
            unusable=MappingProxyType(dict(sorted(unusable.items()))),
        )

    def check(self, tool: str, arguments: object) -> Verdict:
        """
        Judge parsed arguments; None counts as ``{}``.  Never raises.
        """
        return gate.check(self.contract, tool, arguments)

    def check_text(self, tool: str, text: str | bytes | None) -> Verdict:
        """
        Judge the JSON text of arguments, or its UTF-8 bytes; None counts as
        ``{}``.  Never raises.
        """
        return gate.check_text(self.contract, tool, text)

    def as_advice(self) -> Self:
        """The same catalog, whose every verdict is advisory: another server has the last word."""
        return replace(self, advisory=True)

    def without_bookkeeping(self, arguments: object) -> object:
        """
        Arguments as they are judged, and as a handler is to get them: the same
        object where no bookkeeping key is at their root.
        """
        return bookkeeping.without(self.bookkeeping, arguments)

    def narrower(self, tool: Tool) -> dict[str, int]:
        """The limits of one tool that are not the catalog's, by name."""
        general = as_dict(self.limits)
        return {k: v for k, v in as_dict(tool.limits).items() if v != general[k]}

    def to_json(self) -> str:
        """
        The catalog as a page reads it: canonical text with ``contract``,
        ``version``, ``digest``, ``shapeDigest``, ``limits``, ``bookkeeping``,
        ``advisory``, ``unusable`` and ``tools``, each with the limits of its own that are narrower.
        """
        return canonical(
            {
                "contract": CONTRACT,
                "version": __version__,
                "digest": self.digest,
                "shapeDigest": self.shape_digest,
                "limits": as_dict(self.limits),
                "bookkeeping": sorted(self.bookkeeping),
                "advisory": self.advisory,
                "unusable": dict(self.unusable),
                "tools": [
                    {
                        "name": tool.name,
                        "description": tool.published.get("description", ""),
                        "digest": tool.digest,
                        "limits": self.narrower(tool),
                        "inputSchema": tool.published,
                    }
                    for tool in self.tools.values()
                ],
            }
        )


def _plans(tools: Mapping[str, Tool]) -> dict[str, Lazily]:
    return {name: Lazily(name, tool.root, tool.limits, Verdict) for name, tool in tools.items()}


def _published(kind: Any, documents: list[Document], settings: Settings, folder: str) -> Any:
    """A catalog of documents that are all our own."""
    try:
        return _made(kind, documents, settings, folder)
    except CatalogError as fault:
        # A fault that lies behind a reference is told by the file that holds it.
        for one in documents:
            if fault.file == one.uri:
                fault.file, fault.place = one.file, fault.place.removeprefix(f"{one.uri}#")
        raise


def _made(kind: Any, documents: list[Document], settings: Settings, folder: str) -> Any:
    registry = registry_of(documents)
    tools: dict[str, Tool] = {}
    bundled_forms: set[str] = set()
    for one in sorted(documents, key=lambda document: document.tool or ""):
        if one.tool is None:
            continue
        limits = settings.tools.get(one.tool, settings.limits)
        source = _prepared(one, one.schema, registry, limits)
        require_closed(source, one.file)
        bookkeeping.refuse_declared(settings.bookkeeping, source, one.file)
        form, is_flat = publish.applied(one.schema, one.uri, registry)
        if not is_flat:
            bundled_forms.add(one.tool)
        listed = publish.listed(form)
        root = _prepared(one, form, registry, limits)
        identity = digests.tool_digest(one.tool, listed)
        bounds = MappingProxyType(publish.byte_bounds(form))
        tools[one.tool] = Tool(one.tool, listed, identity, limits, root, bounds)
    _refuse_leftovers(documents, settings, tools, registry, folder)
    schemas = {one.uri: one.schema for one in documents}
    return kind(
        limits=settings.limits,
        digest=digests.digest(CONTRACT, settings.limits, schemas, settings.digested),
        shape_digest=digests.shape_digest(CONTRACT, settings.limits, schemas, settings.digested),
        tools=MappingProxyType(tools),
        bundled_forms=frozenset(bundled_forms),
        bookkeeping=settings.bookkeeping,
        documents=tuple(documents),
        differences=settings.differences,
    )


def _prepared(one: Document, form: Any, registry: referencing.Registry[Any], limits: Limits) -> Any:
    specification = DIALECTS[DRAFT202012].specification
    resource = specification.create_resource(form)
    return prepare(
        form,
        file=one.file,
        uri=one.uri,
        registry=registry.with_resource(one.uri, resource).crawl(),
        limits=limits,
        published=True,
        vouch=metaschema_fault,
    )


def _refuse_leftovers(
    documents: list[Document],
    settings: Settings,
    tools: dict[str, Tool],
    registry: referencing.Registry[Any],
    folder: str,
) -> None:
    """What is in the folder and serves nothing is a mistake that someone made."""
    for name in sorted(settings.tools.keys() - tools.keys()):
        raise CatalogError(
            "catalog.json", f"/tools/{token(name)}", "no schema names this tool", "drop the entry"
        )
    used = {uri for one in documents for uri in publish.referred(one.schema, one.uri)}
    for one in documents:
        if one.tool is None and one.uri not in used:
            raise CatalogError(
                one.file,
                "",
                "it names no tool and no other schema refers to it",
                "add x-weighbridge-tool with the tool's name, or drop the file",
            )
        if one.tool is None:
            _prepared(one, one.schema, registry, settings.limits)
    if not tools:
        raise CatalogError(folder, "", "no schema names a tool", "add a schema for a tool")
    by_uri = {one.uri: one for one in documents}
    for uri in sorted(settings.open_roots):
        found = by_uri.get(uri)
        if found is None or found.tool is not None or _is_closed(found.schema):
            raise CatalogError(
                "catalog.json",
                "/exceptions",
                f"the exception for {named(uri)} excepts nothing",
                "drop it, or name a shared schema that is open at its root",
            )


def _is_closed(schema: dict[str, Any]) -> bool:
    return any(schema.get(k) is False for k in ("additionalProperties", "unevaluatedProperties"))
