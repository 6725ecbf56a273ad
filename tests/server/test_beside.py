"""
The params beside name and arguments cannot carry what the arguments may not.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.server import small_server, wire
from weighbridge import Catalog, answers
from weighbridge.charge import Charge, charge
from weighbridge.limits import RANGES, Limits
from weighbridge.mcp import META_KEY

CANARY = "c4nary-9e1d"
KINDS = tuple(small_server.KINDS)
ERAS = (wire.OLDER[-1], wire.NEWEST)

#: Large enough for the envelope of the newest version, small enough to stand at the edge of.
SMALL = Limits(nesting=9, nodes=60, rendered=600)


@dataclass(frozen=True, slots=True)
class Served:
    """One running server."""

    port: int
    catalog: Catalog


Serving = Callable[..., Served]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """
    Starts a gated server of that kind under those limits, each only once.
    """
    running: dict[tuple[str, Limits | None, int | None], Served] = {}

    with contextlib.ExitStack() as stack:

        def start(kind: str, limits: Limits | None = None, body: int | None = None) -> Served:
            key = (kind, limits, body)
            if key not in running:
                folder = tmp_path_factory.mktemp("served")
                given = None if limits is None else asdict(limits)
                catalog = Catalog.read(small_server.write_catalog(folder / "schemas", given))
                server = small_server.build(kind, folder / "sentinel", catalog)
                options = {} if body is None else {"max_request_body_size": body}
                serving = wire.http_server(server, stateless=True, **options)
                running[key] = Served(stack.enter_context(serving), catalog)
            return running[key]

        yield start


def refusal_of(answer: wire.Answer) -> dict[str, Any]:
    return answer.result["_meta"][META_KEY]["refusal"]


def cost_of(version: str, beside: dict[str, Any]) -> Charge:
    """What the params beside name and arguments cost, the envelope included."""
    given = wire.params(version, "note.count", {}, beside)
    del given["name"], given["arguments"]
    cost = charge(given, Limits())
    assert isinstance(cost, Charge)
    return cost


def nested(levels: int) -> Any:
    return 0 if levels == 1 else [nested(levels - 1)]


def reaching(version: str, limit: str, most: int) -> dict[str, Any]:
    """Params beside the two that cost exactly ``most`` of one limit."""
    if limit == "nesting":
        beside = {"pad": nested(most - 1)}
    elif limit == "nodes":
        beside = {"pad": [0] * (most - cost_of(version, {"pad": []}).nodes)}
    else:
        beside = {"pad": "p" * (most - cost_of(version, {"pad": ""}).rendered)}
    assert getattr(cost_of(version, beside), limit) == most
    return beside


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("version", ERAS)
@pytest.mark.parametrize("limit", ["nesting", "nodes", "rendered"])
def test_each_limit_holds_beside_the_arguments_at_its_edge_and_one_past_it(
    served: Serving, kind: str, version: str, limit: str
):
    most = getattr(SMALL, limit)
    client = wire.Http(served(kind, SMALL).port, version)
    at_edge = client.call("note.count", {}, **reaching(version, limit, most))
    past_it = client.call("note.count", {}, **reaching(version, limit, most + 1))

    assert at_edge.result["isError"] is False
    refusal = refusal_of(past_it)
    assert (refusal["code"], refusal["limit"], refusal["findings"]) == ("too-large", limit, [])
    assert str(most) in refusal["message"]


@pytest.mark.parametrize("version", ERAS)
def test_a_flood_in_meta_does_not_reach_the_handler(served: Serving, version: str):
    gated = served("MCPServer")
    flood = {"_meta": {"flood": [0] * gated.catalog.limits.nodes}}
    answer = wire.Http(gated.port, version).call("note.count", {}, **flood)

    assert answer.result["isError"] is True
    assert refusal_of(answer)["limit"] == "nodes"


@pytest.mark.parametrize("version", ERAS)
def test_the_refusal_keeps_what_the_arguments_cost_and_quotes_nothing(
    served: Serving, version: str
):
    gated = served("Server", SMALL)
    answer = wire.Http(gated.port, version).call(
        "note.add", {"text": "kept"}, **{CANARY: {CANARY: [CANARY] * 60}}
    )

    verdict = answer.result["_meta"][META_KEY]
    admitted = json.loads(gated.catalog.check("note.add", {"text": "kept"}).to_json())
    assert verdict["admitted"] is False
    assert {**verdict, "admitted": True, "refusal": None} == admitted
    assert CANARY.encode() not in answer.body
    assert answer.result["content"] == [{"type": "text", "text": verdict["refusal"]["message"]}]
    assert "_meta" in verdict["refusal"]["message"]


@pytest.mark.parametrize("version", ERAS)
def test_what_is_wrong_with_the_arguments_is_told_first(served: Serving, version: str):
    gated = served("MCPServer", SMALL)
    answer = wire.Http(gated.port, version).call("note.add", {}, pad=[0] * 60)

    judged = json.loads(gated.catalog.check("note.add", {}).to_json())
    assert answer.result["_meta"][META_KEY] == judged


@pytest.mark.parametrize("version", ERAS)
@pytest.mark.parametrize("spelt", ["NaN", "-Infinity", "1e999"])
def test_a_number_that_no_json_has_is_refused_beside_the_arguments_too(
    served: Serving, version: str, spelt: str
):
    given = wire.params(version, "note.count", {}, {"pad": "here"})
    body = wire.request("tools/call", given).replace(b'"here"', spelt.encode())
    answer = wire.Http(served("MCPServer").port, version).raw(body, "note.count")

    refusal = refusal_of(answer)
    assert (refusal["code"], refusal["limit"]) == ("not-json", None)


@pytest.mark.parametrize("version", ERAS)
def test_the_gate_leaves_the_transports_own_cap_where_it_was(
    tmp_path: Path, served: Serving, version: str
):
    lifted = small_server.build("MCPServer", tmp_path / "lifted", None)
    large = {"text": "x" * 5_000_000}
    capped = wire.Http(served("MCPServer").port, version).call("note.add", large)
    with wire.http_server(lifted, stateless=True) as port:
        assert wire.Http(port, version).call("note.add", large) == capped
    raised = served("MCPServer", body=Limits().body)
    judged = wire.Http(raised.port, version).call("note.add", large)

    assert capped.status == 413
    assert refusal_of(judged)["code"] == "mismatch"


def test_no_wording_about_the_other_params_passes_the_narrowest_message():
    """
    The widest numbers, the longest name and the narrowest message that a catalog may set.
    """
    narrowest = RANGES["refusal"][0]
    widest = {name: RANGES[name][1] for name in ("nesting", "nodes", "rendered", "fragment")}
    limits = Limits(**widest, refusal=narrowest)
    nothing = Limits(nesting=0, nodes=0, rendered=0)
    found = {
        "nesting": charge({}, nothing),
        "nodes": charge({}, replace(nothing, nesting=1)),
        "rendered": charge({"a": 1}, replace(nothing, nesting=2, nodes=3)),
        None: charge(CANARY.encode(), Limits()),
    }
    for limit, cost in found.items():
        refusal = answers.beside("\U000e0001" * 500, cost, limits)
        assert refusal.limit == limit
        assert len(refusal.message) <= narrowest
        # Nor is it cut to fit.
        wide = replace(limits, refusal=RANGES["refusal"][1])
        assert refusal == answers.beside("\U000e0001" * 500, cost, wide)
