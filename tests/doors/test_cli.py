"""
The command line as a shell sees it: what it prints, where, and how it ends.
"""

import json
import os
import shlex
import subprocess
import sys

import pytest

import weighbridge
from tests.support.machine import ROOT
from weighbridge import Catalog, lint, lint_report
from weighbridge.advertise import tools_list
from weighbridge.compare import compare

SCHEMAS = ROOT / "schemas" / "mcp"
GOOD = b'{"projectId": "demo", "query": "retry"}'
BAD = b'{"projectId": "demo", "query": "retry", "secretKey": "s3cr3t-value"}'

NOTE = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "https://example.com/note-add-input.schema.json",
    "x-weighbridge-tool": "note.add",
    "description": "Adds a note.",
    "type": "object",
    "properties": {"title": {"type": "string", "minLength": 1, "maxLength": 20}},
    "required": ["title"],
    "additionalProperties": False,
}


def run(*words, stdin=b"", env=None):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "weighbridge", *map(str, words)],
        input=stdin,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, **(env or {})},
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def folder(path, *documents):
    path.mkdir()
    for number, document in enumerate(documents):
        (path / f"{number}-input.schema.json").write_text(json.dumps(document), encoding="utf-8")
    return path


def test_an_admitted_call_ends_with_0_and_one_line_of_its_charge():
    said = b"admitted: knowledge.search (nesting 2, nodes 5, rendered 23)\n"
    assert run("check", "knowledge.search", stdin=GOOD) == (0, said, b"")


def test_a_refused_call_ends_with_1_and_the_refusal_s_message_alone():
    verdict = weighbridge.Catalog.bundled().check_text("knowledge.search", BAD)
    said = (verdict.refusal.message + "\n").encode()
    assert run("check", "knowledge.search", stdin=BAD) == (1, said, b"")
    assert b"secretKey" in said
    assert b"s3cr3t" not in said


@pytest.mark.parametrize("text", [GOOD, BAD, b"", b"[", b"null", b"\xff", b"\xef\xbb\xbf{}"])
def test_json_prints_exactly_the_verdict_of_the_text_door_and_no_newline(text):
    verdict = weighbridge.Catalog.bundled().check_text("knowledge.search", text)
    status = 0 if verdict.admitted else 1
    expected = (status, verdict.to_json().encode("ascii"), b"")
    assert run("check", "knowledge.search", "--json", stdin=text) == expected
    assert run("check", "knowledge.search", "-", "--json", stdin=text) == expected


def test_a_file_and_standard_input_are_judged_alike(tmp_path):
    file = tmp_path / "arguments.json"
    file.write_bytes(BAD)
    from_file = run("check", "knowledge.search", file, "--json")
    assert from_file == run("check", "knowledge.search", "--json", stdin=BAD)
    assert from_file[0] == 1


def test_a_file_that_cannot_be_read_ends_with_2_and_names_it_on_standard_error(tmp_path):
    status, out, err = run("check", "knowledge.search", tmp_path / "absent.json")
    assert (status, out) == (2, b"")
    assert b"absent.json: No such file" in err
    assert err.count(b"\n") == 1


def test_a_folder_in_place_of_a_file_ends_with_2():
    status, out, err = run("check", "knowledge.search", SCHEMAS)
    assert (status, out) == (2, b"")
    assert err.startswith(b"weighbridge: cannot read ")


def test_a_tool_that_nobody_publishes_is_refused_and_not_an_error():
    status, out, err = run("check", "knowledge.serch", "--json", stdin=b"{}")
    assert (status, err) == (1, b"")
    assert json.loads(out)["refusal"]["code"] == "no-schema"


def test_a_tool_name_that_is_not_unicode_is_escaped_and_no_traceback():
    status, out, err = run("check", b"\xff\x1b[2J".decode("utf-8", "surrogateescape"), stdin=b"{}")
    assert (status, err) == (1, b"")
    assert b"\x1b" not in out


def test_a_catalog_of_one_s_own_judges_in_place_of_the_bundled_one(tmp_path):
    mine = folder(tmp_path / "mine", NOTE)
    assert run("check", "note.add", "--catalog", mine, stdin=b'{"title": "a"}')[0] == 0
    assert run("check", "note.add", "--catalog", mine, stdin=b'{"title": ""}')[0] == 1
    assert run("check", "knowledge.search", "--catalog", mine, stdin=GOOD)[0] == 1


