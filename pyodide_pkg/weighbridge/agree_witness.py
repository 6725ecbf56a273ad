"""
Calls that both sides are asked about, from the generator that the parity tests use.

Three kinds: calls that the published schema admits; the same with one fault against
the schema that was derived; and the same with one value of another sort at one place,
or without one key.  What shows a difference is made as small as it stays true.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from weighbridge.agree_records import Judged
from weighbridge.agree_shapes import Place, listed_at, pointer, steps_of
from weighbridge.agree_sides import LARGE, Both, Key
from weighbridge.instances import value as drawn
from weighbridge.instances_faults import Call, faults
from weighbridge.refusal import Refusal
from weighbridge.shrinking import shrunk

#: Generated calls that faults are put into, and that one place is left out of.
VARIED: Final = 6

#: How many times as many calls are generated where some place has no value in any.
LONGER: Final = 4

#: Faults of one sort at one place that are asked about.
FAULTED: Final = 3

#: Generated calls that are kept to show a difference with, and varied ones.
KEPT: Final = 60
FEW: Final = 10

#: Values that two readers of JSON have been seen to differ on, by sort; the first of
#: each is an ordinary one.
PROBES: Final[tuple[tuple[Any, ...], ...]] = (
    (None,),
    (True, False),
    *((7, 0, 1, -1, 2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64, -(2**63) - 1, 10**30, 10**400),),
    *((3.0, -2.0, LARGE, -LARGE, LARGE - 1024, 1e19, 1e300), (1.5, 1e-9)),
    (
        *("text", "", " ", "a", "7", "-1", "1.5", "true", "null", "[]", "[1]", "{}", '{"a": 1}'),
        *('"text"', "nan", "inf", "\x00", "\u00e9", "\u2028", "\U0001f600", "a" * 300),
        *("2026-01-31", "2026-01-31T10:20:30Z", "2016-12-31T23:59:60Z", "0000-01-01", "10:20:30Z"),
        *("P3DT4H", "P1Y2M", "123e4567-e89b-12d3-a456-426614174000", "192.0.2.1", "2001:db8::1"),
        *("ada@example.org", "https://example.org/a?b#c", "urn:a:b", "/a/b"),
    ),
    ([], [1], ["text"], [None]),
    ({}, {"a": 1}, {"a": "text"}),
)


@dataclass(slots=True)
class Search:
    """
    The calls that were put to both sides of one tool, and what they showed.
    """

    both: Both
    rng: random.Random

    #: Calls that the gate admits, the first few.
    admitted: list[dict[str, Any]] = field(default_factory=list)

    #: Those that the handler's model takes as well.
    taken: list[dict[str, Any]] = field(default_factory=list)

    #: The first call that showed each difference, with the model's word for it.
    lies: dict[Key, tuple[str, dict[str, Any]]] = field(default_factory=dict)

    #: Where the model refuses a float for nothing but its size.
    floats: set[Place] = field(default_factory=set)

    #: Calls that were asked about, those that the gate admits, those that the model takes.
    counted: Counter[str] = field(default_factory=Counter)

    #: How often a generated call was varied at a place.
    probed: Counter[Place] = field(default_factory=Counter)

    #: How often a fault was made, by its sort and its place.
    faulted: Counter[tuple[str, ...]] = field(default_factory=Counter)

    def run(self, tries: int) -> None:
        """
        Ask about ``tries`` generated calls, each with variations; and about some more
        where no call yet had a value at some place.
        """
        published, derived = self.both.published, self.both.handler.derived
        for count in range(LONGER * tries):
            if count >= tries and len(self.probed) == len(self.both.places) - 1:
                break
            call = drawn(published, published, self.rng)
            if self.ask(call, most=KEPT) is not None:
                continue
            for place in sorted(self.both.places - {()}):
                if has(call, place):
                    self._vary(call, place)
            if count < VARIED:
                for one in faults(self.both.handler.name, derived, call, self.rng):
                    if self._is_new(one):
                        self.ask(one.arguments)

    @property
    def judged(self) -> Judged:
        """What was asked so far."""
        asked = self.counted
        places = len(self.both.places) - 1
        return Judged(asked["calls"], asked["admitted"], asked["taken"], places, len(self.probed))

    def _is_new(self, call: Call) -> bool:
        """Whether a fault of that sort was made at that place less than a few times."""
        at_ = "" if call.fault is None else call.fault.pointer
        sort = (call.label, *("*" if one.isdecimal() else one for one in at_.split("/")))
        self.faulted[sort] += 1
        return self.faulted[sort] <= FAULTED

    def ask(self, call: Any, most: int = FEW) -> Refusal | None:
        """
        Put one call to both sides; the gate's refusal, or None where it admits the call,
        which is kept then unless there are ``most``.
        """
        self.counted["calls"] += 1
        verdict = self.both.verdict(call)
        if verdict.refusal is not None:
            return verdict.refusal
        found, floats = self.both.differing(call)
        self.floats |= floats
        took = not found and not floats
        self.counted["admitted"] += 1
        self.counted["taken"] += took
        if len(self.admitted) < most:
            self.admitted.append(call)
        if took and len(self.taken) < most:
            self.taken.append(call)
        for key, kind in found.items():
            if key not in self.lies:
                self.lies[key] = (kind, self._smallest_lie(call, key))
        return None

    def shown(
        self, calls: Iterable[dict[str, Any]], shows: Callable[[dict[str, Any]], bool]
    ) -> dict[str, Any] | None:
        """The first call that shows something, as small as it still does; None without one."""
        first = next((one for one in calls if shows(one)), None)
        if first is None:
            return None
        least: dict[str, Any] = shrunk(first, lambda one: isinstance(one, dict) and shows(one))
        return least

    def _smallest_lie(self, call: dict[str, Any], key: Key) -> dict[str, Any]:
        def shows(one: Any) -> bool:
            return self.both.admits(one) and key in self.both.differing(one)[0]

        least = self.shown([call], shows)
        return call if least is None else least

    def _vary(self, call: dict[str, Any], place: Place) -> None:
        """Ask about one call without what stands at a place, and with other values there."""
        seen = self.probed[place]
        self.probed[place] += 1
        if seen < VARIED:
            self.ask(taken_off(call, place))
        if seen:
            return
        for sort in (*PROBES, tuple(self._listed(place))):
            for value in sort:
                refusal = self.ask(put(call, place, value))
                if refusal is not None and _is_of_type(refusal, place):
                    # The gate takes no value of that sort here.
                    break

    def _listed(self, place: Place) -> list[Any]:
        """The values that either side lists at a place."""
        sides = (self.both.published, self.both.handler.derived)
        return [one for side in sides for one in listed_at(place, side, whole=False) or ()]


def _is_of_type(refusal: Refusal, place: Place) -> bool:
    """Whether a call is refused for the JSON type of what stands at a place, and no more."""
    return [one.schema_pointer for one in refusal.findings] == [f"{pointer(place)}/type"]


def at(call: Any, place: Place) -> list[Any]:
    """The values at a place; of an array the first item."""
    here = [call]
    for step in steps_of(place):
        if step[0] == "properties":
            here = [one[step[1]] for one in here if isinstance(one, dict) and step[1] in one]
        else:
            index = _index(step)
            here = [one[index] for one in here if isinstance(one, list) and index < len(one)]
    return here


def has(call: Any, place: Place) -> bool:
    """Whether a call has something at a place."""
    return bool(at(call, place))


def put(call: dict[str, Any], place: Place, value: Any) -> dict[str, Any]:
    """A call with a value at a place whose holder it has; else the same call."""

    def set_(holder: Any, step: Place) -> None:
        holder[step[1] if step[0] == "properties" else _index(step)] = value

    return _changed(call, place, set_)


def taken_off(call: dict[str, Any], place: Place) -> dict[str, Any]:
    """A call without the key that a place ends with."""

    def take_off(holder: Any, step: Place) -> None:
        if step[0] == "properties":
            holder.pop(step[1], None)

    return _changed(call, place, take_off)


def _changed(
    call: dict[str, Any], place: Place, change: Callable[[Any, Place], None]
) -> dict[str, Any]:
    """A call with the holder of a place changed; what is not on the way there is shared."""
    *above, last = steps_of(place)
    whole: Any = dict(call)
    here = whole
    for step in above:
        at_ = step[1] if step[0] == "properties" else _index(step)
        if not (at_ in here if isinstance(here, dict) else _reaches(here, at_)):
            return call
        here[at_] = copy.copy(here[at_])
        here = here[at_]
    fits = isinstance(here, dict) if last[0] == "properties" else _reaches(here, _index(last))
    if not fits:
        return call
    change(here, last)
    return whole  # type: ignore[no-any-return]


def _reaches(here: Any, index: Any) -> bool:
    return isinstance(here, list) and isinstance(index, int) and index < len(here)


def _index(step: Place) -> int:
    return int(step[1]) if step[0] == "prefixItems" else 0
