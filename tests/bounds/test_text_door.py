"""
The text door takes time in proportion to its text, whatever the text is.

Work is not counted there, so what is compared is how many functions of Python
and of C run for a text, and for one of four times its length.
"""

import json
from collections.abc import Callable

import pytest

from tests.support.counted import functions
from weighbridge import Catalog
from weighbridge.limits import Limits
from weighbridge.syntax import SEARCHED
from weighbridge.text import Parsed, parse

TOOL = "t"
OPEN = Catalog.from_tools([{"name": TOOL, "inputSchema": {"type": "object"}}], "as-published")

#: A text of a length, by what it is made of, and how the value door's twin ends.
HOSTILE: dict[str, Callable[[int], str]] = {
    "escaped quotation marks": lambda size: '{"a":"' + '\\"' * size + '"}',
    "escaped characters": lambda size: '{"a":"' + "\\u00e9a" * size + '"}',
    "escaped pairs": lambda size: '{"a":"' + "\\ud83d\\ude00" * size + '"}',
    "white space": lambda size: '{"a":' + " " * size + "1}",
    "empty lists": lambda size: '{"a":[' + "[]," * size + "[]]}",
    "empty objects": lambda size: '{"a":[' + "{}," * size + "{}]}",
    "short texts": lambda size: '{"a":[' + '"",' * size + '""]}',
    "integers of few digits": lambda size: '{"a":[' + "1," * size + "1]}",
    "integers of 599 digits": lambda size: '{"a":[' + ("1" * 599 + ",") * (size // 600) + "1]}",
    "digits of one fraction": lambda size: '{"a":0.' + "1" * size + "}",
    "one key many times": lambda size: '{"a":[' + '{"b":1,"b":1},' * size + "1]}",
    "brackets that close": lambda size: "[]" * size,
    "a string without end": lambda size: '{"a":"' + "\\\\" * size,
    "backslashes outside strings": lambda size: "\\" * size,
    "a fault at the end": lambda size: '{"a":[' + "1," * size + "]}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_four_times_the_text_takes_four_times_the_calls_at_most(name):
    short, long = (HOSTILE[name](size) for size in (4_000, 16_000))
    assert functions(lambda: OPEN.check_text(TOOL, long)) <= 4.4 * functions(
        lambda: OPEN.check_text(TOOL, short)
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_gets_the_verdict_of_its_value(name):
    text = HOSTILE[name](4_000)
    parsed = parse(text, Limits())
    judged = OPEN.check_text(TOOL, text).to_json()
    if isinstance(parsed, Parsed):
        assert judged == OPEN.check(TOOL, json.loads(text)).to_json()
    else:
        assert json.loads(judged)["refusal"]["code"] in ("not-json", "too-large")


def test_the_place_of_a_fault_is_not_looked_for_in_a_longer_text():
    """
    Finding it takes many times as long as parsing.
    """
    counted = [
        functions(lambda: OPEN.check_text(TOOL, '{"a":[' + "1," * size + "]}"))  # noqa: B023
        for size in (SEARCHED // 2 - 20, SEARCHED // 2 + 20)
    ]
    assert counted[1] < counted[0] // 100
