"""
The official JSON Schema test suite, taken from where jsonschema's own source carries it.

It is not ours to commit, so pip fetches the source release once and the suite is
kept under ``.build``, which git ignores.
"""

import fcntl
import functools
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import pytest

from tests.support.machine import ROOT, interpreters

RELEASE = "jsonschema==4.26.0"
KEPT = ROOT / ".build" / "suite" / "jsonschema-4.26.0"


@functools.cache
def official_suite() -> Path:
    """
    The folder that holds ``draft2020-12`` and the other drafts.

    Fails the test that asks, with the cure, where the release cannot be had.
    """
    tests = KEPT / "json" / "tests"
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    with (KEPT.parent / "lock").open("w") as lock:
        # Two workers of one test run may both be the first to ask.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not tests.is_dir():
            _fetch()
    return tests


def _pip() -> list[str] | None:
    """A pip that runs: this environment's, or that of any Python here."""
    pythons = [sys.executable, *(interpreter.path for interpreter in interpreters())]
    commands = [[python, "-m", "pip"] for python in pythons]
    return next((command for command in commands if _runs([*command, "--version"])), None)


def _runs(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _fetch() -> None:
    pip = _pip()
    if pip is None:
        pytest.fail(f"no Python here has pip; cure: install it, or unpack {RELEASE} at {KEPT}")
    with tempfile.TemporaryDirectory(dir=KEPT.parent) as folder:
        fetched = subprocess.run(
            [*pip, "download", "--quiet", "--no-binary", ":all:", "--no-deps", RELEASE],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        archives = list(Path(folder).glob("*.tar.gz"))
        if fetched.returncode or not archives:
            pytest.fail(
                f"the official suite could not be fetched: pip download {RELEASE} ended with\n"
                f"{fetched.stderr[-800:]}\n"
                f"cure: give this machine a package index, or unpack the source release at {KEPT}"
            )
        with tarfile.open(archives[0]) as archive:
            archive.extractall(folder, filter="data")
        (Path(folder) / KEPT.name).rename(KEPT)
