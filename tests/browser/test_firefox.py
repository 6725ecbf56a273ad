"""
A stock Firefox loads the same files, judges alike, and tells of a lost worker.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.serving import (
    POLICY,
    folder,
    importing,
    opened,
    page,
    serve,
    verdict_or_error,
)
from weighbridge import Catalog

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def tab(firefox: Browser, dist: Path) -> Iterator[Page]:
    with serve(page(importing("/dist/weighbridge.js")), folder("/dist/", dist)) as served:
        with opened(firefox, served.url) as seen:
            yield seen.page


@pytest.mark.parametrize(
    "text",
    ["{}", '{"projectId":"demo","query":"é\U0001f600"}', '{"projectId":"demo","query":1.0}', "{"],
)
def test_it_judges_as_cpython_does(tab: Page, text: str):
    expected = Catalog.bundled().check_text("knowledge.search", text).to_json()
    assert verdict_or_error(tab, "knowledge.search", text) == expected


def test_a_worker_that_is_gone_is_noticed_and_replaced(tab: Page):
    """
    A worker of the page's own making is ended by the page itself: no event tells of it.
    """
    seen = tab.evaluate(
        """async () => {
          let made;
          const worker = (url) => (made = new Worker(url, { type: "module" }));
          const doomed = await weighbridge.load({ worker });
          made.terminate();
          const error = await doomed.check("project.list").catch((error) => error.code);
          await doomed.close();
          const gate = await weighbridge.load();
          const { admitted } = await gate.check("project.list");
          await gate.close();
          return [error, admitted];
        }"""
    )
    assert seen == ["interpreter-died", True]


def test_a_policy_that_forbids_webassembly_is_told_at_once(firefox: Browser, dist: Path):
    policy = POLICY.replace(" 'wasm-unsafe-eval'", "")
    site = page(importing("/dist/weighbridge.js"))
    with serve(site, folder("/dist/", dist), policy=policy) as served:
        with opened(firefox, served.url) as seen:
            error = verdict_or_error(seen.page)
    assert (error["code"], error["phase"]) == ("blocked-by-policy", "compile")
