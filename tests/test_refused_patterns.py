"""
Why a pattern is refused is told whole in ``docs/publish.md``, each reason with its rewrite.
"""

import ast
import re
from pathlib import Path

import pytest

from tests.catalogs import published
from tests.support.machine import ROOT
from weighbridge import CatalogError, patterns
from weighbridge.patterns import UnusablePattern
from weighbridge.regex_build import MAX_SOURCE
from weighbridge.regex_scan import MAX_GROUPS

PACKAGE = Path(patterns.__file__).parent

#: Functions that make the error, its fact and its cure last.
MAKERS = {"UnusablePattern", "fail", "refuse"}

_CELL = re.compile(r"(?<!\\)\|")


def table(first: str) -> list[tuple[str, str, str]]:
    """Reason, refused and rewritten pattern of each row of one table."""
    lines = (ROOT / "docs" / "publish.md").read_text("utf-8").splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith(f"| {first} |"))
    found = []
    for line in lines[at + 2 :]:
        if not line.startswith("|"):
            break
        reason, refused, rewrite = (cell.strip() for cell in _CELL.split(line.strip("|")))
        found.append((reason.replace("`", ""), spelt(refused), spelt(rewrite)))
    return found


def spelt(cell: str) -> str:
    """The pattern in a cell: code, and how many times it stands there."""
    code, times = re.fullmatch(r"`(.*)`(?: ([\d,]+) times)?", cell).groups()
    return code.replace("\\|", "|") * int((times or "1").replace(",", ""))


REASONS = table("reason")
PUBLISHED = table("in a published catalog")


def facts() -> set[str]:
    """Every reason in the package, as an expression that its texts match."""
    found = set()
    for path in (*PACKAGE.glob("regex_*.py"), PACKAGE / "patterns.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            made = getattr(node.func, "id", getattr(node.func, "attr", ""))
            told = [word.value for word in node.keywords if word.arg == "fact"]
            told += node.args[-2:-1] if made in MAKERS else []
            found |= {expression(one) for one in told}
    return found - {None}


def expression(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.escape(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(
            re.escape(part.value) if isinstance(part, ast.Constant) else ".+"
            for part in node.values
        )
    return None


@pytest.mark.parametrize(("reason", "refused", "rewrite"), REASONS, ids=lambda text: text[:30])
def test_a_pattern_is_refused_for_the_reason_of_its_row_and_its_rewrite_is_not(
    reason, refused, rewrite, tmp_path
):
    with pytest.raises(UnusablePattern) as caught:
        patterns.compile(refused)
    assert caught.value.fact == reason
    value = {"type": "string", "maxLength": 100, "pattern": rewrite}
    assert list(published(tmp_path, properties={"a": value}).tools) == ["t"]


@pytest.mark.parametrize(("reason", "refused", "rewrite"), PUBLISHED, ids=lambda text: text[:30])
def test_what_holds_for_a_published_catalog_alone_is_told_too(reason, refused, rewrite, tmp_path):
    patterns.compile(refused)
    with pytest.raises(CatalogError) as caught:
        published(tmp_path / "refused", properties={"a": {"pattern": refused}})
    assert reason in caught.value.fact
    assert list(published(tmp_path / "taken", properties={"a": {"pattern": rewrite}}).tools) == [
        "t"
    ]


def test_no_reason_of_the_package_is_left_out():
    told = {reason for reason, _, _ in REASONS}
    missing = {one for one in facts() if not any(re.fullmatch(one, reason) for reason in told)}
    # A pattern of so many groups is too long before they are counted.
    assert MAX_GROUPS * len("()") > MAX_SOURCE
    assert missing == {re.escape("more than ") + ".+" + re.escape(" capturing groups")}
    assert len(facts()) > 25
