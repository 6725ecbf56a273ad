"""
Draws schemas of every keyword, and instances that come near them.

Small on purpose: the shorter a schema, the more of its instances are decided by
the keyword that is at fault.
"""

from typing import Any

from hypothesis import strategies as st

#: Names and leaves that schemas and instances share, so that they meet.
NAMES = ("a", "b", "c", "é", "\U0001f600")
LEAVES = (
    *(None, True, False, 0, 1, -1, 2, 10, 0.5, 1.0, -0.0, 1.5, 1e308, 5e-324, 10**30, 2**53 + 1),
    *("", "a", "b", "ab", "aé", "\U0001f600", "\U0001f600\U0001f600", "x" * 9),
)
TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")

names = st.sampled_from(NAMES)
leaves = st.sampled_from(LEAVES)
counts = st.integers(0, 3)
instances: st.SearchStrategy[Any] = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=8,
)

#: Keyword to what its value is drawn from, for those that hold no schema.
ASSERTIONS = {
    "type": st.sampled_from(TYPES)
    | st.lists(st.sampled_from(TYPES), min_size=1, max_size=3, unique=True),
    "enum": st.lists(instances, min_size=1, max_size=3),
    "const": instances,
    "multipleOf": st.sampled_from((1, 2, 0.5, 3, 1e300)),
    "maximum": st.sampled_from((0, 1, 1.5, 1e308)),
    "exclusiveMaximum": st.sampled_from((0, 1, 1.5, 2)),
    "minimum": st.sampled_from((0, 1, 0.5, -1)),
    "exclusiveMinimum": st.sampled_from((0, 1, 0.5, -1)),
    "maxLength": counts,
    "minLength": counts,
    "maxItems": counts,
    "minItems": counts,
    "uniqueItems": st.booleans(),
    "maxProperties": counts,
    "minProperties": counts,
    "required": st.lists(names, max_size=2, unique=True),
    "dependentRequired": st.dictionaries(
        names, st.lists(names, max_size=2, unique=True), max_size=2
    ),
    "pattern": st.sampled_from(("a", "^a", "b$", "^.$", "^[ab]*$", "é")),
}


def _applicators(inner: Any) -> dict[str, Any]:
    several = st.lists(inner, min_size=1, max_size=3)
    by_name = st.dictionaries(names, inner, max_size=3)
    return {
        "allOf": several,
        "anyOf": several,
        "oneOf": several,
        "not": inner,
        "if": inner,
        "then": inner,
        "else": inner,
        "dependentSchemas": by_name,
        "prefixItems": several,
        "items": inner,
        "contains": inner,
        "minContains": counts,
        "maxContains": counts,
        "properties": by_name,
        "patternProperties": st.dictionaries(
            st.sampled_from(("a", "^.$", "b|c")), inner, max_size=2
        ),
        "additionalProperties": inner,
        "propertyNames": inner,
        "unevaluatedItems": inner,
        "unevaluatedProperties": inner,
    }


def _schema(inner: Any, *, refs: bool) -> Any:
    choices = ASSERTIONS | _applicators(inner)
    if refs:
        choices["$ref"] = st.sampled_from(("#/$defs/one", "#/$defs/two"))
    picked = st.sets(st.sampled_from(sorted(choices)), max_size=4)
    return picked.flatmap(
        lambda keywords: st.fixed_dictionaries({key: choices[key] for key in sorted(keywords)})
    )


def _level(depth: int, *, refs: bool) -> Any:
    base = st.booleans() | st.just({"type": "string"}) | st.just({"const": 1})
    return base if depth == 0 else base | _schema(_level(depth - 1, refs=refs), refs=refs)


_definitions = st.fixed_dictionaries({"one": _level(1, refs=False), "two": _level(2, refs=False)})

#: A schema of Draft 2020-12 that an instance property ``v`` is held to; its
#: references lead to definitions that refer to nothing.
schemas = st.tuples(_schema(_level(2, refs=True), refs=True), _definitions).map(
    lambda pair: {"properties": {"v": pair[0]}, "$defs": pair[1]}
)
