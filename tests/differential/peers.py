"""
The implementations that the gate is compared with in this process.
"""

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import jsonschema_rs

DIALECT = "https://json-schema.org/draft/2020-12/schema"

#: Answers whether a schema admits the arguments of a JSON text.
Judge = Callable[[str], bool]


def plain_jsonschema(schema: Any) -> Judge:
    """
    The validator of jsonschema as it comes, without a format checker: which formats it has depends on
    what else is installed.
    """
    validator = jsonschema.Draft202012Validator({"$schema": DIALECT, **schema})
    return lambda text: validator.is_valid(json.loads(text))


def rust(schema: Any) -> Judge:
    """
    jsonschema-rs, asserting formats.
    """
    validator = jsonschema_rs.Draft202012Validator(
        {"$schema": DIALECT, **schema}, validate_formats=True
    )
    return lambda text: validator.is_valid(json.loads(text))


PEERS = {"jsonschema": plain_jsonschema, "jsonschema-rs": rust}
