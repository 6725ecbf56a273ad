"""
What mutants showed that no other test noticed.
"""

import json

import pytest

from tests.catalogs import judged, published, told
from weighbridge import Catalog, Limits
from weighbridge.expected import one_of
from weighbridge.multiples import is_multiple
from weighbridge.nearest import Budget
from weighbridge.text import NotStrict, parse


def twice(catalog, key):
    """
    The message for a text that has ``key`` twice in one object.
    """
    name = json.dumps(key)
    return catalog.check_text("t", f"{{{name}:1,{name}:2}}").refusal.message


def test_a_doubled_name_is_shown_whole_up_to_the_fragment_and_cut_past_it(tmp_path):
    catalog = published(tmp_path)
    assert f'"{"k" * 120}"' in twice(catalog, "k" * 120)
    message = twice(catalog, "k" * 121)
    assert '... (121 characters)"' in message
    assert "k" * 101 not in message
    assert "k" * 100 in message


def test_a_tool_is_shown_whole_up_to_the_fragment_and_cut_past_it():
    names = ["n" * 120, "n" * 121]
    tools = [{"name": name, "inputSchema": {"type": "object"}} for name in names]
    catalog = Catalog.from_tools(tools)
    whole, cut = (catalog.check(name, {"x": 1}).refusal.message for name in names)
    assert f'"{names[0]}" was refused' in whole
    assert '... (121 characters)" was refused' in cut
    assert "n" * 101 not in cut


@pytest.mark.parametrize(
    ("name", "shown"),
    [('a"b', '"a\\"b"'), ("a#b", '"a#b"'), ("a\\b", '"a\\\\b"'), ("a'b", '"a\'b"')],
)
def test_a_name_cannot_close_the_quotation_marks_that_it_stands_in(name, shown, tmp_path):
    catalog = published(tmp_path, properties={"itemId": {"type": "string"}})
    (finding,) = catalog.check("t", {name: 1}).refusal.findings
    assert shown in finding.message
    assert shown in twice(catalog, name)
    assert finding.names == (name if name != "a\\b" else "a\\\\b",)


def test_one_rule_that_two_ways_lead_to_is_told_once():
    """
    The same keyword of the same schema at the same place is one finding.
    """
    short = {"$ref": "#/$defs/short"}
    schema = {
        "properties": {"v": {"allOf": [short, short], "anyOf": [{}, short]}},
        "$defs": {"short": {"maxLength": 1, "pattern": "^x"}},
    }
    assert told(judged(schema, {"v": "long"})) == [("/v", "maxLength")]
    assert told(judged(schema, {"v": "l"})) == [("/v", "pattern")]


def test_allowed_names_are_listed_up_to_ninety_characters():
    """
    Quotation marks, commas and the count of the rest included.
    """

    def message(length):
        names = ("a", "b" * 50, "k" * length, "z")
        schema = {"properties": {name: {} for name in names}, "additionalProperties": False}
        return judged(schema, {"~": 1}).refusal.message

    fits = f'"a", "{"b" * 50}", "{"k" * 18}" and 2 more'
    assert len(fits) == 90
    assert f"one of {fits.replace('2 more', '1 more')}." in message(18)
    assert f'one of "a", "{"b" * 50}" and 2 more.' in message(19)


def test_allowed_values_are_the_first_that_fit_and_none_past_a_gap():
    schema = {"properties": {"v": {"enum": ["a", "b" * 300, "c"]}}}
    (finding,) = judged(schema, {"v": "d"}).refusal.findings
    assert finding.params == {"allowedValues": ["a"]}


def test_items_that_differ_in_a_word_alone_are_not_equal():
    schema = {"properties": {"v": {"uniqueItems": True}}}
    assert judged(schema, {"v": [[None], [True], [False], [0], [""], [[]], [{}]]}).admitted
    assert not judged(schema, {"v": [[None], [True], [None]]}).admitted


