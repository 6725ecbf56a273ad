"""
The greatest bodies, and each limit at its edge, over a real connection in both eras.
"""

import http.client
import json
import re
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

import weighbridge
from tests.bounds.bodies import FOUR, THREE, TOOL, TWO, call, landing
from tests.bounds.tables import rows
from tests.server.wire import NEWEST, OLDER, Answer, Http, params, request
from tests.support.programs import program
from weighbridge.limits import INLINE_BODY, Limits
from weighbridge.mcp import META_KEY
from weighbridge.reference.__main__ import CONCURRENCY

CANARY = "c4nary-b0dy"
LIMITS = Limits()
PACKAGE = str(Path(weighbridge.__file__).parents[1])
DRAFT = "knowledge.generateMigrationDraft"

eras = pytest.mark.parametrize("version", [OLDER[-1], NEWEST])


def served(folder):
    command = [sys.executable, "-m", "weighbridge.reference", "--port", "0"]
    database = ["--database", str(folder / "service.sqlite3")]
    ready = r"^http://127\.0\.0\.1:(\d+)/$"
    return program([*command, *database], ready, env={"PYTHONPATH": PACKAGE})


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    with served(tmp_path_factory.mktemp("landing")) as running:
        yield int(running.match[1])


def posted(port, version, tool, arguments, **beside) -> Answer:
    return Http(port, version).call(tool, arguments, **beside)


@eras
@pytest.mark.parametrize("character", ["a", TWO, THREE, FOUR], ids=["1", "2", "3", "4"])
def test_a_body_that_lands_at_the_greatest_size_is_served_and_landed_whole(
    port, version, character
):
    body = landing(character)
    assert len(body.encode()) == INLINE_BODY
    answer = posted(port, version, TOOL, call(body))
    assert answer.status == 200
    assert answer.result.get("isError", False) is False


@eras
@pytest.mark.parametrize("character", ["a", TWO, THREE, FOUR], ids=["1", "2", "3", "4"])
def test_a_body_one_byte_larger_is_answered_by_its_schema(port, version, character):
    answer = posted(port, version, TOOL, call(landing(character, INLINE_BODY + 1)))
    assert answer.status == 200
    findings = answer.result["_meta"][META_KEY]["refusal"]["findings"]
    # In ASCII the byte that is too much is a character that is too much.
    rules = ["maxLength", "x-maxBytes"] if character == "a" else ["x-maxBytes"]
    assert [(one["pointer"], one["keyword"]) for one in findings] == [
        ("/body", rule) for rule in rules
    ]


def filled(version: str, size: int) -> bytes:
    """A call of exactly so many bytes: what is missing is white space, which JSON allows."""
    given = params(version, "project.list", {}, {})
    raw = request("tools/call", given)
    canary = raw.replace(b'"project.list"', b'"project.list", "%s": 1' % CANARY.encode(), 1)
    return canary[:-1] + b" " * (size - len(canary)) + b"}"


@eras
def test_a_request_of_exactly_the_body_limit_is_answered(port, version):
    client = Http(port, version)
    answer = client.post(filled(version, LIMITS.body), "tools/call", "project.list")
    assert answer.status == 200
    assert "result" in answer.message


@eras
def test_a_request_one_byte_past_the_body_limit_is_a_413_that_echoes_nothing(port, version):
    client = Http(port, version)
    answer = client.post(filled(version, LIMITS.body + 1), "tools/call", "project.list")
    assert answer.status == 413
    assert CANARY.encode() not in answer.body
    assert b"project" not in answer.body
    assert len(answer.body) < 200


def document(**members):
    return {
        "projectId": "demo",
        "document": members,
        "evidence": call("")["evidence"],
    }


def nested(levels):
    """A call of exactly so many levels."""
    value = {}
    for _ in range(levels - 3):
        value = {"c": value}
    return document(c=value)


def of_nodes(nodes):
    """A call of exactly so many keys, values and elements."""
    beside = weighbridge.Catalog.bundled().check(DRAFT, document(items=[])).charge.nodes
    return document(items=[0] * (nodes - beside))


def of_rendered(rendered):
    """A call that renders to exactly so many characters."""
    beside = weighbridge.Catalog.bundled().check(DRAFT, document(text="")).charge.rendered
    return document(text="x" * (rendered - beside))


EDGES = {"nesting": nested, "nodes": of_nodes, "rendered": of_rendered}


@eras
@pytest.mark.parametrize("limit", EDGES)
def test_a_call_at_a_limit_passes_it_over_the_wire_and_one_past_it_is_refused(port, version, limit):
    most = getattr(LIMITS, limit)
    at = posted(port, version, DRAFT, EDGES[limit](most))
    assert META_KEY not in at.result.get("_meta", {})
    past = posted(port, version, DRAFT, EDGES[limit](most + 1))
    verdict = past.result["_meta"][META_KEY]
    assert (verdict["refusal"]["code"], verdict["refusal"]["limit"]) == ("too-large", limit)
    assert verdict["charge"] is None


