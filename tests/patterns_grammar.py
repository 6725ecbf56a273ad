"""
Random patterns as trees, their spelling, and a backtracking engine that counts its steps.

The engine exists to be slow in the way that real ones are: it tries alternatives
in order and repetition greedily, and gives up at a number of steps.
"""

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import strategies as st

CHARACTERS = {
    "a": "a",
    "b": "b",
    "-": "-",
    "[ab]": "ab",
    "[^a]": "b-1 \n\u00e9_\U0001f600",
    "\\d": "1",
    "\\w": "ab1_",
    "\\s": " \n",
    "\\S": "ab-1\u00e9_\U0001f600",
    ".": "ab-1 \u00e9_\U0001f600",
    "[^]": "ab-1 \n\u00e9_\U0001f600",
    "[]": "",
    "\\u{1F600}": "\U0001f600",
    "\\p{L}": "ab\u00e9",
}

#: What the texts are made of; each is in the sets above that take it.
TEXT = "ab-1 \n\u00e9_\U0001f600"

COUNTS = {
    "*": (0, None),
    "+": (1, None),
    "?": (0, 1),
    "{2}": (2, 2),
    "{0,2}": (0, 2),
    "{1,3}": (1, 3),
    "{2,}": (2, None),
    "{0}": (0, 0),
    "*?": (0, None),
    "+?": (1, None),
}


@dataclass(frozen=True, slots=True)
class Character:
    """One character out of a set."""

    spelt: str


@dataclass(frozen=True, slots=True)
class Assertion:
    """An anchor or a word boundary."""

    spelt: str


@dataclass(frozen=True, slots=True)
class Sequence:
    """One after the other."""

    parts: tuple["Tree", ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One or the other."""

    parts: tuple["Tree", ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """Again and again."""

    part: "Tree"
    count: str


@dataclass(frozen=True, slots=True)
class Look:
    """A lookaround, by how it opens."""

    opening: str
    part: "Tree"


type Tree = Character | Assertion | Sequence | Choice | Repeat | Look


def spell(tree: Tree) -> str:
    """
    The tree as a pattern.
    """
    match tree:
        case Character(spelt) | Assertion(spelt):
            return spelt
        case Sequence(parts):
            return "".join(map(spell, parts))
        case Choice(parts):
            return f"(?:{'|'.join(map(spell, parts))})"
        case Repeat(part, count):
            inside = spell(part)
            return f"{inside if isinstance(part, Character) else f'({inside})'}{count}"
        case Look(opening, part):
            return f"{opening}{spell(part)})"


def size(tree: Tree) -> int:
    """
    Nodes of the tree once repetition is written out.
    """
    match tree:
        case Sequence(parts) | Choice(parts):
            return 1 + sum(map(size, parts))
        case Repeat(part, count):
            low, high = COUNTS[count]
            return 1 + size(part) * max(low, high or 0, 1)
        case Look(_, part):
            return 1 + size(part)
        case _:
            return 1


CHARACTER = st.sampled_from(list(CHARACTERS)).map(Character)
ASSERTION = st.sampled_from(["^", "$", "\\b", "\\B"]).map(Assertion)


def _larger(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    parts = st.lists(inner, max_size=4).map(tuple)
    return st.one_of(
        parts.map(Sequence),
        st.lists(inner, min_size=1, max_size=3).map(tuple).map(Choice),
        st.builds(Repeat, inner, st.sampled_from(list(COUNTS))),
        st.builds(Repeat, inner, st.sampled_from(["*", "+"])),
    )


def _around(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    openings = st.sampled_from(["(?=", "(?!", "(?<=", "(?<!"])
    return st.one_of(_larger(inner), st.builds(Look, openings, inner))


#: Everything, and what the backtracking engine here can run.
TREES = st.recursive(st.one_of(CHARACTER, CHARACTER, ASSERTION), _around, max_leaves=10)
REGULAR = st.recursive(CHARACTER, _larger, max_leaves=8)
TEXTS = st.text(alphabet=TEXT, max_size=10)


class SpentError(Exception):
    """
    The engine has taken as many steps as it was allowed.
    """


type Then = Callable[[int], bool]


@dataclass(slots=True)
class Backtracker:
    """
    The engine, over one text.
    """

    text: str
    most: int
    steps: int = 0

    def run(self, tree: Tree, at: int, then: Then) -> bool:
        """
        Whether a tree matches here and ``then`` goes on from where it ends.
        """
        self.steps += 1
        if self.steps > self.most:
            raise SpentError
        match tree:
            case Character(spelt):
                here = self.text[at : at + 1]
                return here != "" and here in CHARACTERS[spelt] and then(at + 1)
            case Sequence(parts):
                return self.in_turn(parts, at, then)
            case Choice(parts):
                return any(self.run(part, at, then) for part in parts)
            case Repeat(part, count):
                return self.again(part, *COUNTS[count], at, then)
            case _:
                raise NotImplementedError(tree)

    def in_turn(self, parts: tuple[Tree, ...], at: int, then: Then) -> bool:
        """One part after the other."""
        if not parts:
            return then(at)
        return self.run(parts[0], at, lambda after: self.in_turn(parts[1:], after, then))

    def again(self, part: Tree, low: int, high: int | None, at: int, then: Then) -> bool:
        """As often as possible first."""

        def once_more(after: int) -> bool:
            # A round that takes nothing is the last, as in the standard library.
            if after == at and low == 0:
                return then(after)
            more = None if high is None else high - 1
            return self.again(part, max(low - 1, 0), more, after, then)

        if high != 0 and self.run(part, at, once_more):
            return True
        return low == 0 and then(at)


def backtrack(tree: Tree, text: str, most: int) -> tuple[bool | None, int]:
    """
    Whether a tree matches a whole text, and the steps spent; None past ``most``.
    """
    engine = Backtracker(text, most)
    try:
        return engine.run(tree, 0, lambda after: after == len(text)), engine.steps
    except SpentError:
        return None, engine.steps
