"""
Whatever keeps the gate from starting is told as one typed error with its place and cure, in time.

No test here may see a verdict: what could not be judged is never admitted.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.serving import (
    POLICY,
    Answer,
    Rule,
    folder,
    importing,
    opened,
    page,
    serve,
    verdict_or_error,
    wait_for_workers_to_end,
)
from weighbridge import bundle

pytestmark = pytest.mark.browser

ROLES = ("worker", "wasm", "payload", "catalog")

HTML = Answer(body=b"<!doctype html><title>home</title>", headers={"Content-Type": "text/html"})


@pytest.fixture(scope="module")
def manifest(dist: Path) -> dict:
    return json.loads((dist / bundle.MANIFEST).read_text())


def failure(
    browser: Browser, *rules: Rule | dict[str, Answer], policy: str | None = POLICY, **options
):
    """
    The error of one load in a fresh page, with what it says on the console.
    """
    with serve(page(importing("/dist/weighbridge.js")), *rules, policy=policy) as served:
        with opened(browser, served.url) as seen:
            error = verdict_or_error(seen.page, **options)
    assert isinstance(error, dict), f"a verdict came: {error}"
    assert error["name"] == "WeighbridgeError"
    assert error["message"].endswith(f"Cure: {error['cure']}.")
    return error


@pytest.mark.parametrize("role", ROLES)
def test_one_changed_byte_in_any_file_is_a_hash_mismatch_that_names_it(
    browser: Browser, dist: Path, manifest: dict, role: str
):
    asset = manifest["assets"][role]
    files = folder("/dist/", dist)
    body = bytearray((dist / asset["file"]).read_bytes())
    body[len(body) // 2] ^= 1
    kind = files(f"/dist/{asset['file']}").headers
    changed = {f"/dist/{asset['file']}": Answer(body=bytes(body), headers=kind)}
    error = failure(browser, changed, files)
    assert (error["code"], error["phase"]) == ("hash-mismatch", "fetch")
    assert error["url"].endswith(f"/dist/{asset['file']}")


@pytest.mark.parametrize(("role", "by"), [("payload", -1), ("wasm", 1)])
def test_a_shorter_or_longer_file_is_a_hash_mismatch(
    browser: Browser, dist: Path, manifest: dict, role: str, by: int
):
    name = manifest["assets"][role]["file"]
    body = (dist / name).read_bytes()
    changed = {f"/dist/{name}": Answer(body=body[:by] if by < 0 else body + b"\0" * by)}
    assert failure(browser, changed, folder("/dist/", dist))["code"] == "hash-mismatch"


@pytest.mark.parametrize(
    ("role", "line"),
    [
        ("worker", b"\n//# sourceMappingURL=data:,\nimport('/elsewhere.js')"),
        ("worker", b"\n//# sourceMappingURL=data:,\xe2\x80\xa8import('/elsewhere.js')"),
        ("worker", b"\nimport('/elsewhere.js')"),
        ("payload", b"\n//# sourceMappingURL=data:,"),
    ],
)
def test_nothing_but_one_lines_comment_may_follow_a_script_and_nothing_another_file(
    browser: Browser, dist: Path, manifest: dict, role: str, line: bytes
):
    asset = f"/dist/{manifest['assets'][role]['file']}"
    files = folder("/dist/", dist)
    built = files(asset)
    longer = {asset: Answer(body=built.body + line, headers=built.headers)}
    error = failure(browser, longer, files)
    assert (error["code"], error["url"].endswith(asset)) == ("hash-mismatch", True)


@pytest.mark.parametrize("role", ROLES)
def test_a_missing_file_is_named(browser: Browser, dist: Path, manifest: dict, role: str):
    name = manifest["assets"][role]["file"]
    gone = {f"/dist/{name}": Answer(status=404, body=b"gone", headers={})}
    error = failure(browser, gone, folder("/dist/", dist))
    assert (error["code"], error["phase"]) == ("asset-missing", "fetch")
    assert error["url"].endswith(f"/dist/{name}")
    assert "404" in error["message"]


def test_a_failure_that_a_cache_has_kept_is_asked_for_once_more(
    browser: Browser, dist: Path, manifest: dict
):
    """
    A host may say how long its 404 is good for, and be mended before that.
    """
    path = f"/dist/{manifest['assets']['payload']['file']}"
    kept = {"Cache-Control": "max-age=3600"}
    first = [Answer(status=404, body=b"not yet", headers=kept)] * 2

    def mended(asked: str) -> Answer | None:
        return first.pop() if asked == path and first else None

    site = page(importing("/dist/weighbridge.js"))
    with serve(site, mended, folder("/dist/", dist)) as served:
        with opened(browser, served.url) as seen:
            assert verdict_or_error(seen.page)["code"] == "asset-missing"
            assert isinstance(verdict_or_error(seen.page), str)


@pytest.mark.parametrize("role", ["worker", "wasm"])
def test_a_page_where_a_file_was_expected_is_said_to_be_a_page(
    browser: Browser, dist: Path, manifest: dict, role: str
):
    """
    A server that answers every unknown path with its home page, or a login, says 200.
    """
    home = {f"/dist/{manifest['assets'][role]['file']}": HTML}
    assert failure(browser, home, folder("/dist/", dist))["code"] == "html-instead"


def test_a_file_that_stops_half_way_runs_out_of_time_and_is_named(
    browser: Browser, dist: Path, manifest: dict
):
    name = manifest["assets"]["payload"]["file"]
    body = (dist / name).read_bytes()
    stalled = {f"/dist/{name}": Answer(body=body, is_stalled=True)}
    error = failure(browser, stalled, folder("/dist/", dist), timeout=6000)
    assert (error["code"], error["phase"]) == ("time-out", "fetch")
    assert f"{name} ({len(body) - 1} of {len(body)} bytes)" in error["message"]


def test_a_worker_that_never_says_hello_runs_out_of_time(browser: Browser, dist: Path):
    script = importing("/dist/weighbridge.js") + (
        'globalThis.worker = () => new Worker("/mute.js", { type: "module" });\n'
    )
    mute = {"/mute.js": Answer(body=b"", headers={"Content-Type": "text/javascript"})}
    load = """async () => {
      try { await weighbridge.load({ worker, timeout: 4000 }); return "loaded"; }
      catch (error) { return [error.code, error.message.includes("the worker to start")]; }
    }"""
    with serve(page(script), mute, folder("/dist/", dist)) as served:
        with opened(browser, served.url) as seen:
            assert seen.page.evaluate(load) == ["time-out", True]


@pytest.mark.parametrize(
    ("forbidden", "directive"),
    [
        ("connect-src 'none'", "connect-src"),
        ("worker-src 'none'", "worker-src"),
    ],
)
def test_a_policy_that_forbids_it_is_named(
    browser: Browser, dist: Path, forbidden: str, directive: str
):
    policy = POLICY.replace(f"{directive} 'self'", forbidden)
    error = failure(browser, folder("/dist/", dist), policy=policy)
    assert error["code"] == "blocked-by-policy"
    assert directive in error["message"]


def test_a_policy_that_forbids_webassembly_in_the_worker_is_told_at_once(
    browser: Browser, dist: Path
):
    """
    The stock loader waits for ever here.
    """
    policy = POLICY.replace(" 'wasm-unsafe-eval'", "")
    error = failure(browser, folder("/dist/", dist), policy=policy)
    assert (error["code"], error["phase"]) == ("blocked-by-policy", "compile")


def test_trusted_types_without_our_policy_end_in_a_typed_error_not_in_silence(
    browser: Browser, dist: Path
):
    policy = f"{POLICY}; require-trusted-types-for 'script'; trusted-types other"
    error = failure(browser, folder("/dist/", dist), policy=policy)
    assert error["code"] == "blocked-by-policy"
    assert "trusted-types" in error["message"]


def test_a_server_that_is_gone_is_the_network_and_nothing_else(browser: Browser, dist: Path):
    with serve(page(importing("/dist/weighbridge.js")), folder("/dist/", dist)) as served:
        with opened(browser, served.url) as seen:
            seen.page.context.set_offline(True)
            error = verdict_or_error(seen.page)
    assert (error["code"], error["phase"]) == ("network", "fetch")
    assert "Failed to fetch" in error["cause"]


def other_build(dist: Path, target: Path) -> tuple[Path, str]:
    """
    The same files as another build would have made them: another id, other names.
    """
    shutil.copytree(dist, target, ignore=shutil.ignore_patterns("*.br", "*.gz"))
    manifest = json.loads((target / bundle.MANIFEST).read_text())
    old, new = manifest["build"], manifest["build"][:-12] + "0123456789ab"
    worker = manifest["assets"]["worker"]["file"]
    script = (target / worker).read_text().replace(old, new).encode()
    name = bundle.hashed_name("worker", ".js", script)
    (target / worker).unlink()
    (target / name).write_bytes(script)
    manifest["build"] = new
    manifest["assets"]["worker"] = bundle.described(name, script)
    (target / bundle.MANIFEST).write_text(json.dumps(manifest))
    entry = bundle.entry((target / bundle.ENTRY).read_text(), manifest)
    (target / bundle.ENTRY).write_text(entry)
    return target, new


@pytest.mark.parametrize("kept", ["page", "folder"])
def test_a_page_script_and_a_folder_of_two_builds_name_both(
    browser: Browser, dist: Path, manifest: dict, tmp_path: Path, kept: str
):
    """
    An old page with a new bundle, and a new page with an old bundle that something has kept.
    """
    new, build = other_build(dist, tmp_path / "new")
    page_of, folder_of = (dist, new) if kept == "page" else (new, dist)
    headers = {"Content-Type": "text/javascript"}
    script = Answer(body=(page_of / bundle.ENTRY).read_bytes(), headers=headers)
    error = failure(browser, {"/dist/weighbridge.js": script}, folder("/dist/", folder_of))
    assert error["code"] == "build-mismatch"
    assert build in error["message"]
    assert manifest["build"] in error["message"]


def test_a_worker_of_another_build_names_both_builds(
    browser: Browser, dist: Path, manifest: dict, tmp_path: Path
):
    other, build = other_build(dist, tmp_path / "other")
    worker = json.loads((other / bundle.MANIFEST).read_text())["assets"]["worker"]["file"]
    script = importing("/dist/weighbridge.js") + (
        f'globalThis.worker = () => new Worker("/other/{worker}", {{ type: "module" }});\n'
    )
    load = """async () => {
      try { await weighbridge.load({ worker }); return "loaded"; }
      catch (error) { return [error.code, error.message]; }
    }"""
    with serve(page(script), folder("/other/", other), folder("/dist/", dist)) as served:
        with opened(browser, served.url) as seen:
            code, message = seen.page.evaluate(load)
    assert code == "build-mismatch"
    assert build in message
    assert manifest["build"] in message


def test_a_worker_and_a_payload_of_two_builds_do_not_run_together(
    browser: Browser, dist: Path, manifest: dict, tmp_path: Path
):
    """
    Every hash is right and page and worker agree; only the payload is another build's.
    """
    other, build = other_build(dist, tmp_path / "other")
    error = failure(browser, folder("/dist/", other))
    assert (error["code"], error["phase"]) == ("build-mismatch", "open")
    assert build in error["message"]
    assert manifest["build"] in error["message"]


def test_a_catalog_that_does_not_load_says_file_and_fault(
    browser: Browser, dist: Path, tmp_path: Path
):
    """
    The writer of bundles refuses such a catalog; here a hand has written one.
    """
    target = tmp_path / "dist"
    shutil.copytree(dist, target, ignore=shutil.ignore_patterns("*.br", "*.gz"))
    manifest = json.loads((target / bundle.MANIFEST).read_text())
    catalog = json.loads((target / manifest["assets"]["catalog"]["file"]).read_text())
    broken = next(name for name in catalog["files"] if "input" in name)
    catalog["files"][broken] = "{"
    data = json.dumps(catalog).encode()
    name = bundle.hashed_name("catalog", ".json", data)
    (target / name).write_bytes(data)
    manifest["assets"]["catalog"] = bundle.described(name, data)
    entry = bundle.entry((target / bundle.ENTRY).read_text(), manifest)
    (target / bundle.ENTRY).write_text(entry)
    error = failure(browser, folder("/dist/", target))
    assert (error["code"], error["phase"]) == ("catalog-failed", "open")
    assert broken in error["message"]


def test_a_connection_that_ends_inside_a_file_is_the_network_and_names_it(
    browser: Browser, dist: Path, manifest: dict
):
    name = manifest["assets"]["payload"]["file"]
    body = (dist / name).read_bytes()
    headers = {"Content-Length": str(len(body)), "Connection": "close"}
    cut = {f"/dist/{name}": Answer(body=body[:1000], headers=headers)}
    error = failure(browser, cut, folder("/dist/", dist))
    assert (error["code"], error["phase"]) == ("network", "fetch")
    assert error["url"].endswith(f"/dist/{name}")
    assert re.search(rf"{name}, after \d+ of {len(body)} bytes", error["message"])


#: What a browser of another make or in another state does, before the worker's own script runs.
FAULTS = {
    "out-of-memory": (
        "boot",
        (
            "const { instantiate } = WebAssembly;\n"
            "WebAssembly.instantiate = async (source, imports) => {\n"
            "  if (source instanceof WebAssembly.Module && WebAssembly.Module.exports(source).length > 99)\n"
            '    throw new RangeError("WebAssembly.Memory(): could not allocate memory");\n'
            "  return instantiate(source, imports);\n"
            "};"
        ),
    ),
    "wasm-unsupported": (
        "compile",
        (
            "WebAssembly.compile = async () => "
            '{ throw new WebAssembly.CompileError("invalid value type 0x69 @+53"); };'
        ),
    ),
    "boot-failed": ("boot", "TextDecoder.prototype.decode = () => { throw new TypeError(); };"),
}


@pytest.mark.parametrize("code", FAULTS)
def test_a_browser_that_cannot_is_said_to_be_one(
    browser: Browser, dist: Path, manifest: dict, code: str
):
    phase, fault = FAULTS[code]
    real = f"/dist/{manifest['assets']['worker']['file']}"
    script = importing("/dist/weighbridge.js") + (
        'globalThis.worker = () => new Worker("/odd.js", { type: "module" });\n'
    )
    odd = Answer(
        body=f'{fault}\nawait import("{real}");\n'.encode(),
        headers={"Content-Type": "text/javascript"},
    )
    load = """async () => {
      try { await weighbridge.load({ worker }); return "loaded"; }
      catch (error) { return [error.code, error.phase, error.cure.length > 0]; }
    }"""
    with serve(page(script), {"/odd.js": odd}, folder("/dist/", dist)) as served:
        with opened(browser, served.url) as seen:
            assert seen.page.evaluate(load) == [code, phase, True]
            wait_for_workers_to_end(seen.page)


def test_a_worker_that_the_browser_does_not_run_is_said_to_be_blocked(
    browser: Browser, dist: Path, manifest: dict
):
    """
    A script of a wrong type is fetched and verified, and no browser makes a worker of it.
    """
    path = f"/dist/{manifest['assets']['worker']['file']}"
    files = folder("/dist/", dist)
    odd = {path: files(path).with_headers(content_type="text/plain")}
    error = failure(browser, odd, files)
    assert (error["code"], error["phase"]) == ("worker-blocked", "start")
    assert error["url"].endswith(path)
    assert "text/javascript" in error["cure"]


def test_a_page_whose_own_worker_cannot_be_made_keeps_the_first_cause(browser: Browser, dist: Path):
    script = importing("/dist/weighbridge.js") + (
        'globalThis.worker = () => { throw new TypeError("mine"); };\n'
    )
    load = """async () => {
      try { await weighbridge.load({ worker }); return "loaded"; }
      catch (error) { return [error.code, error.phase, String(error.cause)]; }
    }"""
    with serve(page(script), folder("/dist/", dist)) as served:
        with opened(browser, served.url) as seen:
            assert seen.page.evaluate(load) == ["worker-blocked", "start", "TypeError: mine"]


def test_a_message_that_cannot_be_read_ends_the_worker(browser: Browser, dist: Path):
    """
    The browser says so by an event, which the page's own worker brings about here.
    """
    script = importing("/dist/weighbridge.js") + (
        "globalThis.worker = (url) => {\n"
        '  const made = new Worker(url, { type: "module" });\n'
        '  made.addEventListener("message", () => '
        'made.dispatchEvent(new MessageEvent("messageerror")), { once: true });\n'
        "  return made;\n"
        "};\n"
    )
    load = """async () => {
      try { await weighbridge.load({ worker }); return "loaded"; }
      catch (error) { return error.code; }
    }"""
    with serve(page(script), folder("/dist/", dist)) as served:
        with opened(browser, served.url) as seen:
            assert seen.page.evaluate(load) == "worker-failed"
            wait_for_workers_to_end(seen.page)


def test_a_frame_of_an_mcp_app_is_told_at_once_that_it_cannot(browser: Browser, dist: Path):
    """
    A sandboxed frame of no origin, under a policy without WebAssembly: canRun() says it
    without a request, and load() says the same instead of waiting.
    """
    frame = b'<!doctype html><title>app</title><script type="module" src="/app.js"></script>'
    outer = (
        b'<!doctype html><title>host</title><iframe src="/app" sandbox="allow-scripts"></iframe>'
    )
    anyone = {"Access-Control-Allow-Origin": "*"}
    files = folder("/dist/", dist)
    strict = {"Content-Security-Policy": "default-src 'none'; script-src {0}; connect-src {0}"}

    with serve(
        lambda path: (answer := files(path)) and answer.with_headers(**anyone), policy=None
    ) as far:
        told = {key: value.format(far.url) for key, value in strict.items()}
        script = importing(f"{far.url}/dist/weighbridge.js")
        own = {"Content-Type": "text/javascript", **anyone}
        site = {
            "/": Answer(body=outer, headers={"Content-Type": "text/html"}),
            "/app": Answer(body=frame, headers={"Content-Type": "text/html"}),
            "/app.js": Answer(body=script.encode(), headers=own),
        }
        with serve(site, policy=None) as near:
            told["Content-Security-Policy"] = told["Content-Security-Policy"].replace(
                "script-src", f"script-src {near.url}"
            )
            site["/app"] = site["/app"].with_headers(**told)
            with opened(browser, near.url) as seen:
                app = seen.page.frames[1]
                app.wait_for_function("globalThis.weighbridge")
                before = len(far.requests)
                assert app.evaluate("[origin, weighbridge.canRun()]") == [
                    "null",
                    {"ok": False, "code": "blocked-by-policy"},
                ]
                assert len(far.requests) == before
                load = "weighbridge.load().then(() => 0, ({ code }) => code)"
                assert app.evaluate(load) == "blocked-by-policy"


def test_the_source_says_that_it_is_not_built(browser: Browser, root: Path):
    error = failure(browser, folder("/dist/", root / "web"))
    assert (error["code"], error["phase"]) == ("not-built", "start")


def test_a_load_can_be_given_up_and_begun_again(browser: Browser, dist: Path):
    load = """async () => {
      const { load } = weighbridge;
      const codes = [];
      const note = (error) => codes.push(error.code);
      await load({ signal: AbortSignal.abort() }).catch(note);
      const giveUp = new AbortController();
      await load({
        signal: giveUp.signal,
        onProgress: ({ type }) => type === "bytes" && giveUp.abort("enough"),
      }).catch((error) => { note(error); codes.push(error.cause); });
      await load({ signal: AbortSignal.timeout(1) }).catch(note);
      const gate = await load();
      codes.push((await gate.check("project.list")).admitted);
      await gate.close();
      return codes;
    }"""
    with serve(page(importing("/dist/weighbridge.js")), folder("/dist/", dist)) as served:
        with opened(browser, served.url) as seen:
            told = seen.page.evaluate(load)
            assert told == ["aborted", "aborted", "enough", "time-out", True]
            wait_for_workers_to_end(seen.page)


def test_importing_it_outside_a_browser_is_harmless_and_loading_says_where_it_belongs(dist: Path):
    script = f"""
      const before = Reflect.ownKeys(globalThis).length;
      const {{ load, canRun, VERSION }} = await import({json.dumps((dist / bundle.ENTRY).as_uri())});
      const error = await load().catch((error) => error);
      const added = Reflect.ownKeys(globalThis).length - before;
      console.log(JSON.stringify([error.name, error.code, error.cure, canRun(), VERSION, added]));
    """
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", script],
        capture_output=True,
        text=True,
        check=True,
    )
    name, code, cure, can, version, added = json.loads(done.stdout)
    assert (name, code, can) == (
        "WeighbridgeError",
        "not-a-browser",
        {"ok": False, "code": "not-a-browser"},
    )
    assert re.search(r"\bbrowser\b", cure)
    assert version == bundle.__version__
    assert added == 0
    assert done.stderr == ""
