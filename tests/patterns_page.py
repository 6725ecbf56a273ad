"""
The probes, asked of a real browser's own ``RegExp(source, "u")``.
"""

import json

from playwright.sync_api import Browser

from tests.patterns_oracle import PROBES

ASK = """
(probes) => probes.map(({ pattern, text }) => {
  try { return new RegExp(pattern, "u").test(text); } catch { return null; }
})
"""


def differing(browser: Browser) -> list[tuple[dict, bool | None]]:
    """
    The probes that the browser answers in another way, with its answer.
    """
    probes = json.loads(PROBES.read_text(encoding="ascii"))
    page = browser.new_page()
    answers = page.evaluate(ASK, probes)
    page.close()
    assert len(answers) == len(probes)
    return [
        (probe, answer)
        for probe, answer in zip(probes, answers, strict=True)
        if answer != probe["matches"]
    ]
