"""
Other people's tests: the official suite, through the schema step of the gate.

A case is a schema and an instance of any type, so it is applied as a node, past
the rules that hold an input schema to be an object's. The page answers the same
in ``tests/suites/test_browser.py``; the counts stand in ``docs/held-by.md``.
"""

import json

import pytest

from tests.suites.apply import DRAFTS, answers
from tests.suites.official import (
    OPTIONAL_REFUSED,
    REFUSED,
    groups,
    outcome,
    part,
    promised,
    question,
)
from weighbridge.formats import FORMATS

#: Cases that are decided, of the mandatory ones; the release is pinned.
DECIDED = {"draft2020-12": 1252, "draft2019-09": 1222, "draft7": 913, "draft6": 829}


def answered(draft, name):
    """
    How this process answers a part of the suite.
    """
    asked = part(draft, name)
    return outcome(asked, answers(question(draft, asked)))


@pytest.mark.parametrize("draft", DRAFTS)
def test_every_mandatory_case_is_right_or_refused_at_load_for_a_listed_reason(draft):
    told = answered(draft, "mandatory")
    assert told.refused.keys() == REFUSED[draft]
    # Formats are asserted here, where the suite has them annotate: by contract, and no other.
    assert told.files.keys() <= {"format"}
    assert {group.removesuffix(" format") for _, group, _ in told.otherwise} == (
        set(FORMATS) if draft == "draft2020-12" else set()
    )
    assert set(told.otherwise.values()) <= {False}
    assert told.decided == DECIDED[draft]


@pytest.mark.parametrize("draft", DRAFTS)
def test_every_optional_case_that_is_promised_is_right(draft):
    required = {"bignum", "ecmascript-regex", "float-overflow", "non-bmp-regex"}
    assert required <= promised(draft)
    told = answered(draft, "optional")
    assert told.otherwise == {}
    assert told.refused.keys() == {one for one in OPTIONAL_REFUSED if draft == "draft2020-12"}


@pytest.mark.parametrize("draft", DRAFTS)
def test_every_case_of_an_asserted_format_is_right(draft):
    told = answered(draft, "formats")
    assert (told.otherwise, told.refused) == ({}, {})
    assert told.decided > 150


def test_the_comparison_with_the_suite_can_fail():
    """
    With one answer of the suite turned round, that case is told.
    """
    file, group = next(one for one in groups("draft2020-12") if one[0] == "maxLength")
    cases = group["tests"]
    turned = group | {"tests": [{**cases[0], "valid": not cases[0]["valid"]}, *cases[1:]]}
    said = answers(question("draft2020-12", [(file, group)]))
    assert outcome([(file, group)], said).otherwise == {}
    told = outcome([(file, turned)], said)
    assert list(told.otherwise) == [(file, group["description"], cases[0]["description"])]
    assert len(json.loads(said)[0]) == len(cases)
