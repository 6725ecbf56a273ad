"""
The page as a page: policy, keyboard, eyes, small screens, and no gate.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.site import site
from tests.workbench import bench as at

pytestmark = pytest.mark.browser

#: As tight as the page can be served: nothing inline, nothing evaluated, nothing from elsewhere.
STRICT = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"

REFUSED = '{"projectId": "Demo", "query": 7, "limit": 1.0, "offset": 1}'


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest, browser: Browser, service: str) -> Iterator[Page]:
    """
    The page in a colour scheme.
    """
    context = browser.new_context(color_scheme=request.param)
    page = context.new_page()
    at.open_bench(page, service)
    yield page
    context.close()


def test_the_strictest_policy_is_never_violated(page: Page, service: str):
    def tighten(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(
            response=answer, headers={**answer.headers, "content-security-policy": STRICT}
        )

    page.route(service, tighten)
    page.add_init_script(
        "window.violations = []; addEventListener('securitypolicyviolation', (event) =>"
        " window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));"
    )
    at.open_bench(page, service)
    at.write(page, REFUSED)
    page.locator(".cm-lint-marker-error").hover()
    expect(page.locator(".cm-tooltip-lint")).to_be_visible()
    page.keyboard.press("ControlOrMeta+f")
    expect(page.locator(".cm-search")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("F8")
    at.write(page, '{"projectId": "demo", "')
    page.keyboard.type("q")
    expect(page.locator(".cm-tooltip-autocomplete")).to_be_visible()
    at.write(page, REFUSED)
    at.send(page)
    at.choose(page, "knowledge.proposeChange")
    at.send(page)
    assert page.evaluate("violations") == []
    assert page.evaluate("getComputedStyle(document.querySelector('.cm-editor')).display") == "flex"


def test_nothing_is_asked_of_another_origin(page: Page, service: str):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    at.open_bench(page, service)
    at.send(page)
    assert [url for url in asked if not url.startswith(service)] == []


def test_the_whole_path_can_be_gone_with_the_keyboard_alone(bench: Page):
    bench.keyboard.press("/")
    expect(bench.get_by_role("searchbox")).to_be_focused()
    bench.keyboard.type("knowledge get")
    bench.keyboard.press("ArrowDown")
    expect(bench.get_by_role("radio", name="knowledge.get", exact=True)).to_be_focused()
    bench.keyboard.press("Space")
    expect(bench.locator("#tool-title")).to_have_text("knowledge.get")
    at.settled(bench)
    for _ in range(4):
        bench.keyboard.press("Tab")
        if at.editor(bench).evaluate("(e) => e === document.activeElement"):
            break
    expect(at.editor(bench)).to_be_focused()
    bench.keyboard.press("ControlOrMeta+a")
    bench.keyboard.type('{"projectId": "demo", "itemId": 5')
    at.settled(bench)
    assert at.answer(bench) == "Refused mismatch"
    bench.keyboard.press("ControlOrMeta+Home")
    bench.keyboard.press("F8")
    assert bench.evaluate("getSelection().toString()") == "5"
    bench.keyboard.press("ControlOrMeta+Enter")
    expect(bench.locator("#exchange .agreement")).to_have_attribute("data-sign", "same")
    bench.keyboard.press("Tab")
    expect(at.editor(bench)).not_to_be_focused()


def test_whatever_has_the_focus_shows_it(bench: Page):
    at.write(bench, REFUSED)
    bench.locator(".skip").focus()
    unseen = []
    for _ in range(60):
        bench.keyboard.press("Tab")
        seen = bench.evaluate(
            """() => {
              const at = document.activeElement;
              if (at === document.body) return null;
              const ring = (element) => {
                const style = getComputedStyle(element);
                return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
              };
              const frame = at.closest(".editor-frame");
              const drawn = ring(at) || (at.closest(".tool") && ring(at.closest(".tool")))
                || (at.closest(".cm-content") && frame && getComputedStyle(frame).boxShadow !== "none");
              return [Boolean(drawn), at.outerHTML.slice(0, 90)];
            }"""
        )
        if seen is None:
            break
        if not seen[0]:
            unseen.append(seen[1])
    assert unseen == []


def test_a_press_of_send_leads_to_what_came_of_it(bench: Page):
    bench.get_by_label("MCP server").press("Enter")
    expect(bench.locator("#exchange-title")).to_be_focused()


def test_axe_finds_nothing_in_any_state(scheme: Page):
    assert _axe(scheme) == []
    at.write(scheme, REFUSED)
    assert _axe(scheme) == []
    at.send(scheme)
    scheme.locator("summary").first.click()
    assert _axe(scheme) == []
    at.choose(scheme, "knowledge.proposeChange")
    at.send(scheme)
    assert _axe(scheme) == []


def _axe(page: Page) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{each['id']}: {json.dumps([node['html'][:160] for node in each['nodes']])}"
        for each in found["violations"]
    ]


def test_axe_can_find_something(page: Page, service: str):
    """
    The control of the test above: a field that nobody named.
    """
    at.open_bench(page, service)
    page.evaluate("document.querySelector('main').append(document.createElement('input'))")
    assert any(each.startswith("label:") for each in _axe(page))


@pytest.mark.parametrize("width", [320, 390, 768, 1024])
def test_a_narrow_screen_scrolls_one_way_only(bench: Page, width: int):
    bench.set_viewport_size({"width": width, "height": 740})
    at.write(bench, REFUSED)
    at.send(bench)
    at.choose(bench, "knowledge.proposeChange")
    assert bench.evaluate("document.documentElement.scrollWidth") == width
    cut = bench.evaluate(
        """(width) => [...document.querySelectorAll("button, input, h2, h3, .meter, .finding")]
          .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > width + 1)
          .map((element) => element.outerHTML.slice(0, 90))""",
        width,
    )
    bench.set_viewport_size({"width": 1280, "height": 720})
    assert cut == []


def test_without_a_gate_the_page_says_so_and_still_sends(page: Page, service: str):
    page.route("**/*.wasm", lambda route: route.abort())
    page.goto(service)
    expect(page.locator("#gate")).to_have_attribute("data-state", "failed")
    expect(page.locator("#verdict-summary")).to_have_text("Not checked")
    trouble = page.get_by_role("alert")
    expect(trouble).to_contain_text("network")
    expect(trouble).to_contain_text("What to do: ")
    # The server says which tools there are.
    expect(page.get_by_role("radio")).to_have_count(10)
    at.send(page)
    assert at.agreement(page) == ("none", "Not checked here")
    expect(page.locator(".seat").nth(1)).to_contain_text("Served")
    page.unroute("**/*.wasm")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#gate")).to_have_attribute("data-state", "ready")
    expect(trouble).to_be_hidden()
    at.settled(page)
    assert at.answer(page) == "Admitted"


def test_a_worker_that_dies_leaves_no_verdict_behind_and_can_be_started_again(
    page: Page, service: str
):
    page.add_init_script(
        """
        window.workers = [];
        window.Worker = class extends Worker {
          constructor(...words) { super(...words); window.workers.push(this); }
        };
        """
    )
    at.open_bench(page, service)
    assert at.answer(page) == "Admitted"
    page.evaluate("workers.at(-1).dispatchEvent(new ErrorEvent('error', { message: 'gone' }))")
    at.editor(page).click()
    page.keyboard.type(" ")
    expect(page.locator("#verdict-summary")).to_have_text("Not checked")
    expect(page.locator(".meter")).to_have_count(0)
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#gate")).to_have_attribute("data-state", "ready")
    at.settled(page)
    assert at.answer(page) == "Admitted"


def test_the_start_is_told_by_phase_and_bytes(page: Page, service: str):
    page.add_init_script(
        """
        window.told = [];
        addEventListener("DOMContentLoaded", () => {
          const words = document.getElementById("gate-words");
          new MutationObserver(() => window.told.push(words.textContent)).observe(words, { childList: true });
        });
        """
    )
    at.open_bench(page, service)
    told = page.evaluate("told")
    assert [
        word
        for word in ("fetch", "compile", "boot", "open")
        if not any(f": {word}" in text for text in told)
    ] == []
    assert any(" MB of " in text for text in told)
    assert told[-1].startswith("Gate 0.1.0 ready")


def test_the_folder_works_where_the_bundle_lies_above_it(page: Page, dist: Path):
    """
    ``web/dist`` on any static host, below any path, with the workbench inside it.
    """
    with site({"/some/where/": dist}) as host:
        at.open_bench(page, f"{host.url}/some/where/workbench/")
        assert at.answer(page) == "Admitted"
