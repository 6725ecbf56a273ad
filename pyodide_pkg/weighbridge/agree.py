"""
Whether the handlers of a server take what its catalog publishes, with a witness where not.

The relation: a published schema may constrain a value more than the handler's
annotation does.  It may not admit what the handler's own argument model refuses,
may not name a parameter that the handler does not have, and agrees with the handler
on what is required; a list of values that it publishes is not shorter than the list
that the handler serves.  What stands outside the relation is worked out from both
sides each time, and told.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from weighbridge import agree_recorded, agree_rules
from weighbridge.agree_records import Difference, Judged, Outside
from weighbridge.agree_shapes import closures, pointer, silent_keywords
from weighbridge.agree_sides import Handler, Refused, Taken, Wrong, both_sides
from weighbridge.agree_witness import LONGER, Search
from weighbridge.catalog import Catalog

__all__ = [
    "SEED",
    "TRIES",
    "Agreement",
    "Difference",
    "Handler",
    "Judged",
    "Outside",
    "Refused",
    "Taken",
    "Wrong",
    "judge",
]

#: Where the generated calls begin, unless somebody says otherwise.
SEED: Final = 20261201

#: Calls that are generated for each tool, before any is varied.
TRIES: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """
    What came of asking both sides.
    """

    #: The digest of the catalog that was asked.
    digest: str

    #: In the order of tools, places and rules; recorded ones among them.
    differences: tuple[Difference, ...]

    outside: Outside

    #: What was asked, by tool.
    judged: Mapping[str, Judged]

    seed: int
    tries: int

    @property
    def open(self) -> tuple[Difference, ...]:
        """The differences that nobody has recorded."""
        return tuple(one for one in self.differences if not one.reason)

    @property
    def agrees(self) -> bool:
        """Whether there is none of those."""
        return not self.open

    def as_dict(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {
            "agrees": self.agrees,
            "digest": self.digest,
            "seed": self.seed,
            "tries": self.tries,
            "differences": [one.as_dict() for one in self.differences],
            "outside": self.outside.as_dict(),
            "judged": {name: one.as_dict() for name, one in self.judged.items()},
        }


def judge(
    handlers: Sequence[Handler], catalog: Catalog, *, seed: int = SEED, tries: int = TRIES
) -> Agreement:
    """
    Hold a catalog to the handlers of a server.

    Args:
        handlers: every tool that the server has.
        catalog: what is published, with the differences that are recorded in it.
        seed: the same seed, tries, schemas and handlers give the same answer.
        tries: calls generated for each tool, at least 1; each is varied as well.

    Raises:
        ValueError: ``tries`` is less than 1.
    """
    if tries < 1:
        raise ValueError("tries must be at least 1")
    by_name = {one.name: one for one in handlers}
    unread = agree_rules.unread_context(catalog, handlers)
    records = agree_recorded.of_catalog(catalog)
    differences: list[Difference] = []
    judged: dict[str, Judged] = {}
    floats: dict[str, tuple[str, ...]] = {}
    for name in catalog.tools:
        if name not in by_name:
            differences.append(agree_rules.no_handler(name))
            continue
        search = Search(both_sides(catalog, by_name[name]), random.Random(f"{seed} {name}"))  # noqa: S311 - calls, not secrets
        search.run(tries)
        found = _of_tool(search, unread)
        if records.unmet(name, found):
            # A record is stale only if looking longer shows nothing either.
            search.run(LONGER * tries)
            found = _of_tool(search, unread)
        differences += found
        judged[name] = search.judged
        if search.floats:
            floats[name] = tuple(sorted(map(pointer, search.floats)))
    explained = [records.explained(one) for one in differences]
    return Agreement(
        digest=catalog.digest,
        differences=(*explained, *records.stale()),
        outside=Outside(
            closures={one.name: at for one in handlers if (at := closures(one.derived))},
            silent=frozenset().union(*(silent_keywords(one.derived) for one in handlers)),
            unread=unread,
            vocabulary=agree_rules.vocabulary(catalog, handlers),
            floats=floats,
            unpublished=frozenset(by_name.keys() - catalog.tools.keys()),
        ),
        judged=judged,
        seed=seed,
        tries=tries,
    )


def _of_tool(search: Search, unread: frozenset[str]) -> list[Difference]:
    """What one tool's two sides differ in, by place and rule."""
    name = search.both.handler.name
    found = [
        agree_rules.of_lie(name, rule, place, kind, witness)
        for (rule, place), (kind, witness) in search.lies.items()
    ]
    found += agree_rules.of_schemas(search.both, unread, search)
    if not search.admitted:
        found.append(agree_rules.no_call(name))
    return sorted(found, key=lambda one: (one.place, one.rule))
