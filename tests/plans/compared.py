"""
Random calls judged with a plan and without: the bytes are the same.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from tests.plans import drawn
from weighbridge import foreign
from weighbridge.catalog import Catalog
from weighbridge.limits import Limits
from weighbridge.plan import Lazily

#: Limits that calls meet: the defaults, and some that small calls pass.
LIMITS = (
    Limits(),
    Limits(nesting=3, nodes=40, rendered=120, work=100_000),
    Limits(nesting=4, nodes=1_000, rendered=10_000, work=300),
    Limits(work=60),
)

#: Calls of each schema.
CALLS = 20


@dataclass(slots=True)
class Tally:
    """
    What came of the calls.
    """

    #: Calls by what became of them: admitted by the plan, admitted by the
    #: authority alone, refused.
    calls: Counter[str] = field(default_factory=Counter)

    #: Schemas, those that have no plan among them, and those not usable.
    schemas: Counter[str] = field(default_factory=Counter)

    differing: list[Any] = field(default_factory=list)


def catalog_of(schema: Any, limits: Limits) -> Catalog:
    """One tool, judged as published, under limits of one's own."""
    tools, unusable = foreign.tools_of(
        [{"name": "t", "inputSchema": schema}], limits, "as-published"
    )
    return Catalog(limits, "", "", tools, advisory=True, unusable=unusable)


def compare(seed: int, schemas: int) -> Tally:
    """Draw that many schemas, and ``CALLS`` calls of each."""
    rng = random.Random(seed)
    tally = Tally()
    for _ in range(schemas):
        schema = drawn.root(rng)
        catalog = catalog_of(schema, rng.choice(LIMITS))
        if catalog.unusable:
            tally.schemas["not usable"] += 1
            continue
        calls = [drawn.members(rng, schema, schema) for _ in range(CALLS)]
        _judge(tally, schema, catalog, calls)
    return tally


def _judge(tally: Tally, schema: Any, catalog: Catalog, calls: list[Any]) -> None:
    plain = replace(catalog, planned=False)
    plan = catalog.contract.plans["t"]
    catalog.check("t", {})
    for call in calls:
        quick, slow = catalog.check("t", call), plain.check("t", call)
        if quick.to_json() != slow.to_json():
            tally.differing.append((schema, call, catalog.limits))
        by_plan = _admits(plan, catalog, call)
        if by_plan and not slow.admitted:
            tally.differing.append((schema, call, "the plan admits"))
        tally.calls[_outcome(admitted=slow.admitted, by_plan=by_plan)] += 1
    name = getattr(plan.run, "__name__", "")
    tally.schemas["planned" if name == "run" else "declined"] += 1


def _admits(plan: Lazily, catalog: Catalog, call: Any) -> bool:
    try:
        return plan.run(catalog.contract, call) is not None
    except Exception:  # noqa: BLE001 - as the gate: whatever it was, it looks closer
        return False


def _outcome(*, admitted: bool, by_plan: bool) -> str:
    if not admitted:
        return "refused"
    return "admitted by the plan" if by_plan else "admitted by the authority alone"
