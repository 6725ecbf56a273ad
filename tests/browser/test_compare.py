"""
A page compares its catalog with what a server lists, as the command line and Python do.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.serving import folder, importing, opened, page, serve
from tests.server import wire
from weighbridge import Catalog
from weighbridge.compare import compare
from weighbridge.reference.service import build_server

pytestmark = pytest.mark.browser

CATALOG = Catalog.bundled()
CALL = ["knowledge.search", '{"projectId":"demo","query":"retry"}']


@pytest.fixture(scope="module")
def gate(browser: Browser, dist: Path) -> Iterator[Page]:
    """
    A page with two open gates of one worker, ``gate`` and ``other``.
    """
    with serve(page(importing("/dist/weighbridge.js")), folder("/dist/", dist)) as served:
        with opened(browser, served.url) as seen:
            seen.page.evaluate(
                """async () => {
                  globalThis.gate = await weighbridge.load();
                  globalThis.other = await weighbridge.load();
                }"""
            )
            yield seen.page


@pytest.fixture(scope="module", params=["2025-06-18", wire.NEWEST])
def listed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """
    What the reference service lists, in each era.
    """
    server = build_server(tmp_path_factory.mktemp("service") / "reference.sqlite3", CATALOG)
    with wire.http_server(server, stateless=True) as port:
        return wire.Http(port, request.param).send("tools/list", {}).result


def changed(listed: Any, how: str) -> Any:
    """The list of a server that is not quite the same."""
    other = json.loads(json.dumps(listed))
    first = other["tools"][0]
    if how == "text differs":
        first["inputSchema"]["description"] = "Another description."
    elif how == "differs":
        first["inputSchema"]["properties"] = {"more": {"type": "null"}}
        other["tools"] = other["tools"][:-1]
    elif how == "unknown":
        del other["_meta"]
        for tool in other["tools"]:
            del tool["_meta"]
    return other


@pytest.mark.parametrize("how", ["same", "text differs", "differs", "unknown"])
def test_the_page_says_what_python_says_and_marks_every_later_verdict(
    gate: Page, listed: Any, how: str
):
    other = changed(listed, how)
    told = compare(CATALOG, other)
    assert told.outcome == how
    got = gate.evaluate(
        """async ([list, [tool, text]]) => {
          const comparison = await gate.compare(list);
          const verdicts = [await gate.check(tool, text), await gate.check(tool, "{}")];
          return { comparison, texts: verdicts.map(({ json }) => json) };
        }""",
        [other, CALL],
    )
    assert got["comparison"] == told.as_dict()
    judge = CATALOG.as_advice() if told.advisory else CATALOG
    assert got["texts"] == [
        judge.check_text(*CALL).to_json(),
        judge.check_text(CALL[0], "{}").to_json(),
    ]


def test_another_gate_of_the_same_worker_has_been_told_nothing(gate: Page, listed: Any):
    got = gate.evaluate(
        """async ([list, [tool, text]]) => {
          await gate.compare(list);
          return [await gate.check(tool, text), await other.check(tool, text)].map(({ advisory }) => advisory);
        }""",
        [changed(listed, "unknown"), CALL],
    )
    assert got == [True, False]


def test_of_two_lists_the_later_one_is_in_force(gate: Page, listed: Any):
    """
    As when ``list_changed`` comes while a list is still being compared.
    """
    got = gate.evaluate(
        """async ([first, second, [tool, text]]) => {
          await Promise.all([gate.compare(first), gate.compare(second)]);
          return (await gate.check(tool, text)).advisory;
        }""",
        [changed(listed, "differs"), listed, CALL],
    )
    assert got is False


def test_a_list_as_text_and_one_that_is_no_list(gate: Page, listed: Any):
    got = gate.evaluate(
        """async (texts) => {
          const told = [];
          for (const text of texts) told.push((await gate.compare(text)).outcome);
          return told;
        }""",
        [json.dumps(listed), "[[[", "null", '{"tools":1,"tools":2}', "[" * 20_000],
    )
    assert got == ["same", "unknown", "unknown", "unknown", "unknown"]
