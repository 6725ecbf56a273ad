"""
Gates come and go, workers die, and no promise is left open and no worker left behind.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.serving import (
    folder,
    importing,
    opened,
    page,
    serve,
    wait_for_workers_to_end,
)

pytestmark = pytest.mark.browser

SEARCH = {"projectId": "demo", "query": "retry"}


@pytest.fixture(scope="module")
def tab(browser: Browser, dist: Path) -> Iterator[Page]:
    """
    A page with the module loaded, for tests that leave no gate behind.
    """
    with serve(page(importing("/dist/weighbridge.js")), folder("/dist/", dist)) as served:
        with opened(browser, served.url) as seen:
            yield seen.page


def test_two_loads_share_one_worker_and_each_lets_go_for_itself(tab: Page):
    seen = tab.evaluate(
        """async () => {
          const told = [];
          const gate = await weighbridge.load();
          const [second, third] = await Promise.all([
            weighbridge.load({ onProgress: (progress) => told.push(progress) }),
            weighbridge.load(),
          ]);
          await second.close();
          await second.close();
          const closed = await second.check("project.list").catch((error) => error.code);
          await third[Symbol.asyncDispose]();
          const whole = told.filter(({ type, loaded, total }) => type === "bytes" && loaded === total);
          const phases = told.filter(({ type }) => type === "phase").map(({ phase }) => phase);
          const { admitted } = await gate.check("project.list");
          return [closed, whole.length, phases.at(-1), admitted, (globalThis.gate = gate) && 1];
        }"""
    )
    assert seen == ["disposed", 1, "ready", True, 1]
    assert len(tab.workers) == 1
    tab.evaluate("() => gate.close()")
    wait_for_workers_to_end(tab)


def test_closing_the_last_gate_rejects_what_waits_and_ends_the_worker(tab: Page):
    seen = tab.evaluate(
        """async () => {
          const gate = await weighbridge.load();
          const waiting = [1, 2, 3].map(() => gate.check("project.list").catch((error) => error.code));
          await gate.close();
          return Promise.all([...waiting, gate.check("project.list").catch((error) => error.code)]);
        }"""
    )
    assert seen == ["disposed"] * 4
    wait_for_workers_to_end(tab)


#: A gate that a fault is about to end.
DOOM = "async () => { globalThis.doomed = await weighbridge.load(); }"

#: Three calls that wait for it, each with its own outcome.
WAIT = """(timeouts) => {
  globalThis.waiting = timeouts.map((timeout, n) =>
    doomed.check(`no.such.tool \u00e9 ${n}`, {}, { timeout })
      .then((verdict) => verdict.json, (error) => [error.name, error.code]));
}"""

#: What they say, what a later call says, and whether another load judges.
AFTERWARDS = """async () => {
  const codes = await Promise.all(waiting);
  const late = await doomed.check("project.list").catch((error) => error.code);
  await doomed.close();
  const gate = await weighbridge.load();
  const { admitted } = await gate.check("project.list");
  await gate.close();
  return { codes, late, admitted };
}"""


def outcome(code: str) -> dict:
    """
    Every waiting call rejected with ``code``, none was judged, and the next load works.
    """
    return {"codes": [["WeighbridgeError", code]] * 3, "late": code, "admitted": True}


def test_a_worker_that_is_gone_in_the_middle_of_a_call_is_noticed_and_replaced(tab: Page):
    """
    No event tells of it: it ends without a word, as when a system is short of memory.
    """
    tab.evaluate(DOOM)
    tab.workers[0].evaluate(
        """() => {
          setTimeout(() => {
            self.close();
            for (const end = Date.now() + 500; Date.now() < end; );
          }, 0);
        }"""
    )
    tab.evaluate(WAIT, [60_000] * 3)
    assert tab.evaluate(AFTERWARDS) == outcome("interpreter-died")
    wait_for_workers_to_end(tab)


def test_an_error_in_the_worker_outside_any_call_ends_the_gate(tab: Page):
    tab.evaluate(DOOM)
    tab.workers[0].evaluate(
        """() => {
          setTimeout(() => {
            for (const end = Date.now() + 300; Date.now() < end; );
            throw new Error("from outside");
          }, 0);
        }"""
    )
    tab.evaluate(WAIT, [60_000] * 3)
    assert tab.evaluate(AFTERWARDS) == outcome("interpreter-died")
    wait_for_workers_to_end(tab)


def test_an_interpreter_that_fails_inside_a_call_is_never_asked_again(tab: Page):
    """
    The machine under it breaks for good, as when it runs out of stack.
    """
    tab.evaluate(DOOM)
    tab.workers[0].evaluate(
        """() => {
          const broken = () => { throw new RangeError("Maximum call stack size exceeded"); };
          String.prototype.codePointAt = String.prototype.charCodeAt = broken;
          TextEncoder.prototype.encode = TextDecoder.prototype.decode = broken;
        }"""
    )
    tab.evaluate(WAIT, [60_000] * 3)
    assert tab.evaluate(AFTERWARDS) == outcome("interpreter-died")
    wait_for_workers_to_end(tab)


def test_a_call_past_its_deadline_ends_the_worker_and_those_in_line_with_it(tab: Page):
    """
    Nothing else can stop an interpreter; what waited behind it was not judged either.
    """
    tab.evaluate(DOOM)
    tab.workers[0].evaluate(
        "() => { setTimeout(() => { for (const end = Date.now() + 30_000; Date.now() < end; ); }, 0); }"
    )
    tab.evaluate(WAIT, [300, 60_000, 60_000])
    assert tab.evaluate(AFTERWARDS) == outcome("time-out")
    wait_for_workers_to_end(tab)


def test_a_call_whose_deadline_passes_in_line_is_dropped_and_ends_nothing(tab: Page):
    tab.evaluate(DOOM)
    tab.workers[0].evaluate(
        "() => { setTimeout(() => { for (const end = Date.now() + 3_000; Date.now() < end; ); }, 0); }"
    )
    seen = tab.evaluate(
        """async () => {
          const calls = [60_000, 100, 60_000].map((timeout) =>
            doomed.check("project.list", {}, { timeout })
              .then((verdict) => verdict.admitted, (error) => error.code));
          const told = await Promise.all(calls);
          await doomed.close();
          return told;
        }"""
    )
    assert seen == [True, "time-out", True]
    wait_for_workers_to_end(tab)


def test_a_listener_that_throws_stops_nothing(tab: Page):
    seen = tab.evaluate(
        """async () => {
          const told = [];
          const note = (event) => { event.preventDefault(); told.push(event.message); };
          addEventListener("error", note);
          const onProgress = ({ phase }) => { if (phase) throw new Error(phase); };
          const gate = await weighbridge.load({ onProgress });
          const { admitted } = await gate.check("project.list");
          await gate.close();
          removeEventListener("error", note);
          return [admitted, told];
        }"""
    )
    phases = ("fetch", "compile", "boot", "open", "ready")
    assert seen == [True, [f"Uncaught Error: {phase}" for phase in phases]]
    wait_for_workers_to_end(tab)


def test_a_deadline_may_be_for_ever_and_must_be_a_number(tab: Page):
    """
    A browser's timer fires at once when it is set past 2^31 - 1 milliseconds.
    """
    seen = tab.evaluate(
        """async () => {
          const odd = [NaN, -1, "5", null];
          const loads = odd.map((timeout) => weighbridge.load({ timeout }).catch((error) => error.code));
          const gate = await weighbridge.load({ timeout: Infinity });
          const checks = odd.map((timeout) => gate.check("project.list", {}, { timeout }).catch((e) => e.code));
          const { admitted } = await gate.check("project.list", {}, { timeout: Infinity });
          const codes = await Promise.all([...loads, ...checks]);
          await gate.close();
          return [admitted, new Set(codes).size, codes[0]];
        }"""
    )
    assert seen == [True, 1, "bad-option"]
    wait_for_workers_to_end(tab)


def test_loads_that_are_given_up_leave_no_worker_and_no_lock_behind(tab: Page):
    """
    Each is given up half way, at another byte.
    """
    tab.evaluate(
        """async () => {
          for (let n = 0; n < 16; n += 1) {
            const giveUp = new AbortController();
            let events = 0;
            await weighbridge
              .load({ signal: giveUp.signal, onProgress: () => (events += 1) > n * 4 && giveUp.abort() })
              .then((gate) => gate.close(), () => {});
          }
        }"""
    )
    wait_for_workers_to_end(tab)
    left = tab.evaluate(
        """async () => {
          // A lock that is held until its worker has gone can be had then.
          for (const { name } of (await navigator.locks.query()).held)
            await navigator.locks.request(name, () => {});
          const { held, pending } = await navigator.locks.query();
          return [...held, ...pending];
        }"""
    )
    assert left == []
