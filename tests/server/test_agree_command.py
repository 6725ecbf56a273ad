"""
``weighbridge agree`` as a shell sees it: what it prints, where, and how it ends.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.machine import ROOT
from weighbridge import cli

PROGRAM = """
print("a program may print while it is imported")
from mcp.server.mcpserver import MCPServer

KINDS = ("rule", "guide")
TABLE = {"kinds": KINDS}
server = MCPServer("notes", log_level="ERROR")


@server.tool(name="note.add")
def note_add(text: str, kind: str = "rule") -> str:
    return text


def build():
    return server


def broken():
    raise RuntimeError("no database")
"""

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "https://example.test/note-add.schema.json",
    "x-weighbridge-tool": "note.add",
    "type": "object",
    "properties": {
        "text": {"type": "string", "maxLength": 20},
        "kind": {"type": "string", "enum": ["rule"]},
    },
    "required": ["text"],
    "additionalProperties": False,
}

COLOURED = SCHEMA | {"properties": SCHEMA["properties"] | {"colour": {"enum": ["red"]}}}


def run(folder: Path, *words: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "weighbridge", "agree", *words],
        capture_output=True,
        text=True,
        cwd=folder,
        env={"PYTHONPATH": str(ROOT / "pyodide_pkg")},
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """
    A program, and two catalogs beside it: one that it agrees with and one that it does not.
    """
    (tmp_path / "notes.py").write_text(PROGRAM, encoding="utf-8")
    for name, schema in (("good", SCHEMA), ("bad", COLOURED)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "note-add.schema.json").write_text(json.dumps(schema), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", ["notes:server", "notes:build"])
def test_a_server_that_takes_what_is_published_ends_with_0(folder: Path, name: str):
    status, printed, errors = run(folder, name, "--catalog", "good", "--tries", "5")

    assert status == 0
    assert printed.startswith("agrees; 1 tool, ")
    assert errors == "a program may print while it is imported\n"


def test_a_server_that_does_not_ends_with_1_and_says_tool_place_witness_and_cure(folder: Path):
    status, printed, _ = run(folder, "notes:server", "--catalog", "bad", "--tries", "5")

    assert status == 1
    first, told, *rest = printed.splitlines()
    assert first.startswith("does not agree: 1 difference; 1 tool, ")
    assert told == (
        "note.add at /properties/colour: the schema names 'colour', and the handler has nothing "
        "that reads it: what a caller sends there is dropped without a word. Witness: "
        '{"colour": "red", "text": ""}. Give the handler a parameter of that name, or take the '
        "property out of the schema. (handler-lacks)"
    )
    assert rest == ["outside, silent: default, title"]


def test_json_is_the_same_as_data_and_nothing_else(folder: Path):
    options = ("--catalog", "bad", "--tries", "5", "--seed", "9", "--json")
    status, printed, _ = run(folder, "notes:server", *options)
    found = json.loads(printed)

    assert status == 1
    assert {name: found[name] for name in ("agrees", "seed", "tries")} == {
        "agrees": False,
        "seed": 9,
        "tries": 5,
    }
    (told,) = found["differences"]
    assert told["rule"] == "handler-lacks"
    assert told["place"] == "/properties/colour"
    assert told["witness"] == {"text": "", "colour": "red"}
    assert list(found["judged"]) == ["note.add"]
    assert found == json.loads(run(folder, "notes:server", *options)[1])


@pytest.mark.parametrize("constant", ["notes:KINDS", "notes:TABLE.kinds"])
def test_a_constant_that_the_code_does_not_show_can_be_named(folder: Path, constant: str):
    options = ("--catalog", "good", "--tries", "5", "--serves", f"kind={constant}")
    status, printed, _ = run(folder, "notes:server", *options)

    assert status == 1
    assert '"guide", and the gate refuses that' in printed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("notes", "--catalog", "good"), "it names no object. Write module:name"),
        (("absent:server", "--catalog", "good"), "absent cannot be imported (ModuleNotFoundError"),
        (("notes:absent", "--catalog", "good"), "notes has no absent. Name something"),
        (("notes:KINDS", "--catalog", "good"), "it is no MCPServer but tuple. Name one"),
        (("notes:broken", "--catalog", "good"), "the function raised RuntimeError: no database."),
        (("notes:server", "--catalog", "absent"), "absent: the folder cannot be read."),
        (("notes:server", "--catalog", "good", "--tries", "0"), "0 is too few."),
        (("notes:server", "--catalog", "good", "--serves", "kind"), "it names no parameter."),
        (("notes:server", "--catalog", "good", "--serves", "kind=notes:build"), "lists no values."),
        (
            ("notes:server", "--catalog", "good", "--serves", "sort=notes:KINDS"),
            "serves names sort, which is a parameter of no tool of the server.",
        ),
    ],
)
def test_what_cannot_be_asked_ends_with_2_and_one_line_with_its_cure(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    said: str,
):
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [*sys.path])
    try:
        status = cli.main(["agree", *words])
    finally:
        sys.modules.pop("notes", None)
    printed, errors = capsys.readouterr()

    assert (status, printed) == (2, "")
    (line,) = [one for one in errors.splitlines() if one.startswith("weighbridge: ")]
    assert said in line


def test_without_a_catalog_it_says_how_it_is_used(folder: Path):
    status, printed, errors = run(folder, "notes:server")

    assert (status, printed) == (2, "")
    assert "--catalog" in errors