def test_a_catalog_that_cannot_be_used_ends_with_2_and_its_one_error(tmp_path):
    opened = {key: value for key, value in NOTE.items() if key != "additionalProperties"}
    mine = folder(tmp_path / "mine", opened)
    with pytest.raises(weighbridge.CatalogError) as caught:
        weighbridge.Catalog.read(mine)
    expected = (2, b"", f"weighbridge: {caught.value}\n".encode())
    assert run("check", "note.add", "--catalog", mine, stdin=b"{}") == expected
    assert run("catalog", "lint", mine) == expected


@pytest.mark.parametrize(
    "words", [(), ("check",), ("weigh",), ("catalog",), ("check", "a", "--josn"), ("web",)]
)
def test_a_command_that_is_not_one_ends_with_2_and_its_usage(words):
    status, out, err = run(*words)
    assert (status, out) == (2, b"")
    assert b"usage: weighbridge" in err


def test_help_and_version_end_with_0():
    assert run("--version") == (0, f"{weighbridge.__version__}\n".encode(), b"")
    for words in ((), ("check",), ("catalog",), ("catalog", "diff"), ("serve",), ("web",)):
        status, out, err = run(*words, "--help")
        assert (status, err) == (0, b"")
        assert b"usage: " in out


def test_digest_prints_both_digests_and_each_tool_s():
    catalog = weighbridge.Catalog.read(SCHEMAS)
    lines = [f"{catalog.digest} digest", f"{catalog.shape_digest} shapeDigest"]
    lines += [f"{tool.digest} {name}" for name, tool in catalog.tools.items()]
    assert run("catalog", "digest", SCHEMAS) == (0, ("\n".join(lines) + "\n").encode(), b"")
    assert run("catalog", "digest") == run("catalog", "digest", SCHEMAS)


def test_lint_names_every_tool_and_says_that_the_catalog_can_be_used():
    status, out, err = run("catalog", "lint", SCHEMAS)
    assert (status, err) == (0, b"")
    for name in weighbridge.Catalog.read(SCHEMAS).tools:
        assert f"{name} ".encode() in out
    assert out.splitlines()[0].startswith(b"usable: 10 tools, sha256:")
    assert out.splitlines()[-1] == b"0 remarks, and 1 kept with a reason"
    assert run("catalog", "lint") == (status, out, err)


def test_lint_tells_what_looks_like_a_mistake_and_fails_for_it_only_when_strict(tmp_path):
    mine = folder(tmp_path / "mine", {**NOTE, "descripton": "Adds a note."})
    status, out, err = run("catalog", "lint", mine)
    assert (status, err) == (0, b"")
    assert b"/descripton: no keyword is called 'descripton'" in out
    assert run("catalog", "lint", mine, "--strict") == (1, out, b"")
    assert run("catalog", "lint", SCHEMAS, "--strict")[0] == 0


def test_lint_prints_the_same_as_json():
    status, out, err = run("catalog", "lint", SCHEMAS, "--json")
    said = json.loads(out)
    catalog = weighbridge.Catalog.read(SCHEMAS)
    assert (status, err, said["digest"]) == (0, b"", catalog.digest)
    assert said["remarks"] == [one.as_dict() for one in lint.of_folder(SCHEMAS)]
    assert said["tools"].keys() == catalog.tools.keys()
    assert said["tools"]["knowledge.get"]["nodes"] == {
        "most": lint_report.extents(catalog)["knowledge.get"].nodes.value,
        "exact": True,
        "limit": catalog.limits.nodes,
        "proven": True,
        "place": "",
        "missing": "",
    }


def test_show_prints_a_field_with_its_type_and_bounds():
    status, out, err = run("catalog", "show", SCHEMAS, "knowledge.search")
    assert (status, err) == (0, b"")
    (line,) = [line for line in out.decode().splitlines() if line.strip().startswith("query ")]
    assert line.split() == ["query", "required", "string", "minLength", "1,", "maxLength", "2000"]


def test_show_for_tools_list_prints_the_published_form():
    published = weighbridge.Catalog.read(SCHEMAS).tools["knowledge.search"].published
    status, out, _ = run("catalog", "show", SCHEMAS, "knowledge.search", "--for", "tools-list")
    said = json.loads(out)
    assert (status, said["name"], said["inputSchema"]) == (0, "knowledge.search", published)
    status, out, _ = run("catalog", "show", SCHEMAS, "--for", "tools-list")
    assert [tool["name"] for tool in json.loads(out)] == list(
        weighbridge.Catalog.read(SCHEMAS).tools
    )


def test_show_of_a_tool_that_is_not_there_ends_with_2_and_the_names_that_are():
    status, out, err = run("catalog", "show", SCHEMAS, "note.add")
    assert (status, out) == (2, b"")
    assert b"knowledge.search" in err


