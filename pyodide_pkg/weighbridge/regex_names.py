"""
The names of capturing groups: well formed, declared once on any way through, and found.

Two groups may share a name only where no match can go through both, which is to
say in different alternatives (ECMA-262, 2025).
"""

from __future__ import annotations

from weighbridge.regex_errors import UnusablePattern
from weighbridge.regex_escapes import unicode
from weighbridge.regex_properties import may_continue_name, may_start_name


class GroupNames:
    """
    The names seen so far, by the depth of the group in which they stand.
    """

    def __init__(self, source: str) -> None:
        """Begin before the first group of ``source``."""
        self._source = source
        # Where each name was declared last.
        self._all: dict[str, int] = {}
        self._wanted: dict[str, int] = {}
        # Only depths that hold a name have an entry: names in the alternative
        # that is open, and names in those before it.
        self._open: dict[int, tuple[set[str], set[str]]] = {}

    def declare(self, at: int, depth: int) -> int:
        """
        Read the name at ``at`` of a group within ``depth`` open ones; give the offset after it.
        """
        name, after = self._read(at)
        here, before = self._open.pop(depth, (set(), set()))
        if name in here:
            raise self._doubled(at)
        here.add(name)
        self._open[depth] = here, before
        self._all[name] = at
        return after

    def reference(self, at: int) -> int:
        """
        Read the name of a backreference; the group may come later.
        """
        name, after = self._read(at)
        self._wanted.setdefault(name, at)
        return after

    def alternative(self, depth: int) -> None:
        """
        An alternative of the group that is ``depth`` deep has ended, and another begins.
        """
        if depth in self._open:
            self._open[depth] = set(), _merged(*self._open[depth])

    def close(self, depth: int) -> None:
        """
        The group within ``depth`` open ones has been closed.
        """
        if depth + 1 not in self._open:
            return
        inside = _merged(*self._open.pop(depth + 1))
        here, before = self._open.get(depth, (set(), set()))
        small, large = sorted((here, inside), key=len)
        if not large.isdisjoint(small):
            raise self._doubled(min(self._all[name] for name in large & small))
        self._open[depth] = _merged(small, large), before

    def finish(self) -> None:
        """
        Every name that is referred to has been declared, or this raises.
        """
        for name, at in self._wanted.items():
            if name not in self._all:
                raise UnusablePattern(
                    self._source, at, "a reference to no group", "name a group (?<name>...)"
                )

    def _doubled(self, at: int) -> UnusablePattern:
        return UnusablePattern(
            self._source, at, "two groups of one name", "give each group its own name"
        )

    def _read(self, at: int) -> tuple[str, int]:
        name: list[str] = []
        here = at
        while here < len(self._source) and self._source[here] != ">":
            point, here = self._point(here)
            legal = may_continue_name(point) if name else may_start_name(point)
            if not legal:
                raise self._misnamed(at)
            name.append(chr(point))
        if not name or here == len(self._source):
            raise self._misnamed(at)
        return "".join(name), here + 1

    def _misnamed(self, at: int) -> UnusablePattern:
        return UnusablePattern(
            self._source, at, "not the name of a group", "write letters, digits and _ before >"
        )

    def _point(self, at: int) -> tuple[int, int]:
        """One code point of a name, escapes of it undone; -1 where there is none."""
        if self._source[at] != "\\":
            return ord(self._source[at]), at + 1
        if not self._source.startswith("u", at + 1):
            return -1, at
        return unicode(self._source, at + 2) or (-1, at)


def _merged(first: set[str], second: set[str]) -> set[str]:
    """Both in one, by growing the larger, so that many merges stay cheap."""
    small, large = sorted((first, second), key=len)
    large |= small
    return large
