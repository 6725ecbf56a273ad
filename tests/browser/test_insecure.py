"""
Over plain HTTP from another machine a page has no digest and no locks; the files are checked all the same.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.serving import (
    Answer,
    folder,
    importing,
    opened,
    page,
    serve,
    verdict_or_error,
)
from tests.support import browsers, machine
from tests.support.site import Site
from weighbridge import Catalog, bundle

pytestmark = pytest.mark.browser

#: A name that is no loopback to the browser, though it leads here.
HOST = "intranet.test"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """
    A Chromium to which ``HOST`` is this machine.
    """
    flags = [*browsers.chromium_flags(), f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=machine.chromium(), args=flags)
        yield started
        started.close()


def address(served: Site) -> str:
    return f"http://{HOST}:{urlsplit(served.url).port}"


def test_it_loads_and_judges(browser: Browser, dist: Path):
    site = page(importing("/dist/weighbridge.js"))
    with serve(site, folder("/dist/", dist)) as served, opened(browser, address(served)) as seen:
        assert seen.page.evaluate("[isSecureContext, typeof crypto.subtle]") == [False, "undefined"]
        expected = Catalog.bundled().check_text("project.list", "{}").to_json()
        assert verdict_or_error(seen.page) == expected


def test_a_changed_byte_is_still_a_hash_mismatch_and_a_gone_file_is_still_missing(
    browser: Browser, dist: Path
):
    asset = json.loads((dist / bundle.MANIFEST).read_text())["assets"]["payload"]
    path = f"/dist/{asset['file']}"
    body = bytearray((dist / asset["file"]).read_bytes())
    body[-1000] ^= 1
    site = page(importing("/dist/weighbridge.js"))
    for answer, code in (
        (Answer(body=bytes(body)), "hash-mismatch"),
        (Answer(status=404), "asset-missing"),
    ):
        with serve(site, {path: answer}, folder("/dist/", dist)) as served:
            with opened(browser, address(served)) as seen:
                assert verdict_or_error(seen.page)["code"] == code
