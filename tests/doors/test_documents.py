"""
What the documents show is run, and what they say of numbers is the code's.
"""

import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

import weighbridge
from tests.doors.documents import blocks, documents, transcript
from tests.support.machine import ROOT
from tests.support.site import site
from weighbridge import limits
from weighbridge.formats import FORMATS

RUN = ("python", "html", "console", "json", "js")

#: A command line in a document runs in the checkout, as one who cloned it would.
WORDS = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def named(found):
    return [pytest.param(block, id=str(block)) for block in found]


def test_every_block_is_of_a_kind_that_is_run_or_plain_text():
    assert {block.language for block in blocks()} <= {*RUN, "text"}


@pytest.mark.parametrize("block", named(blocks("python")))
def test_a_python_block_runs_as_a_script(block, tmp_path):
    script = tmp_path / "snippet.py"
    script.write_text(block.body, encoding="utf-8")
    # Standard input is empty, so a server that starts finds its client gone and ends.
    done = subprocess.run(
        [sys.executable, "-W", "error", script],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")


def test_the_server_of_the_readme_refuses_an_unknown_key_and_serves_a_good_call(tmp_path):
    (block,) = [block for block in blocks("python") if block.file == "README.md"]
    script = tmp_path / "server.py"
    script.write_text(block.body, encoding="utf-8")
    parameters = StdioServerParameters(
        command=sys.executable, args=[str(script)], cwd=str(ROOT), env=dict(os.environ)
    )

    async def ask():
        async with Client(stdio_client(parameters)) as client:
            good = {"projectId": "demo", "itemId": "adr-1"}
            served = await client.call_tool("knowledge.get", good)
            refused = await client.call_tool("knowledge.get", {**good, "secretKey": "s3cr3t"})
            return served, refused

    served, refused = anyio.run(ask)
    assert (served.is_error, served.content[0].text) == (False, "adr-1 of demo")
    assert refused.is_error
    assert "secretKey" in refused.content[0].text
    assert "s3cr3t" not in refused.model_dump_json()
    assert refused.meta["dev.theurian.weighbridge/verdict"]["refusal"]["code"] == "mismatch"


#: What the page in each document shows once it is done.
ANSWERS = {
    "README.md": re.compile("itemid.*itemId", re.DOTALL),
    "docs/check-in-a-page.md": re.compile("^(/query|true)$"),
}


@pytest.mark.browser
@pytest.mark.parametrize("block", named(blocks("html")))
def test_a_page_block_runs_in_a_browser_and_shows_its_answer(block, dist, page):
    whole = f"<!doctype html><meta charset=utf-8><title>page</title>\n{block.body}"
    with site({"/shop/page.html": whole.encode(), "/shop/weighbridge/": dist}) as served:
        page.goto(f"{served.url}/shop/page.html")
        page.wait_for_function("document.getElementById('answer').textContent !== 'weighing'")
        assert ANSWERS[block.file].search(page.locator("#answer").inner_text())


@pytest.mark.parametrize("block", named(blocks("console")))
def test_a_console_block_prints_what_it_shows(block):
    for command, printed in transcript(block.body):
        if command.startswith("make "):
            assert command.split()[1] in makefile_targets()
            continue
        done = subprocess.run(
            ["bash", "-c", command], cwd=ROOT, env=WORDS, capture_output=True, check=False
        )
        assert done.stdout.decode() + done.stderr.decode() == printed


def makefile_targets() -> set[str]:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z-]+):", text, re.MULTILINE))


@pytest.mark.parametrize("block", named(blocks("json")))
def test_a_json_block_is_json(block):
    assert json.loads(block.body) is not None


def links(path: Path) -> list[str]:
    found = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    return [target for target in found if not target.startswith("http")]


def test_every_link_between_documents_leads_to_a_file():
    missing = [
        (str(path.relative_to(ROOT)), target)
        for path in documents()
        for target in links(path)
        if not (path.parent / target).exists()
    ]
    assert missing == []


def test_every_document_can_be_reached_from_the_index():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\(([\w-]+\.md)\)", index))
    assert linked == {path.name for path in (ROOT / "docs").glob("*.md")} - {"index.md"}


def numbers(file: str, row: str) -> int:
    """
    The number in the second cell of the table row that starts with ``row``.
    """
    text = (ROOT / file).read_text(encoding="utf-8")
    (cell,) = re.findall(rf"^\| {re.escape(row)} \| ([\d,]+) \|", text, re.MULTILINE)
    return int(cell.replace(",", ""))


