"""
The bundle's interpreter in a page, asked to run ``apply.py``.
"""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.support.machine import ROOT
from tests.support.site import site

HERE = Path(__file__).parent

#: Milliseconds that one question may take; a busy machine is slow, not broken.
PATIENCE = 600_000


@dataclass(frozen=True, slots=True)
class Interpreter:
    """
    A worker that has booted from the bundle's files.
    """

    page: Page

    #: Where the package lies in it: inside the payload.
    package: str

    def ask(self, function: str, text: str) -> str:
        """What that function of ``apply.py`` answers to ``text``."""
        return self.page.evaluate(
            "(call) => window.ask(call)", {"function": function, "text": text}
        )


@contextlib.contextmanager
def interpreting(
    browser: Browser, dist: Path, scripts: Path | None = None
) -> Iterator[Interpreter]:
    """
    A page with that interpreter; ``scripts`` is a folder that it may import from.
    """
    engine = ROOT / "web" / "node_modules" / "pyodide"
    lock = json.loads((engine / "pyodide-lock.json").read_text("utf-8"))
    mounts: dict[str, Path | bytes] = {"/bundle/": dist, "/engine/": engine}
    mounts |= {
        f"/suites/{name}": (HERE / name).read_bytes() for name in ("page.html", "interpreter.js")
    }
    if scripts is not None:
        mounts["/scripts/"] = scripts
    with site(mounts) as served:
        context = browser.new_context()
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(f"{served.url}/suites/page.html")
        page.wait_for_function("document.title === 'Suites: ready'")
        opening = {
            "base": f"{served.url}/bundle/",
            "lock": lock["info"],
            "source": (HERE / "apply.py").read_text("utf-8"),
        }
        yield Interpreter(page, page.evaluate("(open) => window.start(open)", opening))
        context.close()
