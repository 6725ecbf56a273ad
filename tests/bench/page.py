"""
A page's first verdict against the stock loader's, and a verdict per keystroke.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from tests.bench.calls import SEARCH, small, text_of
from tests.bench.paired import Measured
from tests.support.browsers import chromium
from tests.support.machine import ROOT
from tests.support.site import site
from weighbridge import Catalog

HERE = Path(__file__).parent

#: Wheels that the stock loader is given beside ours, at the versions in the lock.
WHEELS = (
    "attrs",
    "jsonschema",
    "jsonschema-specifications",
    "pyrsistent",
    "pyrsistent-as-rpds-py",
    "referencing",
    "typing-extensions",
)

#: Loads of each contender, turns of ten round trips, and checks in a row.
LOADS = 9
TRIPS = 40
CHECKS = 20_000

_CALL = json.dumps(small())

_PAGE = b"<!doctype html><meta charset=utf-8><title>bench</title>"


def run(say: Callable[[str], None]) -> dict[str, Any]:
    """Measure in Chromium; the built page side has to be there."""
    wheels = _wheels(say)
    with _served(wheels) as url, chromium() as browser:
        say("first verdict, cold and again")
        boots = _boots(browser, url, [f"/wheels/{one.name}" for one in sorted(wheels.iterdir())])
        say("round trips")
        return {**boots, **_trips(browser, url, say)}


def _wheels(say: Callable[[str], None]) -> Path:
    """The wheels, fetched once."""
    where = ROOT / ".build" / "bench-wheels"
    lock = (ROOT / ".ci" / "requirements.lock").read_text("utf-8")
    pins = [line.split()[0] for line in lock.splitlines() if line.split("==")[0] in WHEELS]
    if not where.is_dir():
        say("fetching the wheels of the stock loader")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", where]
        only = ["--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none"]
        subprocess.run([*command, *only, "--python-version=3.13", *pins], check=True)
    (ours,) = (ROOT / "dist").glob("weighbridge-*.whl")
    for old in where.glob("weighbridge-*"):
        old.unlink()
    (where / ours.name).write_bytes(ours.read_bytes())
    return where


@contextmanager
def _served(wheels: Path) -> Iterator[str]:
    scripts = ROOT / ".build" / "bench-scripts"
    modules = ROOT / "web" / "node_modules"
    subprocess.run(
        [
            modules / ".bin" / "esbuild",
            HERE / "ajv.js",
            "--bundle",
            "--format=esm",
            f"--outfile={scripts / 'ajv.js'}",
            "--log-level=error",
        ],
        check=True,
        env={"NODE_PATH": str(modules), "PATH": os.environ["PATH"]},
    )
    for name in ("stock.js", "echo.js", "page.js"):
        (scripts / name).write_bytes((HERE / name).read_bytes())
    with site(
        {
            "/page.html": _PAGE,
            "/bench/": scripts,
            "/dist/": ROOT / "web" / "dist",
            "/pyodide/": modules / "pyodide",
            "/wheels/": wheels,
        }
    ) as served:
        yield served.url


def _boots(browser: Browser, url: str, wheels: list[str]) -> dict[str, Any]:
    asked: dict[str, tuple[str, list[Any]]] = {
        "ours": ("ours", [SEARCH, _CALL]),
        "stock loader": ("stock", [wheels, SEARCH, _CALL]),
    }
    verdict = Catalog.bundled().check_text(SEARCH, _CALL).to_json()
    cold: dict[str, list[float]] = {name: [] for name in asked}
    again: dict[str, list[float]] = {name: [] for name in asked}
    rng = random.Random(1)
    for _ in range(LOADS):
        for name in rng.sample(list(asked), len(asked)):
            context = browser.new_context()
            page = context.new_page()
            for times in (cold, again):
                page.goto(f"{url}/page.html")
                spent, said = _asked(page, *asked[name])
                assert said == verdict
                times[name].append(spent)
            context.close()
    first, second = Measured(cold), Measured(again)
    both = Measured({"again": again["ours"], "cold, stock": cold["stock loader"]})
    return {
        "first verdict": {
            "milliseconds": {name: first.seconds(name) for name in asked},
            "ratio": first.ratio("ours", "stock loader").as_dict(),
        },
        "second visit": {
            "milliseconds": {name: second.seconds(name) for name in asked},
            "ratio": second.ratio("ours", "stock loader").as_dict(),
            "by the stock loader's first": both.ratio("again", "cold, stock").as_dict(),
        },
    }


def _asked(page: Page, name: str, given: list[Any]) -> tuple[float, str]:
    script = f"async (given) => (await import('/bench/page.js')).{name}(...given)"
    spent, said = page.evaluate(script, given)
    return float(spent), str(said)


def _trips(browser: Browser, url: str, say: Callable[[str], None]) -> dict[str, Any]:
    published = Catalog.bundled().tools
    draft = json.dumps({"projectId": "demo", "items": text_of(100_000)})
    cases = {
        "small call": (SEARCH, _CALL, published[SEARCH].published),
        "draft of 100 KB": (
            "knowledge.proposeChange",
            draft,
            published["knowledge.proposeChange"].published,
        ),
    }
    page = browser.new_page()
    page.goto(f"{url}/page.html")
    _asked(page, "ours", [SEARCH, _CALL])
    told = {}
    for name, (tool, text, schema) in cases.items():
        say(f"round trips: {name}")
        script = "async (given) => (await import('/bench/page.js')).trips(...given)"
        found = page.evaluate(script, [tool, text, schema, TRIPS])
        turns, single = found["turns"], sorted(found["single"])
        measured = Measured(turns)
        told[name] = {
            "milliseconds": {one: measured.seconds(one) for one in turns},
            "p50 milliseconds": single[len(single) // 2],
            "p99 milliseconds": single[len(single) * 99 // 100],
            "by an empty round trip": measured.ratio("gate", "an empty round trip").as_dict(),
            "by ajv": measured.ratio("gate", "ajv, on the page").as_dict(),
        }
    say(f"heap over {CHECKS:,} checks")
    script = "async (given) => (await import('/bench/page.js')).many(...given)"
    page.evaluate(script, [SEARCH, _CALL, 100])
    before = _heap(page)
    page.evaluate(script, [SEARCH, _CALL, CHECKS])
    after = _heap(page)
    page.close()
    heap = {"checks": CHECKS, "before": before, "after": after}
    return {"round trips": told, "heap": heap}


def _heap(page: Page) -> int:
    """Bytes of the page's own objects, once what nobody holds has been collected."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    used = session.send("Runtime.getHeapUsage")["usedSize"]
    session.detach()
    return int(used)
