"""
What the pages about the page side show is what runs: recipes, policies, headers, hints, errors.
"""

import json
import re
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.building import FIXTURES
from tests.browser.serving import (
    POLICY,
    Answer,
    folder,
    importing,
    opened,
    page,
    serve,
    verdict_or_error,
)
from tests.browser.test_payload import MOST
from tests.browser.test_upgrades import FOREVER
from tests.doors.documents import blocks
from weighbridge import Catalog, bundle

pytestmark = pytest.mark.browser

RECIPES = [block for block in blocks("js") if block.file == "docs/bundlers.md"]
POLICIES = [
    block.body.strip()
    for block in blocks("text")
    if block.file == "docs/content-security-policy.md"
]


@pytest.fixture(scope="module")
def expected() -> str:
    return Catalog.bundled().check_text("project.list", "{}").to_json()


@pytest.mark.parametrize("block", RECIPES, ids=str)
def test_a_recipe_is_a_file_of_a_fixture_to_the_byte(block):
    """
    Those are built and run: two of them in every run, all by ``make fixtures``.
    """
    files = [path for path in FIXTURES.rglob("*.*js") if "node_modules" not in path.parts]
    assert block.body in {path.read_text("utf-8") for path in files}


def test_each_fixtures_own_scripts_are_shown(root: Path):
    """
    All but what a framework asks for and nobody has to be told.
    """
    files = [path for path in FIXTURES.rglob("*.*js") if "node_modules" not in path.parts]
    shown = {block.body for block in RECIPES}
    hidden = {
        path.relative_to(FIXTURES).as_posix()
        for path in files
        if path.read_text("utf-8") not in shown
    }
    assert hidden == {"next/next.config.js", "next/app/layout.js", "next/app/page.js"}


def test_the_first_policy_is_the_one_that_every_test_is_served_with():
    assert POLICIES[0] == POLICY


@pytest.mark.parametrize("number", [0, 2, 3])
def test_a_page_under_each_policy_judges_with_a_worker_under_its_own(
    browser: Browser, dist: Path, expected: str, number: int
):
    files = folder("/dist/", dist)

    def worker(path: str) -> Answer | None:
        answer = files(path) if path.startswith("/dist/worker-") else None
        return answer and answer.with_headers(content_security_policy=POLICIES[1])

    site = page(importing("/dist/weighbridge.js"))
    with serve(site, worker, files, policy=POLICIES[number]) as served:
        with opened(browser, served.url) as seen:
            assert verdict_or_error(seen.page) == expected
            assert seen.said == []


def test_a_page_whose_own_policy_of_trusted_types_is_the_only_one_makes_the_worker_itself(
    browser: Browser, dist: Path, expected: str
):
    script = importing("/dist/weighbridge.js") + (
        'const mine = trustedTypes.createPolicy("mine", { createScriptURL: (url) => url });\n'
        "globalThis.worker = (url) => "
        'new Worker(mine.createScriptURL(url), { type: "module" });\n'
    )
    load = """async () => {
      const gate = await weighbridge.load({ worker });
      const { json } = await gate.check("project.list");
      await gate.close();
      return json;
    }"""
    policy = f"{POLICY}; require-trusted-types-for 'script'; trusted-types mine"
    with serve(page(script), folder("/dist/", dist), policy=policy) as served:
        with opened(browser, served.url) as seen:
            assert seen.page.evaluate(load) == expected
            assert seen.said == []


def test_the_headers_of_the_hosting_page_are_those_that_releases_are_tested_with(root: Path):
    text = (root / "docs" / "hosting.md").read_text("utf-8")
    assert f"| names that hold a hash | `Cache-Control: {FOREVER}` |" in text
    assert (
        f"`{bundle.ENTRY}`, `weighbridge.classic.js`, `{bundle.MANIFEST}` | `Cache-Control: no-cache` |"
        in text
    )
    assert f"at most {MOST:,} bytes" in text


def test_the_hints_of_the_hosting_page_fetch_nothing_twice_and_leave_nothing_unused(
    browser: Browser, dist: Path, expected: str
):
    (hints,) = [
        block.body
        for block in blocks("text")
        if block.file == "docs/hosting.md" and "preload" in block.body
    ]
    assets = json.loads((dist / bundle.MANIFEST).read_text())["assets"]
    for role, stem in (("wasm", "interpreter"), ("payload", "payload")):
        hints = re.sub(rf"{stem}-<hash>\.\w+", assets[role]["file"], hints)
    assert "<hash>" not in hints
    site = page(importing("/weighbridge/weighbridge.js"))
    html = (
        b"<!doctype html><title>page</title>"
        + hints.encode()
        + b'<script type="module" src="page.js"></script>'
    )
    site["/"] = Answer(body=html, headers={"Content-Type": "text/html"})
    files = folder("/weighbridge/", dist)

    def kept(path: str) -> Answer | None:
        packed = files(f"{path}.br")
        plain = files(path)
        if plain is None or packed is None:
            return plain
        coded = packed.with_headers(content_encoding="br", cache_control=FOREVER)
        return coded.with_headers(content_type=plain.headers["Content-Type"])

    with serve(site, kept) as served, opened(browser, served.url) as seen:
        assert verdict_or_error(seen.page) == expected
        asked = [path for path in served.requests if path.startswith("/weighbridge/")]
        assert sorted(asked) == sorted(set(asked))
        assert seen.said == []


def test_the_page_of_errors_lists_every_code_with_its_cure(root: Path):
    declared = (root / "web" / "errors.js").read_text("utf-8")
    (union,) = re.findall(r"@typedef \{([^}]*)\} Code\n", declared)
    codes = re.findall(r'"([a-z-]+)"', union)
    script = f"""
      import {{ WeighbridgeError }} from {json.dumps((root / "web" / "errors.js").as_uri())};
      const cure = (code) => [code, new WeighbridgeError(code, "", {{ phase: "start" }}).cure];
      console.log(JSON.stringify({json.dumps(codes)}.map(cure)));
    """
    done = subprocess.run(
        ["node", "--no-warnings", "--input-type=module", "--eval", script],
        capture_output=True,
        check=True,
    )
    text = (root / "docs" / "page-errors.md").read_text("utf-8")
    listed = re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", text.partition("| code |")[2], re.MULTILINE)
    assert listed == [tuple(pair) for pair in json.loads(done.stdout)]
