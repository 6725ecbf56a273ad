"""
Makes ``web/dist``: everything that a page loads, named by content, with one manifest.

``PYTHON build`` in ``web/``, with ``WHEEL`` the path of our wheel. Needs Node and
``web/node_modules``; asks no network.
"""

import fcntl
import hashlib
import importlib.metadata
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import modules

BUILD = Path(__file__).resolve().parent
WEB = BUILD.parent
ROOT = WEB.parent
#: Written aside and put in place whole, so that a server never sees half a build.
DIST = WEB / "dist.part"
WORK = ROOT / ".build" / "page"
ENGINE = WEB / "node_modules" / "pyodide"

sys.path.insert(0, str(ROOT / "pyodide_pkg"))

from weighbridge import bundle  # noqa: E402 - the checkout's own, whatever is installed

#: Page scripts that others import, each after those that it imports.
PAGE = ("errors.js", "spawn.js", "assets.js", "verdict.js", "engine.js")

#: The one date that a zip can begin with.
EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """
    Everything that goes into a build.
    """

    version: str
    wheel: Path
    #: By name: the page's scripts, and the worker's Python.
    scripts: Mapping[str, str]
    #: The worker's one script, the engine in it, before it has a build id.
    worker: str
    modules: Mapping[str, modules.Module]
    #: What the interpreter says of itself before it is asked anything.
    engine: Mapping[str, object]


def main() -> int:
    """
    Build, and say what each file weighs.
    """
    WORK.mkdir(parents=True, exist_ok=True)
    with (WORK / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # Two builds at once would mix their files.
        for folder in (WORK / "tree", DIST):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        inputs = read()
        build = identity(inputs)
        manifest = write(inputs, build, make_payload(inputs, build))
        shutil.rmtree(WEB / "dist", ignore_errors=True)
        DIST.rename(WEB / "dist")
        report(manifest)
    return 0


def read() -> Inputs:
    """
    Gather the inputs; what is missing ends the build with a word on what to run.
    """
    wheel = Path(os.environ.get("WHEEL", ""))
    if not wheel.is_file():
        sys.exit("web/build: WHEEL names no wheel; run: make web")
    if not ENGINE.is_dir():
        sys.exit("web/build: web/node_modules has no pyodide; run: make web")
    run_in_interpreter("describe_engine.py")
    node("worker.mjs", str(WORK / "tree" / "worker.js"))
    names = (*PAGE, "weighbridge.js", "weighbridge.classic.js", "seat.py")
    found = [
        *modules.from_zip(ENGINE / "python_stdlib.zip", "library"),
        *modules.from_zip(wheel, "ours"),
    ]
    for distribution in modules.DEPENDENCIES:
        found += [
            modules.module(path, data, "dependency")
            for path, data in modules.installed_files(distribution)
            if path.endswith(".py")
        ]
    return Inputs(
        version=bundle.__version__,
        wheel=wheel,
        scripts={name: (WEB / name).read_text("utf-8") for name in names},
        worker=(WORK / "tree" / "worker.js").read_text("utf-8"),
        modules={module.name: module for module in found},
        engine=json.loads((WORK / "tree" / "engine.json").read_text("utf-8")),
    )


def identity(inputs: Inputs) -> str:
    """
    The id that page, worker and payload carry: the version, and a hash over all that goes in.
    """
    digest = hashlib.sha256()
    parts = {name: text.encode() for name, text in inputs.scripts.items()}
    parts |= {str(module.path): module.source for module in inputs.modules.values()}
    parts["worker.js"] = inputs.worker.encode()
    parts["pyodide.asm.wasm"] = (ENGINE / "pyodide.asm.wasm").read_bytes()
    for file in sorted(BUILD.glob("*.*")):
        parts[f"build/{file.name}"] = file.read_bytes()
    for name in sorted(parts):
        digest.update(f"{name}\0{len(parts[name])}\0".encode())
        digest.update(parts[name])
    return f"{inputs.version}+{digest.hexdigest()[:12]}"


def make_payload(inputs: Inputs, build: str) -> bytes:
    """
    One stored zip of compiled modules: the trimmed library, the dependencies, our package.

    Stored, because the server compresses better than a zip does, and the
    interpreter reads it at every import.
    """
    added = {
        "rpds": b"from pyrsistent_as_rpds.pure import *\n",
        "weighbridge_build": f"BUILD = {build!r}\n".encode(),
        "weighbridge_seat": inputs.scripts["seat.py"].encode(),
    }
    known = dict(inputs.modules)
    for name, source in added.items():
        known[name] = modules.module(f"{name}.py", source, "ours")
    loaded = set(map(str, inputs.engine["modules"]))
    builtins = set(map(str, inputs.engine["builtins"]))
    for name in modules.closure(known, loaded, builtins):
        target = WORK / "tree" / "sources" / known[name].path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(known[name].source)
    run_in_interpreter("compile_tree.py")
    compiled = WORK / "tree" / "compiled"
    files = {
        path.relative_to(compiled).as_posix(): path.read_bytes() for path in compiled.rglob("*.pyc")
    }
    for distribution in modules.DEPENDENCIES:
        files |= {
            path: data
            for path, data in modules.installed_files(distribution)
            if path.startswith(modules.DATA) and not path.endswith(".py")
        }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, EPOCH), files[name])
    return packed.getvalue()


