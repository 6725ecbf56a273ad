"""
The table and the generated calls in Firefox, where there is one: another engine, the same bytes.
"""

from __future__ import annotations

import pytest

from tests.parity.compare import differences, expected, frozen, generated, rows
from tests.parity.pages import judging, verdicts

pytestmark = pytest.mark.browser


def test_every_row_and_every_generated_call_gets_the_same_bytes(firefox, dist):
    with judging(firefox, dist) as page:
        got = verdicts(page, [{"tool": row.tool, "text": row.form} for row in rows()])
        drawn = verdicts(page, [{"tool": call.tool, "text": call.text} for call in generated()])
    assert differences(frozen().items(), got) == {}
    assert list(expected()) == drawn
