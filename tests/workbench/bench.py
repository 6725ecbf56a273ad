"""
The workbench as a person at it would use it: read, type, choose, send.
"""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

#: Milliseconds until something that the page does by itself has to be there: the gate's start
#: is among it, on a machine that is busy with other tests.
PATIENCE = 60_000

#: The page has a verdict, whichever.
ANSWERED = re.compile("^(admitted|refused)$")


def open_bench(page: Page, url: str) -> None:
    """
    Open the page, and wait until it has judged the first draft.
    """
    page.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    page.goto(url)
    expect(page.locator("#gate")).to_have_attribute("data-state", "ready")
    settled(page)


def settled(page: Page) -> None:
    """
    Wait until the verdict is about the text that stands in the editor.
    """
    expect(page.locator("#verdict")).to_have_attribute("data-answer", ANSWERED)
    expect(page.locator("#verdict[data-stale]")).to_have_count(0)


def choose(page: Page, tool: str) -> None:
    """
    Choose a tool from the list.
    """
    page.get_by_role("radio", name=tool, exact=True).check()
    expect(page.locator("#tool-title")).to_have_text(tool)
    settled(page)


def write(page: Page, text: str) -> None:
    """
    Replace the draft, as a paste does, and wait for the verdict on it.
    """
    editor(page).click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(text)
    settled(page)


def editor(page: Page) -> Locator:
    """
    The place where the arguments are edited.
    """
    return page.locator(".cm-content")


def marked(page: Page) -> list[str]:
    """
    The stretches of the text that are marked as wrong, in the order of the text.
    """
    return page.locator(".cm-lintRange-error").all_inner_texts()


def shown_verdict(page: Page) -> dict[str, Any]:
    """
    The verdict as its JSON view shows it.
    """
    return json.loads(page.locator("#verdict-body pre").text_content() or "")


def answer(page: Page) -> str:
    """
    The verdict in a word, with its code: ``Admitted``, ``Refused mismatch``.
    """
    return " ".join(page.locator("#verdict-summary .answer").inner_text().split())


def send(page: Page) -> None:
    """
    Press Send, and wait for what came of it.
    """
    page.locator("#exchange").evaluate("(section) => section.replaceChildren()")
    page.locator("#send").click()
    expect(page.locator("#exchange .agreement")).to_be_visible()


def agreement(page: Page) -> tuple[str, str]:
    """
    The mark between the two seats, and its words.
    """
    mark = page.locator("#exchange .agreement")
    return mark.get_attribute("data-sign") or "", mark.locator("span").nth(1).inner_text()
