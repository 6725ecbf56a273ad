import pytest

from tests.patterns_page import differing


@pytest.mark.browser
def test_chromium_answers_every_probe_as_the_package_does(browser):
    assert differing(browser) == []
