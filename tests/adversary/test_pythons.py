"""
The steps of the attacks on every CPython of this machine, counted by the wheel.
"""

import json

import pytest

from tests.adversary.attack import corpus
from tests.support.environments import environment
from tests.support.machine import ROOT, interpreters

#: One attack in so many is judged under each: all of them take half a minute.
SHARE = 4


@pytest.mark.parametrize("interpreter", interpreters(), ids=lambda each: each.version)
def test_an_attack_takes_the_same_steps_on_every_python(interpreter, wheel):
    place = environment(f"seat-{interpreter.version}", interpreter.path, (str(wheel),))
    script = ROOT / "tests" / "adversary" / "counting.py"
    environ = {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "7"}
    done = place.run(str(script), str(SHARE), env=environ)
    assert done.returncode == 0, done.stderr.decode()
    seat, *came = map(json.loads, done.stdout.splitlines())
    assert str(place.folder) in seat["package"]
    rows = [*corpus("known.json"), *corpus("found.json")][::SHARE]
    assert came == [[row["name"], row["verdict"], row["steps"]] for row in rows]
