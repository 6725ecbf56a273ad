"""
``python -m weighbridge.reference``: the reference service on a port, or over stdio.
"""

from __future__ import annotations

import argparse
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

import uvicorn

import weighbridge
from weighbridge.reference.service import build_app, build_server, default_database
from weighbridge.reference.store import StoreLayoutError

#: Connections served at once; one more is answered 503. A request may hold tens
#: of megabytes, so that this number bounds what strangers can make us hold.
CONCURRENCY = 64

#: Seconds that a stopping server gives to calls that are under way.
GRACE = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Serve until told to stop. Answers 0, or 2 when the catalog or database cannot be used.

    Over HTTP the one line on standard output is the address; logs go to standard error.
    """
    options = _parser().parse_args(arguments)
    try:
        catalog = (
            weighbridge.Catalog.read(options.catalog)
            if options.catalog
            else weighbridge.Catalog.bundled()
        )
        server = build_server(options.database or default_database(), catalog, gate=options.gate)
    except (weighbridge.CatalogError, StoreLayoutError) as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command prints
        return 2
    if options.stdio:
        server.run("stdio")
        return 0
    app = build_app(server, catalog, bundle=options.bundle, workbench=options.workbench)
    # Bound and listening before the address is printed: whoever reads it can connect.
    with socket.create_server(("127.0.0.1", options.port)) as listener:
        print(f"http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)  # noqa: T201 - as above
        config = uvicorn.Config(
            app,
            log_level="warning",
            limit_concurrency=CONCURRENCY,
            timeout_graceful_shutdown=GRACE,
        )
        uvicorn.Server(config).run(sockets=[listener])
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m weighbridge.reference", description=__doc__)
    parser.add_argument("--stdio", action="store_true", help="serve over stdio instead of HTTP")
    parser.add_argument("--port", type=int, default=8765, help="0 picks a free one (default 8765)")
    parser.add_argument("--database", type=Path, help="SQLite file, made when new")
    parser.add_argument(
        "--catalog", type=Path, help="folder of schemas (default: the bundled ones)"
    )
    parser.add_argument("--bundle", type=Path, help="folder served at /weighbridge/")
    parser.add_argument("--workbench", type=Path, help="folder served at /")
    parser.add_argument("--no-gate", dest="gate", action="store_false", help="leave the gate off")
    return parser


if __name__ == "__main__":
    sys.exit(main())
