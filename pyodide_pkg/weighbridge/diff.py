"""
What a change of catalog admits and refuses that the old one did not, each with a call to show it.

That two tools admit the same is said only where it is proven: by equal shapes, and
by limits that neither schema can reach.  Where shapes differ and no call was found
that shows it, that is what is said.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from weighbridge.audit import proven
from weighbridge.canonical import are_equal
from weighbridge.catalog import Catalog
from weighbridge.diff_limits import narrowed
from weighbridge.diff_search import NARROWER, WIDER, Search, Witness
from weighbridge.digest import shape
from weighbridge.limits import as_dict

#: Where the generated calls begin, unless somebody says otherwise.
SEED: Final = 20261201

#: Calls that are drawn for each tool, before any is varied.
TRIES: Final = 60

Standing = Literal["added", "removed", "changed", "unproven", "text", "same"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDiff:
    """
    How one tool stands in two catalogs.
    """

    name: str

    #: ``changed`` has a witness; ``unproven`` may admit the same, and that is not
    #: proven; ``text`` and ``same`` admit the same.
    standing: Standing

    #: A call that was admitted and is refused now.
    narrower: Witness | None = None

    #: A call that was refused and is admitted now.
    wider: Witness | None = None

    #: Calls that were put to both gates.
    asked: int = 0

    #: The tool's limits that differ, before and after.
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {
            "name": self.name,
            "standing": self.standing,
            "narrower": None if self.narrower is None else self.narrower.as_dict(),
            "wider": None if self.wider is None else self.wider.as_dict(),
            "asked": self.asked,
            "limits": {name: list(both) for name, both in self.limits.items()},
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogDiff:
    """
    How two catalogs stand to one another.
    """

    #: The digests, before and after.
    digests: tuple[str, str]
    shape_digests: tuple[str, str]

    #: The catalogs' limits that differ, before and after.
    limits: Mapping[str, tuple[int, int]]

    #: By name, in code-point order.
    tools: tuple[ToolDiff, ...]

    seed: int
    tries: int

    @property
    def admits_the_same(self) -> bool:
        """Whether it is proven that every call is admitted by both or by neither."""
        return all(one.standing in ("same", "text") for one in self.tools)

    @property
    def breaking(self) -> bool:
        """Whether some call is known that was admitted and is refused now."""
        return any(one.narrower is not None or one.standing == "removed" for one in self.tools)


def diff(old: Catalog, new: Catalog, *, seed: int = SEED, tries: int = TRIES) -> CatalogDiff:
    """
    Compare what two catalogs admit.

    Args:
        old: what was published.
        new: what is to be.
        seed: the same seed, tries and catalogs give the same answer.
        tries: calls drawn for each tool, at least 1; each place of them is varied as well.

    Raises:
        ValueError: ``tries`` is less than 1.
    """
    if tries < 1:
        raise ValueError("tries must be at least 1")
    before, after = as_dict(old.limits), as_dict(new.limits)
    return CatalogDiff(
        digests=(old.digest, new.digest),
        shape_digests=(old.shape_digest, new.shape_digest),
        limits={
            name: (before[name], after[name]) for name in before if before[name] != after[name]
        },
        tools=tuple(
            _of_tool(old, new, name, seed, tries) for name in sorted({*old.tools, *new.tools})
        ),
        seed=seed,
        tries=tries,
    )


def as_json(found: CatalogDiff) -> dict[str, Any]:
    """A comparison as JSON values, for another program or a page to show."""
    return {
        "admitsTheSame": found.admits_the_same,
        "breaking": found.breaking,
        "digests": list(found.digests),
        "shapeDigests": list(found.shape_digests),
        "limits": {name: list(both) for name, both in found.limits.items()},
        "tools": [one.as_dict() for one in found.tools],
        "seed": found.seed,
        "tries": found.tries,
    }


def _of_tool(old: Catalog, new: Catalog, name: str, seed: int, tries: int) -> ToolDiff:
    if name not in old.tools:
        return ToolDiff(name=name, standing="added")
    if name not in new.tools:
        return ToolDiff(name=name, standing="removed")
    limits = narrowed(old, new, name)
    if is_proven_same(old, new, name):
        alike = old.tools[name].digest == new.tools[name].digest
        return ToolDiff(name=name, standing="same" if alike else "text", limits=limits)
    rng = random.Random(f"{seed} {name}")  # noqa: S311 - calls are drawn from a seed, not secrets
    search = Search(old, new, name, rng)
    search.run(tries)
    return ToolDiff(
        name=name,
        standing="changed" if search.found else "unproven",
        narrower=search.witness(NARROWER),
        wider=search.witness(WIDER),
        asked=search.asked,
        limits=limits,
    )


def is_proven_same(old: Catalog, new: Catalog, name: str) -> bool:
    """
    Whether a tool of both admits the same in both, by its shape and by what it can reach.
    """
    if old.shape_digest == new.shape_digest:
        return True
    one, other = old.tools[name], new.tools[name]
    if old.advisory or new.advisory or old.bookkeeping != new.bookkeeping:
        return False
    if not are_equal(shape(dict(one.published)), shape(dict(other.published))):
        return False
    if dict(one.byte_bounds) != dict(other.byte_bounds):
        return False
    apart = narrowed(old, new, name).keys()
    # Blanks between values count in a body, and no schema bounds them.
    held = proven(one.root, one.limits) & proven(other.root, other.limits) - {"body"}
    return not apart or apart <= held
