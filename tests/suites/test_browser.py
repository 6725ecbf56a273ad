"""
The official suite in Chromium, by the interpreter and the payload of the bundle.
"""

import json

import pytest

from tests.suites.apply import DRAFTS, answers
from tests.suites.official import OPTIONAL_REFUSED, PARTS, REFUSED, outcome, part, question
from tests.suites.pages import interpreting

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def interpreter(browser, dist):
    with interpreting(browser, dist) as started:
        yield started


def test_the_package_that_answers_is_the_one_in_the_payload(interpreter):
    assert ".zip/weighbridge/__init__.pyc" in interpreter.package


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize("name", PARTS)
def test_every_case_costs_and_misses_the_same_in_the_page(interpreter, draft, name):
    """
    Not the verdict alone: the steps spent, and each place, keyword and pointer that misses.
    """
    asked = part(draft, name)
    here = answers(question(draft, asked))
    there = interpreter.ask("answers", question(draft, asked))
    assert differing(asked, here, there) == []
    told = outcome(asked, there)
    assert told.decided > 100
    if name == "mandatory":
        assert told.refused.keys() == REFUSED[draft]
        assert told.files.keys() <= {"format"}
    else:
        assert told.otherwise == {}
        assert told.refused.keys() <= OPTIONAL_REFUSED


def differing(asked, here, there):
    """The groups that were answered otherwise, with both answers."""
    return [
        (file, group["description"], one, other)
        for (file, group), one, other in zip(
            asked, json.loads(here), json.loads(there), strict=True
        )
        if one != other
    ]


def test_one_step_more_in_one_answer_is_found():
    """
    The negative control of the comparison.
    """
    asked = part("draft2020-12", "mandatory")[:4]
    here = answers(question("draft2020-12", asked))
    told = json.loads(here)
    told[2][0][0] += 1
    assert differing(asked, here, here) == []
    assert [found[0] for found in differing(asked, here, json.dumps(told))] == [asked[2][0]]
