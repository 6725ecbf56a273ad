"""
Calls that one catalog admits and another refuses, found by generation and made small.

Calls are drawn from both published schemas.  Those that either gate admits are varied
at each place that either schema describes.  Every one of them is put to both gates as
JSON text, with all limits; what shows a difference is shrunk as long as it still does.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from weighbridge.agree_shapes import Place, Schemas, names, pointer, spots
from weighbridge.agree_witness import at, has, put, taken_off
from weighbridge.canonical import are_equal
from weighbridge.catalog import Catalog
from weighbridge.diff_limits import grown, narrowed
from weighbridge.diff_values import names_beside, of_place, values_beside
from weighbridge.digest import shape
from weighbridge.gate import Verdict
from weighbridge.instances import value as drawn
from weighbridge.instances_faults import faults
from weighbridge.shrinking import shrunk, weight_of

#: Admitted calls that are varied at one place, and that have faults put in.
BASES: Final = 3

#: How often at most a smaller witness is asked for.
ASKED: Final = 800

#: Keywords whose schemas are at places of their own.
BELOW: Final = frozenset({"properties", "items", "prefixItems", "$defs", "definitions"})

NARROWER: Final = "narrower"
WIDER: Final = "wider"


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """
    A call that one catalog admits and the other refuses.
    """

    arguments: dict[str, Any]

    #: The code of the refusal, and the limit that it names.
    code: str
    limit: str | None

    #: The first finding of a mismatch: keyword, and pointer into the arguments.
    keyword: str | None
    pointer: str | None

    def as_dict(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {
            "arguments": self.arguments,
            "code": self.code,
            "limit": self.limit,
            "keyword": self.keyword,
            "pointer": self.pointer,
        }


@dataclass(slots=True)
class Search:
    """
    What was asked of two catalogs about one tool, and what it showed.
    """

    old: Catalog
    new: Catalog
    tool: str
    rng: random.Random

    #: Calls that were put to both.
    asked: int = 0

    #: By direction: ``narrower`` and ``wider``.
    found: dict[str, dict[str, Any]] = field(default_factory=dict)

    #: Calls that one of the two admits.
    bases: list[dict[str, Any]] = field(default_factory=list)

    def run(self, tries: int, enough: int = 2) -> None:
        """
        Draw ``tries`` calls, and vary the ones that are admitted; stop where calls are
        known for ``enough`` of the two directions.
        """
        for call in self._calls(tries):
            if len(self.found) >= enough:
                return
            self._ask(call)

    def witness(self, direction: str) -> Witness | None:
        """The smallest call that was found for a direction; None where there is none."""
        if direction not in self.found:
            return None
        first = self.found[direction]

        def shows(one: Any) -> bool:
            return isinstance(one, dict) and self._direction(one) == direction

        least: dict[str, Any] = shrunk(first, shows, ASKED)
        return told(least, self._judged(self.new if direction == NARROWER else self.old, least))

    def _judged(self, catalog: Catalog, call: Any) -> Verdict:
        text = json.dumps(call)
        if len(text) > catalog.tools[self.tool].limits.text:
            return catalog.check_text(self.tool, text)
        # A text that is not too long gets what its values get, and they are quicker.
        return catalog.check(self.tool, call)

    def _direction(self, call: Any) -> str | None:
        before = self._judged(self.old, call).admitted
        after = self._judged(self.new, call).admitted
        if before == after:
            return "" if before else None
        return NARROWER if before else WIDER

    def _ask(self, call: Any) -> None:
        """Put a call to both; one that shows something new is kept."""
        self.asked += 1
        direction = self._direction(call)
        if direction:
            self.found.setdefault(direction, call)

    def _calls(self, tries: int) -> Iterator[Any]:
        forms = tuple(dict(one.tools[self.tool].published) for one in (self.old, self.new))
        for count in range(tries):
            call = drawn(forms[count % 2], forms[count % 2], self.rng)
            if not isinstance(call, dict):
                continue
            self.asked += 1
            if self._direction(call) is not None:
                self.bases.append(call)
        self.bases.sort(key=weight_of)
        yield {}
        for place, speaking in self._places(forms):
            yield from self._varied(place, speaking, forms)
        for call in (self.bases[:BASES] + self.bases[-BASES:]) if self.bases else ():
            for form in forms:
                yield from (one.arguments for one in faults(self.tool, form, call, self.rng))
        # Last, since what was varied on purpose is plainer than what was drawn.
        yield from self.bases
        yield from self._grown(forms)

    def _grown(self, forms: tuple[Any, ...]) -> Iterator[Any]:
        names_ = sorted({*forms[0].get("properties", ()), *forms[1].get("properties", ())})
        for limit, (before, after) in narrowed(self.old, self.new, self.tool).items():
            direction = NARROWER if after < before else WIDER
            for base in self.bases[:BASES]:
                for call in grown(limit, (before, after), base, names_):
                    if direction in self.found:
                        break
                    yield call

    def _places(self, forms: tuple[Any, ...]) -> Iterator[tuple[Place, Schemas]]:
        """The places whose own keywords differ, with what either side says there."""
        old, new = forms
        seen: dict[Place, Schemas] = {}
        for first, second in ((old, new), (new, old)):
            for spot in spots(first, second):
                taken_off_apart = not spot.place and self.old.bookkeeping != self.new.bookkeeping
                if taken_off_apart or not are_equal(_own(spot.published), _own(spot.derived)):
                    seen.setdefault(spot.place, spot.published + spot.derived)
        yield from sorted(seen.items())

    def _bases_at(self, place: Place) -> list[dict[str, Any]]:
        """The smallest call, the smallest that has something at a place, and the largest."""
        having = [one for one in self.bases if has(one, place)] if place else self.bases
        chosen = [*self.bases[:1], *having[:1], *having[-1:]]
        kept: list[dict[str, Any]] = []
        for one in chosen:
            if one not in kept:
                kept.append(one)
        return kept

    def _varied(self, place: Place, speaking: Schemas, forms: tuple[Any, ...]) -> Iterator[Any]:
        bases = self._bases_at(place)
        for base in bases:
            if place:
                yield taken_off(base, place)
        values = list(of_place(speaking, forms, self._bytes_at(place), self.rng)) if place else []
        others = list(dict.fromkeys(names_beside(speaking, self._bookkeeping(), self.rng)))
        beside = list(values_beside(speaking, forms, self.rng))
        for base in bases:
            yield from (put(base, place, one) for one in values)
            for here in at(base, place):
                if isinstance(here, dict):
                    for changed in _objects(here, speaking, others, beside):
                        yield put(base, place, changed) if place else changed

    def _bytes_at(self, place: Place) -> tuple[int, ...]:
        tools = [one.tools[self.tool] for one in (self.old, self.new)]
        return tuple(
            sorted(
                {
                    most
                    for one in tools
                    for at_, most in one.byte_bounds.items()
                    if at_.startswith(pointer(place))
                }
            )
        )

    def _bookkeeping(self) -> tuple[str, ...]:
        return tuple(sorted(self.old.bookkeeping | self.new.bookkeeping))


def _own(speaking: Schemas) -> list[Any]:
    """What schemas say of a value, without what is at places below it."""
    return [
        shape({key: one[key] for key in sorted(one) if key not in BELOW})
        | {"names": sorted(one.get("properties", ()))}
        for one in speaking
    ]


def _objects(
    here: dict[str, Any], speaking: Schemas, others: list[str], beside: list[Any]
) -> Iterator[dict[str, Any]]:
    """An object with a name more, and with as many names as its bounds say."""
    for name in others:
        if name not in here:
            yield from (
                {**here, name: one} for one in (beside if name in others[:8] else beside[:1])
            )
    keys = [*names(speaking), *(f"n{at_}" for at_ in range(40))]
    bounds = {
        one[key] for one in speaking for key in ("minProperties", "maxProperties") if key in one
    }
    for count in sorted({most + by for most in bounds for by in (-1, 0, 1)}):
        for value in beside:
            more = [key for key in keys if key not in here]
            wanted = max(0, count - len(here))
            yield dict(list(here.items())[: max(0, count)]) | dict.fromkeys(more[:wanted], value)


def told(arguments: dict[str, Any], verdict: Verdict) -> Witness:
    """A witness with why it is refused."""
    refusal = verdict.refusal
    first = refusal.findings[0] if refusal is not None and refusal.findings else None
    return Witness(
        arguments=arguments,
        code="" if refusal is None else str(refusal.code),
        limit=None if refusal is None else refusal.limit,
        keyword=None if first is None else first.keyword,
        pointer=None if first is None else first.pointer,
    )
