"""
Weighbridge decides whether a ``tools/call`` may reach its handler.

It charges the arguments, validates them against the tool's published JSON
Schema and answers with a bounded refusal that never echoes a value.
"""

from __future__ import annotations

from weighbridge.catalog import Catalog
from weighbridge.charge import Charge
from weighbridge.errors import CatalogError
from weighbridge.gate import Tool, Verdict
from weighbridge.limits import Limits
from weighbridge.refusal import Code, Finding, Refusal
from weighbridge.version import CONTRACT, __version__

__all__ = [
    "CONTRACT",
    "Catalog",
    "CatalogError",
    "Charge",
    "Code",
    "Finding",
    "Limits",
    "Refusal",
    "Tool",
    "Verdict",
    "__version__",
]
