"""
The same path in another engine.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.workbench import bench as at

pytestmark = pytest.mark.browser


def test_the_path_works_in_firefox(firefox: Browser, service: str):
    page = firefox.new_page()
    at.open_bench(page, service)
    page.get_by_role("button", name="/query, ").click()
    page.keyboard.type("7")
    at.settled(page)
    assert at.answer(page) == "Refused mismatch"
    at.send(page)
    assert at.agreement(page)[0] == "same"
    page.close()
