"""
What the documents say of a guarded server is what one does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.catalogs import folder, input_schema
from tests.doors.documents import blocks
from tests.reference.serving import serve
from tests.server import wire
from tests.support.machine import ROOT
from weighbridge import Catalog, Code, Limits
from weighbridge.advertise import catalog_record, tool_record
from weighbridge.cli import main
from weighbridge.limits import as_dict
from weighbridge.mcp import META_KEY
from weighbridge.reference.service import build_app, build_server

DOCS = ROOT / "docs"


def rows(file: str, head: str) -> list[list[str]]:
    """The cells of the table whose first cell is ``head``, without that line."""
    text = (DOCS / file).read_text("utf-8")
    table = text[text.index(f"| {head} |") :].partition("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


# --- what a caller sees change -------------------------------------------------

SEARCH = {"projectId": "demo", "query": "retry"}


def nested(levels: int) -> Any:
    """So many arrays inside one another."""
    value: Any = "text"
    for _ in range(levels):
        value = [value]
    return value


EVIDENCE = {"agentId": "a", "taskId": "t", "model": "m", "reasoning": "r"}

#: The tool and arguments of each row, by its first cell.
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "a key that is not published": ("knowledge.search", {**SEARCH, "colour": "red"}),
    "a key to a tool that takes none": ("project.list", {"projectId": "demo"}),
    "a query that is longer than published": (
        "knowledge.search",
        {**SEARCH, "query": "retry " * 400},
    ),
    "an integer written as text": ("knowledge.search", {**SEARCH, "limit": "7"}),
    "an integer written as 7.0": ("knowledge.search", {**SEARCH, "limit": 7.0}),
    "a required name left out": ("knowledge.search", {"projectId": "demo"}),
    "a newline after an identifier": ("knowledge.search", {**SEARCH, "projectId": "demo\n"}),
    "40 levels of nesting": (
        "knowledge.generateMigrationDraft",
        {"projectId": "demo", "evidence": EVIDENCE, "document": {"items": [], "x": nested(38)}},
    ),
    "a number that is not finite": (
        "knowledge.generateMigrationDraft",
        {"projectId": "demo", "evidence": EVIDENCE, "document": {"items": [], "x": float("inf")}},
    ),
}


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, int]]:
    """The reference service without the gate, and with it."""
    where: Path = tmp_path_factory.mktemp("told")
    catalog = Catalog.bundled()
    with ExitStack() as stack:
        yield tuple(
            stack.enter_context(
                serve(
                    build_app(build_server(where / f"{gate}.sqlite3", catalog, gate=gate), catalog)
                )
            )
            for gate in (False, True)
        )


def outcome(answer: wire.Answer) -> str:
    """Served, failed, or refused with a code, in the words of the table."""
    if not answer.result.get("isError"):
        return "served"
    verdict = answer.result.get("_meta", {}).get(META_KEY)
    return "failed" if verdict is None else f"refused `{verdict['refusal']['code']}`"


def in_front(name: str, arguments: Any) -> str:
    """What plain jsonschema says of the listed schema."""
    judge = jsonschema.Draft202012Validator(Catalog.bundled().tools[name].published)
    return "served" if judge.is_valid(arguments) else "refused"


@pytest.mark.parametrize("version", [wire.OLDER[-1], wire.NEWEST])
def test_the_table_of_what_a_caller_sees_change_is_made_again(ports: tuple[int, int], version: str):
    lifted, gated = (wire.Http(port, version) for port in ports)
    made = [
        [first, outcome(lifted.call(*call)), in_front(*call), outcome(gated.call(*call))]
        for first, call in CALLS.items()
    ]
    assert made == rows("threat-model.md", "a call with")


def test_plain_jsonschema_quotes_the_value_and_the_gate_does_not():
    name, arguments = CALLS["a query that is longer than published"]
    judge = jsonschema.Draft202012Validator(Catalog.bundled().tools[name].published)
    (error,) = judge.iter_errors(arguments)
    assert arguments["query"] in error.message
    assert "retry" not in Catalog.bundled().check(name, arguments).to_json()


def test_the_page_says_of_every_code_whether_to_try_again():
    told = [row[0].strip("`") for row in rows("threat-model.md", "code")]
    assert sorted(told) == sorted(Code)


def test_what_the_command_prints_is_what_a_server_lists(
    ports: tuple[int, int], capsys: pytest.CaptureFixture[str]
):
    client = wire.Http(ports[1], wire.NEWEST)
    served = client.send("tools/list", {}).result["tools"]
    assert main(["catalog", "show", str(ROOT / "schemas" / "mcp"), "--for", "tools-list"]) == 0
    printed = json.loads(capsys.readouterr().out)
    keys = ("name", "description", "inputSchema")
    assert printed == [{key: one[key] for key in keys} for one in served]


# --- the records ------------------------------------------------------------------


def forms(file: str) -> list[Any]:
    """The JSON blocks of one page."""
    return [json.loads(one.body) for one in blocks("json") if one.file == f"docs/{file}"]


def without_digests(value: Any) -> Any:
    """The value with each digest cut to what the page shows of one."""
    return json.loads(re.sub(r'"sha256:[0-9a-f]{64}"', '"sha256:..."', json.dumps(value)))


@pytest.fixture
def shown(tmp_path: Path) -> Catalog:
    """The catalog of the schema that the page on publishing shows, narrowed for its tool."""
    (schema,) = forms("publish.md")
    settings = {"tools": {"note.add": {"limits": {"nodes": 500}, "reason": "Two fields."}}}
    return Catalog.read(folder(tmp_path, {"note.json": schema, "catalog.json": settings}))


def test_the_records_that_the_page_shows_are_those_that_a_server_gives(shown: Catalog):
    made = [catalog_record(shown, "/weighbridge/"), tool_record(shown, shown.tools["note.add"])]
    assert forms("advertise.md") == [without_digests(one) for one in made]
    assert forms("advertise.md")[0]["limits"] == as_dict(Limits())


@pytest.mark.parametrize("at", [0, 1], ids=["catalog", "tool"])
def test_the_tables_beside_them_name_every_key(at: int):
    record = forms("advertise.md")[at]
    page = (DOCS / "advertise.md").read_text("utf-8")
    section = page.split("\n## ")[1 + at]
    cells = re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE)
    assert {name for cell in cells for name in re.findall(r"`(\w+)`", cell)} == set(record)


def test_the_bookkeeping_that_the_page_shows_is_a_setting(tmp_path: Path):
    (settings,) = forms("changing-a-contract.md")
    files = {"t.json": input_schema("t"), "catalog.json": settings}
    assert Catalog.read(folder(tmp_path, files)).bookkeeping == {"toolCallId"}
