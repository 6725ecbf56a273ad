"""
A page of each kind that people build loads the gate, and its verdict is the Python catalog's to the byte.

The script tags and Vite are built in every run; ``make fixtures`` builds the others too.
"""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser

from tests.browser.building import FIXTURES, OUTPUT, built, installed
from tests.browser.serving import POLICY, folder, opened, serve
from weighbridge import Catalog

pytestmark = pytest.mark.browser

#: By name, those of this run; the others take minutes.
ASKED = os.environ.get("FIXTURES", "script vite").split()

#: Next writes its scripts into its pages, which a strict policy forbids, and below no other path.
PREFIXES = {"next": "/"}
POLICIES = {"next": None}


@pytest.fixture(scope="module")
def expected() -> str:
    call = {"projectId": "demo", "query": ""}
    return Catalog.bundled().check("knowledge.search", call).to_json()


def shown(browser: Browser, url: str) -> tuple[str | None, list[str]]:
    """
    What the page shows once it has a verdict, and what it said on the console.
    """
    with opened(browser, url) as seen:
        output = seen.page.locator("output:not(:empty)")
        output.wait_for(timeout=60_000)
        return output.text_content(), seen.said


def test_each_fixture_is_a_folder_here_and_has_a_place_in_the_table():
    folders = {path.name for path in FIXTURES.iterdir() if path.is_dir()} - {"__pycache__"}
    assert folders == set(OUTPUT)
    assert set(ASKED) <= folders


@pytest.mark.parametrize("name", [name for name in ASKED if name != "script"])
def test_a_built_page_judges_as_the_catalog_does(browser: Browser, expected: str, name: str):
    prefix = PREFIXES.get(name, "/some/where/")
    site = folder(prefix, built(name))

    def index(path: str):
        return site(f"{prefix}index.html") if path == prefix else None

    with serve(index, site, policy=POLICIES.get(name, POLICY)) as served:
        assert shown(browser, served.url + prefix) == (expected, [])


@pytest.mark.skipif("script" not in ASKED, reason="not asked for")
def test_a_page_with_a_bare_script_judges_as_the_catalog_does(browser: Browser, expected: str):
    """
    A module script, and a classic one.
    """
    with serve(folder("/some/where/", built("script"))) as served:
        for page in ("index.html", "classic.html"):
            assert shown(browser, f"{served.url}/some/where/{page}") == (expected, [])


@contextmanager
def development_server() -> Iterator[str]:
    """
    The address of Vite's, which says it when it is ready.
    """
    folder = installed("vite")
    command = ["node", "node_modules/vite/bin/vite.js", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, text=True, env={**os.environ, "NO_COLOR": "1"}
    ) as process:
        assert process.stdout is not None
        try:
            lines = (re.search(r"http://127\.0\.0\.1:\d+/", line) for line in process.stdout)
            yield next(found[0] for found in lines if found)
        finally:
            process.terminate()


@pytest.mark.skipif("vite" not in ASKED, reason="not asked for")
def test_a_page_from_a_development_server_judges_as_the_catalog_does(
    browser: Browser, expected: str
):
    """
    It serves each script with a comment added; what it says on the console is its own.
    """
    with development_server() as url:
        verdict, said = shown(browser, url)
    assert verdict == expected
    assert [line for line in said if "[vite]" not in line] == []
