"""
The table and the generated calls on every CPython of this machine, with the wheel.
"""

from __future__ import annotations

import json

import pytest

from tests.parity.compare import differences, expected, frozen, generated, named, rows
from tests.support.environments import Environment, environment
from tests.support.machine import ROOT, interpreters

PYTHONS = [pytest.param(each, id=each.version) for each in interpreters()]


@pytest.fixture
def installed(request, wheel) -> Environment:
    """The wheel and what it brings, nothing else, under one interpreter."""
    return environment(f"seat-{request.param.version}", request.param.path, (str(wheel),))


def run(place: Environment, mode: str, calls: list[dict], seed: str) -> list[dict]:
    """What the seat of that environment says: its own line, then one a call."""
    done = place.run(
        str(ROOT / "tests" / "parity" / "seat.py"),
        mode,
        stdin="".join(json.dumps(call) + "\n" for call in calls).encode(),
        env={"PYTHONHASHSEED": seed},
    )
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def table() -> list[dict]:
    return [{"tool": row.tool, "text": row.form} for row in rows()]


@pytest.mark.parametrize("installed", PYTHONS, indirect=True)
def test_the_text_door_gives_the_frozen_bytes(installed, request):
    seat, *answers = run(installed, "text", table(), seed="1")
    assert seat["digest"] == named()["digest"]
    assert str(installed.folder) in seat["package"]
    got = [answer["verdict"] for answer in answers]
    assert differences(frozen().items(), got) == {}
    assert None not in got


@pytest.mark.parametrize("installed", PYTHONS, indirect=True)
@pytest.mark.parametrize(("mode", "seed"), [("text", "2"), ("reversed", "3")])
def test_generated_calls_get_the_bytes_of_this_process(installed, mode, seed):
    _, *answers = run(installed, mode, drawn(), seed)
    got = [answer["verdict"] for answer in answers]
    want = [
        (f"{call.label} {call.text[:80]}", text)
        for call, text in zip(generated(), expected(), strict=True)
    ]
    assert differences(enumerate_names(want), got) == {}
    assert None not in got


@pytest.mark.parametrize("release", ["4.24.1", "4.25.1"])
def test_earlier_releases_of_jsonschema_give_the_same_bytes(release, wheel):
    """
    The text and the order of findings are ours: no release of the engine moves them.
    """
    newest = interpreters()[-1]
    packages = (str(wheel), f"jsonschema=={release}")
    place = environment(f"seat-jsonschema-{release}", newest.path, packages)
    told = place.run("-c", "import importlib.metadata as m; print(m.version('jsonschema'))")
    assert told.stdout.decode().strip() == release
    _, *answers = run(place, "text", [*table(), *drawn()], seed="4")
    got = [answer["verdict"] for answer in answers]
    want = [*frozen().items(), *enumerate_names([("drawn", text) for text in expected()])]
    assert differences(want, got) == {}


def drawn() -> list[dict]:
    return [{"tool": call.tool, "text": call.text} for call in generated()]


def enumerate_names(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Generated calls have no names of their own; their place is one."""
    return [(f"{index}: {name}", text) for index, (name, text) in enumerate(pairs)]


def test_the_comparison_of_interpreters_can_fail():
    want = list(frozen().items())[:3]
    got = [text for _, text in want]
    assert differences(want, got) == {}
    assert len(differences(want, [got[0], got[1][:-1], got[2]])) == 1
