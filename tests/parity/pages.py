"""
A page with the bundle in it, asked for many verdicts at a time.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from tests.support.site import site

HERE = Path(__file__).parent

#: Calls in one message to the page; bigger messages wait longer before a failure is seen.
BATCH = 250


@contextlib.contextmanager
def judging(browser: Browser, bundle: Path) -> Iterator[Page]:
    """A page that has loaded the bundle in that folder."""
    page_file = (HERE / "judge.html").read_bytes()
    with site({"/": bundle, "/parity/judge.html": page_file}) as served:
        context = browser.new_context()
        page = context.new_page()
        uncaught: list[str] = []
        page.on("pageerror", lambda error: uncaught.append(str(error)))
        page.set_default_timeout(120_000)
        page.goto(f"{served.url}/parity/judge.html")
        page.wait_for_function("document.title === 'Parity: ready'")
        yield page
        context.close()
        assert uncaught == []


def verdicts(page: Page, calls: Sequence[dict[str, Any]], *, function: str = "judge") -> list[str]:
    """The verdict's own bytes for each call, in order."""
    got: list[str] = []
    for start in range(0, len(calls), BATCH):
        batch = json.dumps(calls[start : start + BATCH])
        got += page.evaluate(f"(calls) => window.{function}(calls)", batch)
    return got
