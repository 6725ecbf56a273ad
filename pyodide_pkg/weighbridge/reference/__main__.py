"""
``python -m weighbridge.reference``: the reference service on a port, or over stdio.
"""

# ruff: noqa: T201 - a command prints

from __future__ import annotations

import argparse
import socket
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path

import anyio
import uvicorn

from weighbridge import Catalog, CatalogError
from weighbridge.reference.service import BUNDLE, build_app, build_server, default_database
from weighbridge.reference.store import StoreLayoutError
from weighbridge.stdio import serve_stdio

#: Connections served at once; one more is answered 503. A request may hold tens
#: of megabytes, so that this number bounds what strangers can make us hold.
CONCURRENCY = 32

#: Seconds that a stopping server gives to calls that are under way.
GRACE = 3

#: Where it is found when nobody chooses a port.
PORT = 8417


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Serve until told to stop. Answers 0, or 2 when something to serve cannot be used.

    Over HTTP the one line on standard output is the address; logs go to standard error.
    """
    options = _parser().parse_args(arguments)
    bundle = options.bundle or options.dist
    workbench = options.workbench or (options.dist and options.dist / "workbench")
    for folder in (bundle, workbench):
        if folder is not None and not folder.is_dir():
            return _failed(f"{folder} is not a folder: make web builds web/dist")
    database = options.database or default_database()
    try:
        catalog = Catalog.read(options.catalog) if options.catalog else Catalog.bundled()
        hosted = BUNDLE if bundle and not options.stdio else None
        server = build_server(database, catalog, gate=options.gate, bundle_url=hosted)
    except (CatalogError, StoreLayoutError) as error:
        return _failed(str(error))
    except (OSError, sqlite3.Error) as error:
        return _failed(f"{database} cannot be used ({error}): give another file with --database")
    if options.stdio:
        # Not the SDK's own reader: a line has the limit and the answers that HTTP has.
        anyio.run(serve_stdio, server, catalog.limits)
        return 0
    app = build_app(server, catalog, bundle=bundle, workbench=workbench)
    try:
        listener = socket.create_server(("127.0.0.1", options.port))
    except OSError as error:
        return _failed(
            f"port {options.port} cannot be used ({error.strerror}): --port 0 takes a free one"
        )
    # Bound and listening before the address is printed: whoever reads it can connect.
    with listener:
        print(f"weighbridge: proposals are kept in {database}", file=sys.stderr)
        print(f"http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
        config = uvicorn.Config(
            app,
            log_level="warning",
            ws="none",
            # uvicorn turns away the connection that makes the limit full.
            limit_concurrency=CONCURRENCY + 1,
            timeout_graceful_shutdown=GRACE,
        )
        uvicorn.Server(config).run(sockets=[listener])
    return 0


def _failed(message: str) -> int:
    print(f"weighbridge: {message}", file=sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="weighbridge serve", description=main.__doc__)
    parser.add_argument("--stdio", action="store_true", help="serve over stdio instead of HTTP")
    parser.add_argument(
        "--port", type=int, default=PORT, help=f"0 takes a free one; default {PORT}"
    )
    parser.add_argument("--database", type=Path, help="SQLite file, made when it is new")
    parser.add_argument("--catalog", type=Path, help="folder of schemas; default: the bundled ones")
    parser.add_argument("--dist", type=Path, help="web/dist: the bundle, with the workbench in it")
    parser.add_argument("--bundle", type=Path, help="folder served at /weighbridge/")
    parser.add_argument("--workbench", type=Path, help="folder served at /")
    parser.add_argument("--no-gate", dest="gate", action="store_false", help="leave the gate off")
    return parser


if __name__ == "__main__":
    sys.exit(main())
