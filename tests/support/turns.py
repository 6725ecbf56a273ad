"""
A test that measures time can have the machine to itself, though tests run side by side.

Every test takes a turn. Those that are marked ``alone`` wait until the test in the
other worker has ended, and the next one there waits for them.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.machine import ROOT

FOLDER = ROOT / ".build" / "turns"


@contextmanager
def turn(*, alone: bool, folder: Path = FOLDER) -> Iterator[None]:
    """
    One test's turn, beside others or with nobody else in the room.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "door").open("w") as door, (folder / "room").open("w") as room:
        # Who waits for an empty room holds the door meanwhile: nobody else goes in.
        fcntl.flock(door, fcntl.LOCK_EX)
        try:
            fcntl.flock(room, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        finally:
            fcntl.flock(door, fcntl.LOCK_UN)
        try:
            yield
        finally:
            # Not left to the end of the block: a child that was forked may hold the file open.
            fcntl.flock(room, fcntl.LOCK_UN)
