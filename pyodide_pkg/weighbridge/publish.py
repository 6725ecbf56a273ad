"""
The published schema as clients can use it: flat, self-contained, closed.

Nobody resolves a reference of ours, and model providers refuse a composed root,
so the source's composition is merged where that is exact.  This form is also
what the gate applies, so a finding points into the schema that a client holds.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urldefrag, urljoin

import referencing

from weighbridge.dialects import BY_NAME, MANY, ONE, subschemas, token

#: What a client must not be shown: names that strict readers refuse.
_HIDDEN = frozenset({"$id", "$schema", "$comment", "$anchor"})

#: Our bound in bytes, for which JSON Schema has no word.
_MAX_BYTES = "x-maxBytes"

#: The protocol's own word in a schema, by which a client mirrors a value in a header.
_HEADER = "x-mcp-header"

#: Keywords of an object schema that merge exactly with those of another.
_MERGED = frozenset(
    {
        "dependentRequired",
        "maxProperties",
        "minProperties",
        "patternProperties",
        "properties",
        "propertyNames",
        "required",
        "type",
    }
)
_SKIPPED = frozenset(
    {"$comment", "$defs", "$id", "$schema", "default", "description", "examples", "title"}
)
_CLOSURE = frozenset({"additionalProperties", "unevaluatedProperties"})

#: Keywords for which the meaning of a place depends on where it stands.
_PLACED = frozenset({"$dynamicAnchor", "$dynamicRef", "$id", "$recursiveRef"})


class NotFlat(Exception):
    """
    The schema has no exact flat form.
    """


@dataclass(slots=True)
class _Hoist:
    """The ``$defs`` of the flat form, filled as references are met."""

    resolver: Any
    names: dict[int, str] = field(default_factory=dict)
    schemas: dict[str, Any] = field(default_factory=dict)

    #: Named and not yet written: a chain of references must not recurse.
    waiting: deque[tuple[str, Any, Any]] = field(default_factory=deque)


def applied(document: dict[str, Any], uri: str, registry: referencing.Registry[Any]) -> Any:
    """
    The form that the gate applies, and whether it is flat.

    Flat: one object schema without composition at its root, references hoisted
    into its own ``$defs``.  A schema without such a form is bundled: the source
    with every document that it refers to under ``$defs``, by ``$id``.
    """
    try:
        return flat(document, uri, registry), True
    except NotFlat:
        return bundled(document, uri, registry), False


def listed(form: Any) -> Any:
    """
    A form as ``tools/list`` shows it: without our own vocabulary.

    What a bound in bytes would have said, the description says in words.
    """
    return _mapped(form, _in_words)


def byte_bounds(form: Any) -> dict[str, int]:
    """
    The bounds in bytes of a form, by JSON Pointer, in the order of its text.
    """
    found: dict[str, int] = {}
    waiting: list[tuple[str, Any]] = [("", form)]
    while waiting:
        pointer, schema = waiting.pop()
        if isinstance(schema, dict):
            if _MAX_BYTES in schema:
                found[pointer] = schema[_MAX_BYTES]
            waiting += [(pointer + at, below) for _, at, below in reversed(subschemas(schema))]
    return found


def _in_words(schema: dict[str, Any]) -> dict[str, Any]:
    kept = {k: v for k, v in schema.items() if not _ours(k)}
    if _MAX_BYTES in schema:
        said = str(schema.get("description", "")).rstrip()
        if said and said[-1] not in ".!?:;":
            said += "."
        most = schema[_MAX_BYTES]
        bound = f"At most {most} {'byte' if most == 1 else 'bytes'} of UTF-8."
        kept["description"] = f"{said} {bound}".lstrip()
    return kept


def _ours(keyword: str) -> bool:
    return keyword.startswith("x-") and keyword != _HEADER


def flat(document: dict[str, Any], uri: str, registry: referencing.Registry[Any]) -> dict[str, Any]:
    """
    Merge a document's root with what it composes.

    Raises:
        NotFlat: the merge would not be exact.
    """
    hoist = _Hoist(registry.resolver(uri))
    members = list(_members(document, hoist.resolver, root=True))
    merged: dict[str, Any] = {}
    for schema, resolver in members:
        hoist.resolver = resolver
        _merge(merged, schema, hoist)
    while hoist.waiting:
        name, target, hoist.resolver = hoist.waiting.popleft()
        hoist.schemas[name] = _inside(target, hoist)
    out: dict[str, Any] = {
        keyword: document[keyword]
        for keyword in ("title", "description", "default", "examples")
        if keyword in document
    }
    out["type"] = merged.pop("type", "object")
    out |= merged
    out["additionalProperties"] = False
    if hoist.schemas:
        out["$defs"] = hoist.schemas
    return out


def _members(schema: Any, resolver: Any, *, root: bool = False) -> Any:
    """The object schemas that a root composes, innermost reference first."""
    if not isinstance(schema, dict):
        raise NotFlat
    closure = schema.keys() & _CLOSURE
    if root:
        closed = [keyword for keyword in closure if schema[keyword] is False]
        if len(closure) != 1 or not closed:
            raise NotFlat
        if closure == {"additionalProperties"} and schema.keys() & {"allOf", "$ref"}:
            raise NotFlat
    elif closure or "$dynamicAnchor" in schema:
        raise NotFlat
    known = _MERGED | _SKIPPED | _CLOSURE | {"allOf", "$ref"}
    if any(keyword not in known and not _ours(keyword) for keyword in schema):
        raise NotFlat
    if "$ref" in schema:
        found = resolver.lookup(schema["$ref"])
        yield from _members(found.contents, found.resolver)
    for branch in schema.get("allOf", ()):
        yield from _members(branch, resolver)
    yield schema, resolver


def _merge(merged: dict[str, Any], schema: dict[str, Any], hoist: _Hoist) -> None:
    for keyword in [one for one in schema if one in _MERGED]:
        value = schema[keyword]
        if keyword in ("properties", "patternProperties"):
            into = merged.setdefault(keyword, {})
            for name, one in value.items():
                inside = _inside(one, hoist)
                into[name] = inside if name not in into else {"allOf": [into[name], inside]}
        elif keyword == "required":
            into = merged.setdefault(keyword, [])
            into += [name for name in value if name not in into]
        elif keyword == "dependentRequired":
            into = merged.setdefault(keyword, {})
            for name, names in value.items():
                into[name] = sorted({*into.get(name, ()), *names})
        elif keyword == "propertyNames":
            inside = _inside(value, hoist)
            before = merged.get(keyword)
            merged[keyword] = inside if before is None else {"allOf": [before, inside]}
        elif keyword == "type":
            if value != "object":
                raise NotFlat
            merged[keyword] = value
        else:
            choose = min if keyword == "maxProperties" else max
            merged[keyword] = choose(value, merged.get(keyword, value))


def _inside(schema: Any, hoist: _Hoist) -> Any:
    """
    A schema of the flat form's inside: references lead into its own ``$defs``.
    """

    def rewrite(here: dict[str, Any]) -> dict[str, Any]:
        if here.keys() & _PLACED:
            raise NotFlat
        kept = {k: v for k, v in here.items() if k not in _HIDDEN and k != "$defs"}
        if "$ref" in here:
            kept["$ref"] = f"#/$defs/{token(_hoisted(here['$ref'], hoist))}"
        return kept

    return _mapped(schema, rewrite)


def _hoisted(reference: str, hoist: _Hoist) -> str:
    found = hoist.resolver.lookup(reference)
    target = found.contents
    name = hoist.names.get(id(target))
    if name is not None:
        return name
    if isinstance(target, dict):
        # Its references are resolved from inside it, whatever it calls itself.
        target = {k: v for k, v in target.items() if k not in ("$schema", "$id")}
    stem = reference.rpartition("/")[2].rpartition("#")[2].removesuffix(".schema.json") or "root"
    name, at = stem, 1
    while name in hoist.schemas:
        at += 1
        name = f"{stem}-{at}"
    hoist.names[id(found.contents)] = name
    hoist.schemas[name] = True
    hoist.waiting.append((name, target, found.resolver))
    return name


def _mapped(schema: Any, rewrite: Any) -> Any:
    """A schema with ``rewrite`` applied to it and to every schema inside it."""
    if not isinstance(schema, dict):
        return schema
    out: dict[str, Any] = {}
    for keyword, value in rewrite(schema).items():
        if isinstance(value, dict) and keyword in BY_NAME:
            out[keyword] = {name: _mapped(one, rewrite) for name, one in value.items()}
        elif isinstance(value, list) and keyword in MANY:
            out[keyword] = [_mapped(one, rewrite) for one in value]
        elif keyword in ONE:
            out[keyword] = _mapped(value, rewrite)
        else:
            out[keyword] = value
    return out


def bundled(document: dict[str, Any], uri: str, registry: referencing.Registry[Any]) -> Any:
    """
    The source with every document that it refers to, each by its ``$id``.
    """
    found: dict[str, Any] = {}
    waiting = [(document, registry.resolver(uri))]
    while waiting:
        schema, resolver = waiting.pop()
        for reference in _references(schema):
            target = resolver.lookup(reference.partition("#")[0] or "#")
            contents = target.contents
            if contents is document or not isinstance(contents, dict) or "$id" not in contents:
                continue
            if contents["$id"] not in found:
                found[contents["$id"]] = contents
                waiting.append((contents, target.resolver))
    if not found:
        return document
    defs = document.get("$defs", {}) | {name: found[name] for name in sorted(found)}
    return document | {"$defs": defs}


def referred(document: Any, uri: str) -> set[str]:
    """The documents that one refers to, by URI without fragment."""
    return {urldefrag(urljoin(uri, reference))[0] or uri for reference in _references(document)}


def _references(schema: Any) -> list[str]:
    found: list[str] = []

    def note(here: dict[str, Any]) -> dict[str, Any]:
        found.extend(here[k] for k in ("$ref", "$dynamicRef") if isinstance(here.get(k), str))
        return here

    _mapped(schema, note)
    return found
