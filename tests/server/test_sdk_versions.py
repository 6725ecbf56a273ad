"""
The server seat on each release of the SDK that it says it works with.

This interpreter has the newest; the others are installed beside it, and there
the same tests run.
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
from tests.support.environments import Environment, environment
from tests.support.machine import ROOT

OLDER = ("2.1.1", "2.2.0")
NEWEST = "2.3.0"

HERE = Path(__file__).parent
SAME = (
    "test_agree",
    "test_beside",
    "test_choices",
    "test_clients",
    "test_failing_closed",
    "test_install",
    "test_listing",
    "test_mirrored",
    "test_reload",
    "test_seat",
)

#: A session kept by the transport is the newest release's affair: no verdict depends on it.
LESS = "not stateful"


def made_for(release: str) -> Environment:
    """An environment with that release of the SDK."""
    packages = (f"mcp=={release}", "uvicorn", "pytest", "jsonschema", "referencing")
    return environment(f"mcp-{release}", sys.executable, packages)


def run_on(release: str) -> CompletedProcess[bytes]:
    """Run the seat's tests with that release of the SDK; what it printed, and how it ended."""
    files = [str(HERE / f"{name}.py") for name in SAME]
    options = ["-q", "-p", "no:cacheprovider", f"--confcutdir={HERE}", "-k", LESS]
    package = str(Path(weighbridge.__file__).parents[1])
    return made_for(release).run(
        "-m", "pytest", *options, *files, cwd=ROOT, env={"PYTHONPATH": package}
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
    assert re.search(r"^\d+ passed, \d+ deselected in ", printed, re.MULTILINE)
    assert not re.search(r"skipped|xfailed", printed)


@pytest.mark.parametrize("release", OLDER)
def test_the_older_release_is_the_one_that_ran(release: str):
    asked = made_for(release).run(
        "-c", "from importlib.metadata import version; print(version('mcp'), version('mcp-types'))"
    )
    assert asked.stdout.split() == [release.encode()] * 2
