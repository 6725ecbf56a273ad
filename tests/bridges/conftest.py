"""
One page with every library on it, beside the real reference service and the built gate.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.reference.serving import serve
from tests.support.machine import ROOT
from weighbridge import Catalog
from weighbridge.reference.service import build_app, build_server

HERE = Path(__file__).parent


def bundle(out: Path) -> Path:
    """The page and its libraries as one script, in ``out``."""
    program = ROOT / "web/node_modules/.bin/esbuild"
    arguments = (
        HERE / "page/page.js",
        "--bundle",
        "--format=esm",
        "--external:/weighbridge/*",
        "--loader:.css=empty",
        "--loader:.ttf=empty",
        "--define:process.env.NODE_ENV='development'",
        "--log-level=error",
        f"--outfile={out / 'page.js'}",
    )
    subprocess.run(
        [program, *arguments],
        check=True,
        env={**os.environ, "NODE_PATH": str(HERE / "node_modules")},
    )
    (out / "index.html").write_bytes((HERE / "page/index.html").read_bytes())
    return out


@pytest.fixture(scope="module")
def bridged(
    browser: Browser, dist: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Page]:
    """The page, with its gate open and ``bridged`` on it."""
    catalog = Catalog.bundled()
    server = build_server(tmp_path_factory.mktemp("served") / "reference.sqlite3", catalog)
    app = build_app(server, catalog, bundle=dist, workbench=bundle(tmp_path_factory.mktemp("page")))
    with serve(app) as port:
        # ajv, which the form libraries bring, writes code; our own bundle asks for no such thing.
        context = browser.new_context(bypass_csp=True)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector("html[data-ready]")
        yield page
        context.close()
