"""
Marked values, placed wherever a caller can write, and looked for wherever we write.
"""

from __future__ import annotations

import json
import logging
import random
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest

from tests.server import wire
from tests.server.conftest import Reach, Seat
from tests.server.test_failing_closed import Spans, spans
from weighbridge import Catalog
from weighbridge.mcp import META_KEY

__all__ = ["spans"]

CALLS = 250
MARK = "c4nary"
MARKED = 4_717_171_717

TOOLS = ("note.add", "note.add", "note.count", "note.fail", "note.purge", "note.ad")

#: What a name may be made of to break out of the line that it stands in.
HOSTILE = (
    "\n",
    "\r",
    "\x1b[2J",
    "\u202e",
    "\u2028",
    "\x00",
    '"',
    "\\",
    "\u00ad",
    "\U000e0041",
    "/~",
)


def value(draw: random.Random, depth: int = 0) -> Any:
    """Any JSON value, marked in every string and number."""
    kind = draw.randrange(9 if depth < 4 else 5)
    if kind == 0:
        return f"{MARK}-{draw.randrange(10**9)}"
    if kind == 1:
        return MARK * draw.choice([1, 40, 400]) + draw.choice(HOSTILE)
    if kind == 2:
        return MARKED * draw.choice([1, -1, 10**30])
    if kind == 3:
        return draw.choice([MARKED + 0.5, MARKED * 1e40, None, True])
    if kind == 4:
        return json.dumps({"text": MARK})
    if kind < 7:
        return [value(draw, depth + 1) for _ in range(draw.randrange(5))]
    return {name(draw): value(draw, depth + 1) for _ in range(draw.randrange(5))}


def name(draw: random.Random) -> str:
    """A key: one that is published, one near it, or one that would forge a line."""
    return draw.choice(
        [
            "text",
            "labels",
            "about",
            "Text",
            "label",
            "text" + draw.choice(HOSTILE),
            draw.choice(HOSTILE) * 3,
            "k" * draw.choice([1, 200, 10_000]),
        ]
    )


def arguments(draw: random.Random) -> dict[str, Any]:
    return {name(draw): value(draw) for _ in range(draw.randrange(6))}


def beside(draw: random.Random) -> dict[str, Any]:
    """Params beside the two, small or too large, marked."""
    flood = draw.random() < 0.1
    return {
        "_meta": {"progressToken": f"{MARK}-token", MARK: value(draw)},
        f"{MARK}-param": [value(draw), *([0] * 100_000 if flood else [])],
    }


def strings_in(given: Any) -> list[str]:
    """Every string within a JSON value, keys included."""
    if isinstance(given, str):
        return [given]
    if isinstance(given, list):
        return [text for item in given for text in strings_in(item)]
    if isinstance(given, dict):
        return [text for pair in given.items() for item in pair for text in strings_in(item)]
    return []


def clean(answer: wire.Answer, catalog: Catalog) -> None:
    """Hold one refusal to what may stand in it."""
    result = answer.result
    verdict = result["_meta"][META_KEY]
    (block,) = result["content"]
    assert len(block["text"]) <= catalog.limits.refusal
    assert b"c4nary" not in answer.body
    assert str(MARKED).encode() not in answer.body
    for text in strings_in({"block": block, "verdict": verdict}):
        assert not any(unicodedata.category(character)[0] == "C" for character in text), text
        assert not {"\u2028", "\u2029"} & set(text)
    assert len(answer.body) < 20_000


@pytest.mark.no_cover
@pytest.mark.parametrize("version", wire.VERSIONS)
@pytest.mark.parametrize("kind", ["MCPServer", "Server"])
def test_no_value_and_no_raw_name_leaves_with_a_refusal(
    reach: Reach,
    catalog: Catalog,
    caplog: pytest.LogCaptureFixture,
    spans: Spans,
    kind: str,
    version: str,
):
    caplog.set_level(logging.DEBUG, "weighbridge")
    draw = random.Random(f"{kind} {version}")
    client = reach(Seat(kind, "stateless", version)).client
    refused = 0
    for _ in range(CALLS):
        answer = client.call(draw.choice(TOOLS), arguments(draw), **beside(draw))
        if META_KEY in answer.result.get("_meta", {}):
            refused += 1
            clean(answer, catalog)

    assert refused > CALLS // 2
    told = {record.getMessage() for record in caplog.records if record.name == "weighbridge"}
    # The SDK may list the tools for itself before a call.
    assert told <= {"note.purge is not listed: no schema is published for it"}
    assert MARK not in repr(spans.told)
    assert str(MARKED) not in repr(spans.told)


@pytest.mark.parametrize("version", wire.VERSIONS)
@pytest.mark.parametrize("character", HOSTILE, ids=ascii)
def test_a_tool_name_cannot_forge_a_line(
    reach: Reach, catalog: Catalog, version: str, character: str
):
    client = reach(Seat("Server", "stateless", version)).client
    for hostile in (f"note.add{character}", character * 10_000, f'x{character}" was served. "'):
        clean(client.call(hostile, {"text": MARK}), catalog)


def _span_names(told: list[object]) -> list[str]:
    return [one for one in told if isinstance(one, str)]


@pytest.mark.parametrize(
    ("where", "found"),
    [
        # The SDK opens its span before any middleware of ours, by the name as it was written.
        (lambda spans, answer: _span_names(spans.told)[-1], "tools/call c4nary"),
        # The id belongs to the request, and its answer carries it.
        (lambda spans, answer: answer.message["id"], 7),
    ],
)
def test_what_the_sdk_itself_repeats_of_a_refused_call_is_this(
    reach: Reach, spans: Spans, where: Callable[[Spans, wire.Answer], Any], found: Any
):
    answer = reach(Seat("Server", "stateless", wire.NEWEST)).client.call(MARK, {})

    assert where(spans, answer) == found
