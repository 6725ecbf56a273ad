"""
The recorded evaluation depth is reached in the worker, and one past it is a refusal there too.

Past what an interpreter's own stack holds, a call would end it for good; so the
depth that is counted has to lie inside, in each seat, with the same answer.
"""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.serving import folder, importing, opened, page, serve
from weighbridge import Catalog, bundle

pytestmark = pytest.mark.browser

#: Schemas that each level of a call is judged by, one through the other.
STEPS = 6

#: Levels of a call: from two to as many as the limit on nesting lets through.
LEVELS = range(2, 32)

#: Keywords that apply a schema to the same value; one kind a tool.
KINDS = {
    "all": lambda ref: {"allOf": [ref]},
    "any": lambda ref: {"anyOf": [ref]},
    "one": lambda ref: {"oneOf": [ref]},
    "not": lambda ref: {"not": {"not": ref}},
    "if": lambda ref: {"if": ref, "else": False},
    "dependent": lambda ref: {"dependentSchemas": {"deep": ref}},
    "closed": lambda ref: {"allOf": [ref], "unevaluatedProperties": False},
}


def recursive(kind: str) -> dict:
    """
    A published schema that judges each level of its value by ``STEPS`` definitions.
    """
    definitions = {
        f"d{step}": KINDS[kind]({"$ref": f"#/$defs/d{step + 1}"}) for step in range(STEPS)
    }
    definitions[f"d{STEPS}"] = {
        "type": "object",
        "properties": {"deep": {"$ref": "#/$defs/d0"}},
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://example.org/{kind}-input.schema.json",
        "x-weighbridge-tool": kind,
        "type": "object",
        "properties": {"deep": {"$ref": "#/$defs/d0"}},
        "additionalProperties": False,
        "$defs": definitions,
    }


def test_each_depth_is_judged_alike_in_both_seats_and_kills_neither(
    browser: Browser, dist: Path, tmp_path: Path
):
    schemas = tmp_path / "schemas"
    schemas.mkdir()
    for kind in KINDS:
        (schemas / f"{kind}-input.schema.json").write_text(json.dumps(recursive(kind)))
    catalog = Catalog.read(schemas)
    calls = [
        (tool, '{"deep":' * levels + inside + "}" * levels)
        for tool in KINDS
        for levels in LEVELS
        for inside in ("{}", "7")
    ]
    expected = [catalog.check_text(tool, text).to_json() for tool, text in calls]
    for tool in KINDS:
        refusals = [
            json.loads(one)["refusal"]
            for (name, _), one in zip(calls, expected, strict=True)
            if name == tool
        ]
        outcomes = {refusal and (refusal["code"], refusal["limit"]) for refusal in refusals}
        assert outcomes >= {None, ("too-large", "work")}, tool

    bundle.write_bundle(tmp_path / "site", schemas, dist)
    with serve(
        page(importing("/dist/weighbridge.js")), folder("/dist/", tmp_path / "site")
    ) as served:
        with opened(browser, served.url) as seen:
            judged = seen.page.evaluate(
                """async (calls) => {
                  const gate = await weighbridge.load();
                  const verdicts = [];
                  for (const [tool, text] of calls) verdicts.push((await gate.check(tool, text)).json);
                  await gate.close();
                  return verdicts;
                }""",
                calls,
            )
    assert judged == expected
