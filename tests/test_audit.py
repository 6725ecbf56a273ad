"""
What a schema can admit at most, and which limits are therefore proven for it.
"""

import copy
import dataclasses
import json
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.catalogs import foreign, published
from tests.generate import calls, faults, value
from tests.maximal import MEASURES, bounded, composed, maximal, measured
from tests.schemas import instances, schemas
from weighbridge import Catalog, audit
from weighbridge.audit_shapes import Together, alternatives
from weighbridge.audit_sizes import sizes
from weighbridge.audit_strings import most
from weighbridge.audit_work import Endless, work
from weighbridge.charge import Charge, charge
from weighbridge.evaluation import Evaluation
from weighbridge.gate import smallest
from weighbridge.limits import ENVELOPE, INLINE_BODY, WIRE_RATIO, Limits

#: The limits that a tool of the sample contract is not proven inside, and why not.
NOT_PROVEN = {
    # The document is any JSON object: the limits on a whole call are its only bounds.
    "knowledge.generateMigrationDraft": {"nesting", "nodes", "rendered", "body"},
    # The inline body lands in at most 8 MiB, but a text of little else than control
    # or unassigned characters renders, and travels, to several times that.
    "knowledge.proposeChange": {"rendered", "body"},
    "review.generateKnowledgeCandidate": {"rendered", "body"},
}

LIMITS = {"nesting", "nodes", "rendered", "body", "work"}
TOOLS = Catalog.bundled().tools
ENDLESS = 10**9

many = settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))


def spent(root, arguments):
    """Whether a schema admits arguments, and the steps that the authority took."""
    evaluation = Evaluation(ENDLESS)
    misses, _more = smallest(root, arguments, evaluation)
    return not misses, evaluation.spent


# --- exact --------------------------------------------------------------------


@pytest.mark.no_cover
@many
@given(bounded)
def test_the_greatest_value_of_a_bounded_schema_reaches_each_bound_exactly(schema):
    root = {"type": "object", "properties": {"v": schema}, "required": ["v"]}
    catalog = foreign({**root, "additionalProperties": False})
    node = catalog.tools["t"].root
    found = sizes(node)
    for measure in MEASURES:
        arguments = {"v": maximal(schema, measure)}
        assert spent(node, arguments)[0], arguments
        bound = found[measure]
        assert (measured(arguments, measure), bound.exact) == (bound.value, True), measure


@pytest.mark.no_cover
@pytest.mark.parametrize("name", sorted(TOOLS.keys() - {"knowledge.generateMigrationDraft"}))
def test_the_greatest_arguments_of_a_tool_reach_each_bound_exactly(name):
    root = TOOLS[name].root
    found = sizes(root)
    for measure in MEASURES:
        arguments = maximal(root.schema, measure)
        assert spent(root, arguments)[0]
        assert measured(arguments, measure) == found[measure].value
        assert found[measure].exact


def test_without_its_document_the_draft_is_bounded_exactly_too(tmp_path):
    schema = copy.deepcopy(TOOLS["knowledge.generateMigrationDraft"].root.schema)
    schema["properties"]["document"]["additionalProperties"] = False
    root = foreign(schema).tools["t"].root
    schema["properties"]["document"]["properties"] = {}
    for measure in MEASURES:
        assert measured(maximal(schema, measure), measure) == sizes(root)[measure].value


#: What a character of each size costs: the larger, the more, or it would never be chosen.
RISING = st.lists(st.integers(1, 13), min_size=4, max_size=4, unique=True).flatmap(
    lambda values: st.sets(st.sampled_from((1, 2, 3, 4)), min_size=1).map(
        lambda sizes: dict(zip(sorted(sizes), sorted(values), strict=False))
    )
)


