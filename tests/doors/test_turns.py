"""
Whose turn it is among tests that run side by side.
"""

import fcntl
import threading
from contextlib import ExitStack

import pytest

from tests.support.turns import turn


def is_locked(path):
    with path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def test_turns_beside_others_are_taken_at_once(tmp_path):
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(turn(alone=False, folder=tmp_path))
        assert is_locked(tmp_path / "room")
    assert not is_locked(tmp_path / "room")


def test_who_wants_to_be_alone_waits_for_those_inside_and_goes_before_those_who_come_later(
    tmp_path,
):
    order = []

    def take(name, alone):
        with turn(alone=alone, folder=tmp_path):
            order.append(name)

    timed = threading.Thread(target=take, args=("alone", True))
    later = threading.Thread(target=take, args=("later", False))
    with turn(alone=False, folder=tmp_path):
        timed.start()
        while not is_locked(tmp_path / "door"):
            timed.join(timeout=0.01)
        later.start()
        later.join(timeout=0.1)
        order.append("first")
    timed.join()
    later.join()
    assert order == ["first", "alone", "later"]


def test_a_turn_ends_however_the_test_ends(tmp_path):
    for alone in (True, False, True):
        with pytest.raises(ZeroDivisionError), turn(alone=alone, folder=tmp_path):
            print(1 / 0)
    assert not is_locked(tmp_path / "room")
    assert not is_locked(tmp_path / "door")