def test_a_servers_list_is_compared_with_the_catalog(tmp_path):
    catalog = Catalog.bundled()
    listed, _left_out = tools_list(
        {"tools": [{"name": name, "inputSchema": {}} for name in catalog.tools]}, catalog
    )
    said = tmp_path / "list.json"
    said.write_text(json.dumps(listed), "utf-8")
    assert run("catalog", "compare", said) == (0, b"same\n", b"")
    assert run("catalog", "compare", said, "--json") == (
        0,
        compare(catalog, listed).to_json().encode() + b"\n",
        b"",
    )
    listed["tools"][0]["inputSchema"]["required"] = ["more"]
    said.write_text(json.dumps({**listed, "tools": listed["tools"][:-1]}), "utf-8")
    first, last = listed["tools"][0]["name"], listed["tools"][-1]["name"]
    told = f"removed   {last}\nchanged   {first}\ndiffers\n"
    assert run("catalog", "compare", said) == (1, told.encode(), b"")
    said.write_text("[", "utf-8")
    assert run("catalog", "compare", said) == (1, b"unknown\n", b"")


def test_two_equal_catalogs_do_not_differ(tmp_path):
    old, new = folder(tmp_path / "old", NOTE), folder(tmp_path / "new", NOTE)
    assert run("catalog", "diff", old, new) == (0, b"same\n", b"")


def test_a_changed_description_is_told_and_is_no_difference(tmp_path):
    old = folder(tmp_path / "old", NOTE)
    new = folder(tmp_path / "new", {**NOTE, "description": "Adds one note."})
    assert run("catalog", "diff", old, new) == (0, b"text      note.add\ntext differs\n", b"")


def test_a_tool_added_removed_or_changed_is_a_difference_and_named(tmp_path):
    wider = {"title": {"type": "string", "minLength": 1, "maxLength": 21}}
    other = {
        **NOTE,
        "$id": "https://example.com/note-drop-input.schema.json",
        "x-weighbridge-tool": "note.drop",
    }
    old = folder(tmp_path / "old", NOTE)
    new = folder(tmp_path / "new", {**NOTE, "properties": wider})
    both = folder(tmp_path / "both", NOTE, other)
    status, out, err = run("catalog", "diff", old, new)
    first, narrower, shown, last = out.decode().splitlines()
    assert (status, err) == (1, b"")
    assert (first, last) == ("changed   note.add", "differs")
    assert narrower.startswith("  no witness found in ")
    assert narrower.endswith(" of a call that was admitted and is refused now")
    longest = json.dumps({"title": "a" * 21})
    assert shown == f"  was refused, admitted now: {longest} (maxLength at /title)"
    status, out, err = run("catalog", "diff", old, new, "--json", "--tries", "20")
    assert (status, err) == (1, b"")
    assert json.loads(out)["tools"][0]["wider"]["arguments"] == {"title": "a" * 21}
    assert run("catalog", "diff", old, both) == (1, b"added     note.drop\ndiffers\n", b"")
    assert run("catalog", "diff", both, old) == (1, b"removed   note.drop\ndiffers\n", b"")


def test_fewer_than_one_try_ends_with_2(tmp_path):
    old = folder(tmp_path / "old", NOTE)
    assert run("catalog", "diff", old, old, "--tries", "0") == (
        2,
        b"",
        b"weighbridge: --tries must be at least 1\n",
    )


def test_limits_that_no_call_reaches_are_named_and_are_no_difference(tmp_path):
    old, new = folder(tmp_path / "old", NOTE), folder(tmp_path / "new", NOTE)
    (new / "catalog.json").write_text('{"limits": {"nodes": 50}}', encoding="utf-8")
    said = b"limit     nodes 100000 -> 50\nadmits the same\n"
    assert run("catalog", "diff", old, new) == (0, said, b"")


def test_a_reader_that_has_seen_enough_brings_no_traceback():
    command = f"{shlex.quote(sys.executable)} -m weighbridge catalog show {shlex.quote(str(SCHEMAS))} --for tools-list | head -c 1"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"[", b"")


def test_a_terminal_that_shows_only_ascii_gets_an_escape_in_place_of_a_traceback(tmp_path):
    mine = folder(tmp_path / "mine", {**NOTE, "description": "Ajoute une note dédiée."})
    status, out, err = run(
        "catalog", "show", mine, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    )
    assert (status, err) == (0, b"")
    assert b"d\\xe9di\\xe9e" in out
