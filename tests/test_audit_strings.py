"""
What a pattern or a format admits is made of the letters, and as long, as the audit believes.
"""

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.generate import ALPHABET, OF_FORMAT
from tests.patterns_authored import AUTHORED
from tests.patterns_grammar import TEXTS, TREES, spell
from weighbridge import patterns
from weighbridge.audit_strings import FORMATS, costs, language
from weighbridge.characters import NOT_PRINTABLE, charge_of_text
from weighbridge.formats import FORMATS as ASSERTED
from weighbridge.regex_sets import EVERYTHING, pairs, ranges

many = settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))


def is_inside(text, known):
    """Whether a text is of a language, as far as that is known."""
    spans = pairs(known.letters)
    letters = all(any(low <= ord(one) <= high for low, high in spans) for one in text)
    return letters and (known.longest is None or len(text) <= known.longest)


@many
@given(TREES, TEXTS, st.sampled_from(("^(?:{})$", "{}", "^{}", "{}$", "(?=^)(?:{})$")))
def test_a_text_that_a_drawn_pattern_matches_is_inside_its_language(tree, text, around):
    source = around.format(spell(tree))
    try:
        pattern = patterns.compile(source)
    except patterns.UnusablePattern:
        assume(condition=False)
    assert not pattern.search(text) or is_inside(text, language(source)), source


@pytest.mark.parametrize("row", AUTHORED, ids=lambda row: ascii(row[0]))
def test_a_text_that_an_authored_pattern_matches_is_inside_its_language(row):
    source, texts = row
    try:
        pattern = patterns.compile(source)
    except patterns.UnusablePattern:
        return
    assert all(is_inside(one, language(source)) for one in texts if pattern.search(one))


@pytest.mark.parametrize(
    ("source", "letters", "longest"),
    [
        ("^[a-z0-9]+(?:-[a-z0-9]+)*$", [(45, 45), (48, 57), (97, 122)], None),
        ("^[0-9a-f]{64}$", [(48, 57), (97, 102)], 64),
        ("^(?:ab|cde)$", [(97, 101)], 3),
        ("^a?b?c{2,4}$", [(97, 99)], 6),
        ("^$", [], 0),
        ("^a", [(0, 0x10FFFF)], None),
        ("^a|b$", [(0, 0x10FFFF)], None),
        ("(?:^|,)a(?:,|$)", [(0, 0x10FFFF)], None),
    ],
)
def test_a_language_is_known_where_a_pattern_is_anchored_at_both_ends(source, letters, longest):
    found = language(source)
    assert (found.letters, found.longest) == (ranges(letters), longest)


def test_every_asserted_format_has_a_language_and_its_sample_is_one_of_the_longest():
    assert FORMATS.keys() == ASSERTED.keys()
    for name, known in FORMATS.items():
        if known.sample:
            assert ASSERTED[name].conforms(known.sample)
            assert len(known.sample) == known.longest


@many
@given(
    st.sampled_from(sorted(OF_FORMAT)),
    st.lists(st.tuples(st.integers(0, 40), st.sampled_from(ALPHABET + '0aAfF.:+-Zz%@"\\[]/'))),
)
def test_a_text_of_a_format_is_inside_its_language(name, changes):
    text = OF_FORMAT[name][0]
    for at, letter in changes:
        changed = text[:at] + letter + text[at + 1 :] if at % 2 else text[:at] + letter + text[at:]
        if ASSERTED[name].conforms(changed):
            text = changed
    assert is_inside(text, FORMATS[name])


def test_a_mailbox_of_the_greatest_length_is_inside_its_language():
    name = ".".join(["a" * 63, "b" * 63, "c" * 63, "d" * 63])
    text = f"{'x' * 64}@{name}"
    assert ASSERTED["email"].conforms(text)
    assert FORMATS["email"].longest - len(text) == 255 - len(name)
    assert not ASSERTED["email"].conforms(f"x{text}")


@pytest.mark.no_cover
def test_the_costliest_letter_of_a_size_is_the_costliest_of_all_of_them():
    sizes = {1: (0, 0x80), 2: (0x80, 0x800), 3: (0x800, 0x10000), 4: (0x10000, 0x110000)}
    found = costs(EVERYTHING, "rendered")
    for size, ends in sizes.items():
        worst = max(charge_of_text(chr(point), 100) for point in range(*ends))
        assert found[size].each == worst
    assert len(NOT_PRINTABLE) > 100
