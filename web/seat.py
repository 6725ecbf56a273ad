"""
The worker's questions, answered by the same package that answers on the server.

It travels in the payload as ``weighbridge_seat``; text comes in and text goes out,
so nothing of JavaScript's reaches the gate.
"""

import json
import sys
from pathlib import Path

import weighbridge
from weighbridge.compare import compare_text
from weighbridge_build import BUILD

__all__ = ["BUILD", "PYTHON", "check", "compare", "open_catalog"]

PYTHON = "{}.{}.{}".format(*sys.version_info)

FOLDER = Path("/catalog")

#: The catalog by whether its verdicts are advisory: another server may have the last word.
_catalogs: dict[bool, weighbridge.Catalog] = {}


def open_catalog(files: str) -> str:
    """
    Read the catalog asset, ``{"files": {name: text}}``, and publish it as text.

    Raises CatalogError exactly where reading the same folder anywhere else does.
    """
    FOLDER.mkdir()
    for name, text in json.loads(files)["files"].items():
        (FOLDER / name).write_bytes(text.encode())
    catalog = weighbridge.Catalog.read(FOLDER)
    _catalogs.update({False: catalog, True: catalog.as_advice()})
    return catalog.to_json()


def check(tool: str, text: str, advisory: bool) -> str:  # noqa: FBT001 - a message's member
    """
    Judge one call's JSON text; the verdict's own bytes.
    """
    return _catalogs[advisory].check_text(tool, text).to_json()


def compare(text: str) -> str:
    """
    Compare the catalog with the JSON text of a ``tools/list`` result.
    """
    return compare_text(_catalogs[False], text).to_json()
