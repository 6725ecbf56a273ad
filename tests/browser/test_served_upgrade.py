"""
A service that hosts its own bundle is restarted with another catalog, under a warm browser cache.
"""

import json
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.reference.serving import serve
from weighbridge import Catalog
from weighbridge.bundle import write_bundle
from weighbridge.reference.service import build_app, build_server

pytestmark = pytest.mark.browser

CALL = '{"projectId":"demo","query":"retry","urgent":true}'

ASK = """async (call) => {
  const { load } = await import("/weighbridge/weighbridge.js");
  const gate = await load();
  const { json } = await gate.check("knowledge.search", call);
  const same = [gate.catalog.digest, json];
  await gate.close();
  return same;
}"""


def released(root: Path, where: Path, *, urgent: bool) -> tuple[Catalog, Path]:
    """A release: its catalog, which may know one name more, and its bundle."""
    schemas = where / "schemas"
    shutil.copytree(root / "schemas" / "mcp", schemas)
    if urgent:
        file = schemas / "knowledge-search-input.schema.json"
        schema = json.loads(file.read_text("utf-8"))
        schema["properties"]["urgent"] = {"type": "boolean"}
        file.write_text(json.dumps(schema), "utf-8")
    write_bundle(where / "bundle", schemas, root / "web" / "dist")
    return Catalog.read(schemas), where / "bundle"


def test_a_reload_after_a_restart_judges_by_the_catalog_of_the_new_release(
    browser: Browser, dist: Path, root: Path, tmp_path: Path
):
    first = released(root, tmp_path / "first", urgent=False)
    second = released(root, tmp_path / "second", urgent=True)
    context = browser.new_context()
    page = context.new_page()
    port = 0
    for catalog, bundle in (first, first, second):
        server = build_server(tmp_path / "reference.sqlite3", catalog)
        app = build_app(server, catalog, bundle=bundle, workbench=dist / "workbench")
        with serve(app, port) as port:
            assert asked(page, port) == [
                catalog.digest,
                catalog.check_text("knowledge.search", CALL).to_json(),
            ]
    context.close()
    assert first[0].digest != second[0].digest


def asked(page: Page, port: int) -> list[str]:
    """What the page says after it was loaded again."""
    page.goto(f"http://127.0.0.1:{port}/")
    page.reload()
    told: list[str] = page.evaluate(ASK, CALL)
    return told
