"""
A pointer is a place in the judged text, in UTF-16 units, whatever stands before it.
"""

from __future__ import annotations

import json
import subprocess
from typing import Any

from tests.bridges.compared import HERE

#: Text, pointer, key or None for the value, and what is covered.
CASES: tuple[tuple[str, str, str | None, str], ...] = (
    ("{}", "", None, "{}"),
    (' {"a": 1} \n', "", None, '{"a": 1}'),
    ('{"a": 1, "b": [2, {"c": "x"}]}', "/b/1/c", None, '"x"'),
    ('{"a": 1, "b": [2, {"c": "x"}]}', "/b/1", "c", '"c": "x"'[:3]),
    ('{"b":-1.5e3}', "/b", None, "-1.5e3"),
    ('{"b":true,"c":null}', "/c", None, "null"),
    # Astral characters are two units each, as editors count.
    ('{"\U0001f600":"\U0001f601\U0001f602","b":7}', "/b", None, "7"),
    ('{"\U0001f600":"\U0001f601"}', "/\U0001f600", None, '"\U0001f601"'),
    # A key is what it means, however it is spelt.
    (r'{"\u0061":1,"a\u0062":2}', "/ab", None, "2"),
    (r'{"\u0061":1}', "", "a", r'"\u0061"'),
    (r'{"a\"}":"]","b\\":3}', "/b\\", None, "3"),
    (r'{"\"a\"":1,"a":2}', "/a", None, "2"),
    (r'{"a/b":1,"m~n":2,"~1":3}', "/a~1b", None, "1"),
    (r'{"a/b":1,"m~n":2,"~1":3}', "/m~0n", None, "2"),
    (r'{"a/b":1,"m~n":2,"~1":3}', "/~01", None, "3"),
    # Keys that look alike, are empty, or are numbers.
    ('{"a":1,"A":2,"a ":3}', "/a ", None, "3"),
    ('{"":{"":5}}', "/", None, '{"":5}'),
    ('{"":{"":5}}', "//", None, "5"),
    ('{"1":"x","0":"y"}', "/0", None, '"y"'),
    ('{"a":{"a":{"a":1}}}', "/a/a/a", None, "1"),
    ('{"b":{"a":1},"a":2}', "/a", None, "2"),
    ('{"a":1,"a":2}', "/a", None, "2"),
    ('{"__proto__":1}', "/__proto__", None, "1"),
    # Arrays in arrays.
    ("[[1,[2,3]],[[4]]]", "/0/1/1", None, "3"),
    ("[[1,[2,3]],[[4]]]", "/1/0", None, "[4]"),
    ('[ [ ] , {"a" : [ ]} ]', "/1/a", None, "[ ]"),
    # A way that ends early covers the deepest value on it.
    ('{"a":[1]}', "/a/7", None, "[1]"),
    ('{"a":[1]}', "/a/00", None, "[1]"),
    ('{"a":[1]}', "/b", None, '{"a":[1]}'),
    ('{"a":"text"}', "/a/0", None, '"text"'),
    ('{"a":1}', "", "b", '{"a":1}'),
    # Half a text has no places.
    ('{"a": {"b": 1', "/a/b", None, '{"a": {"b": 1'),
    ('{"a": 1} x', "/a", None, '{"a": 1} x'),
    ("", "", None, ""),
    ("[" * 5000 + "1" + "]" * 5000, "/0" * 5000, None, "1"),
)


def _covered(cases: list[list[Any]]) -> list[tuple[int, str]]:
    done = subprocess.run(
        ["node", HERE / "places.mjs"],
        input=json.dumps(cases),
        capture_output=True,
        check=True,
        text=True,
        timeout=60,
    )
    return [(at, text) for at, text in json.loads(done.stdout)]


def test_each_place_covers_its_value_or_its_key_and_nothing_else():
    got = _covered([[text, pointer, name] for text, pointer, name, _ in CASES])
    assert [covered for _, covered in got] == [covered for *_, covered in CASES]


def test_places_count_utf_16_units():
    text = '{"\U0001f600": 1, "\U0001f600b": "x"}'
    (got,) = _covered([[text, "/\U0001f600b", None]])
    before = text[: text.index('"x"')]
    assert got == (len(before.encode("utf-16-le")) // 2, '"x"')
