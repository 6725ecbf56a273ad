"""
ajv and the bundle's own interpreter, side by side in one page.
"""

import contextlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser

from tests.differential.drawn import Drawn
from tests.suites.pages import Interpreter, interpreting
from tests.support.machine import ROOT

HERE = Path(__file__).parent

#: Calls in one message to the page.
BATCH = 5_000


@dataclass(frozen=True, slots=True)
class Pair:
    """
    A page that has both.
    """

    interpreter: Interpreter

    def ours(self, drawn: Drawn) -> list[list[str]]:
        """What refuses each call, as ``apply.admitted`` says in the page."""
        told: list[list[str]] = []
        for question in questions(drawn):
            told += json.loads(self.interpreter.ask("admitted", json.dumps(question)))
        return told

    def ajv(self, drawn: Drawn) -> list[bool | str]:
        """What ajv says of each call; a text is what it raised."""
        told: list[bool | str] = []
        for question in questions(drawn):
            asked = {
                "schemas": {tool["name"]: tool["inputSchema"] for tool in question["tools"]},
                "calls": question["calls"],
            }
            script = "async (text) => (await import('/scripts/ajv.js')).judge(text)"
            told += json.loads(self.interpreter.page.evaluate(script, json.dumps(asked)))
        return told


def questions(drawn: Drawn) -> Iterator[dict]:
    """
    The calls in batches, each with the schemas that it needs.
    """
    for start in range(0, len(drawn.calls), BATCH):
        calls = drawn.calls[start : start + BATCH]
        tools = [
            {"name": tool, "inputSchema": drawn.schemas[tool]}
            for tool in sorted({call.tool for call in calls})
        ]
        yield {"tools": tools, "calls": [[call.tool, call.text] for call in calls]}


@contextlib.contextmanager
def pairing(browser: Browser, dist: Path) -> Iterator[Pair]:
    """
    A page with the bundle's interpreter, and ajv bundled for it.
    """
    with tempfile.TemporaryDirectory() as scripts:
        esbuild = ROOT / "web" / "node_modules" / ".bin" / "esbuild"
        subprocess.run(
            [esbuild, HERE / "ajv.js", "--bundle", "--format=esm", f"--outdir={scripts}"],
            env={**os.environ, "NODE_PATH": str(ROOT / "web" / "node_modules")},
            check=True,
            capture_output=True,
        )
        with interpreting(browser, dist, Path(scripts)) as interpreter:
            yield Pair(interpreter)
