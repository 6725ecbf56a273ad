"""
What the page does to text before anyone sees it, against Python's own answers.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support import machine

SOURCE = Path(__file__).parents[2] / "web" / "workbench"

VALUES: list[Any] = [
    {},
    [],
    "",
    {
        "b": 1,
        "a": [1, 2.5, -3, True, None],
        "\U0001f600": 1,
        "\uffff": 2,
        "\ue000": 3,
        "z": {"y": {}, "x": []},
    },
    {"text": 'quote " backslash \\ tab \t newline \n \x00 \x7f \x9f \u00e9 \u2028 \U0001f600'},
    {"10": 1, "9": 2, "01": 3, "": 4, "__proto__": 5, "constructor": 6},
    [1e21, 1e-7, 0.1, 123456789012, -0.5],
]


def _in_node(module: str, script: str, argument: object) -> Any:
    node = machine.node()
    assert node is not None, machine.CURE
    program = f"""
        import * as it from {json.dumps((SOURCE / module).as_uri())};
        import {{ readFileSync }} from "node:fs";
        const given = JSON.parse(readFileSync(0, "utf8"));
        process.stdout.write(JSON.stringify({script}));
    """
    done = subprocess.run(
        [node, "--input-type=module", "-e", program],
        input=json.dumps(argument),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return json.loads(done.stdout)


def test_canonical_bytes_are_those_of_the_package():
    expected = [json.dumps(value, sort_keys=True, separators=(",", ":")) for value in VALUES]
    # JavaScript and Python spell these alike but for the exponent's leading zero and plus sign.
    spelled = [text.replace("1e-07", "1e-7") for text in expected]
    assert _in_node("canonical.js", "given.map(it.canonical)", VALUES) == spelled


def test_the_readable_form_is_the_canonical_one_with_white_space():
    shown = _in_node("canonical.js", "given.map((value) => it.readable(value))", VALUES)
    expected = [
        json.dumps(value, sort_keys=True, indent=2).replace("1e-07", "1e-7") for value in VALUES
    ]
    assert shown == expected


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1.0,"a":-0,"b":[1e400,12345678901234567890],"c":"\\u0041 {[,:]} \\" x"}',
        "[]",
        "[[],{},[{}]]",
        "1",
        '""',
    ],
)
def test_a_new_layout_changes_white_space_and_nothing_else(text: str):
    laid_out = _in_node("layout.js", "it.laidOut(given)", text)
    tokens = _in_node("layout.js", "it.laidOut(it.laidOut(given))", text)
    assert tokens == laid_out
    assert "".join(line.strip() for line in laid_out.replace('": ', '":').split("\n")) == text


HIDDEN = (
    "\x00\x07\t\x1b\x7f\x85\u00ad\u034f\u061c\u115f\u180e\u200b\u200e\u200f\u2028\u202a\u202e"
    "\u2060\u2066\u2069\u3164\ufeff\ufff9\U000e0041"
)


@pytest.mark.parametrize("character", HIDDEN)
def test_a_character_that_hides_or_reorders_is_shown_as_its_code_point(character: str):
    shown = _in_node("visible.js", "it.visibleText(given)", f"a{character}b")
    assert shown == f"aU+{ord(character):04X}b"


def test_a_surrogate_that_stands_alone_is_shown_and_a_pair_is_left_alone():
    given = "a\ud800b \U0001f600 \u00e9\n\u5b57 \u0627"
    shown = _in_node("visible.js", "it.visibleText(given)", given)
    assert shown == "aU+D800b \U0001f600 \u00e9\n\u5b57 \u0627"


def test_bytes_are_counted_as_utf_8():
    given = [
        "",
        "a",
        "\x7f\x80",
        "\u07ff\u0800",
        "\uffff",
        "\U00010000\U0010ffff",
        "a\u00e9\u5b57\U0001f600" * 999,
    ]
    assert _in_node("meters.js", "given.map(it.utf8Bytes)", given) == [
        len(text.encode()) for text in given
    ]
