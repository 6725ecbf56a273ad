"""
What a guarded server lists is what it judges by, and it says which catalog that is.
"""

from __future__ import annotations

import copy
import json
import logging
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp.server.lowlevel import Server

import weighbridge
from tests.catalogs import folder, input_schema
from tests.server import small_server, wire
from tests.server.conftest import Reach, Seat
from weighbridge import CONTRACT, Catalog, Limits
from weighbridge.digest import tool_digest
from weighbridge.limits import as_dict
from weighbridge.mcp import NOT_LISTED, install

#: Every version that the SDK serves; the oldest has the handshake of those after it.
EVERY = ("2024-11-05", *wire.VERSIONS)

CATALOG = "dev.theurian.weighbridge/catalog"
TOOL = "dev.theurian.weighbridge/tool"
EXTENSION = "dev.theurian.weighbridge/preflight"


def record(catalog: Catalog, **more: Any) -> dict[str, Any]:
    """The record of a catalog, as docs/advertise.md has it."""
    return {
        "contract": CONTRACT,
        "version": weighbridge.__version__,
        "digest": catalog.digest,
        "shapeDigest": catalog.shape_digest,
        "limits": as_dict(catalog.limits),
        "bookkeeping": [],
        **more,
    }


def tool_record(catalog: Catalog, name: str, **more: Any) -> dict[str, Any]:
    """The record of one listed tool."""
    return {
        "contract": CONTRACT,
        "version": weighbridge.__version__,
        "digest": catalog.tools[name].digest,
        "catalog": {"digest": catalog.digest, "shapeDigest": catalog.shape_digest},
        **more,
    }


def expected_list(catalog: Catalog, lifted: dict[str, Any]) -> dict[str, Any]:
    """The result without the gate, with all that the gate is to change in it."""
    result = copy.deepcopy(lifted)
    result["tools"] = [one for one in result["tools"] if one["name"] in catalog.tools]
    for one in result["tools"]:
        published = catalog.tools[one["name"]].published
        one["inputSchema"] = published
        one["description"] = one.get("description") or published["description"]
        one["_meta"] = {**one.get("_meta", {}), TOOL: tool_record(catalog, one["name"])}
    result["_meta"] = {**result.get("_meta", {}), CATALOG: record(catalog)}
    return result


def test_the_list_is_the_published_one_in_every_seat(reach: Reach, catalog: Catalog, seat: Seat):
    gated = reach(seat).client.send("tools/list", {}).result
    lifted = reach(seat, gated=False).client.send("tools/list", {}).result

    assert gated == expected_list(catalog, lifted)
    # Not what the SDK derives from a signature, which the comparison above would not tell.
    assert gated["tools"][0]["inputSchema"] != lifted["tools"][0]["inputSchema"]
    assert [one["name"] for one in lifted["tools"]][-1] == "note.purge"


@pytest.mark.parametrize("kind", small_server.KINDS)
def test_the_oldest_version_lists_the_published_schemas_as_well(
    tmp_path: Path, catalog: Catalog, kind: str
):
    both = []
    for given in (catalog, None):
        server = small_server.build(kind, tmp_path / "sentinel", given)
        with wire.http_server(server, stateless=True) as port:
            client = wire.Http(port, EVERY[0])
            assert client.opened.result["protocolVersion"] == EVERY[0]
            both.append((client.opened.result, client.send("tools/list", {}).result))
    (greeted, gated), (plain, lifted) = both

    assert gated == expected_list(catalog, lifted)
    assert greeted == announced(catalog, plain, EVERY[0])


def test_so_it_does_over_a_pipe(tmp_path: Path, schemas: Path, catalog: Catalog):
    command = [small_server.__file__, "MCPServer", tmp_path / "sentinel", "--catalog", schemas]
    with wire.stdio_process(command) as process:
        client = wire.Stdio(process, EVERY[0])
        result = client.send("tools/list", {}).result
    experimental = client.opened.result["capabilities"]["experimental"]

    found = {one["name"]: one["inputSchema"] for one in result["tools"]}
    assert found == {name: tool.published for name, tool in catalog.tools.items()}
    assert result["_meta"] == {CATALOG: record(catalog)}
    assert experimental[EXTENSION] == record(catalog)


def announced(catalog: Catalog, lifted: dict[str, Any], version: str) -> dict[str, Any]:
    """The greeting without the gate, with what the gate is to add to it."""
    result = copy.deepcopy(lifted)
    kind = "extensions" if version == wire.NEWEST else "experimental"
    result["capabilities"].setdefault(kind, {})[EXTENSION] = record(catalog)
    return result


