"""
What stays behind: a page that loads and closes the gate over and over, and one gate asked over and over.

``python -m tests.browser.leaks [--loads N] [--visits N] [--checks N]``. After each
tenth the browser collects its garbage and says what it holds; from the second
line on that may not grow. The two first tenths fill caches that are meant to stay.
"""

import argparse
import itertools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import CDPSession, Page, sync_playwright

from tests.browser.serving import Answer, folder, importing, page, serve
from tests.support import browsers, machine

#: Bytes that may come and go without being a leak: what one measurement differs from the next by.
NOISE = 1 << 20

#: So that a page may ask what it and its workers hold.
ISOLATED = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}

LOAD = """async (times) => {
  for (let n = 0; n < times; n += 1) {
    const gate = await weighbridge.load({ onProgress() {}, signal: new AbortController().signal });
    await gate.check("project.list");
    await gate.close();
  }
}"""

OPEN = "async () => { globalThis.gate = await weighbridge.load(); }"

#: No two calls alike: admitted, refused by the schema, by the text, and unknown tools.
CHECK = """async ([from, times]) => {
  const signal = new AbortController().signal;
  for (let n = from; n < from + times; n += 4)
    await Promise.all([
      gate.check("knowledge.search", { projectId: "demo", query: `retry ${n}` }, { signal }),
      gate.check("knowledge.search", { projectId: "demo", query: "", [`key ${n}`]: n }, { signal }),
      gate.check("knowledge.search", `{"projectId": "demo", "query": "${n}"`, { signal }),
      gate.check(`tool.${n}`, { n }, { signal }),
    ]);
}"""

#: By whose it is: the page's own, and its workers'.
HELD = """async () => {
  const { breakdown } = await performance.measureUserAgentSpecificMemory();
  const held = { page: 0, worker: 0 };
  for (const { bytes, attribution } of breakdown)
    for (const { scope } of attribution.slice(0, 1)) held[scope === "Window" ? "page" : "worker"] += bytes;
  return held;
}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """
    What one page holds, right after its garbage was collected.
    """

    #: Bytes of the page's own objects.
    page: int
    #: Bytes of its workers', the interpreter's memory included.
    worker: int
    #: Everything that the page has asked to be told of.
    listeners: int
    #: Workers that run, and locks that anybody holds or waits for.
    workers: int
    locks: int


@dataclass(frozen=True, slots=True)
class Seat:
    """
    A page that can be asked what it holds.
    """

    page: Page
    devtools: CDPSession

    def held(self) -> Held:
        """
        What it holds now; the garbage goes first.
        """
        self.devtools.send("HeapProfiler.collectGarbage")
        told = self.devtools.send("Performance.getMetrics")["metrics"]
        metrics = {metric["name"]: int(metric["value"]) for metric in told}
        locks = "navigator.locks.query().then(({ held, pending }) => held.length + pending.length)"
        return Held(
            **self.page.evaluate(HELD),
            listeners=metrics["JSEventListeners"],
            workers=len(self.page.workers),
            locks=self.page.evaluate(locks),
        )


@contextmanager
def seat(dist: Path) -> Iterator[Seat]:
    """
    A page that may measure memory, with the module in reach.
    """
    files = folder("/dist/", dist)
    site = page(importing("/dist/weighbridge.js"))

    def isolated(path: str) -> Answer | None:
        answer = site.get(path) or files(path)
        return answer and answer.with_headers(**ISOLATED)

    flags = [*browsers.chromium_flags(), "--enable-blink-features=ForceEagerMeasureMemory"]
    with serve(isolated) as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=machine.chromium(), args=flags)
        opened = browser.new_page()
        opened.goto(served.url)
        devtools = opened.context.new_cdp_session(opened)
        devtools.send("Performance.enable")
        yield Seat(opened, devtools)
        browser.close()


def loads(here: Seat, times: int) -> None:
    """
    One page loads the gate, asks and closes.
    """
    here.page.evaluate(LOAD, times)


def visits(here: Seat, times: int) -> None:
    """
    The page is opened again each time, and left with a gate that nobody closed.
    """
    for _ in range(times):
        here.page.evaluate(OPEN)
        here.page.reload()


def tenths(times: int) -> Iterator[tuple[int, int]]:
    """
    Where each tenth begins, and how many it has.
    """
    edges = [times * tenth // 10 for tenth in range(11)]
    return ((here, there - here) for here, there in itertools.pairwise(edges) if there > here)


def grown(name: str, seen: list[Held]) -> list[str]:
    """
    What a run is told to have left behind, compared from its third line on.
    """
    early, late = seen[:-1][1:3] or seen[:1], seen[-1]
    complaints = [
        f"{name}: the {whose} holds {growth:,} bytes more than at first"
        for whose in ("page", "worker")
        if (growth := getattr(late, whose) - max(getattr(one, whose) for one in early)) > NOISE
    ]
    complaints += [
        f"{name}: {most - least} more {what} than at first"
        for what in ("listeners", "workers", "locks")
        if (most := getattr(late, what)) > (least := max(getattr(one, what) for one in early))
    ]
    return complaints


def measured(name: str, dist: Path, times: int) -> list[str]:
    """
    Run one kind, a line for each tenth; what it left behind.
    """
    with seat(dist) as here:
        seen = []
        if name == "checks":
            here.page.evaluate(OPEN)
        for begin, count in tenths(times):
            if name == "checks":
                here.page.evaluate(CHECK, [begin, count])
            else:
                {"loads": loads, "visits": visits}[name](here, count)
            seen.append(here.held())
            print(f"{begin + count:>8} {name}: {seen[-1]}", flush=True)
        return grown(name, seen)


def main() -> int:
    """
    0 where nothing stays behind, else 1 and what does.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    for name, times in (("loads", 1000), ("visits", 100), ("checks", 100_000)):
        parser.add_argument(f"--{name}", type=int, default=times, help="%(default)s; 0 for none")
    asked = vars(parser.parse_args())
    dist = machine.ROOT / "web" / "dist"
    complaints = [
        line for name, times in asked.items() if times for line in measured(name, dist, times)
    ]
    for line in complaints:
        print(line, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
