"""
Only what really runs is offered to make and to the tests, and what is missing comes with its cure.
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

from tests.support import machine
from tests.support.machine import ROOT

#: A version manager's shim for a version that it does not have.
SHIM = "#!/bin/sh\necho 'version not installed' >&2\nexit 127\n"


def put(folder: Path, name: str, script: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(script, encoding="utf-8")
    file.chmod(0o755)
    return file


def shell(script: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", ROOT / ".ci" / script],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", **env},
        capture_output=True,
        text=True,
        check=False,
    )


def ask(expression: str, **env: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", f"from tests.support import machine as m; print({expression})"],
        cwd=ROOT,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


def test_a_shim_that_fails_is_passed_over_for_a_python_that_runs(tmp_path):
    shims = tmp_path / "shims"
    for name in ("python3.13", "python3.14", "python3.12"):
        put(shims, name, SHIM)
    real = put(
        tmp_path / "real", "python3", f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n'
    )
    done = shell("python.sh", PATH=f"{shims}:{real.parent}:/usr/bin:/bin", HOME=str(tmp_path))
    assert (done.returncode, done.stdout) == (0, f"{sys.executable}\n")


def test_a_python_that_only_a_version_manager_keeps_is_found(tmp_path):
    kept = tmp_path / "versions" / "3.13.9" / "bin"
    kept.mkdir(parents=True)
    put(kept, "python3", f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    named = ("python3.13", "python3.14", "python3.12", "python3", "python")
    for name in named:
        put(tmp_path / "shims", name, SHIM)
    path = f"{tmp_path / 'shims'}:/usr/bin:/bin"
    done = shell("python.sh", PATH=path, HOME=str(tmp_path), PYENV_ROOT=str(tmp_path))
    assert (done.returncode, done.stdout) == (0, f"{sys.executable}\n")


def test_a_python_that_was_asked_for_and_does_not_run_is_no_silent_fallback(tmp_path):
    shim = put(tmp_path, "python3.13", SHIM)
    done = shell("python.sh", PATH=os.environ["PATH"], PYTHON=str(shim))
    assert (done.returncode, done.stdout) == (1, "")
    assert f"PYTHON={shim} is not a CPython >= 3.12 that runs" in done.stderr


def test_a_browser_that_fails_is_passed_over_for_one_that_runs(tmp_path):
    broken = put(tmp_path / "broken", "chromium", SHIM)
    good = put(tmp_path / "good", "google-chrome", "#!/bin/sh\necho 'Chrome 999'\n")
    path = f"{broken.parent}:{good.parent}"
    assert ask("m.chromium()", PATH=path, CHROMIUM="") == str(good)


def test_playwright_s_own_browser_serves_where_no_other_is_installed(tmp_path):
    kept = tmp_path / "chromium-1234" / "chrome-linux64"
    kept.mkdir(parents=True)
    chrome = put(kept, "chrome", "#!/bin/sh\necho 'Chromium 999'\n")
    nothing = str(tmp_path / "nothing")
    found = ask("m.chromium()", PATH=nothing, CHROMIUM="", PLAYWRIGHT_BROWSERS_PATH=str(tmp_path))
    assert found == str(chrome)


def test_a_browser_that_was_asked_for_and_does_not_run_fails_with_the_cure(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.machine"],
        cwd=ROOT,
        env={**os.environ, "CHROMIUM": str(tmp_path / "absent")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "does not run; unset it, or point it at a browser that does" in done.stdout


def test_a_missing_firefox_is_said_to_be_not_run_and_does_not_fail(tmp_path):
    chromium = machine.chromium()
    assert chromium is not None, machine.CURE
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.machine"],
        cwd=ROOT,
        env={**os.environ, "PATH": str(tmp_path), "CHROMIUM": chromium, "FIREFOX": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert "not run: Firefox was not found on this machine" in done.stdout
    assert "found Chromium: " in done.stdout


def test_every_interpreter_is_a_cpython_of_3_12_or_newer_and_each_release_once():
    found = machine.interpreters()
    assert len({one.release for one in found}) == len(found)
    assert sys.version_info[:3] in {one.release for one in found}
    for one in found:
        said = subprocess.run(
            [one.path, "-c", "import sys; print(sys.implementation.name, *sys.version_info[:3])"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        assert said == ["cpython", *map(str, one.release)]
        assert one.release >= (3, 12, 0)