def test_the_table_of_limits_is_the_defaults_and_lists_each():
    expected = limits.as_dict(limits.Limits())
    assert {name: numbers("docs/limits.md", name) for name in expected} == expected


def test_the_fixed_numbers_in_the_documents_are_the_package_s():
    assert {
        row: numbers("docs/limits.md", row)
        for row in (
            "digits of an integer",
            "times `nodes` that a text may hold and still be parsed",
            "schema applications inside one another",
            "findings in one refusal",
            "caller-written names in one finding",
            "characters of `expected`, and of one finding's message",
            "characters of a pointer into the arguments",
        )
    } == {
        "digits of an integer": limits.INTEGER_DIGITS,
        "times `nodes` that a text may hold and still be parsed": limits.TEXT_NODES,
        "schema applications inside one another": limits.EVALUATION_DEPTH,
        "findings in one refusal": limits.FINDINGS,
        "caller-written names in one finding": limits.NAMES,
        "characters of `expected`, and of one finding's message": limits.SENTENCE,
        "characters of a pointer into the arguments": limits.POINTER,
    }


def test_the_composed_ceiling_and_the_envelope_in_the_documents_are_the_package_s():
    text = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
    assert f"{limits.Limits().composed:,} by default" in text
    assert f"{limits.ENVELOPE:,} bytes for the envelope" in text
    assert f"({limits.INLINE_BODY:,} bytes)" in text


def the_json_of(file: str) -> dict[str, object]:
    (block,) = [block for block in blocks("json") if block.file == file]
    return json.loads(block.body)


def test_the_schema_that_the_publishing_page_shows_is_a_catalog_by_itself(tmp_path):
    schema = the_json_of("docs/publish.md")
    (tmp_path / "note-add-input.schema.json").write_text(json.dumps(schema), encoding="utf-8")
    catalog = weighbridge.Catalog.read(tmp_path)
    assert list(catalog.tools) == ["note.add"]
    assert catalog.check("note.add", {"title": "a", "body": ""}).admitted
    assert not catalog.check("note.add", {"title": "", "body": ""}).admitted


def test_the_schema_that_the_folder_of_schemas_shows_loads_beside_the_published_ones(tmp_path):
    mine = shutil.copytree(ROOT / "schemas" / "mcp", tmp_path / "mine")
    schema = the_json_of("schemas/mcp/README.md")
    (mine / "notes-add-input.schema.json").write_text(json.dumps(schema), encoding="utf-8")
    catalog = weighbridge.Catalog.read(mine)
    assert catalog.check("notes.add", {"projectId": "demo", "text": "a"}).admitted


def test_the_limits_that_the_page_of_limits_shows_are_in_force_once_written(tmp_path):
    mine = shutil.copytree(ROOT / "schemas" / "mcp", tmp_path / "mine")
    before = weighbridge.Catalog.read(mine)
    settings = json.loads((mine / "catalog.json").read_text(encoding="utf-8"))
    shown = the_json_of("docs/limits.md")
    (mine / "catalog.json").write_text(json.dumps({**settings, **shown}), encoding="utf-8")
    after = weighbridge.Catalog.read(mine)
    assert after.limits == dataclasses.replace(before.limits, nodes=20_000)
    assert after.tools["knowledge.get"].limits.nodes == 20
    assert after.digest != before.digest


def test_the_refusals_page_lists_every_code_and_every_key_of_a_verdict():
    text = (ROOT / "docs" / "refusals.md").read_text(encoding="utf-8")
    for code in weighbridge.Code:
        assert f"| `{code.value}` |" in text
    catalog = weighbridge.Catalog.bundled()
    verdict = catalog.check("knowledge.search", {"projectId": "demo", "x": 1}).as_dict()
    refusal = verdict["refusal"]
    for key in (*verdict, *refusal, *refusal["findings"][0]):
        assert f"`{key}`" in text, key


def test_the_publishing_page_lists_the_formats_that_are_asserted():
    text = (ROOT / "docs" / "publish.md").read_text(encoding="utf-8")
    section = text.partition("## Formats")[2].partition("\n## ")[0]
    assert set(re.findall(r"`([a-z0-9-]+)`", section)) == set(FORMATS)
