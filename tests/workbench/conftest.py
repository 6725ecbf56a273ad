"""
The real reference service, with the built page on it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.reference.serving import serve
from tests.workbench.bench import choose, open_bench, settled
from weighbridge import Catalog
from weighbridge.reference.service import build_app, build_server


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    """
    The published contract, as the service and the bundle hold it.
    """
    return Catalog.bundled()


@pytest.fixture(scope="module")
def service(
    dist: Path, catalog: Catalog, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """
    The address of the service behind its gate.
    """
    yield from _served(dist, catalog, tmp_path_factory.mktemp("gated"), gate=True)


@pytest.fixture(scope="module")
def ungated(
    dist: Path, catalog: Catalog, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """
    The same service with the gate lifted off.
    """
    yield from _served(dist, catalog, tmp_path_factory.mktemp("ungated"), gate=False)


@pytest.fixture(scope="module")
def elsewhere(dist: Path, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """
    A service whose catalog says one word more than the one in the bundle.
    """
    where = tmp_path_factory.mktemp("other")
    catalog = _changed(root, where, lambda schema: schema.update(title=f"{schema['title']}!"))
    yield from _served(dist, catalog, where, gate=True)


@pytest.fixture(scope="module")
def widened(dist: Path, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """
    A service whose catalog admits one name more than the one in the bundle.
    """
    where = tmp_path_factory.mktemp("widened")
    wider = {"urgent": {"type": "boolean"}}
    catalog = _changed(root, where, lambda schema: schema["properties"].update(wider))
    yield from _served(dist, catalog, where, gate=True)


def _changed(root: Path, where: Path, change: Callable[[dict[str, Any]], None]) -> Catalog:
    """The published contract, with the schema of one tool changed."""
    schemas = where / "mcp"
    shutil.copytree(root / "schemas" / "mcp", schemas)
    file = schemas / "knowledge-search-input.schema.json"
    schema = json.loads(file.read_text("utf-8"))
    change(schema)
    file.write_text(json.dumps(schema), "utf-8")
    return Catalog.read(schemas)


def _served(dist: Path, catalog: Catalog, folder: Path, *, gate: bool) -> Iterator[str]:
    server = build_server(folder / "reference.sqlite3", catalog, gate=gate)
    with serve(build_app(server, catalog, bundle=dist, workbench=dist / "workbench")) as port:
        yield f"http://127.0.0.1:{port}/"


@pytest.fixture(scope="module")
def opened(browser: Browser, service: str) -> Iterator[Page]:
    """
    One page for a module, with its gate running: starting it takes longer than most tests.
    """
    context = browser.new_context()
    page = context.new_page()
    uncaught: list[str] = []
    page.on("pageerror", lambda error: uncaught.append(str(error)))
    open_bench(page, service)
    yield page
    context.close()
    assert uncaught == []


@pytest.fixture
def bench(opened: Page, service: str) -> Page:
    """
    The page as it stands after it was opened: the first tool, its sample, its own server.
    """
    opened.get_by_label("MCP server").fill(f"{service}mcp")
    opened.get_by_role("searchbox").fill("")
    choose(opened, "knowledge.get")
    choose(opened, "knowledge.search")
    opened.get_by_role("button", name="Sample").click()
    settled(opened)
    return opened
