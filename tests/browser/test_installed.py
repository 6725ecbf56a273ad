"""
The installed Python package alone, with its extra, writes a bundle that a page judges by.

Neither the checkout nor Node is in reach: an environment of two wheels, and the
plainest server there is.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.serving import opened, verdict_or_error
from tests.support.environments import Environment, clean_environ, environment
from tests.support.machine import ROOT

pytestmark = pytest.mark.browser

GREET = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "https://example.org/greet-input.schema.json",
    "x-weighbridge-tool": "greet",
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 3}},
    "required": ["name"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def assets(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """
    The wheel of the built page side.
    """
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out]
    subprocess.run([*command, ROOT / "web" / "wheel"], check=True, capture_output=True)
    (wheel,) = out.iterdir()
    return wheel


@pytest.fixture(scope="module")
def place(wheel: Path, assets: Path) -> Environment:
    return environment("web", sys.executable, (str(wheel), str(assets)))


@contextmanager
def plain_server(folder: Path) -> Iterator[str]:
    command = [sys.executable, "-u", "-m", "http.server", "--bind", "127.0.0.1", "0"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        try:
            found = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
            assert found is not None
            yield found[0]
        finally:
            process.terminate()


def test_it_writes_a_bundle_for_a_catalog_of_anybodys(
    browser: Browser, place: Environment, tmp_path: Path
):
    schemas = tmp_path / "schemas"
    schemas.mkdir()
    (schemas / "greet-input.schema.json").write_text(json.dumps(GREET))
    site = tmp_path / "site"
    command = [place.script("weighbridge"), "web", site / "kit", "--catalog", schemas]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        check=False,
        env={**clean_environ(), "PATH": "/nowhere"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    (site / "index.html").write_text(
        '<!doctype html><title>page</title><script src="kit/weighbridge.classic.js"></script>'
    )
    call = {"name": "Anna"}
    check = [place.script("weighbridge"), "check", "greet", "--catalog", schemas, "--json"]
    asked = json.dumps(call).encode()
    said = subprocess.run(check, input=asked, capture_output=True, check=False)
    assert said.returncode == 1
    with plain_server(site) as url, opened(browser, url) as seen:
        assert verdict_or_error(seen.page, "greet", call) == said.stdout.decode()


def test_without_the_extra_it_says_what_to_install(wheel: Path, tmp_path: Path):
    place = environment("bare", sys.executable, (str(wheel),))
    done = subprocess.run(
        [place.script("weighbridge"), "web", tmp_path / "out"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        env=clean_environ(),
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"pip install 'weighbridge[web]'" in done.stderr
    assert not (tmp_path / "out").exists()
