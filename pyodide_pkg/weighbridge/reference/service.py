"""
The reference service, put together: ten tools behind the gate, and one port for everything.

`build_server` gives the MCP server alone, for any transport. `build_app` puts it
on ``/mcp`` beside ``/check``, the browser bundle and the workbench. The HTTP side keeps no
session, so any number of replicas can stand behind a balancer.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

import weighbridge
from weighbridge import Catalog, asgi
from weighbridge.mcp import install
from weighbridge.reference import store, tools

#: What the server is called in every era's identity.
NAME = "weighbridge-reference"

#: Where `build_app` serves the browser bundle, as a client resolves it.
BUNDLE = "/weighbridge/"


def default_database() -> Path:
    """
    Where the database stands when nobody says: in the data folder of the person who runs it.
    """
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "weighbridge" / f"reference-{store.LAYOUT}.sqlite3"


def build_server(
    database: Path, catalog: Catalog, *, gate: bool = True, bundle_url: str | None = None
) -> MCPServer[Any]:
    """
    The ten tools over that database, behind the gate unless ``gate`` is false.

    The database is made and filled when the file is new. Behind the gate ``tools/list`` serves
    the published schemas; without it, what the SDK derives from each signature. ``bundle_url`` is
    announced to clients. Raises what `store.open_store` raises.
    """
    about = {
        "service": NAME,
        "version": weighbridge.__version__,
        "digest": catalog.digest,
        "tools": sorted(catalog.tools),
    }
    service = tools.Service(store.open_store(database), about)
    server: MCPServer[Any] = MCPServer(
        NAME,
        title="Weighbridge reference service",
        instructions="Call project.list first: it answers with the projectId that other tools want.",
        version=weighbridge.__version__,
        log_level="WARNING",
    )
    for name, handler in tools.handlers(service).items():
        about_it = catalog.tools[name].published if name in catalog.tools else {}
        hints = ToolAnnotations(
            read_only_hint=name not in tools.WRITING, destructive_hint=False, open_world_hint=False
        )
        title, description = about_it.get("title"), about_it.get("description")
        server.add_tool(handler, name, title, description, annotations=hints)
    if gate:
        install(server, catalog, bundle_url=bundle_url)
    return server


def build_app(
    server: MCPServer[Any],
    catalog: Catalog,
    *,
    bundle: Path | None = None,
    workbench: Path | None = None,
) -> ASGIApp:
    """
    One ASGI application: ``/mcp``, ``/check``, ``/healthz``, ``/weighbridge/`` and ``/``.

    ``/mcp`` takes requests of up to ``catalog.limits.body`` bytes and answers only to loopback
    names, by the SDK's own protection against DNS rebinding. A folder that is not given is not
    served.
    """
    mcp = server.streamable_http_app(
        stateless_http=True,
        json_response=True,
        max_request_body_size=catalog.limits.body,
    )
    folders = {BUNDLE: bundle, "/": workbench}
    pages = asgi.files({prefix: path for prefix, path in folders.items() if path is not None})
    check = asgi.judge(catalog)
    health = PlainTextResponse(
        json.dumps({"ok": True, "digest": catalog.digest}) + "\n", media_type="application/json"
    )

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or scope.get("path") == "/mcp":
            await mcp(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == "/healthz":
            await health(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == "/check":
            await check(scope, receive, send)
        else:
            await pages(scope, receive, send)

    return app
