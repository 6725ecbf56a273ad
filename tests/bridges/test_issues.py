"""
``verdict.issues`` says of a refused call what ajv says of it, but for the differences that are told.
"""

from __future__ import annotations

import json

from tests.bridges.compared import HERE, Told, ask, single_faults
from tests.support.machine import ROOT
from weighbridge import Catalog

CATALOG = Catalog.bundled()


def told(tool: str, text: str) -> Told:
    """What the issues are of one call of a published tool."""
    return ask([(tool, None, text, CATALOG.check_text(tool, text).to_json())])[0]


def test_issues_are_ajvs_errors_but_for_the_calls_that_are_listed_with_a_reason():
    """
    A call that is newly told otherwise belongs into ``differences.json``, below its reason.
    """
    recorded = json.loads((HERE / "differences.json").read_text("ascii"))
    differ = {one.name for one in ask(list(single_faults())) if not one.is_equal}
    assert differ == {name for names in recorded.values() for name in names}


def test_the_reasons_are_the_table_in_the_docs():
    recorded = json.loads((HERE / "differences.json").read_text("ascii"))
    page = (ROOT / "docs/forms.md").read_text("utf-8")
    section = page.partition("## Where ajv says something else\n")[2].partition("\n## ")[0]
    assert [line[2:-2] for line in section.splitlines() if line.startswith("| ")][2:] == list(
        recorded
    )


def test_one_issue_for_each_name_and_for_each_value_in_the_order_of_the_findings():
    one = told("knowledge.search", '{"limit": "x", "tempo": 1}')
    assert one.issues == [
        {
            "instancePath": "/limit",
            "schemaPath": "#/properties/limit/type",
            "keyword": "type",
            "params": {"type": "integer"},
            "message": "expected an integer",
        },
        {
            "instancePath": "",
            "schemaPath": "#/additionalProperties",
            "keyword": "additionalProperties",
            "params": {"additionalProperty": "tempo"},
            "message": '"tempo" is not a name that is allowed here',
        },
        *(
            {
                "instancePath": "",
                "schemaPath": "#/required",
                "keyword": "required",
                "params": {"missingProperty": name},
                "message": f'"{name}" is missing',
            }
            for name in ("projectId", "query")
        ),
    ]
    assert one.omitted == {"names": 0, "more": False}


def test_names_that_no_issue_has_are_counted():
    unknown = ", ".join(f'"k{at}": 0' for at in range(11))
    one = told("knowledge.search", f'{{"projectId": "demo", "query": "x", {unknown}}}')
    assert len(one.issues) == 8
    assert one.omitted == {"names": 3, "more": False}


def test_a_refusal_without_findings_is_one_issue_and_an_admission_none():
    """
    Whoever counts issues never takes a refusal for an admission.
    """
    for tool, text, keyword, params in (
        ("nothing.published", "{}", "no-schema", {}),
        ("knowledge.search", "{", "not-json", {}),
        ("knowledge.search", "[" * 40, "too-large", {"limit": "nesting"}),
    ):
        refusal = CATALOG.check_text(tool, text).refusal
        assert refusal is not None
        assert told(tool, text).issues == [
            {
                "instancePath": "",
                "schemaPath": "#",
                "keyword": keyword,
                "params": params,
                "message": refusal.message,
            }
        ]
    assert told("project.list", "{}").issues == []


def test_a_place_in_a_schema_is_a_uri_fragment():
    schema = {"properties": {"a/b c%": {"type": "string"}}, "type": "object"}
    foreign = Catalog.from_tools([{"name": "t", "inputSchema": schema}])
    text = '{"a/b c%": 1}'
    one = ask([("t", schema, text, foreign.check_text("t", text).to_json())])[0]
    assert one.errors is not None
    assert [(each["instancePath"], each["schemaPath"]) for each in one.issues] == [
        ("/a~1b c%", "#/properties/a~1b%20c%25/type")
    ]
    assert [each["instancePath"] for each in one.errors] == ["/a~1b c%"]
