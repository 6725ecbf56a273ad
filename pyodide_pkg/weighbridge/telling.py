"""
What the operator is told, in a log line that holds no value and decides no call.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import Final

#: Names that are remembered as told about.
_TOLD: Final = 1_000

_logger = logging.getLogger("weighbridge")


def place(error: Exception) -> str:
    """
    What was raised and where, without a word of what it says: that may quote a value.
    """
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = "" if trace is None else f" at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    return f"{type(error).__qualname__}{where}"


def tell(line: str, *facts: str) -> None:
    """Log one line for the operator; a log that fails must not decide a call."""
    with suppress(Exception):
        _logger.error(line, *facts)


def note(line: str, *facts: str) -> None:
    """Log one line that the operator may want to know; the same holds of it."""
    with suppress(Exception):
        _logger.warning(line, *facts)


class Once:
    """
    Notes that are logged once of each name, for as many names as are remembered.
    """

    __slots__ = ("_told",)

    def __init__(self) -> None:
        """Nothing was told yet."""
        self._told: set[str] = set()

    def note(self, name: str, line: str, *facts: str) -> None:
        """Log one line, unless one of that name was logged."""
        if name not in self._told and len(self._told) < _TOLD:
            self._told.add(name)
            note(line, *facts)