def test_a_schema_under_not_keeps_its_own_account_of_what_was_evaluated():
    inner = {"properties": {"a": True}, "unevaluatedProperties": False}
    schema = {"properties": {"v": {"not": inner}}}
    assert told(judged(schema, {"v": {"a": 1}})) == [("/v", "not")]
    assert judged(schema, {"v": {"b": 1}}).admitted


def test_a_call_past_the_limit_of_work_is_told_the_limit(tmp_path):
    catalog = published(tmp_path, {"limits": {"work": 1}}, properties={"a": {"type": "string"}})
    assert catalog.check("t", {"a": "x"}).refusal.message == (
        'The call to "t" was refused before it ran: judging its arguments would take more than '
        "the 1 steps allowed. Nothing was read and nothing was changed. "
        "The limit is called work. Send fewer or simpler values."
    )


def test_a_huge_bound_is_told_in_words_and_a_zero_as_a_number():
    def expected(value, came):
        (finding,) = judged({"properties": {"v": value}}, {"v": came}).refusal.findings
        return finding.expected

    assert expected({"minimum": 10**50}, 1) == "a number of at least a very large number"
    assert expected({"maximum": -(10**50)}, 1) == "a number of at most a number far below zero"
    assert expected({"maximum": 0}, 1) == "a number of at most 0"


def test_a_line_break_at_the_very_start_begins_the_second_line():
    assert parse("\n x", Limits()) == NotStrict("malformed", line=2, column=2)


def test_names_that_the_schema_of_names_refuses_are_told(tmp_path):
    schema = {"properties": {"v": {"propertyNames": {"maxLength": 1}}}}
    (finding,) = judged(schema, {"v": {"ab": 1, "c": 2, "de": 3}}).refusal.findings
    assert finding.message.startswith(
        'At /v: names that the schema of propertyNames refuses: "ab", "de". '
    )


def test_an_enum_is_told_to_the_last_character_of_its_room():
    values = ["a" * 10, "b" * 10, "c" * 10]
    whole = one_of(values)
    least = len(whole.removeprefix("one of ")) + len("one of  and 1000 more")
    assert one_of(values, least) == whole
    assert one_of(values, least - 1) == whole.replace(', "cccccccccc"', " and 1 more")


def test_the_last_step_of_a_budget_may_be_taken_and_none_after_it():
    budget = Budget(left=3)
    assert budget.take(3)
    assert not budget.take(1)
    assert (budget.left, budget.spent) == (0, 3)


def test_numbers_of_either_spelling_are_brought_to_one_power():
    """
    ``1e+22`` and ``10000000000000000000000`` are the same number.
    """
    assert is_multiple(1e22, 10**22)
    assert is_multiple(10**22, 1e22)
    assert not is_multiple(1e22, 10**23)
    assert is_multiple(1, 0.5)
    assert is_multiple(0.5, 0.5)
    assert not is_multiple(1, 0.3)


def test_text_of_too_many_bytes_is_told_what_takes_them():
    (finding,) = judged(
        {"properties": {"v": {"x-maxBytes": 4}}}, {"v": "caf\u00e9"}
    ).refusal.findings
    assert finding.message.endswith("Shorten it: characters outside ASCII take several bytes each.")


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"format": "date"}, "x", "a full RFC 3339 date such as 2026-01-31"),
        ({"maxProperties": 2}, {"a": 1, "b": 2, "c": 3}, "at most 2 names"),
        ({"maxProperties": 1}, {"a": 1, "b": 2}, "at most 1 name"),
    ],
)
def test_what_was_expected_is_told_in_the_words_of_its_keyword(schema, value, expected):
    (finding,) = judged({"properties": {"v": schema}}, {"v": value}).refusal.findings
    assert finding.expected == expected


def test_a_name_that_is_no_string_is_told_as_such(tmp_path):
    refusal = published(tmp_path).check("t", {1: 2}).refusal
    assert refusal.code == "not-json"
    assert "an object there has a name that is not a string" in refusal.message
