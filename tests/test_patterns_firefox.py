import pytest

from tests.patterns_page import differing


@pytest.mark.browser
def test_firefox_answers_every_probe_as_the_package_does(firefox):
    assert differing(firefox) == []
