"""
How much of Python runs for a call: a count that no other process can move.

What the tests claim of time in the suite they claim of this; ``make steps`` looks
at the clock.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

#: Seconds of processor time after which a test is stopped as one that hangs.
HANGS = 120


def lines(run: Callable[[], object]) -> int:
    """Lines of Python that run, whoever else is tracing."""
    count = 0

    def see(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return see

    tracer = sys.gettrace()
    sys.settrace(see)
    try:
        run()
    finally:
        sys.settrace(tracer)
    return count


def functions(run: Callable[[], object]) -> int:
    """Functions that run, of Python and of C."""
    count = 0

    def see(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(see)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count


@contextmanager
def no_hang() -> Iterator[None]:
    """
    Fail a test that would never end; how long it takes is no claim of ours.
    """

    def stop(_signal: int, _frame: object) -> None:
        raise AssertionError(f"still busy after {HANGS} seconds")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, HANGS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
