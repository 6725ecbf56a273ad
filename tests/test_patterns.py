import ast
import json
import subprocess
import threading
import tracemalloc
from collections import Counter
from contextlib import contextmanager
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests import patterns_oracle
from tests.patterns_authored import AUTHORED
from tests.patterns_grammar import REGULAR, TEXTS, TREES, Tree, backtrack, size, spell
from tests.support import machine
from tests.support.counted import lines
from weighbridge import patterns, regex_properties
from weighbridge.patterns import UnusablePattern
from weighbridge.regex_build import (
    MAX_BOUNDS,
    MAX_LINKS,
    MAX_LOOKS,
    MAX_POSITIONS,
    MAX_SOURCE,
)

PROBES = json.loads(patterns_oracle.PROBES.read_text(encoding="ascii"))
PACKAGE = Path(patterns.__file__).parent

needs_node = pytest.mark.skipif(machine.node() is None, reason="not run: no Node on this machine")


def answer(source: str, text: str) -> bool | None:
    try:
        return patterns.compile(source).search(text)
    except UnusablePattern:
        return None


def test_every_probe_has_the_answer_that_a_browser_gives():
    assert len(PROBES) > 250
    wrong = [
        probe for probe in PROBES if answer(probe["pattern"], probe["text"]) != probe["matches"]
    ]
    assert wrong == []


def test_the_probes_run_every_engine():
    engines = {
        patterns.compile(probe["pattern"]).engine
        for probe in PROBES
        if probe["matches"] is not None
    }
    assert engines == {"standard", "table", "positions"}


@needs_node
def test_the_probes_are_what_node_says_today():
    asked = [(source, text) for source, texts in AUTHORED for text in texts]
    answers = [
        None if row is None else row[index]
        for (_, texts), row in zip(AUTHORED, patterns_oracle.ask(AUTHORED), strict=True)
        for index in range(len(texts))
    ]
    assert [
        {"pattern": source, "text": text, "matches": matches}
        for (source, text), matches in zip(asked, answers, strict=True)
    ] == PROBES


def holds_for_rows(rows: list[tuple[Tree, list[str]]]) -> None:
    """Node and the package agree about every pattern and text."""
    asked = [(spell(tree), texts) for tree, texts in rows]
    differing = []
    for (source, texts), expected in zip(asked, patterns_oracle.ask(asked), strict=True):
        try:
            pattern = patterns.compile(source)
        except UnusablePattern as unusable:
            # Random lookarounds pile up; nothing else may be refused.
            if f"more than {MAX_LOOKS} lookarounds" not in unusable.fact:
                differing.append((source, texts, expected, unusable))
            continue
        answers = [
            None if told is None else pattern.search(text)
            for text, told in zip(texts, expected or [], strict=True)
        ]
        if answers != expected:
            differing.append((source, texts, expected, answers))
    assert differing == []


ROWS = st.lists(st.tuples(TREES, st.lists(TEXTS, min_size=8, max_size=8)), min_size=40, max_size=40)


@needs_node
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(ROWS)
def test_random_patterns_match_where_node_says_they_do(rows):
    """
    480 patterns with 8 texts each; ``python -m tests.patterns_slowly`` runs many more.
    """
    holds_for_rows(rows)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(REGULAR, TEXTS.filter(bool), TEXTS)
