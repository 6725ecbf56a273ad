"""
The payload holds every module that a verdict can reach, and little else.
"""

import importlib.util
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from tests.cases import table
from weighbridge import Catalog, bundle

pytestmark = pytest.mark.browser

#: Bytes on the wire for a whole load, brotli.
MOST = 4_600_000

#: Modules that are asked for and may be missing, each with who asks and goes on without.
DISPENSABLE = {
    "_hashlib": "hashlib, which has digests of its own",
    "_uuid": "uuid, on systems that make them",
    "_wmi": "platform, on Windows",
    "fqdn": "jsonschema's own formats, which the gate does not use",
    "idna": "as fqdn",
    "isoduration": "as fqdn",
    "jsonpointer": "as fqdn",
    "rfc3339_validator": "as fqdn",
    "rfc3986_validator": "as fqdn",
    "rfc3987": "as fqdn",
    "rfc3987_syntax": "as fqdn",
    "typing_extensions": "referencing, on Python older than 3.13",
    "uri_template": "as fqdn",
    "webcolors": "as fqdn",
    "pvectorc": "pyrsistent's C extension, never built for the page",
}

#: Our modules that a page has no use for: adapters, what the server's seat alone says of
#: its catalog, and what is asked of a catalog and never of a call.
ADAPTERS = r"__main__|archive|asgi|bundle|cli|describe|lines|mcp|stdio|reference(\..*)?|web"
SERVER_SIDE = r"envelope|reports|sources|telling"
OF_A_CATALOG = (
    r"agree(_[a-z]+)?|diff(_[a-z]+)?|instances(_[a-z]+)?|pointers|shrinking|lint(_[a-z]+)?"
)
ELSEWHERE = re.compile(rf"weighbridge\.({ADAPTERS}|{SERVER_SIDE}|{OF_A_CATALOG})")


@pytest.fixture(scope="module")
def manifest(dist: Path) -> dict:
    return json.loads((dist / bundle.MANIFEST).read_text())


@pytest.fixture(scope="module")
def payload(dist: Path, manifest: dict) -> Path:
    return dist / manifest["assets"]["payload"]["file"]


