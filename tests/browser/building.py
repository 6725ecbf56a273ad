"""
Each folder of ``tests/fixtures`` becomes a built page that has our package installed as a user would.

The package is the one that ``npm pack`` makes; what a fixture needs besides is what
its own lock file names. Everything is made in ``.build/fixtures``.
"""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.machine import ROOT

FIXTURES = ROOT / "tests" / "fixtures"
WORK = ROOT / ".build" / "fixtures"

#: By fixture: the folder that its build writes, to be served at any path.
OUTPUT = {"esbuild": "www", "next": "out", "script": ".", "vite": "dist", "webpack": "www"}


def packed() -> Path:
    """
    The package as ``npm pack`` makes it of ``web/``, made anew where the build is another.
    """
    manifest = (ROOT / "web" / "dist" / "manifest.json").read_bytes()
    given = manifest + (ROOT / "web" / "package.json").read_bytes()
    folder = WORK / f"package-{hashlib.sha256(given).hexdigest()[:12]}"
    name = f"weighbridge-{json.loads(manifest)['version']}.tgz"
    with _alone("package"):
        if not (folder / name).exists():
            for stale in WORK.glob("package-*"):
                shutil.rmtree(stale)
            folder.mkdir()
            _run("npm", "pack", "--silent", "--pack-destination", str(folder), folder=ROOT / "web")
    return folder / name


def unpacked(tarball: Path, folder: Path) -> None:
    """
    Put the package into ``folder`` as an install would.
    """
    inside = folder / "node_modules" / "weighbridge"
    shutil.rmtree(inside, ignore_errors=True)
    inside.parent.mkdir(exist_ok=True)
    with tarfile.open(tarball) as archive:
        archive.extractall(inside.with_name("unpacked"), filter="data")
    (inside.with_name("unpacked") / "package").rename(inside)
    inside.with_name("unpacked").rmdir()


def installed(name: str) -> Path:
    """
    A copy of the fixture with everything it needs in place, and nothing built.
    """
    folder = WORK / name
    with _alone(name):
        _take(FIXTURES / name, folder)
        lock = folder / "package-lock.json"
        mark = folder / "node_modules" / "installed"
        if lock.exists() and (not mark.exists() or mark.read_bytes() != lock.read_bytes()):
            _run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", folder=folder)
            shutil.copy(lock, mark)
        unpacked(packed(), folder)
    return folder


def built(name: str) -> Path:
    """
    The folder of finished pages that the fixture's own build makes.
    """
    folder = installed(name)
    if (folder / "package.json").exists():
        _run("npm", "run", "build", folder=folder)
    else:
        shutil.copytree(folder / "node_modules" / "weighbridge" / "dist", folder / "weighbridge")
    return folder / OUTPUT[name]


def _take(source: Path, target: Path) -> None:
    """
    Make ``target`` a copy of ``source``, but for the packages that stand in it.
    """
    target.mkdir(parents=True, exist_ok=True)
    for old in target.iterdir():
        if old.name == "node_modules":
            continue
        if old.is_dir():
            shutil.rmtree(old)
        else:
            old.unlink()
    shutil.copytree(source, target, dirs_exist_ok=True)
    # A development server keeps what it has made of packages by their versions, not their bytes.
    shutil.rmtree(target / "node_modules" / ".vite", ignore_errors=True)


def _run(*command: str, folder: Path) -> None:
    quiet = {"NEXT_TELEMETRY_DISABLED": "1", "NO_COLOR": "1"}
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **quiet},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        message = f"{command} in {folder.name}:\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
        raise RuntimeError(message)


@contextmanager
def _alone(name: str) -> Iterator[None]:
    WORK.mkdir(parents=True, exist_ok=True)
    with (WORK / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