def test_a_pattern_given_to_the_standard_library_costs_a_backtracker_linear_steps(tree, pump, end):
    pattern = patterns.compile(f"^{spell(tree)}$")
    assume(pattern.engine == "standard")
    for length in (8, 16, 32):
        text = pump * (length // len(pump) + 1) + end
        bound = 4 * size(tree) * (len(text) + 1)
        matches, steps = backtrack(tree, text, bound)
        assert (matches, steps <= bound) == (pattern.search(text), True)


def test_the_counter_of_steps_can_tell_a_pattern_that_is_not_linear():
    from tests.patterns_grammar import Character, Repeat  # noqa: PLC0415 - a control of its own

    nested = Repeat(Repeat(Character("a"), "+"), "+")
    assert backtrack(nested, "a" * 32 + "-", 4 * size(nested) * 33)[0] is None
    _, few = backtrack(nested, "a" * 12 + "-", 200_000)
    assert backtrack(nested, "a" * 24 + "-", 2 * few * 2**3)[0] is None


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(REGULAR, TEXTS.filter(bool), TEXTS)
def test_a_pattern_that_is_not_exponential_never_doubles_its_steps_with_each_round(tree, pump, end):
    """
    Twice the rounds cost a polynomial of degree d at most 2**d as much; doubling costs 2**12.
    """
    endless = spell(tree).count("*") + spell(tree).count("+") + spell(tree).count(",}")
    assume(endless <= 3)
    assume(not patterns.compile(f"^{spell(tree)}$").exponential)
    _, few = backtrack(tree, pump * 12 + end, 200_000)
    assume(few < 200_000)
    bound = 2 * few * 2 ** (endless + 1)
    assert backtrack(tree, pump * 24 + end, bound)[0] is not None


EXPONENTIAL = [
    "^(?:a?b?)*$",
    "^(a+)+$",
    "^([a-z0-9]+-?)+$",
    "(a|aa)+$",
    "^(a|a)*$",
    "^(a*)*$",
    "(x+x+)+y",
    "^(\\w+\\s?)*$",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "^(?:\\d+|\\d+\\.\\d+)*$",
    "^(?:a|b|ab)*$",
    "^(?:.*,)*$",
    "^(?:a?b?)*(?:(?:a?b?)*c)*$",
    "^(?:a*b*)*$",
    "^(?:[ab]|[bc])*$",
    "^(?:\\w|\\d)+$",
    "(?=(a+)+$)a",
    "^(?:a{1,3}){1,}$",
    "^(?:(?:ab)+|(?:abab)+)*$",
    "^(?:\\s|\\u00a0)*$",
    "^(?:\\p{L}|\\p{Lu})*x$",
    "^(?:(?:a|b)*)+$",
    "^(?:(?:a?){2}b)*$",
]
HARMLESS = [
    "^[a-z0-9]+(?:-[a-z0-9]+)*$",
    "^a+$",
    "^(?:[a-z]+,)*$",
    "^(?:ab|ac)*$",
    "^(?:a|b)*$",
    "\\s+$",
    ".*.*.*x",
    "^(?:[^\\s]+ )*$",
    "^(?:\\w+\\b\\s*)*$",
    "^(?:a{1,3}b)*$",
    "^(?:a+b+)*$",
    "^\\d+(?:\\.\\d+)?$",
    "^(?:[a-z]+\\.)+[a-z]{2,}$",
    "^(?:\\w+\\W+)*\\w*$",
    "^(?:(?:[a-z]+/)*[a-z]+;)*$",
    "^(?:a|ab)(?:c|bcd)$",
    "^a*a*a*$",
    "^(?:a?){3,}$",
    '^"(?:[^"\\\\]|\\\\.)*"$',
    "^(?:a?){9}$",
]


@pytest.mark.parametrize("source", EXPONENTIAL)
def test_a_loop_with_two_ways_over_one_text_is_exponential_and_has_a_cure(source):
    pattern = patterns.compile(source)
    assert pattern.exponential
    assert pattern.cure


@pytest.mark.parametrize("source", HARMLESS)
def test_a_loop_with_one_way_over_each_text_is_not_exponential(source):
    pattern = patterns.compile(source)
    assert (pattern.exponential, pattern.cure) == (False, None)


def test_a_pattern_whose_proof_runs_out_counts_as_exponential():
    """
    One way over each text, but the pairs of positions to try are too many.
    """
    assert not patterns.compile("^(?:[ab]*a[ab]{20}c)*$").exponential
    assert patterns.compile("^(?:[ab]*a[ab]{2000}c)*$").exponential
    assert not patterns.compile("^[ab]*a[ab]{2000}c$").exponential


def test_a_message_quotes_a_pattern_in_ascii_and_cuts_no_escape():
    unusable = UnusablePattern(
        "\u00e9\n" * 100 + "(", 201, "a group is not closed", "close it with )"
    )
    assert str(unusable) == (
        f'the pattern "{"\\u00e9\\n" * 15}" and so on, 201 characters in all cannot be used: '
        "a group is not closed (at character 201); close it with )"
    )
    short = UnusablePattern('"', 0, "a fact", "a cure")
    assert str(short) == 'the pattern "\\"" cannot be used: a fact (at character 0); a cure'


def test_an_anchored_pattern_gives_up_where_nothing_can_match_any_more():
    """
    A long text that fails at once is not read to its end.
    """
    pattern = patterns.compile("^(?:ab|a[bc])+$")
    assert not pattern.search("x" * 100)
    whole = lines(lambda: pattern.search("ab" * 400_000))
    stopped = lines(lambda: pattern.search("x" + "ab" * 400_000))
    assert stopped * 5 < whole


def test_an_exponential_pattern_still_runs_in_a_few_steps_a_character():
    pattern = patterns.compile("^(([a-z])+.)+[A-Z]([a-z])+$")
    assert pattern.search("a" * 100_000) is False
    assert pattern.steps(100_000) < 100_000


@pytest.mark.parametrize(
    ("source", "fact", "rewrite"),
    [
        ("^(a|b)\\1$", "a backreference", "^(?:aa|bb)$"),
        ("^(?<x>a)\\k<x>$", "a backreference", "^aa$"),
        ("^(?i:abc)$", "modifiers", "^[aA][bB][cC]$"),
        ("^\\p{Script=Greek}$", "no table of the property Script", "^[\\u0370-\\u03ff]$"),
        ("^\\p{Alphabetic}$", "no table of the property Alphabetic", "^\\p{L}$"),
        ("^\\P{Emoji}$", "no table of the property Emoji", "^\\P{So}$"),
        (f"^a{{{MAX_POSITIONS + 1}}}$", f"more than {MAX_POSITIONS} characters", "^a+$"),
        ("^(?:a{100}){1000}$", f"more than {MAX_POSITIONS} characters", "^a+$"),
        ("^" + "a?" * 600 + "$", "operations for each character", "^a{0,600}$"),
        ("^(?:a?b){1600}$", f"more than {MAX_LINKS} ways from one", "^(?:a?b)*$"),
        ("[\\p{L}_]" * 13, f"more than {MAX_BOUNDS} boundaries", "^[\\p{L}_]{13}$"),
        ("(?=a)" * 9, f"more than {MAX_LOOKS} lookarounds", "(?=a)" * 8),
        ("a" * (MAX_SOURCE + 1), f"longer than {MAX_SOURCE} characters", "a" * 1_000),
        ("\\Aabc\\Z", "an escape that ECMA-262 does not have", "^abc$"),
        ("^a++$", "nothing to repeat", "^a+$"),
        ("a{,3}", "a { that begins no repetition", "a{0,3}"),
        ("{", "nothing to repeat", "\\{"),
        ("]", "a lone ]", "\\]"),
        ("(a", "a group is not closed", "(a)"),
        ("[a", "a character class is not closed", "[a]"),
        ("[z-a]", "a range out of order", "[a-z]"),
        ("[\\w-.]", "a range that begins or ends with a set", "[\\w\\-.]"),
        ("\\p{Greek}", "a property that ECMA-262 does not have", "\\p{L}"),
        ("(?P<x>a)", "a group of unknown kind", "(?:a)"),
        ("(?<x>a)(?<x>b)", "two groups of one name", "(?<x>a)(?<y>b)"),
        ("\\u{110000}", "an escape without the digits of a code point", "\\u{10FFFF}"),
    ],
)
def test_a_pattern_that_cannot_be_used_says_what_and_the_rewrite_can(source, fact, rewrite):
    with pytest.raises(UnusablePattern) as caught:
        patterns.compile(source)
    unusable = caught.value
    assert unusable.source == source
    assert 0 <= unusable.offset <= len(source)
    assert fact in unusable.fact
    assert unusable.cure
    message = str(unusable)
    assert message.isascii()
    assert message.isprintable()
    assert len(message) < 500
    assert not patterns.compile(rewrite).exponential


def test_what_is_wrong_with_a_pattern_passes_a_context_manager_unchanged():
    """
    The standard library writes a traceback on it, which a wholly frozen exception would refuse.
    """

    @contextmanager
    def opened():
        yield

    unusable = UnusablePattern("(", 1, "a group is not closed", "close it with )")
    with pytest.raises(UnusablePattern) as caught, opened():
        raise unusable
    assert caught.value is unusable
    with pytest.raises(FrozenInstanceError):
        unusable.offset = 2
    assert (unusable, hash(unusable)) == (
        UnusablePattern("(", 1, "a group is not closed", "close it with )"),
        hash(UnusablePattern("(", 1, "a group is not closed", "close it with )")),
    )


def test_the_longest_text_for_the_standard_library_and_one_more_have_the_right_answer():
    pattern = patterns.compile("^[a-z]+(?:-[a-z]+)*$")
    assert pattern.engine == "standard"
    for length in (patterns.MAX_STANDARD, patterns.MAX_STANDARD + 1):
        text = ("a-" * length)[: length - 1]
        assert [pattern.search(text + end) for end in ("a", "-", "\n")] == [True, False, False]


def test_names_may_be_shared_by_alternatives_alone():
    assert answer("(?<y>a)|(?<y>b)", "b") is True
    assert answer("(?:(?<y>a)|b)(?<y>c)", "ac") is None
    assert answer("(?:(?<y>a)|(?:(?<y>b)|(?<y>c)))", "c") is True


def test_the_end_of_a_text_is_looked_for_between_whole_characters_alone():
    """
    V8 finds an empty match between the halves of a surrogate pair; ECMA-262 has none there.
    """
    assert answer("\\B", "a\U0001f600a") is False
    assert answer("\\B", "\U0001f600\U0001f600") is True


def test_steps_never_fall_as_the_text_grows():
    words = "|".join(f"{chr(0x4E00 + number)}a" for number in range(60))
    sources = {probe["pattern"] for probe in PROBES if probe["matches"] is not None}
    for source in {*sources, words, f"^(?:{words})$", "[a-z]{16}", "a{9}b{9}"}:
        pattern = patterns.compile(source)
        lengths = [*range(300), 65_535, 65_536, 65_537, 1_000_000]
        steps = [pattern.steps(length) for length in lengths]
        assert steps == sorted(steps)
        assert steps[0] >= 1


#: Patterns that people write, and texts that keep each busy.
LIKELY = (
    "^[a-z0-9]+(?:-[a-z0-9]+)*$",
    "^(?:(?:(?:(?:a)*b)*c)*d)*$",
    "^(a+)+$",
    "^[\\p{L}\\d]+$",
    "^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d]{8,}$",
    "(?:a?){100}b{200}c",
    "(?:.*x){5}.{700}y",
    "^(?!-)[a-z0-9-]{1,63}(?<!-)$",
    "[a-z]{16}",
    "\\bfoo\\b",
)
LONG = ("a" * 3_000, "ab" * 1_500, "\u4e2d\U0001f600" * 1_500, "a-" * 1_500, "a" * 2_999 + "!")

#: Lines of Python that compiling the dearest pattern may run.
LINES = 400_000

#: Patterns that are made to keep a compiler busy.
HOSTILE = (
    "(?:a?){2048}",
    "^(?:" + "a?" * 2_000 + ")*$",
    "(" * 2_048 + ")" * 2_048,
    "a{999999999}",
    "^(?:" + "|".join(chr(0x4E00 + number) for number in range(2_000)) + ")*$",
    "^(?:" + "|".join("a" * 2_000) + ")*$",
    "\\b\\B" * 1_000,
    "^.{1,2048}$",
    "^(?:(?:[a-z]{0,40}[a-x]){1,40})*$",
    "(?:(?:(?:a{2}){9}){9}){9}",
    "(?:){999999999}",
    "".join(f"[\\p{{L}}{chr(0x4E00 + number)}]" for number in range(400)),
    "[" + "\\p{L}" * 800 + "]",
    "(" * 200 + "a" + "*)" * 200,
    "(?:(?=a.{300})|(?!b.{300})|(?<=c.{300})|(?<!d.{300})|(?=e.{300})|(?!f.{300})|x)*",
)


@pytest.mark.parametrize("source", LIKELY)
def test_steps_are_not_below_the_lines_that_the_worst_text_runs(source):
    """
    A step stands for a microsecond, in which two dozen lines run; ``make steps``
    holds the engines to the clock.
    """
    pattern = patterns.compile(source)
    late = [
        (text[:4], ran, pattern.steps(len(text)))
        for text in LONG
        if (ran := lines(lambda text=text: pattern.search(text))) > 24 * pattern.steps(len(text))
    ]
    assert late == []


@pytest.mark.parametrize("source", HOSTILE, ids=lambda source: source[:24])
def test_a_hostile_pattern_is_compiled_or_refused_in_a_bounded_number_of_lines(source):
    """
    Its length is bounded, so that what compiling may run is too.
    """
    assert lines(lambda: answer(source, "")) < LINES


def test_a_long_text_costs_no_memory_of_its_length():
    text = "ab" * 50_000
    # A lookaround keeps one byte for each character.
    for source, allowed in [("^(a|b)*$", 50_000), ("^[ab]*$", 50_000), ("(?<=x)y", 150_000)]:
        pattern = patterns.compile(source)
        tracemalloc.start()
        pattern.search(text)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < allowed


def test_threads_that_share_a_pattern_all_get_its_answer():
    shared = [patterns.compile(source) for source in ("^(a|b)*$", "^(?=.*x)[a-z]+$", "^[a-y]+$")]
    texts = ["ab" * 500, "x" * 500, "abz", "aXb"]
    expected = [[pattern.search(text) for text in texts] for pattern in shared]
    answers: Counter[bool] = Counter()

    def run() -> None:
        for _ in range(20):
            answers[
                [[pattern.search(text) for text in texts] for pattern in shared] == expected
            ] += 1

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {True: 160}


def test_depth_is_no_matter_of_the_interpreters_stack():
    for depth in (5_000, 200_000):
        assert patterns.is_pattern("(" * depth) is False
        assert patterns.is_pattern("(" * depth + ")" * depth) is (depth <= 32_767)
        assert patterns.is_pattern("(?:" * depth + ")" * depth) is True
        assert patterns.is_pattern("[" * depth) is False


def test_the_table_of_categories_is_what_the_oldest_python_generates():
    oldest = machine.interpreters()[0]
    if oldest.release[:2] != (3, 12):
        pytest.skip("not run: no CPython 3.12 on this machine")
    generator = machine.ROOT / "pyodide_pkg" / "generate" / "regex_categories.py"
    script = f"import runpy; print(runpy.run_path({str(generator)!r})['main'](), end='')"
    generated = subprocess.run(
        [oldest.path, "-c", script], capture_output=True, text=True, check=True
    ).stdout
    assert (PACKAGE / "regex_categories.py").read_text(encoding="ascii") == generated


@needs_node
def test_every_name_of_a_property_is_one_to_a_browser_too():
    """
    Scripts of Unicode 16 and 17 are asked of a Node that knows them.
    """
    scripts = regex_properties._SCRIPTS.split()
    younger = {
        "Berf",
        "Beria_Erfe",
        "Gara",
        "Garay",
        "Gukh",
        "Gurung_Khema",
        "Krai",
        "Kirat_Rai",
        "Onao",
        "Ol_Onal",
        "Sidt",
        "Sidetic",
        "Sunu",
        "Sunuwar",
        "Tayo",
        "Tai_Yo",
        "Todr",
        "Todhri",
        "Tols",
        "Tolong_Siki",
        "Tutg",
        "Tulu_Tigalari",
    }
    names = [
        *(f"sc={name}" for name in scripts if name not in younger),
        *(f"scx={name}" for name in scripts if name not in younger),
        *(f"gc={name}" for name in regex_properties._general()),
        *regex_properties._general(),
        *regex_properties._exact(),
        *regex_properties._UNPINNED.split(),
    ]
    sources = [(f"\\p{{{name}}}", [""]) for name in names]
    unknown = [
        source
        for (source, _), answers in zip(sources, patterns_oracle.ask(sources), strict=True)
        if answers is None
    ]
    assert unknown == []
    assert [source for source, _ in sources if not patterns.is_pattern(source)] == []


def test_nothing_asks_the_interpreter_what_a_character_is():
    asked = set()
    for path in [*PACKAGE.glob("regex_*.py"), *PACKAGE.glob("format*.py"), PACKAGE / "patterns.py"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="ascii"))):
            if isinstance(node, ast.Attribute):
                asked.add(node.attr)
            if isinstance(node, ast.Import | ast.ImportFrom):
                asked |= {alias.name for alias in node.names}
    assert asked.isdisjoint(
        {
            "unicodedata",
            "datetime",
            "ipaddress",
            "urllib",
            "isalpha",
            "isalnum",
            "isdigit",
            "isdecimal",
            "isnumeric",
            "isspace",
            "isidentifier",
            "isprintable",
            "isupper",
            "islower",
            "upper",
            "lower",
            "casefold",
            "title",
            "swapcase",
            "capitalize",
            "strip",
        }
    )
