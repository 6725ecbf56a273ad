"""
The worker's two questions, answered by the same package that answers on the server.

It travels in the payload as ``weighbridge_seat``; text comes in and text goes out,
so nothing of JavaScript's reaches the gate.
"""

import json
import sys
from pathlib import Path

import weighbridge
from weighbridge_build import BUILD

__all__ = ["BUILD", "PYTHON", "check", "open_catalog"]

PYTHON = "{}.{}.{}".format(*sys.version_info)

FOLDER = Path("/catalog")

_catalogs: list[weighbridge.Catalog] = []


def open_catalog(files: str) -> str:
    """
    Read the catalog asset, ``{"files": {name: text}}``, and publish it as text.

    Raises CatalogError exactly where reading the same folder anywhere else does.
    """
    FOLDER.mkdir()
    for name, text in json.loads(files)["files"].items():
        (FOLDER / name).write_bytes(text.encode())
    catalog = weighbridge.Catalog.read(FOLDER)
    _catalogs[:] = [catalog]
    return catalog.to_json()


def check(tool: str, text: str) -> str:
    """
    Judge one call's JSON text; the verdict's own bytes.
    """
    return _catalogs[0].check_text(tool, text).to_json()
