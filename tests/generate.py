"""
Makes calls from a published schema: the package's own generator, by one name in the tests.
"""

from weighbridge.instances import ALPHABET, OF_FORMAT, OF_TYPE, REACH, closed, types, value
from weighbridge.instances_faults import Call, Fault, calls, faults, places
from weighbridge.instances_text import matching

__all__ = [
    "ALPHABET",
    "OF_FORMAT",
    "OF_TYPE",
    "REACH",
    "Call",
    "Fault",
    "calls",
    "closed",
    "faults",
    "matching",
    "places",
    "types",
    "value",
]