def test_the_greeting_says_which_catalog_in_every_seat(reach: Reach, catalog: Catalog, seat: Seat):
    gated, lifted = reach(seat), reach(seat, gated=False)

    opened = gated.client.opened.result
    assert opened == announced(catalog, lifted.client.opened.result, seat.version)


# --- a server with pages, and with all that a tool can say of itself ---------

ICON = {"src": "https://example.test/icon.png", "mimeType": "image/png", "sizes": ["48x48"]}

LISTED: list[dict[str, Any]] = [
    {
        "name": "zebra",
        "title": "Zebra",
        "description": "The handler's own words.",
        "inputSchema": {"type": "object", "properties": {"derived": {"type": "integer"}}},
        "outputSchema": {"type": "object", "properties": {"x-kept": {"type": "string"}}},
        "annotations": {"readOnlyHint": True, "title": "Stripes"},
        "icons": [ICON],
        "_meta": {"example.test/kept": {"a": [1]}, TOOL: "not ours"},
    },
    {"name": "hidden", "inputSchema": {"type": "object"}},
    {"name": "bare", "inputSchema": {"type": "object"}},
    {"name": "aardvark", "annotations": {"title": "A"}, "inputSchema": {"type": "object"}},
    {"name": "hidden too", "inputSchema": {"type": "object"}},
]
PAGE = 2


async def on_list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
    """Two tools a page, by a cursor that says where to go on."""
    start = int(params.cursor or 0) if params else 0
    after = start + PAGE
    return types.ListToolsResult.model_validate(
        {
            "tools": LISTED[start:after],
            "nextCursor": str(after) if after < len(LISTED) else None,
            "_meta": {"example.test/page": start},
        }
    )


async def on_call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    """Say what arguments came."""
    said = json.dumps(params.arguments, sort_keys=True)
    return types.CallToolResult(content=[types.TextContent(type="text", text=said)])


def paged() -> Server[Any]:
    """The server of those tools."""
    return Server("paged", version="1", on_list_tools=on_list_tools, on_call_tool=on_call_tool)


TEXT = {"type": "string", "maxLength": 9, "x-maxBytes": 12}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """A catalog of three of its tools."""
    several = {
        "zebra": {"properties": {"a": TEXT}, "title": "Z", "description": "Published words."},
        "bare": {"title": "Bare", "description": "Only published."},
        "aardvark": {
            "title": "Published, where the server has one of its own.",
            "properties": {"b": {"type": "array", "maxItems": 2, "items": TEXT}},
        },
    }
    files = {f"{name}.json": input_schema(name, **more) for name, more in several.items()}
    tools = {"bare": {"limits": {"nodes": 9, "work": 5_000}, "reason": "It takes nothing."}}
    settings = {"tools": tools, "limits": {"nodes": 500}}
    where = folder(tmp_path_factory.mktemp("pages"), {**files, "catalog.json": settings})
    return Catalog.read(where)


@pytest.fixture(scope="module")
def served(pages: Catalog) -> Iterator[tuple[int, int]]:
    """The ports of the server with the gate, and without."""
    with ExitStack() as stack:
        gated = paged()
        install(gated, pages, bundle_url="/weighbridge/")
        yield tuple(
            stack.enter_context(wire.http_server(one, stateless=True)) for one in (gated, paged())
        )


def walk(client: wire.Http) -> list[dict[str, Any]]:
    """Every page, by the cursors that came."""
    found, given = [], {}
    while True:
        found.append(client.send("tools/list", given).result)
        if "nextCursor" not in found[-1]:
            return found
        given = {"cursor": found[-1]["nextCursor"]}


@pytest.mark.parametrize("version", EVERY)
def test_pages_order_and_every_other_field_are_kept(
    served: tuple[int, int], pages: Catalog, version: str
):
    gated, lifted = (walk(wire.Http(port, version)) for port in served)

    assert len(lifted) == 3
    assert [[one["name"] for one in page["tools"]] for page in gated] == [
        ["zebra"],
        ["bare", "aardvark"],
        [],
    ]
    said = {
        "zebra": {"_meta": {"example.test/kept": {"a": [1]}}, "maxBytes": {"/properties/a": 12}},
        "bare": {
            "title": "Bare",
            "description": "Only published.",
            "limits": {"nodes": 9, "work": 5_000},
        },
        "aardvark": {"maxBytes": {"/properties/b/items": 12}},
    }
    expected = copy.deepcopy(lifted)
    for page in expected:
        page["tools"] = [one for one in page["tools"] if one["name"] in pages.tools]
        page["_meta"][CATALOG] = record(pages, bundle="/weighbridge/")
        for one in page["tools"]:
            more = said[one["name"]]
            own = {k: more[k] for k in ("limits", "maxBytes") if k in more}
            one |= {k: more[k] for k in ("title", "description") if k in more}
            one["inputSchema"] = pages.tools[one["name"]].published
            meta = tool_record(pages, one["name"], **own)
            one["_meta"] = {**more.get("_meta", {}), TOOL: meta}
    assert gated == expected
    assert gated[0]["tools"][0]["inputSchema"]["properties"]["a"] == {
        "type": "string",
        "maxLength": 9,
        "description": "At most 12 bytes of UTF-8.",
    }


