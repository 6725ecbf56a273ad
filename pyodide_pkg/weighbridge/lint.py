"""
What a published schema says by mistake, as data: file, place, rule, and the cure.

Nothing here keeps a catalog from loading.  A remark is about a schema that can be
used and most likely does not mean what it says, or leaves open what it need not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weighbridge import publish
from weighbridge.dialects import DIALECTS, DRAFT202012, dialect_of
from weighbridge.lint_keywords import KEYWORD_RULES
from weighbridge.lint_places import spots
from weighbridge.lint_rules import Note, every
from weighbridge.lint_values import SPOT_RULES, listed
from weighbridge.metaschema import metaschema_fault
from weighbridge.prepare import prepare
from weighbridge.reading import SETTINGS, Document, Folder, Settings, load, registry_of

if TYPE_CHECKING:
    from weighbridge.catalog import Catalog
    from weighbridge.node import Node

__all__ = ["RULES", "Remark", "of_catalog", "of_folder"]

_NODE_RULES = {**KEYWORD_RULES, "listed": listed}

#: Every rule by its name, with what it is about.
RULES: dict[str, str] = {
    **{name: rule.__doc__ or "" for name, rule in [*_NODE_RULES.items(), *SPOT_RULES.items()]},
    "not-flat": "A tool whose published form is bundled.",
    "stale-exception": "A recorded reason that nothing needs.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """
    One thing that an author may want to change.
    """

    #: The schema file; the tool's name where there are no files.
    file: str

    #: A JSON Pointer into the file.
    place: str

    #: A name of ``RULES``.
    rule: str

    #: What is so there.
    message: str

    #: What to do about it.
    cure: str

    #: Why it stays as it is, from ``catalog.json``; ``""`` where nobody says so.
    reason: str = ""

    def __str__(self) -> str:
        """Say the file, the place, the fact, the cure and the rule in one line."""
        where = f"{self.file} at {self.place}" if self.place else self.file
        kept = f" Kept: {self.reason}" if self.reason else ""
        return f"{where}: {self.message}. {self.cure}. ({self.rule}){kept}"

    def as_dict(self) -> dict[str, str]:
        """The remark as JSON values."""
        return {
            "file": self.file,
            "place": self.place,
            "rule": self.rule,
            "message": self.message,
            "cure": self.cure,
            "reason": self.reason,
        }


def of_catalog(catalog: Catalog) -> tuple[Remark, ...]:
    """
    The remarks on the forms that a catalog applies, by tool; places are in the
    published form.
    """
    found: list[Remark] = []
    for name, tool in catalog.tools.items():
        old = dialect_of(tool.published) is not DIALECTS[DRAFT202012]
        found += _remarks(tool.root, lambda pointer, name=name: (name, pointer), old=old)  # type: ignore[misc]
        if name in catalog.bundled_forms:
            found.append(_not_flat(name))
    return _in_order(found)


def of_folder(folder: str | Path | Folder) -> tuple[Remark, ...]:
    """
    The remarks on a folder of schema files; places are in the files.

    Raises:
        CatalogError: the folder cannot be loaded.
    """
    where: Any = Path(folder) if isinstance(folder, str) else folder
    documents, settings = load(where)
    registry = registry_of(documents)
    by_uri = {one.uri: one for one in documents}
    found: list[Remark] = []
    # A schema without a tool is looked at where it is referred to: alone it is half.
    for one in (document for document in documents if document.tool is not None):
        root = _source(one, registry, settings)
        found += _remarks(root, _placing(one, by_uri), old=False)
        if not publish.applied(one.schema, one.uri, registry)[1]:
            found.append(_not_flat(one.file))
    return _in_order(_with_reasons(found, documents, settings))


def _source(one: Document, registry: Any, settings: Settings) -> Node:
    return prepare(
        one.schema,
        file=one.file,
        uri=one.uri,
        registry=registry,
        limits=settings.tools.get(one.tool or "", settings.limits),
        published=True,
        vouch=metaschema_fault,
    )


def _placing(own: Document, by_uri: dict[str, Document]) -> Callable[[str], tuple[str, str]]:
    """From where a schema stands to its file and the place in it."""

    def placed(pointer: str) -> tuple[str, str]:
        if not pointer or pointer.startswith("/"):
            return own.file, pointer
        uri, _, place = pointer.partition("#")
        return (by_uri[uri].file if uri in by_uri else uri), place

    return placed


def _remarks(
    root: Node, placed: Callable[[str], tuple[str, str]], *, old: bool
) -> Iterable[Remark]:
    notes: list[tuple[str, Note]] = []
    for node in every(root):
        for rule, look in _NODE_RULES.items():
            if not (old and rule in ("misspelt", "no-effect")):
                notes += [(rule, note) for note in look(node)]
    for spot in spots(root):
        for rule, look_at in SPOT_RULES.items():
            notes += [(rule, note) for note in look_at(spot)]
    for rule, note in notes:
        file, place = placed(note.pointer)
        yield Remark(file=file, place=place, rule=rule, message=note.message, cure=note.cure)


def _not_flat(file: str) -> Remark:
    return Remark(
        file=file,
        place="",
        rule="not-flat",
        message="it cannot be published flat, and some clients refuse what is not",
        cure="compose its root by allOf and $ref alone, of objects that say properties, "
        "patternProperties, propertyNames, required, dependentRequired and counts",
    )


def _with_reasons(
    found: list[Remark], documents: list[Document], settings: Settings
) -> list[Remark]:
    files = {one.uri: one.file for one in documents}
    left = {
        (files.get(schema, schema), place, rule): reason
        for (rule, schema, place), reason in settings.kept.items()
    }
    needed = {(one.file, one.place, one.rule) for one in found}
    out = [replace(one, reason=left.get((one.file, one.place, one.rule), "")) for one in found]
    for file, place, rule in left.keys() - needed:
        out.append(
            Remark(
                file=SETTINGS,
                place="/exceptions",
                rule="stale-exception",
                message=f"the reason for {rule} in {file} at {place or 'its root'} is of no use",
                cure="drop it, or name the place that needs it",
            )
        )
    return out


def _in_order(found: Iterable[Remark]) -> tuple[Remark, ...]:
    """Each once, by file, place and rule."""
    unique = dict.fromkeys(found)
    return tuple(sorted(unique, key=lambda one: (one.file, one.place, one.rule, one.message)))
