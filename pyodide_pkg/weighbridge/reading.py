"""
Schema files as documents: read strictly, held to the metaschema, by ``$id``.

Files pass the same text door and the same walk as a call, under limits of their
own, so no file can hang or break the loader either.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any, Literal, Protocol, runtime_checkable
from urllib.parse import urljoin

import referencing

from weighbridge.charge import Charge, Passed, charge
from weighbridge.dialects import DIALECTS, DRAFT202012, dialect_of, subschemas, token
from weighbridge.errors import CatalogError, named
from weighbridge.limits import ENVELOPE, NAMES_OF_LIMITS, RANGES, Limits
from weighbridge.metaschema import METASCHEMAS, metaschema_fault
from weighbridge.text import Parsed, parse

#: What one schema file may cost: nesting in levels, nodes, and bytes.
FILE = Limits(nesting=64, nodes=200_000, body=4 * 1_048_576 + ENVELOPE)

#: Schema files in one folder.
FILES = 10_000

#: Where a catalog's own settings stand, beside its schemas.
SETTINGS = "catalog.json"

#: The keyword by which a schema names its tool, and characters of such a name.
TOOL = "x-weighbridge-tool"
TOOL_LENGTH = 128

#: Characters of a key that clients add for themselves.
KEY_LENGTH = 120

#: By rule, ``$id`` of a schema, and place in it.
Recorded = dict[tuple[str, str, str], str]

#: The rule of a load that a recorded exception may set aside, and the rules of
#: the linter whose remarks may be kept with a reason.
OPEN_ROOT = "open-root"
REMARKS = frozenset(
    {
        "closed-beside",
        "float-step",
        "listed",
        "misspelt",
        "no-bound",
        "no-effect",
        "no-type",
        "not-flat",
        "undeclared",
        "unique-unbounded",
        "unreachable",
    }
)

#: The differences between a published schema and a handler that may be recorded.
DIFFERENCES = frozenset(
    {
        "enum-narrower",
        "handler-lacks",
        "handler-refuses",
        "no-handler",
        "read-as-json",
        "required-apart",
    }
)
RULES = REMARKS | DIFFERENCES | {OPEN_ROOT}


@runtime_checkable
class Folder(Protocol):
    """What is needed of a folder: a path has it, and so has a package resource."""

    @property
    def name(self) -> str:
        """Its name, without the folders above."""

    def iterdir(self) -> Any:
        """The entries of the folder."""

    def open(self, mode: Literal["rb"]) -> Any:
        """The content of a file, to be read."""

    def is_file(self) -> bool:
        """Whether the entry is a file."""


@dataclass(frozen=True, slots=True)
class Document:
    """
    One schema file.
    """

    file: str
    uri: str
    schema: dict[str, Any]

    #: The tool that it publishes; None for one that others refer to.
    tool: str | None


@dataclass(frozen=True, slots=True)
class Settings:
    """
    What ``catalog.json`` says.
    """

    limits: Limits = field(default_factory=Limits)

    #: Limits of single tools, by name: the catalog's, or narrower.
    tools: dict[str, Limits] = field(default_factory=dict)

    #: Schemas by ``$id`` that may be open at their root, each with its reason.
    open_roots: dict[str, str] = field(default_factory=dict)

    #: Why a remark of the linter is kept, by rule, ``$id`` and place.
    kept: Recorded = field(default_factory=dict)

    #: Why a handler may differ from its schema, by rule, ``$id`` and place.
    differences: Recorded = field(default_factory=dict)

    #: Keys that are taken off every call before it is judged.
    bookkeeping: frozenset[str] = frozenset()

    #: What of it belongs to the digest beside the limits.
    digested: dict[str, Any] = field(default_factory=dict)


def bundled_folder() -> Folder:
    """The sample contract that travels in this package."""
    folder: Folder = files("weighbridge") / "schemas"
    return folder


def load(folder: Folder) -> tuple[list[Document], Settings]:
    """
    Read every ``*.json`` of a folder.

    Raises:
        CatalogError: a file that cannot be read, is not strict JSON or breaks
            the metaschema; a doubled ``$id`` or tool name.
    """
    try:
        entries = [one for one in folder.iterdir() if one.name.endswith(".json")]
    except (OSError, ValueError) as fault:
        raise CatalogError(
            str(folder.name), "", "the folder cannot be read", "name a folder of schema files"
        ) from fault
    if len(entries) > FILES:
        raise CatalogError(str(folder.name), "", f"more than {FILES} files", "split the catalog")
    entries.sort(key=lambda one: str(one.name))
    settings = Settings()
    documents: list[Document] = []
    for entry in entries:
        value = strict(entry)
        if entry.name == SETTINGS:
            settings = _settings(value)
        else:
            documents.append(document_of(str(entry.name), value))
    _refuse_doubles(documents)
    return documents, settings


def strict(entry: Folder) -> Any:
    """
    The value of one file, read as strictly as a call.
    """
    name = str(entry.name)
    if not entry.is_file():
        raise CatalogError(name, "", "it is no file", "make it one, or take it away")
    try:
        with entry.open("rb") as opened:
            # No more than says that it is too long.
            content = opened.read(FILE.text + 1)
    except OSError as fault:
        raise CatalogError(name, "", "the file cannot be read", "make it readable") from fault
    parsed = parse(content, FILE)
    if isinstance(parsed, Passed):
        raise CatalogError(
            name, "", f"it passes the {parsed.limit} limit of a schema file", "make it smaller"
        )
    if not isinstance(parsed, Parsed):
        at = f" at line {parsed.line}, column {parsed.column}" if parsed.line else ""
        doubled = parsed.fault == "duplicate"
        what = "a name stands twice in one object" if doubled else str(parsed.fault)
        raise CatalogError(name, "", f"it is not strict JSON ({what}{at})", "mend the text")
    charged = charge(parsed.value, FILE)
    if not isinstance(charged, Charge):
        what = charged.limit if isinstance(charged, Passed) else charged.fault
        raise CatalogError(
            name, "", f"it is not fit to be a schema ({what})", "use finite numbers and whole text"
        )
    return parsed.value


def document_of(file: str, schema: Any) -> Document:
    """
    One file as a document of the published dialect.
    """
    if not isinstance(schema, dict):
        raise CatalogError(file, "", "it is no JSON object", "write an object schema")
    dialect = dialect_of(schema)
    if dialect is None or dialect.uri != DRAFT202012:
        raise CatalogError(
            file, "/$schema", "a published schema is written in Draft 2020-12", f"use {DRAFT202012}"
        )
    fault = metaschema_fault(schema, DIALECTS[DRAFT202012])
    if fault is not None:
        raise CatalogError(file, *fault, "write what Draft 2020-12 allows there")
    tool = schema.get(TOOL)
    named = isinstance(tool, str) and 0 < len(tool) <= TOOL_LENGTH
    if TOOL in schema and not named:
        raise CatalogError(
            file, f"/{TOOL}", "it is no tool name", f"name one of 1 to {TOOL_LENGTH} characters"
        )
    if tool is None and file.endswith("-input.schema.json"):
        raise CatalogError(
            file, "", "it is an input schema and names no tool", f"add {TOOL} with the tool's name"
        )
    uri = schema.get("$id", file)
    return Document(file, str(uri).removesuffix("#"), schema, tool)


def _refuse_doubles(documents: list[Document]) -> None:
    for place, what in (("/$id", "uri"), (f"/{TOOL}", "tool")):
        seen: dict[str, str] = {}
        for one in documents:
            name = getattr(one, what)
            if name is None:
                continue
            if name in seen:
                raise CatalogError(
                    one.file,
                    place,
                    f"{named(name)} is also that of {named(seen[name])}",
                    "give each file its own",
                )
            seen[name] = one.file


def _identifiers(document: Document) -> set[str]:
    """The URIs of a document and of the resources inside it."""
    found = {document.uri}
    waiting: list[tuple[Any, str]] = [(document.schema, document.uri)]
    while waiting:
        schema, base = waiting.pop()
        if not isinstance(schema, dict):
            continue
        if isinstance(schema.get("$id"), str):
            base = urljoin(base, schema["$id"]).removesuffix("#")
            found.add(base)
        waiting += [(below, base) for _keyword, _at, below in subschemas(schema)]
    return found


def registry_of(documents: list[Document]) -> referencing.Registry[Any]:
    """
    A registry of the documents and the metaschemas; it retrieves nothing.
    """
    specification = DIALECTS[DRAFT202012].specification
    registry: referencing.Registry[Any] = METASCHEMAS
    seen: dict[str, str] = {}
    for one in documents:
        resource = specification.create_resource(one.schema)
        try:
            for uri in _identifiers(one):
                if seen.setdefault(uri, one.file) != one.file:
                    raise CatalogError(
                        one.file,
                        "",
                        f"a schema inside is called {named(uri)}, as is one in {named(seen[uri])}",
                        "give each its own $id",
                    )
            registry = registry.with_resource(one.uri, resource).crawl()
        except ValueError:
            raise CatalogError(
                one.file, "", "an $id or $ref in it is no URI", "write one that is"
            ) from None
    return registry


# --- catalog.json -----------------------------------------------------------


def _settings(value: Any) -> Settings:
    known = {"$comment", "bookkeeping", "exceptions", "limits", "tools"}
    if not isinstance(value, dict):
        raise _bad("", "it is no JSON object", "write an object")
    for name in sorted(value.keys() - known):
        raise _bad(f"/{token(name)}", "it is no setting", f"use {', '.join(sorted(known))}")
    limits = _limits(value.get("limits", {}), Limits(), "/limits")
    tools: dict[str, Limits] = {}
    digested: dict[str, Any] = {}
    for name, one in _object(value.get("tools", {}), "/tools").items():
        at = f"/tools/{token(name)}"
        _known(_object(one, at), at, {"limits", "reason"})
        _reason(one, at)
        narrower = _limits(one.get("limits", {}), limits, f"{at}/limits")
        for limit in NAMES_OF_LIMITS:
            if getattr(narrower, limit) > getattr(limits, limit):
                raise _bad(f"{at}/limits/{limit}", "it is wider than the catalog's", "narrow it")
        tools[name] = narrower
        digested.setdefault("tools", {})[name] = {"limits": one.get("limits", {})}
    open_roots, kept, differences = _exceptions(value.get("exceptions", []))
    bookkeeping = _bookkeeping(value.get("bookkeeping", []))
    if bookkeeping:
        digested["bookkeeping"] = sorted(bookkeeping)
    return Settings(limits, tools, open_roots, kept, differences, bookkeeping, digested)


def _exceptions(value: Any) -> tuple[dict[str, str], Recorded, Recorded]:
    open_roots: dict[str, str] = {}
    kept: Recorded = {}
    differences: Recorded = {}
    if not isinstance(value, list):
        raise _bad("/exceptions", "it is no list", "write a list of objects")
    for index, one in enumerate(value):
        at = f"/exceptions/{index}"
        _known(_object(one, at), at, {"rule", "schema", "place", "reason"})
        rule = one.get("rule")
        if not isinstance(rule, str) or rule not in RULES:
            raise _bad(f"{at}/rule", "there is no such rule", f"use {', '.join(sorted(RULES))}")
        schema = one.get("schema")
        if not isinstance(schema, str):
            raise _bad(f"{at}/schema", "it is no schema's name", "write the $id of one")
        place = one.get("place", "")
        if not isinstance(place, str) or (place and rule == OPEN_ROOT):
            raise _bad(f"{at}/place", "it is no place in a schema", "write a JSON Pointer into it")
        if rule == OPEN_ROOT:
            open_roots[schema] = _reason(one, at)
        else:
            recorded = differences if rule in DIFFERENCES else kept
            recorded[rule, schema, place] = _reason(one, at)
    return open_roots, kept, differences


def _bookkeeping(value: Any) -> frozenset[str]:
    if not isinstance(value, list):
        raise _bad("/bookkeeping", "it is no list", "write a list of objects")
    keys: set[str] = set()
    for index, one in enumerate(value):
        at = f"/bookkeeping/{index}"
        _known(_object(one, at), at, {"key", "reason"})
        key = one.get("key")
        if not isinstance(key, str) or not 0 < len(key) <= KEY_LENGTH:
            raise _bad(f"{at}/key", "it is no key", f"name one of 1 to {KEY_LENGTH} characters")
        if key in keys:
            raise _bad(f"{at}/key", f"{named(key)} is listed twice", "drop one of them")
        _reason(one, at)
        keys.add(key)
    return frozenset(keys)


def _limits(value: Any, base: Limits, at: str) -> Limits:
    _known(_object(value, at), at, set(NAMES_OF_LIMITS))
    for name, number in value.items():
        least, most = RANGES[name]
        if type(number) is not int or not least <= number <= most:
            raise _bad(f"{at}/{name}", "it is out of range", f"use {least} to {most}")
    return replace(base, **value)


def _object(value: Any, at: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _bad(at, "it is no JSON object", "write an object")
    return value


def _known(value: dict[str, Any], at: str, names: set[str]) -> None:
    for name in sorted(value.keys() - names):
        raise _bad(f"{at}/{token(name)}", "it is no setting", f"use {', '.join(sorted(names))}")


def _reason(value: dict[str, Any], at: str) -> str:
    reason = value.get("reason")
    if not isinstance(reason, str) or not reason.strip():
        raise _bad(at, "it gives no reason", "say why in reason")
    return reason


def _bad(at: str, fact: str, cure: str) -> CatalogError:
    return CatalogError(SETTINGS, at, fact, cure)
