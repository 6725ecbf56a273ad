"""
Who imports whom: the core stands on two libraries, the adapters stand on the core.
"""

import ast
import graphlib
import json
import subprocess
import sys

import pytest

from tests.support.machine import ROOT

PACKAGE = ROOT / "pyodide_pkg" / "weighbridge"

#: What stands on the standard library alone.
GROUND = {
    *("characters", "charge", "errors", "formats", "format_addresses", "format_times", "limits"),
    *("lines", "patterns", "printable", "refusal", "syntax", "text", "version", "canonical"),
}

#: What may import a library beside the standard one, and which.
LIBRARIES = {
    "jsonschema": {"dialects", "evaluation", "keywords", "applicators", "assertions", "prepare"},
    "referencing": {
        "building",
        "catalog",
        "dialects",
        "makers",
        "metaschema",
        "prepare",
        "publish",
        "reading",
    },
    "jsonschema_specifications": {"metaschema"},
}

ADAPTERS = {
    "agree_mcp",
    "mcp",
    "stdio",
    "asgi",
    "cli",
    "__main__",
    "archive",
    "bundle",
    "reference",
    "describe",
    "web",
}


def name_of(path):
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts)


def imports(path):
    """
    Modules imported anywhere in one file: ours without their package, others by first name.
    """
    ours, others = set(), set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports by a relative name"
            found = [node.module]
            if node.module == "weighbridge" or node.module.startswith("weighbridge.reference"):
                found = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in found:
            first, _, rest = name.partition(".")
            if first == "weighbridge":
                ours.add(module_named(rest))
            else:
                others.add(first)
    return ours, others


def module_named(dotted):
    """
    The module of a dotted name of ours, which may go on to a name inside it.
    """
    while dotted:
        path = PACKAGE.joinpath(*dotted.split("."))
        if path.with_suffix(".py").exists() or (path / "__init__.py").exists():
            return dotted
        dotted = dotted.rpartition(".")[0]
    return "__init__"


FILES = sorted(PACKAGE.rglob("*.py"))
GRAPH = {name_of(path): imports(path) for path in FILES}


def test_there_is_no_cycle():
    graph = {name: ours for name, (ours, _others) in GRAPH.items()}
    assert graphlib.TopologicalSorter(graph).static_order() is not None
    list(graphlib.TopologicalSorter(graph).static_order())


@pytest.mark.parametrize("name", sorted(GROUND))
def test_the_ground_stands_on_the_standard_library(name):
    waiting, seen = [name], set()
    while waiting:
        here = waiting.pop()
        if here in seen:
            continue
        seen.add(here)
        ours, others = GRAPH[here]
        assert others <= sys.stdlib_module_names, f"{here} imports {others}"
        waiting += ours


def test_other_libraries_are_imported_where_they_are_meant_to_be_and_nowhere_else():
    for name, (_ours, others) in GRAPH.items():
        if name.split(".")[0] in ADAPTERS:
            continue
        for other in others - sys.stdlib_module_names:
            assert name in LIBRARIES.get(other, ()), f"{name} imports {other}"


def test_one_adapter_at_a_time_touches_the_sdk():
    touch = {name for name, (_, others) in GRAPH.items() if others & {"mcp", "mcp_types"}}
    outside = {name for name in touch if not name.startswith("reference")}
    assert outside == {"agree_mcp", "mcp", "stdio"}


def test_nothing_of_the_core_imports_an_adapter():
    for name, (ours, _others) in GRAPH.items():
        if name.split(".")[0] not in ADAPTERS:
            assert not {one.split(".")[0] for one in ours} & ADAPTERS, name


def test_no_import_stands_inside_a_function():
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                inside = [
                    one for one in ast.walk(node) if isinstance(one, ast.Import | ast.ImportFrom)
                ]
                assert not inside, f"{name_of(path)}.{node.name}"


def test_nothing_asks_whether_it_runs_in_a_page():
    for path in FILES:
        text = path.read_text("utf-8")
        assert "emscripten" not in text, path.name
        assert "import pyodide" not in text, path.name
        assert "sys.platform" not in text, path.name


def loaded(statement):
    """
    The modules that stand in ``sys.modules`` after one statement in a fresh interpreter.
    """
    answer = subprocess.run(
        [
            sys.executable,
            "-c",
            f"import sys, json; {statement}; print(json.dumps(sorted(sys.modules)))",
        ],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(PACKAGE.parent)},
    )
    return {name.split(".")[0] for name in json.loads(answer.stdout)}, set(
        json.loads(answer.stdout)
    )


def test_importing_the_package_brings_neither_a_server_nor_a_browser():
    first, modules = loaded("import weighbridge; weighbridge.Catalog.from_tools([])")
    assert "weighbridge.catalog" in modules
    assert not first & {
        "mcp",
        "pydantic",
        "starlette",
        "uvicorn",
        "anyio",
        "playwright",
        "js",
        "pyodide",
    }
    assert not {
        name
        for name in modules
        if name.startswith("weighbridge.") and name.split(".")[1] in ADAPTERS
    }


def test_importing_the_package_brings_its_two_libraries_and_nothing_else():
    libraries, _ = loaded("import jsonschema, referencing, jsonschema_specifications")
    first, _ = loaded("import weighbridge")
    assert first - libraries - sys.stdlib_module_names == {"weighbridge"}


#: A catalog, then calls; what the calls alone brought in is printed.
CALLS = """
import sys, weighbridge
catalog = weighbridge.Catalog.bundled()
before = set(sys.modules)
for text in ('{', '{}', '[[[', '{"projectId": "demo", "query": 1}'):
    catalog.check_text('knowledge.search', text).to_json()
print(sorted(set(sys.modules) - before))
"""


def test_a_call_imports_nothing():
    """
    A first call does no work that a later one does not.
    """
    answer = subprocess.run(
        [
            sys.executable,
            "-c",
            CALLS,
        ],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(PACKAGE.parent)},
    )
    assert answer.stdout.strip() == "[]"