@pytest.mark.parametrize("version", EVERY)
def test_the_digest_of_a_tool_is_recomputed_from_what_is_listed(
    served: tuple[int, int], version: str
):
    """
    Whatever order its keys come in.
    """
    for page in walk(wire.Http(served[0], version)):
        for one in page["tools"]:
            backwards = json.loads(json.dumps(one["inputSchema"], sort_keys=True))
            assert tool_digest(one["name"], backwards) == one["_meta"][TOOL]["digest"]


@pytest.mark.parametrize("version", EVERY)
def test_the_bundle_is_announced_where_one_is_hosted(
    served: tuple[int, int], pages: Catalog, version: str
):
    client = wire.Http(served[0], version)
    kind = "extensions" if version == wire.NEWEST else "experimental"
    said = client.opened.result["capabilities"][kind][EXTENSION]
    assert said == record(pages, bundle="/weighbridge/")


def test_the_catalogs_own_form_is_not_handed_out(served: tuple[int, int], pages: Catalog):
    """
    A middleware in front may change a result; what is listed next is whole.
    """
    server = paged()
    install(server, pages)

    async def spoiling(ctx: Any, call_next: Any) -> Any:
        result = await call_next(ctx)
        if ctx.method == "tools/list":
            for one in result["tools"]:
                one["inputSchema"].clear()
                one["_meta"][TOOL]["catalog"].clear()
        return result

    server.middleware.insert(0, spoiling)
    with wire.http_server(server, stateless=True) as port:
        assert walk(wire.Http(port, wire.NEWEST))[0]["tools"][0]["inputSchema"] == {}
    assert pages.tools["zebra"].published["properties"].keys() == {"a"}
    again = walk(wire.Http(served[0], wire.NEWEST))[0]["tools"][0]
    assert again["inputSchema"] == pages.tools["zebra"].published


def test_a_tool_that_no_call_can_reach_is_left_out_and_the_log_says_so_once(
    pages: Catalog, caplog: pytest.LogCaptureFixture
):
    server = paged()
    install(server, pages)
    with wire.http_server(server, stateless=True) as port:
        client = wire.Http(port, wire.OLDER[-1])
        walk(client)
        walk(client)
        call = client.call("hidden", {})

    told = [(one.levelno, one.getMessage()) for one in caplog.records if one.name == "weighbridge"]
    assert told == [
        (logging.WARNING, "hidden is not listed: no schema is published for it"),
        (logging.WARNING, "hidden too is not listed: no schema is published for it"),
    ]
    # That is why: a list that names it would be wrong.
    assert (
        call.result["_meta"]["dev.theurian.weighbridge/verdict"]["refusal"]["code"] == "no-schema"
    )


def lost(ctx: Any) -> Catalog:
    """A function that cannot give a catalog, and says what nobody may hear."""
    raise LookupError("c4nary of " + ctx.method)


@pytest.mark.parametrize("version", EVERY)
def test_a_list_that_cannot_be_made_is_an_error_and_never_another_contract(
    version: str, caplog: pytest.LogCaptureFixture
):
    server = paged()
    install(server, lost)
    with wire.http_server(server, stateless=True) as port:
        client = wire.Http(port, version)
        answer = client.send("tools/list", {})

    assert answer.message["error"] == {"code": types.INTERNAL_ERROR, "message": NOT_LISTED}
    # A connection opens all the same: it only lacks the record.
    assert EXTENSION not in json.dumps(client.opened.message)
    assert client.opened.result["serverInfo" if version != wire.NEWEST else "capabilities"]
    lines = [one.getMessage() for one in caplog.records if one.name == "weighbridge"]
    assert [line.partition(":")[0] for line in lines] == [
        "the catalog could not be announced",
        "the tools could not be listed by their published schemas",
    ]
    assert "c4nary" not in str(lines)
    assert all("LookupError at " in line for line in lines)


def test_the_defaults_in_a_record_are_every_limit_there_is(pages: Catalog):
    assert record(pages)["limits"] == {**as_dict(Limits()), "nodes": 500}
