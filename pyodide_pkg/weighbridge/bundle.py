"""
The page side as a folder: complete, verified, and judging by anybody's catalog.

``make web`` builds the parts that are the same for everybody (interpreter, this
package, scripts) once. A catalog is a small file beside them, so a bundle for
another one is a copy with that file and the manifest in the entry exchanged; it
needs neither Node nor a network.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import importlib.util
import json
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from weighbridge import Catalog, __version__

#: The page's entry; the one script whose name never changes.
ENTRY: Final = "weighbridge.js"

#: Says which file is what, for tools and for people; the page has the same in its entry.
MANIFEST: Final = "manifest.json"

#: Where the entry keeps what is written into it: one line each, whole.
ENTRY_LINE: Final = r"^const {name} = .*;$"

#: What a file of a bundle can be called: nothing outside its folder.
FILE_NAME: Final = re.compile(r"(?:types/(?:bridges/)?)?[\w-][\w.-]*")

#: The distribution that carries the built page side, at the version of this one.
ASSETS: Final = "weighbridge_web"

#: The cure for a page side that is not there, or not this package's.
ANEW: Final = (
    "Install it with: pip install 'weighbridge[web]'; or build it in a checkout with: "
    "make web (it needs Node 20 or newer)"
)

#: What lies beside a file for servers that can use it.
CODINGS: Final = (".br", ".gz")


@dataclass(frozen=True)
class BundleError(Exception):
    """
    A bundle that cannot be written, as one fact: which file, what, and the cure.
    """

    #: A file name in the assets, or a path.
    file: str

    #: What is wrong with it.
    fact: str

    #: What to do about it.
    cure: str

    def __str__(self) -> str:
        """
        File, fact and cure in one line.
        """
        return f"{self.file}: {self.fact}. {self.cure}."


def write_bundle(
    out: Path, catalog_dir: Path | None = None, assets: Path | None = None
) -> dict[str, Any]:
    """
    Write a complete bundle into ``out`` and return its manifest.

    ``catalog_dir`` is a folder of published schemas, by default the catalog that
    the assets were built with. ``assets`` is a built page side, by default the
    one that :func:`built` finds. ``out`` is made; a folder that holds anything
    but a bundle is left alone. Every file is held to its hash before it is
    copied. Raises BundleError, and CatalogError for a catalog that does not load.
    """
    source = assets or built()
    manifest = verified(source)
    if manifest["version"] != __version__:
        fact = f"was built for version {manifest['version']}, and this is {__version__}"
        raise BundleError(MANIFEST, fact, ANEW)
    if manifest["package"] != package_digest(own_modules()):
        fact = f"build {manifest['build']} was made of other modules than this package has"
        raise BundleError(MANIFEST, fact, ANEW)
    catalog = None if catalog_dir is None else packed(catalog_dir)
    _prepare(out)
    for name in manifest["files"]:
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_bytes((source / name).read_bytes())
    if catalog is not None:
        manifest = _with_catalog(out, manifest, catalog)
    (out / MANIFEST).write_text(json.dumps(manifest, indent=1, sort_keys=True) + "\n", "utf-8")
    return manifest


def built() -> Path:
    """
    Where the built page side is: in this package's checkout, or installed beside it.

    A checkout's own comes first, since whoever works in one builds it there.
    """
    checkout = Path(__file__).resolve().parents[2] / "web" / "dist"
    installed = importlib.util.find_spec(ASSETS)
    beside = () if installed is None else installed.submodule_search_locations or ()
    places = (checkout, *(Path(folder) / "dist" for folder in beside))
    for place in places:
        if (place / MANIFEST).is_file():
            return place
    raise BundleError("weighbridge web", "has no built page side to write", ANEW)


def own_modules() -> dict[str, bytes]:
    """
    The source of each module of the package that runs, by its path in a wheel.
    """
    here = Path(__file__).resolve().parent
    return {
        path.relative_to(here.parent).as_posix(): path.read_bytes() for path in here.rglob("*.py")
    }


def package_digest(modules: Mapping[str, bytes]) -> str:
    """
    One SHA-256 over every module, so that two packages of one version can be told apart.
    """
    digest = hashlib.sha256()
    for name in sorted(modules):
        digest.update(f"{name}\0{len(modules[name])}\0".encode() + modules[name])
    return f"sha256:{digest.hexdigest()}"


def verified(folder: Path) -> dict[str, Any]:
    """
    The manifest of a built folder, each of whose files is what the manifest says.
    """
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError) as error:
        raise BundleError(str(folder / MANIFEST), "cannot be read", ANEW) from error
    for name, asset in manifest["files"].items():
        path = folder / name
        if not path.is_file():
            raise BundleError(str(path), "is missing", ANEW)
        if described(name, path.read_bytes()) != asset:
            raise BundleError(str(path), "is not as it was built", ANEW)
    return manifest


def packed(folder: Path) -> bytes:
    """
    The schema files of a folder as one file, in which they judge as they do in the folder.

    Raises CatalogError exactly where ``Catalog.read`` does.
    """
    digest = Catalog.read(folder).digest
    files = {path.name: path.read_text("utf-8") for path in sorted(folder.glob("*.json"))}
    with tempfile.TemporaryDirectory() as copy:
        for name, text in files.items():
            (Path(copy) / name).write_bytes(text.encode())
        if Catalog.read(Path(copy)).digest != digest:
            fact = "judges otherwise when its *.json files stand alone"
            raise BundleError(str(folder), fact, "Put every file it needs into the folder itself")
    return json.dumps({"digest": digest, "files": files}, indent=1, sort_keys=True).encode()


def described(name: str, data: bytes) -> dict[str, Any]:
    """
    What a manifest says of a file: its name, its size in bytes, its SHA-384.
    """
    digest = base64.b64encode(hashlib.sha384(data).digest()).decode()
    return {"bytes": len(data), "file": name, "integrity": f"sha384-{digest}"}


def hashed_name(stem: str, suffix: str, data: bytes) -> str:
    """
    A name that changes with the content, so that a copy of it may be kept for ever.
    """
    return f"{stem}-{hashlib.sha384(data).hexdigest()[:12]}{suffix}"


def entry(source: str, manifest: Mapping[str, Any]) -> str:
    """
    The entry script with what the page needs of ``manifest`` written into it.

    ``BESIDE`` says it once more, file by file, in the words by which a bundler
    knows a file to keep; it is asked for nothing until a page loads.
    """
    assets = manifest["assets"]
    baked = {key: manifest[key] for key in ("assets", "build", "version")}
    beside = ", ".join(
        f'{role}: () => new URL("./{assets[role]["file"]}", import.meta.url)'
        for role in sorted(assets)
    )
    lines = {"MANIFEST": json.dumps(baked, sort_keys=True), "BESIDE": f"{{ {beside} }}"}
    for name, value in lines.items():
        places = re.findall(ENTRY_LINE.format(name=name), source, re.MULTILINE)
        if len(places) != 1:
            raise BundleError(ENTRY, f"has no place for {name}", ANEW)
        source = source.replace(places[0], f"const {name} = {value};")
    return source


def _prepare(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise BundleError(str(out), "is a file", "Name a folder")
    out.mkdir(parents=True, exist_ok=True)
    if not any(out.iterdir()):
        return
    try:
        old = json.loads((out / MANIFEST).read_bytes())["files"]
    except (OSError, ValueError, LookupError):
        fact = "holds files that are no bundle"
        raise BundleError(str(out), fact, "Name a new or an empty folder") from None
    for name in filter(FILE_NAME.fullmatch, old):
        (out / name).unlink(missing_ok=True)


def _with_catalog(out: Path, manifest: Mapping[str, Any], catalog: bytes) -> dict[str, Any]:
    old = manifest["assets"]["catalog"]["file"]
    new = hashed_name("catalog", ".json", catalog)
    changed: dict[str, bytes] = {new: catalog}
    result = {
        **manifest,
        "catalog": {"digest": json.loads(catalog)["digest"]},
        "assets": {**manifest["assets"], "catalog": described(new, catalog)},
    }
    changed[ENTRY] = entry((out / ENTRY).read_text("utf-8"), result).encode()
    stale = {name + coding for name in (old, ENTRY) for coding in ("", *CODINGS)}
    for name in stale:
        (out / name).unlink(missing_ok=True)
    for name, data in tuple(changed.items()):
        changed[f"{name}.gz"] = gzip.compress(data, 9, mtime=0)
    for name, data in changed.items():
        (out / name).write_bytes(data)
    kept = {name: asset for name, asset in manifest["files"].items() if name not in stale}
    result["files"] = kept | {name: described(name, data) for name, data in changed.items()}
    return result
