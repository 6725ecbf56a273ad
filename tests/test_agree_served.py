"""
The constants that a handler holds its parameters to, found in code that is never run.
"""

import contextlib
import enum
import functools

import pytest

from weighbridge.agree_code import values
from weighbridge.agree_served import held

KINDS = ("rule", "guide")
RULE, GUIDE = frozenset({"rule"}), frozenset({"guide"})
UNORDERED = frozenset({"b", "a"})
TABLE = {"rule": 1, "guide": 2}
BY_FIELD = {"kind": KINDS, "mood": ["calm"]}
FIELDS = {"note": ("kind", "text")}
LOUD = ("shout",)


SHELF = contextlib.nullcontext()


class Kind(enum.Enum):
    """
    Words as an enumeration.
    """

    RULE = "rule"
    GUIDE = "guide"


class Refusal(Exception):
    """
    What the handlers below raise.
    """


def check(field, word):
    if word is not None and word not in BY_FIELD[field]:
        raise Refusal(field)


def kept(sent):
    return {name: sent[name] for name in sent if name != "self"}


def not_in(kind):
    if kind not in KINDS:
        raise Refusal


def not_in_then_answers(kind):
    if kind not in KINDS:
        return "there is no such kind"
    return kind


def not_of_in(kind):
    if not kind in KINDS:  # noqa: E713 - the other way to write it
        raise Refusal


def among_conditions(kind):
    if kind is None or kind not in KINDS:
        raise Refusal


def else_raises(kind):
    if kind in KINDS:
        kind = kind.upper()
    else:
        raise Refusal


def asserted(kind):
    assert kind in KINDS


def written_out(kind):
    if kind not in {"rule", "guide"}:
        raise Refusal


def looked_up(kind):
    return TABLE[kind]


def made_of_an_enum(kind):
    return Kind(kind)


def in_an_enum(kind):
    if kind not in Kind:
        raise Refusal


def matched(kind):
    match kind:
        case "rule":
            return 1
        case "guide":
            return 2
        case _:
            raise Refusal


def handed_on(kind):
    check("kind", kind)


def handed_on_by_name(kind):
    check(field="kind", word=kind)


def in_a_dictionary(kind, text=""):
    sent = {"kind": kind, "text": text}
    with SHELF:
        check("kind", sent["kind"])


def as_locals(kind, text=""):
    for field in BY_FIELD.keys() & kept(locals()):
        check(field, locals()[field])


def by_fields(kind, text=""):
    sent = locals()
    chosen = {field: sent[field] for field in FIELDS["note"]}
    check("kind", chosen["kind"])


def merged(kind, text=""):
    sent = {"text": text} | {"kind": kind}
    check("kind", sent["kind"])


def joined(kind):
    if kind not in KINDS[:1] + KINDS[1:] and kind not in ("rule",) + ("guide",):  # noqa: RUF005
        raise Refusal


def joined_sets(kind):
    if kind not in RULE | GUIDE:
        raise Refusal


class Words:
    """
    Words that stand on a class.
    """

    KINDS = KINDS

    @staticmethod
    def check(word):
        check("kind", word)


def on_a_class(kind):
    if kind not in Words.KINDS:
        raise Refusal


def by_a_static_method(kind):
    Words.check(kind)


def matched_together(kind):
    match kind:
        case "rule" | "guide":
            return 1
        case _:
            raise Refusal


async def later(kind):
    check("kind", kind)


class Shelf:
    """
    Handlers as methods.
    """

    def method(self, kind):
        self._inner(kind)

    def _inner(self, word):
        check("kind", word)

    def __call__(self, kind):
        self._inner(kind)


@functools.wraps(not_in)
def wrapped(*given, **named):
    return not_in(*given, **named)


def enclosing():
    words = ("rule", "guide")

    def inside(kind):
        if kind not in words:
            raise Refusal

    return inside


FOUND = [
    *(not_in, not_in_then_answers, not_of_in, among_conditions, else_raises, asserted),
    *(written_out, looked_up, made_of_an_enum, in_an_enum, matched, handed_on),
    *(merged, joined, joined_sets, on_a_class, by_a_static_method, matched_together),
    *(handed_on_by_name, in_a_dictionary, as_locals, by_fields, later, wrapped),
    *(Shelf().method, Shelf(), enclosing(), functools.partial(check, "kind")),
]


@pytest.mark.parametrize("handler", FOUND, ids=lambda one: getattr(one, "__name__", "object"))
def test_a_parameter_that_is_held_to_a_constant_is_found(handler):
    (words,) = held(handler).values()
    assert sorted(words) == ["guide", "rule"]


def denied(kind):
    if kind in KINDS:
        raise Refusal


def only_looked_at(kind):
    if kind in LOUD:
        kind = kind.upper()
    return kind


def of_another_value(kind):
    kind = kind + "s"
    if kind not in KINDS:
        raise Refusal


def unknown_list(kind, words):
    if kind not in words:
        raise Refusal


def read_only(kind):
    return f"{kind} of {KINDS}"


def absent_key(kind):
    check("absent", {"kind": kind}["absent"])


def of_two_loops(kind):
    sent = {a: kind for a in "ab" for b in "ab"}
    check("kind", sent["a"])


def loops(kind):
    loops(kind)


NOT_FOUND = [denied, only_looked_at, of_another_value, unknown_list, read_only, loops, len, object]
NOT_FOUND += [absent_key, of_two_loops]


@pytest.mark.parametrize("handler", NOT_FOUND, ids=lambda one: one.__name__)
def test_what_is_no_such_line_says_nothing(handler):
    assert held(handler) == {}


def test_nothing_is_run():
    def handler(kind):
        raise SystemExit
        check("kind", kind)

    assert held(handler) == {"kind": KINDS}


def test_an_annotation_that_cannot_be_evaluated_is_in_nobody_s_way():
    def handler(kind: "Absent", *rest, mood: "Absent" = None, **others):  # noqa: F821
        check("kind", kind)
        check("mood", mood)

    assert held(handler) == {"kind": KINDS, "mood": ("calm",)}


def test_code_that_cannot_be_read_says_nothing():
    made = {}
    exec("def handler(kind):\n    assert kind in ('a',)", made)  # noqa: S102 - without a source file
    assert held(made["handler"]) == {}


def test_constants_list_their_json_values_in_an_order_of_their_own():
    assert values(KINDS) == ("rule", "guide")
    assert values(UNORDERED) == ("a", "b")
    assert values(TABLE) == ("rule", "guide")
    assert values(Kind) == ("rule", "guide")
    assert values([Kind.RULE, 1, 1.5, True, None, object()]) == ("rule", 1, 1.5, True, None)
    assert [values(one) for one in (7, "text", object(), range(3))] == [(), (), (), ()]