def test_a_call_at_the_work_limit_is_admitted_and_at_one_step_less_it_is_refused(tmp_path):
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "x-weighbridge-tool": "t",
        "type": "object",
        "properties": {"a": {"type": "array", "items": {"type": "integer"}}},
        "additionalProperties": False,
    }
    arguments = {"a": list(range(100))}
    (tmp_path / "t-input.schema.json").write_text(json.dumps(schema))

    def refused_at(work):
        (tmp_path / "catalog.json").write_text(json.dumps({"limits": {"work": work}}))
        refusal = weighbridge.Catalog.read(tmp_path).check("t", arguments).refusal
        return None if refusal is None else refusal.limit

    # 3 steps an item, and what stands around the list.
    answers = [refused_at(work) for work in range(300, 330)]
    edge = answers.index(None)
    assert answers == ["work"] * edge + [None] * (len(answers) - edge)
    assert edge > 0


# --- requests at once ---


def peak(process) -> int:
    """Bytes of memory that a process has held at most."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)[1]) * 1024


def worst_request(version: str) -> bytes:
    """
    As many bytes as a request may have, with one character of 4 bytes: what a parser
    makes of it is four times as wide.
    """
    given = params(version, TOOL, call(""), {})
    raw = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": given})
    head, tail = raw.split('"body": ""')
    room = LIMITS.body - len(head) - len(tail) - len('"body": ""') - 4
    return (head + '"body": "' + "a" * room + FOUR + '"' + tail).encode()


def arrive(port, version, raw, many) -> Counter:
    """So many requests at once, and what came of each: a status, or a connection closed."""
    client = Http(port, version)
    came: Counter = Counter()
    lock = threading.Lock()

    def one():
        try:
            answer = Http.post(client, raw, "tools/call", TOOL).status
        except (ConnectionError, http.client.HTTPException):
            answer = "closed"
        with lock:
            came[answer] += 1

    threads = [threading.Thread(target=one) for _ in range(many)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert not any(thread.is_alive() for thread in threads)
    return came


def base() -> int:
    """Bytes of the service at rest, as the document has them."""
    return int(rows("docs/memory.md", "share")[0][1].split()[0]) * 2**20


def ceiling(rest: int, requests: int, wire: int) -> int:
    """The arithmetic of ``docs/memory.md``."""
    told = {cells[0]: cells[1] for cells in rows("docs/memory.md", "share")}
    each, once = (
        int(told[name].removesuffix("x")) for name in ("held for each", "held once, by the parser")
    )
    return rest + (requests * each + once) * wire


@eras
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="not run: no /proc here")
def test_the_worst_requests_at_once_stay_under_the_ceiling(tmp_path, version):
    many = 6
    raw = worst_request(version)
    assert len(raw) == LIMITS.body
    with served(tmp_path) as running:
        rest = peak(running.process)
        came = arrive(int(running.match[1]), version, raw, many)
        held = peak(running.process)
    assert came == Counter({200: many})
    assert held < ceiling(rest, many, len(raw))
    # The ceiling says something: half of it would not do on every machine.
    assert held > rest + len(raw)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="not run: no /proc here")
def test_more_requests_than_are_served_at_once_are_turned_away_and_hold_nothing(tmp_path):
    many = 2 * CONCURRENCY
    raw = request("tools/call", params(NEWEST, TOOL, call(landing("a"), colour=CANARY), {}))
    with served(tmp_path) as running:
        rest = peak(running.process)
        came = arrive(int(running.match[1]), NEWEST, raw, many)
        held = peak(running.process)
        told = "".join(running.lines)
    assert came[200] + came[503] + came["closed"] == many
    assert came[200] > 0
    assert came[503] + came["closed"] > 0
    assert held < ceiling(rest, CONCURRENCY, len(raw))
    assert CANARY not in told


def test_the_table_of_machines_does_the_arithmetic():
    rest = base()
    for memory, requests in rows("docs/memory.md", "memory of the machine"):
        gibibytes = int(memory.split()[0])
        most = 0
        while ceiling(rest, most + 1, LIMITS.body) <= gibibytes * 2**30:
            most += 1
        assert requests == str(most)


def test_the_service_at_rest_holds_less_than_the_table_says(tmp_path):
    if not Path("/proc/self/status").exists():
        pytest.skip("not run: no /proc here")
    rest = base()
    with served(tmp_path) as running:
        assert peak(running.process) < rest


def test_the_ceiling_of_the_default_is_in_the_document():
    rest = base()
    most = -(-ceiling(rest, CONCURRENCY, LIMITS.body) // 2**20)
    text = (Path(__file__).parents[2] / "docs" / "memory.md").read_text()
    assert f"{CONCURRENCY} requests, {most:,} MiB" in text
