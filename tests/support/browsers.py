"""
How each engine is started for a test: headless, offline, and as whoever runs it.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from tests.support import machine

#: Silence: a browser's own errands are refused on a closed network, many at a time.
CHROMIUM_FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-gpu",
    "--disable-quic",
)


def chromium_flags() -> list[str]:
    """
    The flags, with ``--no-sandbox`` where root runs the tests: Chromium's sandbox refuses root.
    """
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*CHROMIUM_FLAGS, *(["--no-sandbox"] if is_root else [])]


@contextmanager
def chromium() -> Iterator[Browser]:
    """
    A headless Chromium; fails with the cure where there is none.
    """
    path = machine.chromium()
    if path is None:
        raise machine.MissingError(machine.CURE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=chromium_flags())
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def firefox() -> Iterator[Browser]:
    """
    A headless stock Firefox, driven over WebDriver BiDi.
    """
    path = machine.firefox()
    if path is None:
        message = "no Firefox was found; install one, or set FIREFOX to its path."
        raise machine.MissingError(message)
    with sync_playwright() as playwright:
        browser = playwright.firefox.launch(executable_path=path, channel="moz-firefox")
        try:
            yield browser
        finally:
            browser.close()
