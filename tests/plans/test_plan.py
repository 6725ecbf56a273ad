"""
A plan admits what the authority admits, or says nothing.
"""

import copy
import json
import pickle
import random
import sys
from collections import Counter
from dataclasses import replace

import pytest

from tests.cases.freeze import foreign
from tests.cases.table import FILES, frozen, read
from tests.catalogs import foreign as foreign_catalog
from tests.generate import value
from tests.plans import compared, drawn
from tests.plans.compared import catalog_of, compare
from tests.suites.apply import applied, registry_of
from tests.suites.official import groups, part, question
from weighbridge import Catalog, plan
from weighbridge.charge import Charge, charge
from weighbridge.errors import CatalogError
from weighbridge.limits import Limits
from weighbridge.node import Node, Resource
from weighbridge.plan_writer import Declined
from weighbridge.ready import Fact

SEARCH = "knowledge.search"
SMALL = {"projectId": "demo", "query": "retry"}


@pytest.fixture(scope="module")
def planned():
    """
    The sample contract, every plan of it written.
    """
    catalog = Catalog.bundled()
    for tool in catalog.tools:
        for _ in range(plan.ASKED):
            catalog.check(tool, {})
    assert {one.run.__name__ for one in catalog.contract.plans.values()} == {"run"}
    return catalog


@pytest.fixture(scope="module")
def plain(planned):
    return replace(planned, planned=False)


def every_member(tool):
    """
    Arguments that a tool admits, with every name that it declares.
    """
    rng = random.Random(3)
    schema = tool.published
    return {name: value(one, schema, rng) for name, one in schema.get("properties", {}).items()}


def by_plan(catalog, tool, arguments):
    """
    Whether the plan of a tool admits, with whatever it raises taken as no.
    """
    try:
        return catalog.contract.plans[tool].run(catalog.contract, arguments) is not None
    except Exception:  # noqa: BLE001 - as the gate: whatever it was, it looks closer
        return False


# --- with a plan and without ----------------------------------------------------


def test_random_calls_get_the_same_bytes_with_a_plan_and_without():
    tally = compare(seed=20, schemas=120)
    assert tally.differing == []
    assert min(tally.calls.values()) > 200
    assert tally.calls.keys() == {
        "refused",
        "admitted by the plan",
        "admitted by the authority alone",
    }
    assert tally.schemas["planned"] > tally.schemas["declined"]


def test_a_plan_that_left_out_a_test_would_be_noticed(monkeypatch):
    """
    The comparison can fail: here no plan looks at the length of anything.
    """
    whole = plan.written

    def short(root, limits):
        source, names = whole(root, limits)
        kept = [line for line in source.splitlines() if "if len(" not in line]
        return "\n".join(kept), names

    monkeypatch.setattr(plan, "written", short)
    assert compare(seed=20, schemas=60).differing


def test_every_row_of_the_table_gets_its_bytes_without_a_plan(planned, plain):
    """
    With plans the table is run by every seat.
    """
    of = {"contract": 1, "digest": planned.digest}
    outcomes = Counter()
    for row in read(*FILES):
        assert plain.check_text(row.tool, row.text).to_json() == frozen(row, of), row.name
        if row.verdict["admitted"]:
            arguments = json.loads(row.text or "null") or {}
            outcomes[by_plan(planned, row.tool, arguments)] += 1
    # By the authority alone: numbers past twenty digits, and what is near a limit.
    assert outcomes[True] > 8 * outcomes[False] > 0


def test_every_row_of_the_foreign_table_gets_its_bytes_with_a_plan_and_without():
    for row in read("foreign"):
        catalog = foreign(row)
        slow = replace(catalog, planned=False).check_text(row.tool, row.text).to_json()
        assert {catalog.check_text(row.tool, row.text).to_json() for _ in range(3)} == {slow}, (
            row.name
        )


def test_a_value_that_is_no_json_is_never_admitted_wherever_it_stands(planned, plain):
    """
    What only looks like JSON too: a string, an object or an array of another class.
    """
    for tool in planned.tools.values():
        whole = every_member(tool)
        for place in _places(whole):
            for odd in (*drawn.ODD, *drawn.ALIKE):
                arguments = _with(whole, place, odd)
                verdict = planned.check(tool.name, arguments)
                assert not verdict.admitted
                assert verdict.to_json() == plain.check(tool.name, arguments).to_json()