def write(inputs: Inputs, build: str, payload: bytes) -> dict[str, object]:
    """
    Write every file under its content's name, then the entry and the manifest.
    """
    info = json.loads((ENGINE / "pyodide-lock.json").read_text("utf-8"))["info"]
    worker = with_value(inputs.worker, "BUILD", '"source"', json.dumps(build))
    worker = with_value(worker, "LOCK_INFO", "null", json.dumps(info, sort_keys=True))
    contents = {
        "worker": ("worker", ".js", worker.encode()),
        "wasm": ("interpreter", ".wasm", (ENGINE / "pyodide.asm.wasm").read_bytes()),
        "payload": ("payload", ".zip", payload),
        "catalog": ("catalog", ".json", bundle.packed(ROOT / "schemas" / "mcp")),
    }
    assets = {role: place(*content) for role, content in contents.items()}
    catalog = json.loads(contents["catalog"][2])
    manifest = {
        "assets": assets,
        "build": build,
        "catalog": {"digest": catalog["digest"]},
        "package": bundle.package_digest(modules.sources(inputs.wheel)),
        "packages": {
            name: importlib.metadata.version(name) for name in sorted(modules.DEPENDENCIES)
        },
        "pyodide": json.loads((ENGINE / "package.json").read_text("utf-8"))["version"],
        "python": inputs.engine["python"],
        "version": inputs.version,
    }
    scripts = page_scripts(inputs.scripts)
    entry = bundle.entry(renamed(inputs.scripts["weighbridge.js"], scripts), manifest)
    (DIST / bundle.ENTRY).write_text(entry, "utf-8")
    (DIST / "weighbridge.classic.js").write_text(inputs.scripts["weighbridge.classic.js"], "utf-8")
    written = [str(path) for path in sorted(DIST.iterdir())]
    node("compress.mjs", str(ROOT / ".build" / "compressed"), *written)
    declare()
    paths = [path for path in sorted(DIST.rglob("*")) if path.is_file()]
    names = {path.relative_to(DIST).as_posix(): path for path in paths}
    manifest["files"] = {
        name: bundle.described(name, path.read_bytes()) for name, path in names.items()
    }
    text = json.dumps(manifest, indent=1, sort_keys=True) + "\n"
    (DIST / bundle.MANIFEST).write_text(text, "utf-8")
    return manifest


def place(stem: str, suffix: str, data: bytes) -> dict[str, object]:
    """
    Write one file under its content's name; what the manifest says of it.
    """
    name = bundle.hashed_name(stem, suffix, data)
    (DIST / name).write_bytes(data)
    return bundle.described(name, data)


def declare() -> None:
    """
    Write what callers see of the page side as declarations, in ``types/``.
    """
    node(
        "node_modules/typescript/bin/tsc",
        *("--project", str(WEB / "tsconfig.types.json"), "--outDir", str(DIST / "types")),
        folder=WEB,
    )
    # Beside the entry, where a compiler looks that is given a path instead of a package.
    (DIST / "weighbridge.d.ts").write_text('export * from "./types/weighbridge.js";\n', "utf-8")


def page_scripts(scripts: Mapping[str, str]) -> dict[str, str]:
    """
    Write the page's own modules, each importing the others by their content's names.
    """
    names: dict[str, str] = {}
    for name in PAGE:
        data = renamed(scripts[name], names).encode()
        names[name] = bundle.hashed_name(Path(name).stem, ".js", data)
        (DIST / names[name]).write_bytes(data)
    return names


def renamed(script: str, names: Mapping[str, str]) -> str:
    """
    ``script`` with the modules it imports named as they are in the bundle.
    """
    return re.sub(
        r'^((?:import|export) .* from ")(?:\./)?([^"]+)(";)$',
        lambda found: f"{found[1]}./{names[found[2]]}{found[3]}",
        script,
        flags=re.MULTILINE,
    )


def with_value(script: str, name: str, old: str, new: str) -> str:
    """
    ``script`` with the constant that the build writes set to ``new``.
    """
    before = f"{name}={old}"
    if script.count(before) != 1:
        sys.exit(f"web/build: the worker has no place for {name}")
    return script.replace(before, f"{name}={new}")


def run_in_interpreter(name: str) -> None:
    """
    Run one of our files in the pinned interpreter, with the work folder as /work.
    """
    node("interpreter.mjs", str(BUILD / name), str(WORK / "tree"))


def node(script: str, *arguments: str, folder: Path = BUILD) -> None:
    """
    Run one of our Node scripts, or another's; its failure ends the build.
    """
    program = shutil.which("node") or sys.exit(
        "web/build: no node on PATH; install Node 20 or newer"
    )
    done = subprocess.run([program, str(folder / script), *arguments], check=False)
    if done.returncode != 0:
        sys.exit(f"web/build: {script} failed")


def report(manifest: Mapping[str, object]) -> None:
    """
    What a page loads, as it is and as it travels.
    """
    total = compressed = 0
    for role, asset in manifest["assets"].items():
        travels = manifest["files"][f"{asset['file']}.br"]["bytes"]
        print(f"  {role:12} {asset['file']:34} {asset['bytes']:>10,} {travels:>10,} br")
        total += asset["bytes"]
        compressed += travels
    print(f"  {'':12} {manifest['build']:34} {total:>10,} {compressed:>10,} br")


if __name__ == "__main__":
    sys.exit(main())
