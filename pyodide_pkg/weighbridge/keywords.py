"""
What each keyword of JSON Schema means: one function each, bounded, value-free.

This table is what jsonschema looks a keyword up in; the order in which keywords
run stands in ``dialects``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weighbridge import applicators, assertions
from weighbridge.assertions import Errors
from weighbridge.node import Node

Keyword = Callable[[Any, Any, Any, Node], Errors]

#: The functions by keyword, as jsonschema looks them up.
KEYWORDS: dict[str, Keyword] = {
    "$ref": applicators.ref,
    "$dynamicRef": applicators.dynamic_ref,
    "$recursiveRef": applicators.dynamic_ref,
    "type": assertions.type_,
    "enum": assertions.enum,
    "const": assertions.const,
    "multipleOf": assertions.multiple_of,
    "maximum": assertions.maximum,
    "exclusiveMaximum": assertions.exclusive_maximum,
    "minimum": assertions.minimum,
    "exclusiveMinimum": assertions.exclusive_minimum,
    "maxLength": assertions.max_length,
    "minLength": assertions.min_length,
    "x-maxBytes": assertions.max_bytes,
    "pattern": assertions.pattern,
    "format": assertions.format_,
    "maxItems": assertions.max_items,
    "minItems": assertions.min_items,
    "uniqueItems": assertions.unique_items,
    "maxProperties": assertions.max_properties,
    "minProperties": assertions.min_properties,
    "required": assertions.required,
    "dependentRequired": assertions.dependent_required,
    "propertyNames": applicators.property_names,
    "allOf": applicators.all_of,
    "anyOf": applicators.any_of,
    "oneOf": applicators.one_of,
    "not": applicators.not_,
    "if": applicators.if_,
    "dependentSchemas": applicators.dependent_schemas,
    "prefixItems": applicators.prefix_items,
    "items": applicators.items,
    "contains": applicators.contains,
    "properties": applicators.properties,
    "patternProperties": applicators.pattern_properties,
    "additionalProperties": applicators.additional_properties,
    "unevaluatedItems": applicators.unevaluated_items,
    "unevaluatedProperties": applicators.unevaluated_properties,
}