def _places(value, at=()):
    if at:
        yield at
    inside = ()
    if isinstance(value, dict):
        inside = value.items()
    elif isinstance(value, list):
        inside = list(enumerate(value))[:1]
    for token, below in inside:
        yield from _places(below, (*at, token))


def _with(whole, place, value):
    arguments = copy.copy(whole)
    here = arguments
    for token in place[:-1]:
        here[token] = copy.copy(here[token])
        here = here[token]
    here[place[-1]] = value
    return arguments


@pytest.mark.parametrize("draft", ["draft2020-12", "draft7"])
def test_a_plan_admits_no_case_of_the_official_suite_that_is_not_valid(draft):
    asked = part(draft, "mandatory")
    registry = registry_of(json.loads(question(draft, asked))["documents"])
    outcomes = Counter()
    for _file, group in groups(draft):
        run = _run_of(group["schema"], draft, registry)
        for case in group["tests"]:
            outcomes[case["valid"], _admits(run, case["data"])] += 1
    assert outcomes[False, True] == 0
    assert outcomes[True, True] > outcomes[True, False] / 2


def _run_of(schema, draft, registry):
    """
    The plan of an object whose one member is held to ``schema``.
    """
    try:
        inside = applied(schema, draft, registry)
        fact = Fact("properties", "/properties", {}, (("value", inside),))
        root = Node("", Resource(""), (("properties", fact),), takes=frozenset({"object"}))
        return plan.plan_of(plan.Lazily("t", root, Limits(), lambda *_: True))
    except CatalogError:
        return plan.looks_closer


def _admits(run, data):
    try:
        return run(None, {"value": data}) is not None
    except Exception:  # noqa: BLE001 - as the gate: whatever it was, it looks closer
        return False


# --- what a verdict says ----------------------------------------------------------


def test_the_charge_of_what_a_plan_admitted_is_exact(planned):
    for tool in planned.tools.values():
        whole = every_member(tool)
        if by_plan(planned, tool.name, whole):
            assert planned.check(tool.name, whole).charge == charge(whole, tool.limits)


def test_the_charge_speaks_of_the_arguments_as_they_were_judged():
    catalog = foreign_catalog(
        {
            "type": "object",
            "properties": {"a": {"type": "array", "maxItems": 3}},
            "maxProperties": 3,
        }
    )
    arguments = {"a": [{"deep": [1]}], "b": "text"}
    before = charge(arguments, catalog.limits)
    verdicts = [catalog.check("t", arguments) for _ in range(4)]
    arguments["a"][0]["deep"].append("more")
    arguments["a"].append(2)
    arguments["c"] = "longer"
    assert {one.charge for one in verdicts} == {before}


def test_what_a_plan_keeps_for_the_charge_leaves_no_verdict(planned):
    """
    Neither its text, nor its copy, nor its pickled form holds a value of the caller's.
    """
    arguments = {"projectId": "demo", "query": "canary-7f3a"}
    verdict = planned.check(SEARCH, arguments)
    assert verdict.admitted
    for told in (repr(verdict), str(verdict.as_dict()), repr(pickle.dumps(verdict))):
        assert "canary" not in told
    again = pickle.loads(pickle.dumps(verdict))  # noqa: S301 - made one line above
    assert (again, again.charge) == (verdict, charge(arguments, planned.limits))


def test_a_long_text_is_not_held_by_its_verdict(planned):
    """
    What may cost much is charged at once, so that a verdict that is kept keeps little.
    """
    arguments = every_member(planned.tools["knowledge.proposeChange"])
    arguments["body"] = "a" * plan.LAZY
    verdict = planned.check("knowledge.proposeChange", arguments)
    assert by_plan(planned, "knowledge.proposeChange", arguments)
    assert type(verdict._kept) is Charge
    assert verdict.charge == charge(arguments, planned.limits)


