"""
The server seat on each release of the SDK that it says it works with.

This interpreter has the newest; the others are installed beside it, and there
the same tests run, all of them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import weighbridge
from tests.support.environments import environment
from tests.support.machine import ROOT

OLDER = ("2.1.1", "2.2.0")
NEWEST = "2.3.0"

HERE = Path(__file__).parent
SAME = sorted(
    path
    for path in HERE.glob("test_*.py")
    if path.stem
    in {
        "test_beside",
        "test_clients",
        "test_failing_closed",
        "test_install",
        "test_seat",
    }
)


def run_on(release: str) -> CompletedProcess[bytes]:
    """Run the seat's tests with that release of the SDK; what it printed, and how it ended."""
    packages = (f"mcp=={release}", "uvicorn", "pytest", "jsonschema", "referencing")
    return environment(f"mcp-{release}", sys.executable, packages).run(
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        f"--confcutdir={HERE}",
        *map(str, SAME),
        cwd=ROOT,
        env={
            "PYTHONPATH": str(Path(weighbridge.__file__).parents[1]),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
    )


@pytest.fixture(scope="module")
def runs() -> Iterator[dict[str, Future[CompletedProcess[bytes]]]]:
    """Every older release at work at the same time."""
    with ThreadPoolExecutor(len(OLDER)) as pool:
        yield {release: pool.submit(run_on, release) for release in OLDER}


def test_this_interpreter_has_the_newest_release():
    assert version("mcp") == NEWEST


@pytest.mark.parametrize("release", OLDER)
def test_the_seat_keeps_every_promise_on_an_older_release(
    runs: dict[str, Future[CompletedProcess[bytes]]], release: str
):
    done = runs[release].result()
    printed = done.stdout.decode()

    assert done.returncode == 0, printed + done.stderr.decode()
    assert re.search(r"\d+ passed in ", printed)
    assert not re.search(r"skipped|deselected|xfailed", printed)


@pytest.mark.parametrize("release", OLDER)
def test_the_older_release_is_the_one_that_ran(release: str):
    packages = (f"mcp=={release}", "uvicorn", "pytest", "jsonschema", "referencing")
    asked = environment(f"mcp-{release}", sys.executable, packages).run(
        "-c", "from importlib.metadata import version; print(version('mcp'), version('mcp-types'))"
    )
    assert asked.stdout.split() == [release.encode()] * 2