@pytest.mark.no_cover
@given(RISING, st.integers(0, 10), st.integers(0, 36))
@settings(parent=many, max_examples=1_000)
def test_the_costliest_mixture_of_sizes_is_the_best_of_all_that_fit(each, count, size):
    def best(sizes, left, room):
        if not sizes:
            return 0
        first, *rest = sizes
        return max(
            many * each[first] + best(rest, left - many, room - many * first)
            for many in range(min(left, room // first) + 1)
        )

    found = most(each, count, size)
    assert sum(found.values()) <= count
    assert sum(one * many for one, many in found.items()) <= size
    assert sum(each[one] * many for one, many in found.items()) == best(sorted(each), count, size)


# --- sound --------------------------------------------------------------------


@pytest.mark.no_cover
@settings(parent=many, max_examples=300)
@given(schemas, instances)
def test_nothing_that_a_schema_admits_passes_what_is_said_of_it(schema, instance):
    catalog = foreign({"type": "object", **schema, "additionalProperties": False})
    root = catalog.tools["t"].root
    arguments = {"v": instance}
    admitted, steps = spent(root, arguments)
    if not admitted:
        return
    found = sizes(root)
    assert found is not None
    for measure in MEASURES:
        assert found[measure].value is None or measured(arguments, measure) <= found[measure].value
    inside = charge(arguments, Limits())
    assert isinstance(inside, Charge)
    assert steps <= work(root, Limits(nodes=inside.nodes, rendered=inside.rendered)).steps


@pytest.mark.no_cover
@many
@given(composed())
def test_no_value_made_of_the_greatest_parts_passes_what_is_said_of_their_composition(drawn):
    schema, instance = drawn
    wrapped = {"type": "object", "properties": {"v": schema}, "additionalProperties": False}
    root = foreign(wrapped).tools["t"].root
    arguments = {"v": instance}
    admitted, steps = spent(root, arguments)
    if not admitted:
        return
    found = sizes(root)
    for measure in MEASURES:
        assert found[measure].value is None or measured(arguments, measure) <= found[measure].value
    assert steps <= work(root, Limits()).steps


@pytest.mark.no_cover
@pytest.mark.parametrize("name", sorted(TOOLS))
def test_no_generated_call_to_a_tool_passes_what_is_said_of_it(name):
    tool = TOOLS[name]
    found = audit.extent(tool.root, tool.limits)
    for call in calls({name: tool.root.schema}, seed=4, count=200):
        admitted, steps = spent(tool.root, call.arguments)
        assert admitted == (call.fault is None)
        assert steps <= (found.work if admitted else found.refusing).value
        for measure in ("nesting", "nodes", "rendered"):
            bound = getattr(found, measure).value
            assert not admitted or bound is None or measured(call.arguments, measure) <= bound


@pytest.mark.parametrize("name", sorted(TOOLS.keys() - {"knowledge.generateMigrationDraft"}))
def test_the_greatest_arguments_take_no_more_steps_than_is_said(name):
    tool = TOOLS[name]
    found = audit.extent(tool.root, tool.limits)
    for measure in ("nodes", "rendered", "raw"):
        admitted, steps = spent(tool.root, maximal(tool.root.schema, measure))
        assert admitted
        assert steps <= found.work.value


@pytest.mark.parametrize("name", sorted(TOOLS.keys() - {"knowledge.generateMigrationDraft"}))
def test_the_greatest_arguments_with_everything_wrong_take_no_more_steps_than_is_said(name):
    tool = TOOLS[name]
    found = audit.extent(tool.root, tool.limits)
    arguments = maximal(tool.root.schema, "nodes")
    broken = list(faults(name, tool.root.schema, arguments, random.Random(3)))
    for wrong in (
        dict.fromkeys(arguments, False),
        {f"{key}_": one for key, one in arguments.items()},
        {key: [] if isinstance(one, str) else "" for key, one in arguments.items()},
        {
            key: [{"x": 1}] * len(one) if isinstance(one, list) else one
            for key, one in arguments.items()
        },
        {},
        *(call.arguments for call in random.Random(5).sample(broken, min(40, len(broken)))),
    ):
        _admitted, steps = spent(tool.root, wrong)
        assert steps <= found.refusing.value


def spoilt(value, leaf, *, more):
    """A value with each leaf put through ``leaf``, and one more of everything if ``more``."""
    if isinstance(value, dict):
        inside = {key: spoilt(one, leaf, more=more) for key, one in value.items()}
        return inside | ({"zz": 0} if more else {})
    if isinstance(value, list):
        return [spoilt(one, leaf, more=more) for one in value] + ([0] if more else [])
    return leaf(value)


#: Ways to make every leaf of a value wrong, or to leave it as it is.
SPOILERS = (
    lambda _value: "",
    lambda _value: None,
    lambda _value: 0.5,
    lambda _value: [],
    lambda value: f"{value}x" if isinstance(value, str) else value,
    lambda value: value,
)


@pytest.mark.no_cover
@many
@given(bounded)
def test_a_refused_call_hardly_larger_than_what_is_admitted_takes_no_more_than_is_said(schema):
    root = {"type": "object", "properties": {"v": schema}, "required": ["v"]}
    node = foreign({**root, "additionalProperties": False}).tools["t"].root
    refusing = audit.extent(node, Limits()).refusing.value
    for measure in ("nodes", "rendered"):
        whole = {"v": maximal(schema, measure)}
        for leaf in SPOILERS:
            for more in (False, True):
                assert spent(node, spoilt(whole, leaf, more=more))[1] <= refusing


LONG = "n" * 128_000
PLAIN = {"type": "string", "maxLength": 200}
LIST = {"type": "array", "maxItems": 5}
NEST = [1, [*range(100)], {"a": "y" * 640}]
ONE_TAKES = {
    "type": "string",
    "anyOf": [*({"type": "null", "const": None} for _ in range(40)), PLAIN],
}

#: What ``p`` says, its greatest value, and how far the bound may be above the steps it takes.
NEAR = [
    (PLAIN, "x" * 200, 2),
    ({**LIST, "items": {"type": "integer"}}, [1] * 5, 3),
    ({"type": "string", "maxLength": 20_000, "x-maxBytes": 20_000}, "x" * 20_000, 2),
    ({**PLAIN, "pattern": "^[a-z]*$"}, "x" * 200, 2),
    ({**PLAIN, "format": "uri"}, f"a:{'x' * 198}", 2),
    ({"enum": [NEST]}, NEST, 20),
    ({**PLAIN, "if": {"minLength": 1}, "then": PLAIN, "else": False}, "x", 16),
    ({"type": "number", "multipleOf": 0.01}, 10**4299, 2),
    ({"type": "array", "prefixItems": [PLAIN, PLAIN], "items": False}, ["x", "y"], 5),
    (ONE_TAKES, "x", 12),
]


@pytest.mark.parametrize(("schema", "value", "above"), NEAR)
def test_a_bound_on_steps_is_near_what_the_greatest_value_takes(schema, value, above):
    whole = {"type": "object", "properties": {"p": schema}, "additionalProperties": False}
    root = foreign(whole).tools["t"].root
    admitted, steps = spent(root, {"p": value})
    assert admitted
    assert steps <= work(root, Limits()).steps <= steps + above


def test_a_finding_below_a_long_name_is_inside_what_is_said_of_refusals():
    inner = {"type": "object", "properties": {"c": PLAIN}, "additionalProperties": False}
    whole = {"type": "object", "properties": {LONG: inner}, "additionalProperties": False}
    root = foreign(whole).tools["t"].root
    admitted, steps = spent(root, {LONG: {"c": 1}})
    assert not admitted
    assert 1_000 < steps <= work(root, Limits(), refused=True).steps


def test_a_branch_of_one_of_bounds_a_value_too(tmp_path):
    choice = {"oneOf": [{"type": "string", "maxLength": 3}, {"type": "null"}]}
    root = published(tmp_path, properties={"p": choice}).tools["t"].root
    found = sizes(root)["rendered"]
    assert (found.value, found.exact) == (1 + 30, False)


# --- unbounded ----------------------------------------------------------------

P = "/properties/p"
TEXT = {"type": "string", "maxLength": 3}

#: A schema for ``p``, a measure, where there is no bound, and what would set one.
OPEN = [
    ({"type": "string"}, "rendered", P, "maxLength"),
    ({"type": "array", "items": TEXT}, "nodes", P, "maxItems"),
    (
        {"type": "array", "maxItems": 3, "items": {"type": "string"}},
        "bytes",
        f"{P}/items",
        "maxLength",
    ),
    (
        {"type": "object", "additionalProperties": TEXT},
        "rendered",
        P,
        '"additionalProperties": false',
    ),
    (
        {"type": "object", "additionalProperties": TEXT, "propertyNames": TEXT},
        "nodes",
        P,
        "maxProperties",
    ),
    (True, "nesting", P, "a type"),
    (
        {"type": "array", "maxItems": 1, "items": {"$ref": "#/properties/p"}},
        "nesting",
        "/$defs/p",
        "a schema that ends",
    ),
]


@pytest.mark.parametrize(("schema", "measure", "place", "missing"), OPEN)
def test_what_has_no_bound_is_told_with_the_place_and_what_would_set_one(
    tmp_path, schema, measure, place, missing
):
    tool = published(tmp_path, properties={"p": schema}).tools["t"]
    found = getattr(audit.extent(tool.root, tool.limits), measure)
    assert (found.value, found.place, found.missing) == (None, place, missing)


def test_an_array_without_a_bound_has_one_on_its_nesting(tmp_path):
    tool = published(tmp_path, properties={"p": {"type": "array", "items": TEXT}}).tools["t"]
    assert audit.extent(tool.root, tool.limits).nesting.value == 3


def test_work_has_no_bound_behind_a_reference_that_comes_back(tmp_path):
    again = {"type": "array", "maxItems": 1, "items": {"$ref": "#/properties/p"}}
    tool = published(tmp_path, properties={"p": again}).tools["t"]
    with pytest.raises(Endless) as caught:
        work(tool.root, tool.limits)
    assert caught.value.missing == "a schema that ends"
    assert "work" not in audit.proven(tool.root, tool.limits)


def test_a_schema_that_admits_nothing_is_inside_every_limit(tmp_path):
    tool = published(tmp_path, properties={"p": {"enum": []}}, required=["p"]).tools["t"]
    assert sizes(tool.root) is None
    assert audit.proven(tool.root, tool.limits) == LIMITS


def test_branches_past_what_is_kept_apart_make_a_bound_wider_and_never_exact(tmp_path):
    choices = [{"anyOf": [{"maxLength": 1}, {"maxLength": 2}]} for _ in range(8)]
    wide = {"type": "string", "maxLength": 9, "allOf": choices}
    root = published(tmp_path, properties={"p": wide}).tools["t"].root
    found = sizes(root)["rendered"]
    assert found.value >= 1 + 20
    assert not found.exact
    together: Together = frozenset({root})
    assert alternatives(together)[1]


# --- the ten tools ------------------------------------------------------------


def test_every_tool_is_proven_inside_every_limit_or_named_in_one_list_with_the_reason():
    open_to = {name: LIMITS - audit.proven(tool.root, tool.limits) for name, tool in TOOLS.items()}
    assert {name: left for name, left in open_to.items() if left} == NOT_PROVEN


def test_a_limit_that_is_one_less_than_the_bound_is_not_proven():
    tool = TOOLS["knowledge.get"]
    found = audit.extent(tool.root, tool.limits)
    for name in ("nesting", "nodes", "rendered", "work"):
        bound = getattr(found, name).value
        at = dataclasses.replace(tool.limits, **{name: bound})
        under = dataclasses.replace(tool.limits, **{name: bound - 1})
        assert audit.proven(tool.root, at) == LIMITS
        assert audit.proven(tool.root, under) == LIMITS - {name}
    at = dataclasses.replace(tool.limits, body=found.bytes.value + ENVELOPE)
    under = dataclasses.replace(tool.limits, body=found.bytes.value + ENVELOPE - 1)
    assert audit.proven(tool.root, at) == LIMITS
    assert audit.proven(tool.root, under) == LIMITS - {"body"}


@pytest.mark.no_cover
def test_what_is_proven_is_never_refused_for_it():
    for name, tool in TOOLS.items():
        left = audit.proven(tool.root, tool.limits) - {"body", "work"}
        if left != {"nesting", "nodes", "rendered"}:
            continue
        for measure in MEASURES:
            arguments = maximal(tool.root.schema, measure)
            assert Catalog.bundled().check(name, arguments).admitted


# --- the envelope -------------------------------------------------------------


def envelope(schema):
    """The bytes that everything beside the inline body of a tool can take on the wire."""
    beside = copy.deepcopy(schema)
    beside["properties"]["body"] = {"type": "string", "maxLength": 0}
    root = foreign(beside).tools["t"].root
    return audit.extent(root, Limits()).bytes.value + ENVELOPE


BODIES = ("knowledge.proposeChange", "review.generateKnowledgeCandidate")


@pytest.mark.parametrize("name", BODIES)
def test_the_mebibyte_of_the_body_limit_holds_every_field_beside_the_inline_body(name):
    schema = TOOLS[name].root.schema
    assert schema["properties"]["body"]["x-maxBytes"] == INLINE_BODY
    assert Limits().body - WIRE_RATIO * INLINE_BODY == 2**20
    assert envelope(schema) <= 2**20


@pytest.mark.parametrize("name", BODIES)
def test_a_field_beside_the_body_that_may_grow_twofold_would_pass_the_mebibyte(name):
    schema = copy.deepcopy(TOOLS[name].root.schema)
    anchor = schema["properties"]["sourceAnchors"]["items"]["properties"]["sourceUri"]
    anchor["maxLength"] *= 2
    assert envelope(schema) > 2**20


@pytest.mark.parametrize("name", BODIES)
def test_the_greatest_fields_beside_a_body_at_the_worst_ratio_pass_the_text_door(name):
    arguments = maximal(TOOLS[name].root.schema, "escaped")
    # Three bytes on the wire for each that lands: of all classes but the controls.
    arguments["body"] = "\u00e9" * (INLINE_BODY // 2)
    sent = json.dumps(arguments)
    assert len(sent) > WIRE_RATIO * INLINE_BODY + 2**19
    assert Catalog.bundled().check_text(name, sent).admitted


def test_a_value_drawn_from_a_tool_is_a_call_that_it_admits():
    for name, tool in TOOLS.items():
        drawn = value(tool.root.schema, tool.root.schema, random.Random(2))
        assert Catalog.bundled().check(name, drawn).admitted


@pytest.mark.parametrize("keyword", ["anyOf", "allOf", "properties", "items"])
def test_a_chain_as_long_as_a_load_takes_is_audited_without_the_interpreter_s_stack(keyword):
    """
    As many schemas as may apply to one value, or many levels; none of them only a reference.
    """

    def link(at):
        after = {"$ref": f"#/$defs/d{at + 1}"}
        return {
            "anyOf": {"anyOf": [after, {"type": "null"}]},
            "allOf": {"allOf": [after, {"type": ["string", "null"]}]},
            "properties": {"type": "object", "properties": {"n": after}},
            "items": {"type": "array", "items": after, "maxItems": 2},
        }[keyword]

    last = 140 if keyword in ("properties", "items") else 70
    chain = {f"d{at}": link(at) for at in range(last)} | {f"d{last}": TEXT}
    first = {"p": {"$ref": "#/$defs/d0"}}
    whole = {"$defs": chain, "type": "object", "properties": first, "additionalProperties": False}
    root = foreign(whole).tools["t"].root
    proven = audit.proven(root, Limits())
    assert proven <= LIMITS
    assert ("nesting" in proven) == (keyword in ("anyOf", "allOf"))