# --- where there is none ----------------------------------------------------------


def test_whatever_a_plan_raises_the_authority_decides(planned, plain):
    fault = MemoryError("canary")

    def failing(_contract, _arguments):
        raise fault

    broken = replace(planned)
    broken.contract.plans[SEARCH].run = failing
    assert broken.check(SEARCH, SMALL) == plain.check(SEARCH, SMALL)
    assert broken.check(SEARCH, {}) == plain.check(SEARCH, {})


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"$ref": "#"}}},
        {"properties": {"a": {"contains": {"type": "null"}}}},
        {"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False},
        {"$dynamicRef": "#x", "$defs": {"x": {"$dynamicAnchor": "x"}}},
        {"patternProperties": {"^a": {"type": "null"}, "b$": {"type": "null"}}},
        {"properties": {"a": {"enum": [[1], {}]}}},
        {"not": {"anyOf": [{"not": {"anyOf": [{"required": [x]} for x in "abcde"]}}] * 5}},
        {"properties": {f"p{at}": {"type": "string", "maxLength": 9} for at in range(800)}},
    ],
)
def test_a_schema_that_no_plan_is_written_for_is_judged_by_the_authority(schema):
    catalog = catalog_of({"type": "object", **schema}, Limits())
    verdicts = {catalog.check("t", {"a": None}).to_json() for _ in range(3)}
    assert catalog.contract.plans["t"].run is plan.looks_closer
    assert verdicts == {replace(catalog, planned=False).check("t", {"a": None}).to_json()}


def test_a_schema_whose_work_is_not_proven_has_no_plan():
    several = {"anyOf": [{"type": "string", "pattern": f"a{{1,9}}b{at}"} for at in range(9)]}
    schema = {"type": "object", "properties": {"a": {"type": "array", "items": several}}}
    tight = catalog_of(schema, Limits(work=100))
    with pytest.raises(Declined):
        plan.written(tight.tools["t"].root, tight.limits)


def test_a_plan_is_written_when_a_tool_is_asked_for_again(planned):
    catalog = replace(planned)
    lazily = catalog.contract.plans[SEARCH]
    catalog.check(SEARCH, SMALL)
    assert lazily.run.__name__ == "_first"
    catalog.check(SEARCH, SMALL)
    assert lazily.run.__name__ == "run"


def test_nothing_that_a_schema_says_stands_in_the_source_of_its_plan():
    """
    A published text is data to the function, whatever it holds.
    """
    canary = "canary\"'\n    raise SystemExit"
    strings = {"type": "string", "maxLength": 64_007, "enum": [canary], "pattern": "canary"}
    schema = {
        "type": "object",
        "properties": {
            canary: strings,
            "n": {"type": "number", "maximum": 64_009, "const": 64_011},
        },
        "patternProperties": {"canary$": {"const": canary}},
        "required": [canary],
        "dependentRequired": {canary: [canary]},
    }
    tool = catalog_of(schema, Limits()).tools["t"]
    source, _names = plan.written(tool.root, tool.limits)
    assert "canary" not in source
    assert "6400" not in source
    assert "raise" not in source


# --- what it takes ------------------------------------------------------------------


def test_a_small_call_is_admitted_in_few_instructions(planned):
    """
    Counted, not timed: a change that makes every call dearer shows here first.
    """
    assert _instructions(lambda: planned.check(SEARCH, SMALL)) <= 260


def _instructions(call):
    seen = Counter()
    monitoring = sys.monitoring
    tool = next(at for at in range(6) if monitoring.get_tool(at) is None)
    monitoring.use_tool_id(tool, "instructions")
    event = monitoring.events.INSTRUCTION

    def met(_code, _offset):
        seen["met"] += 1

    monitoring.register_callback(tool, event, met)
    monitoring.set_events(tool, event)
    try:
        call()
    finally:
        monitoring.set_events(tool, 0)
        monitoring.register_callback(tool, event, None)
        monitoring.free_tool_id(tool)
    return seen["met"]


def test_the_comparison_knows_limits_that_small_calls_pass():
    assert {one.nodes for one in compared.LIMITS} > {40, 1_000}
