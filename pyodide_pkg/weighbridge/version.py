"""
Which version this is, of the package and of the contract that it keeps.
"""

from __future__ import annotations

#: The version of the wheel, of the npm package and of the bundle.
__version__ = "0.1.0"

#: The number of the verdict contract; another number, another meaning.
CONTRACT = 1
