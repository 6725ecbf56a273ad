"""
Which catalog a request is judged by: one for all, or one that a function gives.

A function is asked once for each request, so that no call is judged by two.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from weighbridge.catalog import Catalog

#: What gives the catalog for a request, by the request's context.
CatalogFor = Callable[[Any], Catalog | Awaitable[Catalog]]

Source = Catalog | CatalogFor


class NoCatalog(Exception):
    """
    The function that was to give a catalog gave something else.
    """


async def read(source: Source, context: Any) -> Catalog:
    """
    The catalog for one request.

    Raises:
        NoCatalog: the function gave something else; and whatever it raises itself.
    """
    given = source if isinstance(source, Catalog) else source(context)
    if inspect.isawaitable(given):
        given = await given
    if not isinstance(given, Catalog):
        raise NoCatalog
    return given


def require_source(name: str, given: object) -> None:
    """Hold what a catalog is to be read from to its type."""
    if not isinstance(given, Catalog) and not callable(given):
        raise TypeError(
            f"{name} must be a weighbridge.Catalog, or a function of the request's context that "
            "gives one; read one with Catalog.read(DIR)"
        )
