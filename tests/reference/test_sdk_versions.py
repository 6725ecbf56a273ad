"""
The reference service on the older releases of the SDK, each in an environment of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.reference.test_service import ANSWERED, CANARY, PACKAGE
from tests.server.wire import VERSIONS, Http
from tests.support.environments import environment
from tests.support.programs import program

#: The same environments as the server seat's, so that each is made once.
OLDER = ("2.1.1", "2.2.0")
READING = [tool for tool, arguments in ANSWERED.items() if "evidence" not in arguments]


def port_of(python: str, database: Path) -> Iterator[int]:
    arguments = [python, "-m", "weighbridge.reference", "--port", "0", "--database", str(database)]
    with program(arguments, r"^http://127\.0\.0\.1:(\d+)/$", env={"PYTHONPATH": PACKAGE}) as begun:
        yield int(begun.match[1])


@pytest.fixture(scope="module")
def newest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """
    The service on this interpreter's own release.
    """
    yield from port_of(sys.executable, tmp_path_factory.mktemp("newest") / "x.sqlite3")


@pytest.fixture(scope="module", params=OLDER)
def older(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[int]:
    """
    The service on an older release.
    """
    packages = (f"mcp=={request.param}", "uvicorn", "pytest", "jsonschema", "referencing")
    python = environment(f"mcp-{request.param}", sys.executable, packages).python
    yield from port_of(python, tmp_path_factory.mktemp(request.param) / "x.sqlite3")


@pytest.mark.parametrize("version", VERSIONS)
def test_an_older_release_answers_the_same_bytes(newest: int, older: int, version: str):
    here, there = Http(newest, version), Http(older, version)

    for tool in READING:
        for beside in ({}, {"colour": CANARY}):
            arguments = ANSWERED[tool] | beside
            assert there.call(tool, arguments) == here.call(tool, arguments)


@pytest.mark.parametrize("version", VERSIONS)
def test_an_older_release_takes_proposals(older: int, version: str):
    there = Http(older, version)
    writing = ANSWERED.keys() - set(READING)

    assert len(writing) == 3
    for tool in writing:
        assert there.call(tool, ANSWERED[tool]).result["structuredContent"] != {}
