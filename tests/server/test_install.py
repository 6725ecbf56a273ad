"""
Where the gate stands in a server's chain, and what happens when something else stands after it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from mcp.server import MCPServer
from mcp_types import Icon, Implementation
from pydantic import ValidationError

from tests.server import small_server, wire
from tests.server.test_failing_closed import message
from weighbridge import Catalog
from weighbridge.mcp import FAILED, META_KEY, PreflightMiddleware, install

KINDS = tuple(small_server.KINDS)
STAMP = "io.modelcontextprotocol/serverInfo"
JUDGED, INSTEAD = {"text": "judged"}, {"text": "put there instead"}


async def passing(ctx: Any, call_next: Any) -> Any:
    """A middleware that only looks on."""
    return await call_next(ctx)


async def rewriting(ctx: Any, call_next: Any) -> Any:
    """A middleware that sends other arguments on than the ones that came."""
    if ctx.method != "tools/call":
        return await call_next(ctx)
    return await call_next(replace(ctx, params={**ctx.params, "arguments": dict(INSTEAD)}))


async def rewriting_in_place(ctx: Any, call_next: Any) -> Any:
    """The same, without a word to anybody: it changes the very dict that was judged."""
    if ctx.method == "tools/call":
        ctx.params["arguments"].update(INSTEAD)
    return await call_next(ctx)


async def adding_a_key(ctx: Any, call_next: Any) -> Any:
    """A middleware that adds a key that nobody published."""
    if ctx.method != "tools/call":
        return await call_next(ctx)
    arguments = {**ctx.params["arguments"], "colour": "red"}
    return await call_next(replace(ctx, params={**ctx.params, "arguments": arguments}))


async def hiding(ctx: Any, call_next: Any) -> Any:
    """A middleware that hands over params in a mapping of its own."""
    return await call_next(replace(ctx, params=ctx.params and MappingProxyType(ctx.params)))


def handled(answer: wire.Answer) -> Any:
    """What the handler of ``note.add`` says that it was given."""
    told = json.loads(answer.result["content"][0]["text"])
    return {key: value for key, value in told.items() if value is not None}


@pytest.mark.parametrize("kind", KINDS)
def test_the_gate_is_last_however_often_it_is_installed(
    tmp_path: Path, catalog: Catalog, kind: str
):
    server = small_server.build(kind, tmp_path / "sentinel", None)
    before = list(server.middleware)
    server.middleware.append(passing)

    gate = install(server, catalog)
    assert server.middleware == [*before, passing, gate]
    assert install(server, catalog) is gate
    assert server.middleware == [*before, passing, gate]


@pytest.mark.parametrize("kind", KINDS)
def test_another_catalog_takes_the_place_of_the_first(
    tmp_path: Path, catalog: Catalog, schemas: Path, kind: str
):
    server = small_server.build(kind, tmp_path / "sentinel", catalog)
    first = server.middleware[-1]

    second = install(server, Catalog.read(schemas))

    assert second is not first
    assert server.middleware[-1] is second
    assert first not in server.middleware


@pytest.mark.parametrize("also", [[], [passing]], ids=["last", "not last"])
def test_a_gate_given_to_the_constructor_is_replaced_by_one_that_knows_the_server(
    catalog: Catalog, also: list[Any]
):
    given = PreflightMiddleware(catalog)
    server = MCPServer("small", middleware=[given, *also])
    before = [one for one in server.middleware if one is not given]

    gate = install(server, catalog)

    assert gate is not given
    assert server.middleware == [*before, gate]


def test_one_gate_stands_where_a_second_was_put_in_by_hand(tmp_path: Path, catalog: Catalog):
    server = small_server.build("Server", tmp_path / "sentinel", catalog)
    before = server.middleware[:-1]
    server.middleware.insert(0, PreflightMiddleware(catalog))

    gate = install(server, catalog)

    assert server.middleware == [*before, gate]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("inside", [rewriting, rewriting_in_place, adding_a_key, passing])
def test_nothing_inside_can_rewrite_params_after_the_verdict(
    tmp_path: Path,
    catalog: Catalog,
    caplog: pytest.LogCaptureFixture,
    kind: str,
    inside: Any,
):
    server = small_server.build(kind, tmp_path / "sentinel", catalog)
    server.middleware.append(inside)
    with wire.http_server(server, stateless=True) as port:
        clients = [wire.Http(port, version) for version in wire.VERSIONS]
        refused = [client.call("note.add", JUDGED) for client in clients]
        told = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
        install(server, catalog)
        mended = [client.call("note.add", JUDGED) for client in clients]

    # The gate cannot vouch for what a later one would do, so it refuses and says why.
    assert [answer.result["content"] for answer in refused] == [
        [{"type": "text", "text": FAILED}]
    ] * len(clients)
    assert len(told) == len(clients)
    assert all("install" in line for line in told)
    # Installed again it is last: what it judges is what came out of the other.
    if inside is adding_a_key:
        for answer in mended:
            (finding,) = answer.result["_meta"][META_KEY]["refusal"]["findings"]
            assert finding["names"] == ["colour"]
        return
    expected = JUDGED if inside is passing else INSTEAD
    assert [handled(answer) for answer in mended] == [expected] * len(clients)


def test_without_the_watch_a_later_middleware_would_have_its_way(tmp_path: Path, catalog: Catalog):
    """
    The control for the test above: a gate that knows no server cannot see what stands after it.
    """
    server = small_server.build("MCPServer", tmp_path / "sentinel", None)
    server.middleware.extend([PreflightMiddleware(catalog), rewriting])
    with wire.http_server(server, stateless=True) as port:
        assert handled(wire.Http(port, wire.NEWEST).call("note.add", JUDGED)) == INSTEAD


@pytest.mark.parametrize("kind", KINDS)
def test_a_chain_replaced_as_a_whole_is_watched_too(tmp_path: Path, catalog: Catalog, kind: str):
    server = small_server.build(kind, tmp_path / "sentinel", catalog)
    if kind == "MCPServer":
        server.middleware[:] = [*server.middleware, rewriting]
    else:
        server.middleware = [*server.middleware, rewriting]
    with wire.http_server(server, stateless=True) as port:
        answer = wire.Http(port, wire.OLDER[-1]).call("note.add", JUDGED)

    assert answer.result["content"] == [{"type": "text", "text": FAILED}]


@pytest.mark.parametrize("version", wire.VERSIONS)
def test_what_a_middleware_before_the_gate_made_of_the_call_is_what_is_judged(
    tmp_path: Path, catalog: Catalog, version: str
):
    server = small_server.build("Server", tmp_path / "sentinel", None)
    server.middleware.extend([hiding, adding_a_key])
    install(server, catalog)
    with wire.http_server(server, stateless=True) as port:
        answer = wire.Http(port, version).call("note.add", JUDGED)

    (finding,) = answer.result["_meta"][META_KEY]["refusal"]["findings"]
    assert finding["names"] == ["colour"]


@pytest.mark.parametrize("version", wire.VERSIONS)
def test_params_in_another_mapping_are_judged_and_served(
    tmp_path: Path, catalog: Catalog, version: str
):
    server = small_server.build("MCPServer", tmp_path / "sentinel", None)
    server.middleware.append(hiding)
    install(server, catalog)
    with wire.http_server(server, stateless=True) as port:
        client = wire.Http(port, version)
        assert handled(client.call("note.add", JUDGED)) == JUDGED
        assert client.call("note.add", {"colour": 1}).result["isError"] is True


def test_a_mapping_that_changes_between_two_readings_is_read_once(catalog: Catalog):
    class Turning(Mapping[str, Any]):
        readings = 0

        def __getitem__(self, key: str) -> Any:
            if key == "name":
                return "note.add"
            if key != "arguments":
                raise KeyError(key)
            self.readings += 1
            return JUDGED if self.readings == 1 else INSTEAD

        def __iter__(self) -> Iterator[str]:
            return iter(("name", "arguments"))

        def __len__(self) -> int:
            return 2

    seen = []

    async def call_next(ctx: Any) -> dict[str, Any]:
        seen.append(ctx.params)
        return {}

    asyncio.run(PreflightMiddleware(catalog)(message(params=Turning()), call_next))

    assert seen == [{"name": "note.add", "arguments": JUDGED}]
    assert type(seen[0]) is dict


def test_a_dict_that_says_other_than_it_holds_is_judged_by_what_it_holds(catalog: Catalog):
    class Lying(dict[str, Any]):
        def get(self, key: str, default: Any = None) -> Any:
            return JUDGED if key == "arguments" else super().get(key, default)

    async def call_next(ctx: Any) -> dict[str, Any]:
        return {}

    lying = Lying(name="note.add", arguments={"colour": 1})
    answer = asyncio.run(PreflightMiddleware(catalog)(message(params=lying), call_next))

    assert answer["_meta"][META_KEY]["refusal"]["code"] == "mismatch"


@pytest.mark.parametrize("kind", KINDS)
def test_an_admitted_call_goes_on_as_the_very_message_that_came(
    tmp_path: Path, catalog: Catalog, kind: str
):
    passed = []

    async def call_next(ctx: Any) -> dict[str, Any]:
        passed.append(ctx)
        return {}

    arguments = {"text": "a", "about": {"n": 1}}
    given = message(params={"name": "note.add", "arguments": arguments, "_meta": {"k": [1]}})
    kept = json.dumps(given.params)
    gate = small_server.build(kind, tmp_path / "sentinel", catalog).middleware[-1]
    asyncio.run(gate(given, call_next))

    assert passed[0] is given
    assert given.params["arguments"] is arguments
    assert json.dumps(given.params) == kept


@pytest.mark.parametrize(
    "given",
    [
        message(params={"name": "note.purge", "arguments": {}}, request_id=None),
        message(params={"name": "note.purge", "arguments": {}}, method="tools/list"),
        message(params=None),
        message(params={}),
    ],
    ids=["a notification", "another method", "no params", "no name"],
)
def test_what_is_no_call_goes_on_as_it_came(catalog: Catalog, given: Any):
    passed = []

    async def call_next(ctx: Any) -> dict[str, Any]:
        passed.append(ctx)
        return {}

    assert asyncio.run(PreflightMiddleware(catalog)(given, call_next)) == {}
    assert passed[0] is given


@pytest.mark.parametrize("kind", KINDS)
def test_the_stamp_is_the_one_that_the_sdk_puts_on_a_handlers_failure(
    tmp_path: Path, catalog: Catalog, kind: str
):
    about = {
        "title": "Small",
        "description": "Four tools",
        "website_url": "https://example.test/",
        "icons": [Icon(src="https://example.test/i.png", mime_type="image/png", sizes=["48x48"])],
    }
    plain = small_server.build(kind, tmp_path / "sentinel", None)
    low = getattr(plain, "_lowlevel_server", plain)
    for name, value in about.items():
        setattr(low, name, value)
    install(plain, catalog)
    with wire.http_server(plain, stateless=True) as port:
        client = wire.Http(port, wire.NEWEST)
        refused = client.call("note.add").result["_meta"][STAMP]
        failed = client.call("note.fail").result["_meta"][STAMP]

    assert refused == failed
    assert set(refused) == {"name", "version", "title", "description", "websiteUrl", "icons"}


@pytest.mark.parametrize(
    ("server_info", "stamp"),
    [
        (None, None),
        ({"name": "n", "version": "2"}, {"name": "n", "version": "2"}),
        (Implementation(name="n", version="2"), {"name": "n", "version": "2"}),
        (
            {"name": "n", "version": "2", "websiteUrl": "https://example.test/"},
            {"name": "n", "version": "2", "websiteUrl": "https://example.test/"},
        ),
    ],
)
def test_a_gate_in_the_constructor_stamps_the_identity_that_it_was_given(
    catalog: Catalog, server_info: Any, stamp: Any
):
    server = MCPServer("small", middleware=[PreflightMiddleware(catalog, server_info=server_info)])
    with wire.http_server(server, stateless=True) as port:
        answers = {version: wire.Http(port, version).call("note.add") for version in wire.VERSIONS}

    for version, answer in answers.items():
        newest = version == wire.NEWEST
        assert answer.result["_meta"].get(STAMP) == (stamp if newest else None)
        assert answer.result.get("resultType") == ("complete" if newest else None)


def test_what_is_no_catalog_and_what_is_no_identity_are_refused_when_the_server_is_built(
    catalog: Catalog,
):
    with pytest.raises(TypeError, match=r"Catalog\.read"):
        PreflightMiddleware("schemas/mcp")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"Catalog\.read"):
        install(MCPServer("small"), None)  # type: ignore[arg-type]
    with pytest.raises(ValidationError):
        PreflightMiddleware(catalog, {"name": "n"})
