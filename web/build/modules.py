"""
The Python modules that a page could need, and which of them it does.

Three sources: the interpreter's own library, the pinned dependencies as they are
installed here, and our wheel. A page gets what the interpreter imports to boot,
and from our package on everything that can be reached by an import statement.
"""

import ast
import importlib.metadata
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

#: Our roots: the package itself, what the worker calls, and the name that jsonschema imports.
ROOTS = ("weighbridge", "weighbridge_seat", "rpds")

#: What the interpreter imports from C or frozen code, where no import statement shows it.
FROM_C = (
    "_pylong",  # int() and str() of many digits
    "encodings.ascii",
    "encodings.cp437",  # names in a zip
    "encodings.latin_1",
    "encodings.utf_16",
    "encodings.utf_16_be",
    "encodings.utf_16_le",
    "encodings.utf_32",
    "encodings.utf_32_le",  # the charge of astral characters
    "encodings.utf_8",
    "importlib.readers",  # files in a zip, asked for by the frozen importer
)

#: Distributions that the page needs beside ours; what each is for stands in pyproject.toml.
DEPENDENCIES = (
    "attrs",
    "jsonschema",
    "jsonschema-specifications",
    "pyrsistent",
    "pyrsistent-as-rpds-py",
    "referencing",
)

#: Files that are read, not imported: the metaschemas.
DATA = ("jsonschema_specifications/schemas/",)

#: Imports that no verdict reaches, so that their modules stay behind: importer, imported, why.
LEFT_OUT = {
    ("attr", "importlib.metadata"): "asked only for a version",
    ("attrs", "importlib.metadata"): "asked only for a version",
    ("datetime", "_pydatetime"): "stands in for a C module that the interpreter has",
    ("jsonschema", "importlib.metadata"): "asked only for a version",
    ("jsonschema.validators", "urllib.request"): "the deprecated resolver's network access",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """
    One module's source, and the path that it has in the payload.
    """

    name: str
    path: PurePosixPath
    source: bytes
    #: ``"library"`` (the interpreter's), ``"dependency"`` or ``"ours"``.
    origin: str

    @property
    def is_package(self) -> bool:
        """
        Whether others are imported relative to it.
        """
        return self.path.name == "__init__.py"


def module(path: str, source: bytes, origin: str) -> Module:
    """
    The module that a file of that relative path is.
    """
    where = PurePosixPath(path)
    parts = where.with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return Module(name=name, path=where, source=source, origin=origin)


def from_zip(file: Path, origin: str) -> Iterator[Module]:
    """
    Every module in a zip: the interpreter's library, or a wheel.
    """
    with zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            if name.endswith(".py"):
                yield module(name, archive.read(name), origin)


def sources(wheel: Path) -> dict[str, bytes]:
    """
    Every module of a wheel by its path in it, whether a page needs it or not.
    """
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name.endswith(".py")}


def installed_files(distribution: str) -> Iterator[tuple[str, bytes]]:
    """
    Every file of an installed distribution, by its path from site-packages.
    """
    for file in importlib.metadata.distribution(distribution).files or ():
        is_beside = file.parts[0].endswith(".dist-info") or ".." in file.parts
        if not is_beside and "__pycache__" not in file.parts:
            yield file.as_posix(), file.read_binary()


def closure(modules: Mapping[str, Module], loaded: set[str], builtins: set[str]) -> set[str]:
    """
    The names of the modules that the page gets.

    What is ``loaded`` at boot has had its imports done; an import inside one of
    its functions is the interpreter's own business. Of everything beyond the boot
    every import counts, wherever it stands.
    """
    found = {name for name in (*loaded, *FROM_C) if name in modules}
    waiting = [*ROOTS, *(name for name in FROM_C if name not in loaded)]
    seen = set(found) - set(waiting)
    while waiting:
        name = waiting.pop()
        if name in seen or name in builtins or name not in modules:
            continue
        seen.add(name)
        here = modules[name]
        found.add(name)
        waiting += [".".join(name.split(".")[:depth]) for depth in range(1, name.count(".") + 1)]
        waiting += [wanted for wanted in imports(here) if (name, wanted) not in LEFT_OUT]
    return found


def imports(here: Module) -> Iterator[str]:
    """
    Every name that a module imports, wherever it stands, but for a type checker.

    ``from a import b`` is told as both ``a`` and ``a.b``, since either may be a module.
    """
    yield from _imports(ast.parse(here.source), here)


def _imports(node: ast.AST, here: Module) -> Iterator[str]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name
    elif isinstance(node, ast.ImportFrom):
        base = _absolute(node, here)
        yield base
        for alias in node.names:
            yield f"{base}.{alias.name}"
    elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        for other in node.orelse:
            yield from _imports(other, here)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _imports(child, here)


def _absolute(node: ast.ImportFrom, here: Module) -> str:
    if node.level == 0:
        return node.module or ""
    parts = here.name.split(".") if here.is_package else here.name.split(".")[:-1]
    parts = parts[: len(parts) - node.level + 1]
    return ".".join([*parts, *([node.module] if node.module else [])])
