"""
Where tests run that run side by side, and whose turn it is among them.
"""

import ast
import fcntl
import sys
import threading
from contextlib import ExitStack

import pytest

from tests.support.machine import ROOT
from tests.support.turns import turn
from tests.support.workers import DRIVING


def drives_a_browser(path):
    tree = ast.parse(path.read_text("utf-8"))
    return any(
        isinstance(node, ast.Attribute) and ast.unparse(node) == "pytest.mark.browser"
        for node in ast.walk(tree)
    )


def test_all_that_drives_a_browser_is_in_one_process():
    files = ROOT.joinpath("tests").rglob("test_*.py")
    named = {str(path.relative_to(ROOT)): path for path in files if "node_modules" not in str(path)}
    driving = {name for name, path in named.items() if drives_a_browser(path)}
    assert {name for name in driving if not name.startswith(DRIVING)} == set()
    assert all(any(name.startswith(each) for name in driving) for each in DRIVING)


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


@pytest.mark.no_cover
def test_what_is_not_to_be_traced_is_not_traced_in_either_process():
    assert sys.gettrace() is None
