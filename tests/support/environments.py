"""
Environments of a chosen Python with a chosen set of packages, made once and kept.

They stand in ``.build/envs``, so a second run needs no network. Versions come
from ``.ci/requirements.lock`` unless the caller names one.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.machine import ROOT

ENVIRONMENTS = ROOT / ".build" / "envs"
LOCK = ROOT / ".ci" / "requirements.lock"

#: Released together, so a pin of the first frees the second from the lock too.
COMPANIONS = {"mcp": "mcp-types"}


@dataclass(frozen=True, slots=True)
class Environment:
    """
    A folder with an interpreter and exactly the packages asked for.
    """

    #: ``.build/envs/<name>-<what was asked for>-<the bytes it was made of>``.
    folder: Path

    @property
    def python(self) -> str:
        """
        The environment's interpreter.
        """
        return str(self.folder / "bin" / "python")

    def script(self, name: str) -> str:
        """
        The path of a console script that a package brought.
        """
        return str(self.folder / "bin" / name)

    def run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[bytes]:
        """
        Run the environment's Python in isolation from this one's path and variables.
        """
        return subprocess.run(
            [self.python, *arguments],
            input=stdin,
            capture_output=True,
            cwd=cwd or self.folder,
            env={**clean_environ(), **(env or {})},
            check=False,
        )


def clean_environ() -> dict[str, str]:
    """
    The variables of this process less those that would reach into another Python.
    """
    ours = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "COVERAGE_PROCESS_START")
    return {name: value for name, value in os.environ.items() if name not in ours}


def constraints() -> str:
    """
    ``.ci/requirements.lock`` as versions alone, one a line, for installs of a part of it.
    """
    lines = LOCK.read_text(encoding="utf-8").splitlines()
    kept = (line.rstrip(" \\") for line in lines if line and not line.startswith((" ", "#")))
    return "\n".join(kept) + "\n"


def uv() -> str | None:
    """
    The path of uv, on PATH or in this environment.
    """
    beside = Path(sys.executable).with_name("uv")
    return shutil.which("uv") or (str(beside) if beside.exists() else None)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _try(*command: str) -> str | None:
    done = subprocess.run(command, capture_output=True, text=True, env=clean_environ(), check=False)
    if done.returncode == 0:
        return None
    return f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}"


def _run(*command: str) -> None:
    complaint = _try(*command)
    if complaint is not None:
        raise RuntimeError(complaint)


def _fill(folder: Path, python: str, packages: tuple[str, ...], constraint: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    inside = str(folder / "bin" / "python")
    wanted = ("--constraint", str(constraint), *packages)
    tool = uv()
    if tool is None:
        _run(python, "-m", "venv", str(folder))
        if packages:
            _run(inside, "-m", "pip", "install", "--quiet", *wanted)
        return
    _run(tool, "venv", "--quiet", "--no-project", "--python", python, str(folder))
    install = (tool, "pip", "install", "--quiet", "--python", inside)
    # What was ever installed here is in uv's cache, and no network is asked for it again.
    if packages and _try(*install, "--offline", *wanted) is not None:
        _run(*install, *wanted)


def _short(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()[:12]


def environment(
    name: str, python: str, packages: tuple[str, ...], *, constrained: bool = True
) -> Environment:
    """
    The environment of ``python`` with ``packages``, made unless it already stands.

    ``packages`` are pip's words: ``"mcp==2.1.1"``, or the path of a wheel, whose
    bytes then count. ``constrained=False`` lets the index choose the versions
    that the lock would.
    """
    said = constraints() if constrained else ""
    files = [Path(package.split("[", 1)[0]) for package in packages]
    asked = _short("\0".join((python, *packages)).encode())
    given = _short(said.encode(), *(file.read_bytes() for file in files if file.is_file()))
    stem = f"{name}-{asked}"
    folder = ENVIRONMENTS / f"{stem}-{given}"
    with _alone(ENVIRONMENTS / f"{stem}.lock"):
        if not (folder / "made").exists():
            constraint = ENVIRONMENTS / f"{stem}.constraints"
            named = {package.split("==")[0] for package in packages if "==" in package}
            overridden = named | {COMPANIONS[name] for name in named if name in COMPANIONS}
            lines = [line for line in said.splitlines() if line.split("==")[0] not in overridden]
            constraint.write_text("\n".join(lines) + "\n", encoding="utf-8")
            # What was asked for the same way, of a wheel or a lock that is no more.
            for stale in ENVIRONMENTS.glob(f"{stem}-*"):
                shutil.rmtree(stale, ignore_errors=True)
            _fill(folder, python, packages, constraint)
            (folder / "made").touch()
    return Environment(folder)