@pytest.fixture(scope="module")
def modules(root: Path) -> ModuleType:
    """
    The build's own reader of import statements.
    """
    spec = importlib.util.spec_from_file_location("modules", root / "web" / "build" / "modules.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules["modules"] = loaded
    spec.loader.exec_module(loaded)
    del sys.modules["modules"]
    return loaded


def names_in(payload: Path) -> set[str]:
    with zipfile.ZipFile(payload) as archive:
        return {
            name.removesuffix(".pyc").removesuffix("/__init__").replace("/", ".")
            for name in archive.namelist()
            if name.endswith(".pyc")
        }


def test_every_module_of_the_gate_is_in_it_and_no_other_of_ours(payload: Path, wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        ours = {
            name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            for name in archive.namelist()
            if name.endswith(".py")
        }
    shipped = {name for name in names_in(payload) if re.match(r"weighbridge(\.|$)", name)}
    assert {name for name in ours - shipped if not ELSEWHERE.fullmatch(name)} == set()
    assert {name for name in shipped if ELSEWHERE.fullmatch(name)} == set()
    assert shipped <= ours


def test_the_whole_table_and_the_foreign_one_ask_for_no_module_that_is_missing(
    root: Path, dist: Path, manifest: dict, payload: Path, tmp_path: Path
):
    """
    Run with the payload as the interpreter's whole library, each search in vain noted.
    """
    calls = [(row.tool, row.text) for row in table.read() if row.text is not None]
    reports = (root / "tests" / "cases" / "field_reports.jsonl").read_text().splitlines()
    foreign = [
        (report["schema"], [call["text"] for call in report["calls"]])
        for report in map(json.loads, reports)
    ]
    for dialect in ("draft-03", "draft-04", "draft-06", "draft-07"):
        schema = {"$schema": f"http://json-schema.org/{dialect}/schema#", "type": "object"}
        foreign.append((schema, ["{}", '{"a":1}']))
    for dialect in ("2019-09", "2020-12"):
        schema = {"$schema": f"https://json-schema.org/draft/{dialect}/schema", "type": "object"}
        foreign.append((schema, ["{}", '{"a":1}']))
    (tmp_path / "calls.json").write_text(json.dumps(calls))
    (tmp_path / "foreign.json").write_text(json.dumps(foreign))
    catalog = dist / manifest["assets"]["catalog"]["file"]
    (tmp_path / "catalog.json").write_bytes(catalog.read_bytes())
    here = Path(__file__).parent
    command = ["node", here / "missing.mjs", root / "web" / "node_modules" / "pyodide", payload]
    done = subprocess.run(
        [*map(str, command), str(here / "missing.py"), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    answer = json.loads(done.stdout)
    assert set(answer["asked"]) - set(DISPENSABLE) == set()
    bundled = Catalog.bundled()
    assert answer["verdicts"] == [bundled.check_text(*call).to_json() for call in calls]
    assert answer["foreign"] == [
        [
            Catalog.from_tools([{"name": "t", "inputSchema": schema}])
            .check_text("t", text)
            .to_json()
            for text in texts
        ]
        for schema, texts in foreign
    ]


def test_an_import_statement_is_found_wherever_it_stands(modules: ModuleType):
    source = b"""
import a
from b import c
from . import d
from .e import f
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import g
else:
    import h
def function():
    try:
        import i.j
    except ImportError:
        from ..k import l
class Kind:
    import m
"""
    here = modules.module("one/two/three.py", source, "ours")
    assert set(modules.imports(here)) == {
        *("a", "b", "b.c", "one.two", "one.two.d", "one.two.e", "one.two.e.f"),
        *("typing", "typing.TYPE_CHECKING", "h", "i.j", "one.k", "one.k.l", "m"),
    }


def test_what_is_reached_is_what_gets_in(modules: ModuleType):
    sources = {
        "weighbridge/__init__.py": b"from weighbridge import gate",
        "weighbridge/gate.py": b"def check():\n    import dependency.inner",
        "weighbridge/mcp.py": b"import server",
        "server.py": b"",
        "dependency/__init__.py": b"import library",
        "dependency/inner.py": b"",
        "library.py": b"import booted, builtin",
        "booted.py": b"def lazy():\n    import never",
        "never.py": b"",
    }
    known = [modules.module(path, source, "ours") for path, source in sources.items()]
    found = modules.closure({one.name: one for one in known}, {"booted"}, {"builtin"})
    assert found == {
        *("weighbridge", "weighbridge.gate", "dependency", "dependency.inner", "library", "booted"),
    }


def test_a_whole_load_stays_within_its_bytes_on_the_wire(dist: Path, manifest: dict):
    loaded = [asset["file"] for asset in manifest["assets"].values()]
    pages = [name for name in manifest["files"] if re.fullmatch(r"[a-z]+(-[0-9a-f]+)?\.js", name)]
    wire = sum((dist / f"{name}.br").stat().st_size for name in {*loaded, *pages})
    assert wire <= MOST


def test_the_manifest_describes_every_file_and_nothing_else(dist: Path, manifest: dict):
    files = [path.relative_to(dist) for path in dist.rglob("*") if path.is_file()]
    there = {path.as_posix() for path in files if path.parts[0] != "workbench"} - {bundle.MANIFEST}
    assert set(manifest["files"]) == there
    for name in there:
        assert manifest["files"][name] == bundle.described(name, (dist / name).read_bytes())
    for asset in manifest["assets"].values():
        assert manifest["files"][asset["file"]] == asset


def test_names_say_what_a_proxy_may_let_through_and_change_with_the_content(
    dist: Path, manifest: dict
):
    for name in manifest["files"]:
        if name.endswith(".d.ts"):
            continue  # Read by a compiler, never by a page.
        plain = name.removesuffix(".br").removesuffix(".gz")
        assert plain.endswith((".js", ".wasm", ".zip", ".json"))
        if plain not in {"weighbridge.js", "weighbridge.classic.js"}:
            stem, suffix = re.fullmatch(r"([a-z]+)-[0-9a-f]{12}(\.[a-z]+)", plain).groups()
            assert plain == bundle.hashed_name(stem, suffix, (dist / plain).read_bytes())


def test_page_worker_and_payload_carry_one_build(dist: Path, manifest: dict, payload: Path):
    build = manifest["build"].encode()
    assert build in (dist / bundle.ENTRY).read_bytes()
    assert build in (dist / manifest["assets"]["worker"]["file"]).read_bytes()
    with zipfile.ZipFile(payload) as archive:
        assert build in archive.read("weighbridge_build.pyc")


def test_no_file_of_ours_names_another_host(dist: Path, manifest: dict):
    """
    Nothing is fetched from elsewhere, so no address stands where one could be.
    """
    ours = [name for name in manifest["files"] if re.fullmatch(r"(?!worker).*\.js", name)]
    assert len(ours) == 7
    for name in ours:
        assert re.findall(rb"https?://[^\s\"'`]+", (dist / name).read_bytes()) == []
