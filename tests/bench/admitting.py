"""
One call in one process: the whole gate, beside validators that give no verdict.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jsonschema
import jsonschema_rs

from tests.bench.calls import Case, Held, admitted, held, refused
from tests.bench.paired import measure

#: The gate: lookup, charge, schema, verdict.
GATE = "weighbridge"

#: The same with no plan: the authority alone.
AUTHORITY = "weighbridge without its plan"

#: The validators, each asked for all its errors.
RS = "jsonschema-rs"
PLAIN = "jsonschema"


def contenders(held: Held, case: Case) -> dict[str, Callable[[], object]]:
    """
    What each contender does with one call.

    Validators are given the schema as it stands in its file, with its registry,
    made once beforehand.
    """
    schema = held.documents[case.tool]
    resources = {uri: held.registry.contents(uri) for uri in held.registry}
    fast = jsonschema_rs.Draft202012Validator(schema, retriever=resources.__getitem__)
    slow = jsonschema.Draft202012Validator(schema, registry=held.registry)
    unplanned = replace(held.catalog, planned=False)
    arguments = case.arguments
    for _ in range(3):
        held.catalog.check(case.tool, arguments)
    return {
        GATE: lambda: held.catalog.check(case.tool, arguments),
        AUTHORITY: lambda: unplanned.check(case.tool, arguments),
        RS: lambda: list(fast.iter_errors(arguments)),
        PLAIN: lambda: list(slow.iter_errors(arguments)),
    }


def run(say: Callable[[str], None]) -> list[dict[str, Any]]:
    """Measure every call; each record has ratios and microseconds."""
    everything = held()
    told = []
    for kind, cases in (("admitted", admitted()), ("refused", refused())):
        for case in cases:
            say(f"{kind}: {case.name}")
            verdict = everything.catalog.check(case.tool, case.arguments)
            assert verdict.admitted is (kind == "admitted"), verdict
            measured = measure(contenders(everything, case))
            told.append(
                {
                    "kind": kind,
                    "call": case.name,
                    "microseconds": {name: measured.seconds(name) * 1e6 for name in measured.turns},
                    "by jsonschema-rs": measured.ratio(GATE, RS).as_dict(),
                    "jsonschema by it": measured.ratio(PLAIN, GATE).as_dict(),
                    "without its plan": measured.ratio(AUTHORITY, GATE).as_dict(),
                }
            )
    return told
