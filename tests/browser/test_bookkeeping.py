"""
A page takes a client's own keys off a call as the server does, and keeps them in the text it sends.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.serving import folder, importing, opened, page, serve
from tests.catalogs import published
from tests.test_bookkeeping import FIELDS, KEPT, NOTES, TAKEN
from weighbridge import Catalog, bundle

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def noted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Catalog]:
    """
    A folder of schemas whose catalog names two keys, and the catalog.
    """
    where = tmp_path_factory.mktemp("noted")
    return where, published(where, NOTES, **FIELDS)


@pytest.fixture(scope="module")
def gate(
    browser: Browser,
    dist: Path,
    noted: tuple[Path, Catalog],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Page]:
    """
    A page with an open gate on that catalog as ``globalThis.gate``.
    """
    out = tmp_path_factory.mktemp("bundle")
    bundle.write_bundle(out, noted[0], dist)
    with serve(page(importing("/dist/weighbridge.js")), folder("/dist/", out)) as served:
        with opened(browser, served.url) as seen:
            seen.page.evaluate("async () => { globalThis.gate = await weighbridge.load(); }")
            yield seen.page


#: Texts of every kind but the very large one, which the server's own test reads.
TEXTS = [text for text in (*(text for text, _ in TAKEN), *KEPT) if len(text) < 10_000]


def test_the_verdict_is_the_servers_byte_for_byte(gate: Page, noted: tuple[Path, Catalog]):
    got = gate.evaluate(
        """async (texts) => {
          const found = [];
          for (const text of texts) found.push((await gate.check("t", text)).json);
          return found;
        }""",
        TEXTS,
    )
    assert got == [noted[1].check_text("t", text).to_json() for text in TEXTS]
    assert sum(json.loads(one)["admitted"] for one in got) == 5


def test_the_text_that_is_sent_keeps_the_keys(gate: Page):
    given = {"toolCallId": "call-1", "a": "x"}
    told = gate.evaluate(
        "async (given) => { const v = await gate.check('t', given); return [v.admitted, v.text]; }",
        given,
    )
    assert told == [True, json.dumps(given, separators=(",", ":"))]


def test_the_page_is_told_the_keys(gate: Page):
    assert gate.evaluate("gate.catalog.bookkeeping") == ["sessionId", "toolCallId"]
