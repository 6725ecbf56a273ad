"""
Pages of every make load the gate, judge by it, and ask for nothing but its files.
"""

import http.server
import json
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

from tests.browser.serving import (
    MISSING,
    POLICY,
    Answer,
    folder,
    importing,
    opened,
    page,
    serve,
    verdict_or_error,
)
from weighbridge import Catalog, bundle

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def expected() -> str:
    return Catalog.bundled().check_text("project.list", "{}").to_json()


def test_a_module_script_judges_under_a_strict_policy(browser: Browser, dist: Path, expected: str):
    site = page(importing("/deep/er/dist/weighbridge.js"))
    with serve(site, folder("/deep/er/dist/", dist)) as served, opened(browser, served.url) as seen:
        assert verdict_or_error(seen.page) == expected
        assert seen.said == []


def test_a_classic_script_judges_from_a_page_of_another_folder(
    browser: Browser, dist: Path, expected: str
):
    html = b'<!doctype html><title>page</title><script src="../../kit/weighbridge.classic.js"></script>'
    site = {"/app/calls/": Answer(body=html, headers={"Content-Type": "text/html"})}
    with serve(site, folder("/kit/", dist)) as served:
        with opened(browser, f"{served.url}/app/calls/") as seen:
            assert verdict_or_error(seen.page) == expected


def test_base_url_says_where_the_files_are(browser: Browser, dist: Path, expected: str):
    site = page(importing("/script/weighbridge.js"))

    def script(path: str) -> Answer | None:
        # Only the page's own modules stand beside the entry.
        own = path.endswith(".js") and "worker" not in path and "interpreter" not in path
        return folder("/script/", dist)(path) if own else None

    with serve(site, script, folder("/files/v1/", dist)) as served:
        with opened(browser, f"{served.url}/") as seen:
            assert verdict_or_error(seen.page, baseUrl="files/v1") == expected


def test_importing_asks_for_scripts_only_and_loading_for_each_file_of_the_manifest_once_named(
    browser: Browser, dist: Path
):
    """
    Nothing loads until it is asked for, and then nothing but the files, all from one place.
    """
    manifest = json.loads((dist / bundle.MANIFEST).read_text())
    with serve(page(importing("/dist/weighbridge.js")), folder("/dist/", dist)) as served:
        with opened(browser, served.url) as seen:
            assets = {asset["file"] for asset in manifest["assets"].values()}
            names = {urlsplit(url).path.removeprefix("/dist/") for url in seen.asked}
            assert names & assets == set()
            assert isinstance(verdict_or_error(seen.page), str)
            asked = {urlsplit(url).path for url in seen.asked} - {"/", "/page.js", "/favicon.ico"}
            assert {urlsplit(url).netloc for url in seen.asked} == {urlsplit(served.url).netloc}
            shipped = {f"/dist/{name}" for name in manifest["files"]}
            assert asked - shipped == set()
            assert {f"/dist/{name}" for name in assets} <= asked


@pytest.mark.parametrize("kind", ["text/plain", "application/octet-stream", ""])
def test_a_wrong_media_type_for_the_interpreter_costs_nothing(
    browser: Browser, dist: Path, expected: str, kind: str
):
    """
    It is compiled from verified bytes, so nobody asks what the server calls them.
    """
    files = folder("/dist/", dist)

    def wrong(path: str) -> Answer | None:
        answer = files(path)
        is_interpreter = answer is not None and path.endswith(".wasm")
        return answer.with_headers(content_type=kind) if is_interpreter else None

    with serve(page(importing("/dist/weighbridge.js")), wrong, files) as served:
        with opened(browser, served.url) as seen:
            assert verdict_or_error(seen.page) == expected
            assert seen.said == []


def test_the_line_that_a_development_server_adds_to_a_script_costs_nothing(
    browser: Browser, dist: Path, expected: str
):
    """
    A source map's comment, after the bytes that were built: no browser runs it.
    """
    files = folder("/dist/", dist)

    def mapped(path: str) -> Answer | None:
        answer = files(path) if path.startswith("/dist/worker-") else None
        line = b"\n//# sourceMappingURL=data:application/json;base64,e30="
        return answer and Answer(body=answer.body + line, headers=answer.headers)

    with serve(page(importing("/dist/weighbridge.js")), mapped, files) as served:
        with opened(browser, served.url) as seen:
            assert verdict_or_error(seen.page) == expected


def test_a_proxy_that_blocks_packages_by_their_names_blocks_nothing(
    browser: Browser, dist: Path, expected: str
):
    def blocks(path: str) -> Answer | None:
        return MISSING if path.endswith((".whl", ".tar", ".gz", ".exe", ".mjs", ".py")) else None

    with serve(page(importing("/dist/weighbridge.js")), blocks, folder("/dist/", dist)) as served:
        with opened(browser, served.url) as seen:
            assert verdict_or_error(seen.page) == expected


def test_the_worker_needs_no_network_of_its_own(browser: Browser, dist: Path, expected: str):
    """
    The page hands it every byte, so the worker's own policy may forbid all connections.
    """
    files = folder("/dist/", dist)
    strict = POLICY.replace("connect-src 'self'", "connect-src 'none'")

    def worker(path: str) -> Answer | None:
        answer = files(path) if path.startswith("/dist/worker-") else None
        return answer and answer.with_headers(content_security_policy=strict)

    with serve(page(importing("/dist/weighbridge.js")), worker, files) as served:
        with opened(browser, served.url) as seen:
            assert verdict_or_error(seen.page) == expected
            assert seen.said == []


