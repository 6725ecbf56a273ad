"""
The largest values of a bounded schema, made from the document alone.

Nothing here asks the package what a schema admits: leaves are tried, lists are
filled, objects hold whatever costs the most.  Beside it, schemas to make them of.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from hypothesis import strategies as st

from weighbridge.charge import charge
from weighbridge.limits import Limits

#: Limits that no value of a test passes.
ENDLESS = Limits(nesting=100, nodes=10**9, rendered=1 << 40)

#: One character of each size in UTF-8 that is charged and spelt the worst.
WORST = ("\x00", "\u0378", "\ufdd0", "\U0010ffff")

#: Floats that one language or the other spells at the greatest length.
FLOATS = (
    -2.2250738585072014e-308,
    2.2250738585072014e-308,
    -1.7976931348623157e308,
    1.7976931348623157e308,
    -1.2345678901234567e-06,
    1.2345678901234567e-06,
    -0.0,
)

MEASURES = ("nesting", "nodes", "rendered", "escaped", "raw")


def measured(value: Any, measure: str) -> int:
    """One measure of a whole value, by the walk of a call and by an encoder."""
    if measure in ("escaped", "raw"):
        return len("".join(_encoded(value, escaped=measure == "escaped")).encode())
    return getattr(charge(value, ENDLESS), measure)


def _encoded(value: Any, *, escaped: bool) -> Iterator[str]:
    """JSON text as encoders write it, each float as the language that needs more."""
    if isinstance(value, dict):
        inside = (
            ": ".join((json.dumps(key, ensure_ascii=escaped), text(one, escaped=escaped)))
            for key, one in value.items()
        )
        yield "{" + ", ".join(inside) + "}"
    elif isinstance(value, list):
        yield "[" + ", ".join(text(one, escaped=escaped) for one in value) + "]"
    elif isinstance(value, float) and 1e-6 <= abs(value) < 1e21:
        # As Number::toString has it: no exponent between these.
        yield max(repr(value), f"{Decimal(repr(value)):f}", key=len)
    else:
        yield json.dumps(value, ensure_ascii=escaped)


def text(value: Any, *, escaped: bool) -> str:
    """The text of one value."""
    return "".join(_encoded(value, escaped=escaped))


def maximal(schema: Any, measure: str) -> Any:
    """
    A value of ``schema`` that no other passes by ``measure``.
    """
    return max(_candidates(schema, measure), key=lambda value: measured(value, measure))


def _candidates(schema: Mapping[str, Any], measure: str) -> Iterator[Any]:
    if "enum" in schema:
        yield from _listed(schema)
        return
    if "anyOf" in schema:
        for branch in schema["anyOf"]:
            yield from _candidates(branch, measure)
        return
    kinds = schema["type"]
    for kind in [kinds] if isinstance(kinds, str) else kinds:
        yield from _OF[kind](schema, measure)


def _listed(schema: Mapping[str, Any]) -> Iterator[Any]:
    kinds = schema.get("type", ())
    for value in schema["enum"]:
        if isinstance(value, int | float) and not isinstance(value, bool) and value == int(value):
            yield from (int(value), float(value), *([-0.0] if not value else []))
        elif not kinds or isinstance(value, str):
            yield value


def _string(schema: Mapping[str, Any], measure: str) -> Iterator[str]:
    count, size = schema.get("maxLength"), schema.get("x-maxBytes")
    if "format" in schema:
        yield _OF_FORMAT[schema["format"]]
    elif "pattern" in schema:
        # Here and in a browser ``$`` does not match before a final newline.
        found = re.compile(schema["pattern"].removesuffix("$") + r"\Z", re.ASCII)
        most = range((count if count is not None else 70) + 1)
        texts = [chr(point) * many for point in range(0x250) for many in (most[-1], 64)]
        yield from (one for one in texts if found.search(one) and len(one) <= most[-1])
    elif size is None:
        yield from (letter * count for letter in WORST)
    elif count is None or count >= size > 100:
        # Far past where other sizes could be of use beside the controls.
        yield WORST[0] * size
    else:
        yield from _mixed(count, size, measure)


def _mixed(count: int, size: int, measure: str) -> Iterator[str]:
    """Every mixture of sizes that fits, tried."""
    for many in itertools.product(*(range(size // at + 1) for at in (1, 2, 3, 4))):
        bytes_of = sum(at * times for at, times in enumerate(many, 1))
        if sum(many) <= count and bytes_of <= size:
            yield "".join(letter * times for letter, times in zip(WORST, many, strict=True))


def _integer(schema: Mapping[str, Any], _measure: str) -> Iterator[Any]:
    low, high = _ends(schema)
    yield from (low, high)
    for one in (low, high):
        if abs(one) < 10**16:
            yield float(one)
    if low <= 0 <= high:
        yield -0.0


def _ends(schema: Mapping[str, Any]) -> tuple[int, int]:
    low = schema.get("minimum", schema.get("exclusiveMinimum", -(10**4300)) + 1)
    high = schema.get("maximum", schema.get("exclusiveMaximum", 10**4300) - 1)
    return low, high


def _number(schema: Mapping[str, Any], measure: str) -> Iterator[Any]:
    low, high = _ends(schema)
    yield from _integer(schema, measure)
    yield from (one for one in FLOATS if low <= one <= high)


def _array(schema: Mapping[str, Any], measure: str) -> Iterator[list[Any]]:
    prefix = [maximal(one, measure) for one in schema.get("prefixItems", ())]
    if schema.get("items", True) is False:
        yield prefix
        return
    many = schema["maxItems"] - len(prefix)
    if many <= 0:
        yield prefix[: schema["maxItems"]]
        return
    item = maximal(schema["items"], measure)
    if not schema.get("uniqueItems"):
        yield [*prefix, *[item] * many]
        return
    # As many that differ in one character, none of them smaller.
    others = [chr(at) for at in (*range(8), *range(14, 32), 11)]
    if measure != "raw":
        others = [chr(0x10FF80 + at) for at in range(100)]
    yield [item[:-2] + "".join(pair) for pair in itertools.product(others, repeat=2)][:many]


def _object(schema: Mapping[str, Any], measure: str) -> Iterator[dict[str, Any]]:
    must = schema.get("required", [])
    made = {name: maximal(one, measure) for name, one in schema.get("properties", {}).items()}
    most = schema.get("maxProperties", len(made))
    best = sorted(
        made, key=lambda name: (name in must, measured({name: made[name]}, measure)), reverse=True
    )
    chosen = best[:most]
    whole = {name: made[name] for name in chosen}
    if "propertyNames" in schema:
        extra = schema["additionalProperties"]
        longest = schema["propertyNames"]["maxLength"]
        letters = (
            [chr(at) for at in range(8)]
            if measure == "raw"
            else [chr(0x10FF80 + at) for at in range(20)]
        )
        value = maximal(extra, measure)
        whole |= {letter * longest: value for letter in letters[:most]}
    yield whole


_OF: dict[str, Callable[[Mapping[str, Any], str], Iterator[Any]]] = {
    "array": _array,
    "boolean": lambda _schema, _measure: iter((False,)),
    "integer": _integer,
    "null": lambda _schema, _measure: iter((None,)),
    "number": _number,
    "object": _object,
    "string": _string,
}
_OF_FORMAT = {
    "date": "2026-01-31",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "ipv4": "192.168.100.200",
    "ipv6": "1234:1234:1234:1234:1234:1234:123.123.123.123",
}

# --- bounded schemas ----------------------------------------------------------

_SMALL = st.integers(0, 6)
_TEXT = st.one_of(
    st.builds(lambda most: {"type": "string", "maxLength": most}, _SMALL),
    st.builds(
        lambda most, size: {"type": "string", "maxLength": most, "x-maxBytes": size},
        _SMALL,
        st.integers(0, 20),
    ),
    st.builds(lambda size: {"type": "string", "maxLength": 99, "x-maxBytes": size}, _SMALL),
    st.builds(
        lambda source, most: {"type": "string", "pattern": source, "maxLength": most},
        st.sampled_from(("^[a-z]*$", '^[\\\\"/]*$', "^[\u00e0-\u00ff]*$", "^[ -~]*$", "^\\d*$")),
        _SMALL,
    ),
    st.builds(lambda name: {"type": "string", "format": name}, st.sampled_from([*_OF_FORMAT])),
    st.just({"type": "string", "pattern": "^[0-9a-f]{64}$"}),
)
_BOUND = st.sampled_from((-(10**20), -1000, -1, 0, 7, 2**53, 10**15))
_NUMBERS = st.one_of(
    st.builds(
        lambda low, more: {"type": "integer", "minimum": low, "maximum": low + more},
        st.sampled_from((-(10**15), -1000, -1, 0, 7, 2**53)),
        st.integers(0, 1000),
    ),
    st.builds(
        lambda low, word: {"type": "integer", word: low},
        _BOUND,
        st.sampled_from(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")),
    ),
    st.sampled_from(
        (
            {"type": "integer"},
            {"type": "number"},
            {"type": "number", "minimum": 0, "maximum": 1},
            {"type": "number", "minimum": -1, "maximum": 1},
            {"type": "number", "minimum": -5},
        )
    ),
)
_LISTED = st.builds(
    lambda values: {"enum": values},
    st.lists(
        st.sampled_from((0, 1, -7, 1.5, 10**22, "a", "\u00e9'\"", None, True)),
        min_size=1,
        max_size=3,
        unique_by=repr,
    ),
)
_LEAF = st.one_of(
    _TEXT,
    _NUMBERS,
    _LISTED,
    st.just({"type": "boolean"}),
    st.just({"type": ["string", "null"], "maxLength": 3}),
)


@cache
def _containers(inner: Any) -> Any:
    names = st.sampled_from(("a", "bb", "\u00e9", "it's", "\U0001f600", "\x7f"))
    objects = st.dictionaries(names, inner, max_size=4).flatmap(
        lambda made: st.builds(
            lambda must, most: {
                "type": "object",
                "properties": made,
                "required": [*must],
                **({} if most is None else {"maxProperties": len(must) + most}),
                "additionalProperties": False,
            },
            st.sets(st.sampled_from(sorted(made)), max_size=2) if made else st.just(set()),
            st.none() | st.integers(0, 3),
        )
    )
    arrays = st.one_of(
        st.builds(
            lambda one, most: {"type": "array", "items": one, "maxItems": most}, inner, _SMALL
        ),
        st.builds(
            lambda ones, one, most: {
                "type": "array",
                "prefixItems": ones,
                "items": one,
                "maxItems": most,
            },
            st.lists(inner, min_size=1, max_size=3),
            inner,
            _SMALL,
        ),
        st.builds(
            lambda ones: {"type": "array", "prefixItems": ones, "items": False},
            st.lists(inner, min_size=1, max_size=3),
        ),
        st.builds(
            lambda most, many: {
                "type": "array",
                "items": {"type": "string", "maxLength": most},
                "maxItems": many,
                "uniqueItems": True,
            },
            st.integers(2, 5),
            st.integers(0, 30),
        ),
    )
    maps = st.builds(
        lambda one, most, longest: {
            "type": "object",
            "additionalProperties": one,
            "maxProperties": most,
            "propertyNames": {"maxLength": longest},
        },
        inner,
        st.integers(0, 8),
        st.integers(1, 3),
    )
    choices = st.builds(lambda ones: {"anyOf": ones}, st.lists(inner, min_size=1, max_size=3))
    return objects | arrays | maps | choices


#: Schemas of which the greatest value is known exactly.
bounded = st.recursive(_LEAF, _containers, max_leaves=6)

# --- composed schemas ---------------------------------------------------------

_NAMES = ("a", "b", "bb", "c", "zz")
_CLOSED = {"type": "object", "unevaluatedProperties": False}
_LISTED_TOO = [1, "x", [1, {"a": 0}], {"a": [2.5]}]


def _compositions(parts: tuple[Any, Any, Any], n: str, m: str, many: int) -> list[Any]:
    """Three bounded schemas under each keyword that composes."""
    a, b, c = parts
    objects = [
        {
            "type": "object",
            "properties": {n: a},
            "patternProperties": {"^b": b},
            "additionalProperties": c,
            "maxProperties": many,
            "propertyNames": {"maxLength": 2},
        },
        {
            "type": "object",
            "properties": {n: a},
            "patternProperties": {"^b": b},
            "additionalProperties": False,
        },
        {**_CLOSED, "allOf": [{"properties": {n: a}}, {"properties": {m: b}}]},
        {**_CLOSED, "anyOf": [{"properties": {n: a}, "required": [n]}, {"properties": {m: b}}]},
        {
            "type": "object",
            "anyOf": [
                {"properties": {n: a}, "additionalProperties": False},
                {"properties": {m: b}, "maxProperties": 1},
            ],
            "unevaluatedProperties": c,
            "maxProperties": many,
        },
        {
            "type": "object",
            "properties": {n: a, m: b},
            "additionalProperties": False,
            "dependentSchemas": {n: {"properties": {m: c}}},
            "dependentRequired": {n: [m]},
        },
        {
            "type": "object",
            "properties": {n: a},
            "unevaluatedProperties": b,
            "maxProperties": many,
            "propertyNames": {"enum": ["a", "b", "zz"]},
        },
    ]
    arrays = [
        {"prefixItems": [a, b], "unevaluatedItems": False},
        {"prefixItems": [a], "items": b, "maxItems": many, "contains": c},
        {"allOf": [{"prefixItems": [a]}, {"items": b}], "maxItems": many},
        {"allOf": [{"prefixItems": [a]}], "unevaluatedItems": b, "maxItems": many},
        {"items": {"anyOf": [a, b]}, "uniqueItems": True, "maxItems": many},
        {"contains": a, "maxContains": 1, "items": {"anyOf": [a, b]}, "maxItems": many},
    ]
    return [
        {"allOf": [a, b]},
        {"anyOf": [a, b]},
        {"oneOf": [a, b]},
        {"if": a, "then": b, "else": c},
        {"if": a, "then": b, "anyOf": [a, c]},
        {"allOf": [a], "not": b},
        {"anyOf": [a, b], "allOf": [{"anyOf": [b, c]}]},
        {"enum": _LISTED_TOO, "anyOf": [a, b, {"type": ["array", "object"]}]},
        *objects,
        *({"type": "array", **one} for one in arrays),
    ]


@st.composite
def composed(draw: Any) -> tuple[Any, Any]:
    """
    A schema of composed parts, and a value made of the greatest values of the parts.
    """
    parts = draw(st.tuples(bounded, bounded, bounded))
    name = st.sampled_from(_NAMES)
    schema = draw(
        st.sampled_from(_compositions(parts, draw(name), draw(name), draw(st.integers(0, 4))))
    )
    pool = [maximal(one, measure) for one in parts for measure in ("nodes", "rendered")]
    leaf = st.sampled_from([*pool, 0, "x", None])
    value = draw(
        st.one_of(
            leaf,
            st.dictionaries(name, leaf, max_size=4),
            st.lists(leaf, max_size=4),
            st.sampled_from((1.0, -0.0, [1.0, {"a": 0.0}], {"a": [2.5]})),
        )
    )
    return schema, value
