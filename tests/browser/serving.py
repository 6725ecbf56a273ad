"""
A web server of one test's making, and pages on it that load the gate.

Everything a host can do wrong is a rule here: a path answered with another
status, type, body or coding, with headers of its own, or never to its end.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from playwright.sync_api import Browser, ConsoleMessage, Page

from tests.support.site import Site, begin, serving

TYPES = {
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".json": "application/json",
    ".zip": "application/zip",
    ".html": "text/html",
}

#: The least that the docs ask for, in front of everything: the page and the worker.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "
    "connect-src 'self'; worker-src 'self'"
)

#: A page without an inline script, as a strict policy wants it.
PAGE = b'<!doctype html><title>page</title><script type="module" src="page.js"></script>'


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """
    What is sent for one path.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    #: Whether the last byte is held back until the server ends.
    is_stalled: bool = False

    def with_headers(self, **headers: str) -> "Answer":
        """
        The same answer with these headers, ``content_type`` for ``Content-Type``.
        """
        added = {key.replace("_", "-").title(): value for key, value in headers.items()}
        return replace(self, headers={**self.headers, **added})


MISSING = Answer(status=404, body=b"nothing here\n", headers={"Content-Type": "text/plain"})

#: From the path of a request to its answer; None for what is not there.
Rule = Callable[[str], Answer | None]


def page(script: str) -> dict[str, Answer]:
    """
    A page in the root that runs ``script`` as a module.
    """
    return {
        "/": Answer(body=PAGE, headers={"Content-Type": "text/html"}),
        "/page.js": Answer(body=script.encode(), headers={"Content-Type": "text/javascript"}),
    }


def folder(prefix: str, root: Path) -> Rule:
    """
    The files of a folder below ``prefix``.
    """

    def rule(path: str) -> Answer | None:
        file = root / path.removeprefix(prefix)
        if not path.startswith(prefix) or not file.is_file():
            return None
        kind = TYPES.get(file.suffix, "application/octet-stream")
        return Answer(body=file.read_bytes(), headers={"Content-Type": kind})

    return rule


@contextmanager
def serve(*rules: Rule | Mapping[str, Answer], policy: str | None = POLICY) -> Iterator[Site]:
    """
    Answer each request by the first rule that knows its path, all under one policy.
    """
    finished = threading.Event()

    def respond(handler: BaseHTTPRequestHandler, path: str) -> None:
        known = (rule.get(path) if isinstance(rule, Mapping) else rule(path) for rule in rules)
        answer = next((found for found in known if found is not None), MISSING)
        headers = {"Content-Length": str(len(answer.body))}
        if policy is not None:
            headers["Content-Security-Policy"] = policy
        begin(handler, answer.status, {**headers, **answer.headers})
        if handler.command == "HEAD":
            return
        if not answer.is_stalled:
            handler.wfile.write(answer.body)
            return
        handler.wfile.write(answer.body[:-1])
        handler.wfile.flush()
        finished.wait()

    with serving(respond) as served:
        try:
            yield served
        finally:
            finished.set()


@dataclass(frozen=True, slots=True)
class Seen:
    """
    A page, and what it did beside what it was asked.
    """

    page: Page
    #: Every address asked for, by page and worker.
    asked: list[str] = field(default_factory=list)
    #: What was written to the console, and errors that nobody caught.
    said: list[str] = field(default_factory=list)


@contextmanager
def opened(browser: Browser, url: str) -> Iterator[Seen]:
    """
    A page in a profile of its own, with nothing in any cache.
    """
    context = browser.new_context()
    seen = Seen(context.new_page())

    def note(message: ConsoleMessage) -> None:
        if "favicon.ico" not in message.location["url"]:
            seen.said.append(message.text)

    context.on("request", lambda request: seen.asked.append(request.url))
    seen.page.on("console", note)
    seen.page.on("pageerror", lambda error: seen.said.append(str(error)))
    try:
        seen.page.goto(url)
        yield seen
    finally:
        context.close()


def wait_for_workers_to_end(page: Page) -> None:
    """
    Until the page has no worker; a worker that does not end fails the test.
    """
    while page.workers:
        with page.workers[0].expect_event("close"):
            pass


#: Brings a module under ``window.weighbridge``; the address is relative to the page.
def importing(entry: str) -> str:
    """
    A page script that only makes the module reachable for a test.
    """
    return f'import * as module from "{entry}";\nglobalThis.weighbridge = module;\n'


#: Loads, judges one call; an error comes back as data.
LOAD_AND_CHECK = """async ({ tool, call, options }) => {
  const { load } = await globalThis.weighbridge;
  try {
    const gate = await load(options);
    const verdict = await gate.check(tool, call);
    await gate.close();
    return verdict.json;
  } catch (error) {
    const { name, code, phase, url, cure, message } = error;
    return { name, code, phase, url, cure, message, cause: error.cause === undefined ? null : String(error.cause) };
  }
}"""


def verdict_or_error(
    page: Page, tool: str = "project.list", call: object = None, **options: object
):
    """
    The verdict's bytes, or the error as a dict, of one load and one check.
    """
    return page.evaluate(LOAD_AND_CHECK, {"tool": tool, "call": call, "options": options})