def test_only_the_worker_needs_leave_to_run_webassembly(
    browser: Browser, dist: Path, expected: str
):
    files = folder("/dist/", dist)
    without = POLICY.replace(" 'wasm-unsafe-eval'", "")

    def worker(path: str) -> Answer | None:
        answer = files(path) if path.startswith("/dist/worker-") else None
        return answer and answer.with_headers(content_security_policy=POLICY)

    with serve(page(importing("/dist/weighbridge.js")), worker, files, policy=without) as served:
        with opened(browser, served.url) as seen:
            assert verdict_or_error(seen.page) == expected
            assert seen.page.evaluate("globalThis.weighbridge.canRun()") == {
                "ok": False,
                "code": "blocked-by-policy",
            }


def test_the_files_may_come_from_another_origin(browser: Browser, dist: Path, expected: str):
    """
    A worker's script may not, so a line of the page's own imports it.
    """
    files = folder("/dist/", dist)

    def shared(path: str) -> Answer | None:
        answer = files(path)
        return answer and answer.with_headers(access_control_allow_origin="*")

    with serve(shared) as far:
        policy = (
            f"default-src 'none'; script-src 'self' {far.url} 'wasm-unsafe-eval'; "
            f"connect-src {far.url}; worker-src blob: {far.url}"
        )
        with serve(page(importing(f"{far.url}/dist/weighbridge.js")), policy=policy) as near:
            with opened(browser, near.url) as seen:
                assert verdict_or_error(seen.page) == expected
                assert seen.said == []


def test_a_page_under_trusted_types_loads_it(browser: Browser, dist: Path, expected: str):
    policy = f"{POLICY}; require-trusted-types-for 'script'; trusted-types weighbridge"
    with serve(
        page(importing("/dist/weighbridge.js")), folder("/dist/", dist), policy=policy
    ) as served:
        with opened(browser, served.url) as seen:
            assert verdict_or_error(seen.page) == expected
            assert seen.said == []


def test_a_page_may_make_the_worker_itself(browser: Browser, dist: Path, expected: str):
    """
    For policies and bundlers that want the words ``new Worker`` in the page's own script.
    """
    script = importing("/dist/weighbridge.js") + (
        "globalThis.made = [];\n"
        "globalThis.worker = (url) => {\n"
        "  made.push(url);\n"
        '  return new Worker(url, { type: "module" });\n'
        "};\n"
    )
    load = """async () => {
      const gate = await weighbridge.load({ worker });
      const { json } = await gate.check("project.list");
      await gate.close();
      return [json, made.length];
    }"""
    with serve(page(script), folder("/dist/", dist)) as served, opened(browser, served.url) as seen:
        assert seen.page.evaluate(load) == [expected, 1]


def test_progress_counts_the_manifests_bytes_under_compression_and_is_whole_once(
    browser: Browser, dist: Path
):
    manifest = json.loads((dist / bundle.MANIFEST).read_text())
    files = folder("/dist/", dist)

    def compressed(path: str) -> Answer | None:
        answer = files(path)
        packed = files(f"{path}.br")
        if answer is None or packed is None:
            return answer
        return Answer(body=packed.body, headers={**answer.headers, "Content-Encoding": "br"})

    load = """async () => {
      const told = [];
      const gate = await weighbridge.load({ onProgress: (progress) => told.push(progress) });
      await gate.close();
      return told;
    }"""
    # Chromium takes brotli over plain HTTP from this machine alone, as from any secure origin.
    with serve(page(importing("/dist/weighbridge.js")), compressed, files) as served:
        with opened(browser, served.url) as seen:
            told = seen.page.evaluate(load)
    total = sum(asset["bytes"] for asset in manifest["assets"].values())
    counts = [progress["loaded"] for progress in told if progress["type"] == "bytes"]
    phases = [progress["phase"] for progress in told if progress["type"] == "phase"]
    assert phases == ["fetch", "compile", "boot", "open", "ready"]
    assert counts == sorted(set(counts))
    assert counts[-1] == total
    assert {progress["total"] for progress in told if progress["type"] == "bytes"} == {total}


def test_a_bundle_written_for_another_catalog_judges_by_it_on_the_plainest_server(
    browser: Browser, dist: Path, tmp_path: Path
):
    """
    ``weighbridge web OUT --catalog DIR``, then ``python -m http.server``: nothing more.
    """
    schemas = tmp_path / "schemas"
    schemas.mkdir()
    (schemas / "greet-input.schema.json").write_text(
        json.dumps(
            {
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "$id": "https://example.org/greet-input.schema.json",
                "x-weighbridge-tool": "greet",
                "type": "object",
                "properties": {"name": {"type": "string", "maxLength": 3}},
                "required": ["name"],
                "additionalProperties": False,
            }
        )
    )
    (schemas / "catalog.json").write_text(json.dumps({"limits": {"nodes": 50}}))
    bundle.write_bundle(tmp_path / "site", schemas, dist)
    (tmp_path / "site" / "page.html").write_text(
        '<!doctype html><title>page</title><script src="weighbridge.classic.js"></script>'
    )
    catalog = Catalog.read(schemas)

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args: object) -> None:
            super().__init__(*args, directory=str(tmp_path / "site"))  # type: ignore[arg-type]

        def log_message(self, *_: object) -> None:
            """
            The test's output is its own.
            """

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            with opened(browser, f"http://127.0.0.1:{server.server_port}/page.html") as seen:
                for call in ({"name": "Ann"}, {"name": "Anna"}, {"nome": "Ann"}, {}):
                    verdict = catalog.check_text("greet", json.dumps(call)).to_json()
                    assert verdict_or_error(seen.page, "greet", call) == verdict
        finally:
            server.shutdown()
            thread.join()
