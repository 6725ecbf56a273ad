"""
What a character costs and how it is escaped stand on one pinned table.
"""

import itertools
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import oracle
from tests.support import machine
from weighbridge import printable
from weighbridge.characters import (
    charge_of_text,
    escaped_character,
    fragment,
    has_lone_surrogate,
    is_printable,
    utf8_length,
)

UNBOUNDED = 1 << 30

#: Every code point as Python escapes it on 3.12, asked of a real 3.12.
SWEEP = """
import sys
sys.stdout.write("".join("1" if chr(p).isprintable() else "0" for p in range(sys.maxunicode + 1)))
"""

HOSTILE = st.text(
    st.sampled_from("ab'\"\\\t\n\r\x00\x1b\x7f\x85\xad\u0378\u200b\u202e\u2028\ud800\udfff")
    | st.characters(),
    max_size=60,
)


def printed_by(python):
    answer = subprocess.run([python, "-c", SWEEP], capture_output=True, text=True, check=True)
    return [flag == "1" for flag in answer.stdout]


@pytest.mark.parametrize("interpreter", machine.interpreters(), ids=lambda one: one.version)
def test_the_table_calls_printable_only_what_every_supported_python_prints(interpreter):
    prints = printed_by(interpreter.path)
    wrong = [hex(p) for p, yes in enumerate(prints) if is_printable(chr(p)) and not yes]
    assert wrong == []


def test_the_table_is_what_the_oldest_supported_python_prints():
    oldest = [one for one in machine.interpreters() if one.release[:2] == (3, 12)]
    if not oldest:
        pytest.skip("not run: no CPython 3.12 was found on this machine")
    prints = printed_by(oldest[0].path)
    assert [is_printable(chr(p)) for p in range(sys.maxunicode + 1)] == prints
    assert printable.UNICODE == "15.0.0"


def test_the_table_is_the_file_that_its_script_writes():
    oldest = [one for one in machine.interpreters() if one.release[:2] == (3, 12)]
    if not oldest:
        pytest.skip("not run: no CPython 3.12 was found on this machine")
    script = (
        "import runpy; "
        "print(runpy.run_path('pyodide_pkg/generate/printable.py', run_name='x')['main'](), end='')"
    )
    answer = subprocess.run(
        [oldest[0].path, "-c", script], cwd=machine.ROOT, capture_output=True, text=True, check=True
    )
    committed = machine.ROOT / "pyodide_pkg" / "weighbridge" / "printable.py"
    assert answer.stdout == committed.read_text("ascii")


def test_the_runs_are_in_order_and_apart():
    runs = printable.NOT_PRINTABLE
    assert all(first <= last for first, last in runs)
    assert all(last + 1 < first for (_, last), (first, _) in itertools.pairwise(runs))
    assert runs[-1][1] == sys.maxunicode


def cost(point):
    """
    The charge of one code point by the table in the contract.
    """
    if chr(point) in "\\\t\n\r":
        return 2
    if is_printable(chr(point)):
        return 1
    return 4 if point < 0x100 else 6 if point < 0x10000 else 10


def test_every_code_point_is_charged_by_its_class_and_never_less_than_repr():
    """
    Run by run of one class: the whole run, and its two ends alone.
    """
    for charged, run in itertools.groupby(range(sys.maxunicode + 1), cost):
        # An apostrophe is the one character whose charge asks about its neighbours.
        text = "".join(map(chr, run)).replace("'", "")
        assert charge_of_text(text, UNBOUNDED) == charged * len(text)
        assert charge_of_text(text[0], UNBOUNDED) == charged
        assert charge_of_text(text[-1], UNBOUNDED) == charged
        assert charged * len(text) >= len(repr(text)) - 2


@given(HOSTILE)
def test_a_text_is_charged_as_the_sum_of_its_characters(text):
    assert charge_of_text(text, UNBOUNDED) == oracle.string(text) + sum(
        # Characters younger than the pinned Unicode, where this interpreter is younger.
        len(escaped_character(char)) - oracle.character(char)
        for char in text
        if char.isprintable() != is_printable(char) and char not in oracle.YOUNGER
    )


@given(HOSTILE)
def test_an_escaped_name_is_printable_and_can_be_read_back(name):
    shown = fragment(name, 100_000)
    assert all(is_printable(char) for char in shown)
    assert "\n" not in shown
    assert shown == "".join(map(escaped_character, name))


@given(HOSTILE.map(lambda text: text * 5), st.integers(40, 120), st.sampled_from(["", '"']))
def test_a_fragment_is_never_longer_than_it_may_be(name, most, quote):
    shown = fragment(name, most, quote=quote)
    assert len(shown) <= most
    whole = "".join("\\" + quote if char == quote else escaped_character(char) for char in name)
    if len(whole) <= most:
        assert shown == whole
    else:
        head, _, tail = shown.rpartition("... (")
        assert tail == f"{len(name)} characters)"
        # No escape is split: what is shown is the escape of whole characters.
        lengths = [0]
        for char in name:
            piece = "\\" + quote if char == quote else escaped_character(char)
            lengths.append(lengths[-1] + len(piece))
        assert len(head) in lengths
        assert whole.startswith(head)


@pytest.mark.parametrize("char", ["a", "\n", "\x00", "\u202e", "\U000e0001"])
def test_a_name_of_a_million_characters_is_cut_and_says_how_long_it_was(char):
    shown = fragment(char * 1_000_000, 120)
    assert len(shown) <= 120
    assert shown.endswith("... (1000000 characters)")


@given(HOSTILE)
def test_utf8_is_measured_without_being_built(text):
    assert utf8_length(text) == len(text.encode("utf-8", "surrogatepass"))


@given(st.text(max_size=30), st.integers(0xD800, 0xDFFF), st.text(max_size=30))
def test_a_surrogate_is_found_wherever_it_stands(before, point, after):
    assert has_lone_surrogate(before + chr(point) + after)
    assert not has_lone_surrogate(before + after) or any(
        unicodedata.category(char) == "Cs" for char in before + after
    )
