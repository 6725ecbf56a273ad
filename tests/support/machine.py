"""
What this machine has that a test can run on: browsers, Node, and every CPython >= 3.12.

A name on PATH proves nothing: a version manager's shim stands there for every
version that it has heard of, and fails when called. So everything offered here
has been run once. Standard library only, since ``make test`` asks it before
anything else: ``python -m tests.support.machine`` installs a missing Chromium
where it can, says what was found, and what will not be run for the lack of it.
"""

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

CHROMIUM_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
CHROMIUM_PLACES = ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",)
FIREFOX_NAMES = ("firefox-esr", "firefox")
FIREFOX_PLACES = ("/Applications/Firefox.app/Contents/MacOS/firefox",)

CURE = """\
no Chromium was found, and it could not be installed here.
cure: install Chromium or Chrome (Debian: apt-get install chromium), or say where one is:
      make test CHROMIUM=/path/to/chromium"""


class MissingError(Exception):
    """
    Something that the tests cannot do without is not on this machine.
    """


@dataclass(frozen=True, slots=True, order=True)
class Interpreter:
    """
    A CPython that was run and answered.
    """

    #: ``(3, 12, 1)``.
    release: tuple[int, int, int]
    #: The interpreter itself, never a shim or an environment's link.
    path: str

    @property
    def version(self) -> str:
        """
        ``"3.12.1"``.
        """
        return ".".join(map(str, self.release))


def _said(*command: str) -> str | None:
    """What a program prints, or None where it does not run."""
    try:
        answer = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None


def version_of(program: str) -> str | None:
    """
    The last line that ``program --version`` prints, or None where it does not run.
    """
    lines = (_said(program, "--version") or "").splitlines()
    return lines[-1].strip() if lines else None


def _first_that_runs(variable: str, candidates: Iterator[str]) -> str | None:
    told = os.environ.get(variable)
    if told:
        if version_of(told) is None:
            message = (
                f"{variable}={told} does not run; unset it, or point it at a browser that does."
            )
            raise MissingError(message)
        return told
    return next((path for path in candidates if version_of(path) is not None), None)


def _named(names: tuple[str, ...], places: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        found = shutil.which(name)
        if found:
            yield found
    yield from (place for place in places if Path(place).exists())


def _kept_by_playwright(pattern: str) -> Iterator[str]:
    told = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    homes = (
        [Path(told)]
        if told
        else [
            Path.home() / ".cache/ms-playwright",
            Path.home() / "Library/Caches/ms-playwright",
        ]
    )
    for home in homes:
        yield from map(str, sorted(home.glob(pattern), reverse=True))


@functools.cache
def chromium() -> str | None:
    """
    The path of a Chromium or Chrome that runs: ``$CHROMIUM``, PATH, then Playwright's own.
    """

    def candidates() -> Iterator[str]:
        yield from _named(CHROMIUM_NAMES, CHROMIUM_PLACES)
        yield from _kept_by_playwright("chromium-*/chrome-linux*/chrome")
        yield from _kept_by_playwright("chromium-*/chrome-mac*/*.app/Contents/MacOS/*")

    return _first_that_runs("CHROMIUM", candidates())


@functools.cache
def firefox() -> str | None:
    """
    The path of a stock Firefox that runs: ``$FIREFOX``, then PATH.
    """
    return _first_that_runs("FIREFOX", _named(FIREFOX_NAMES, FIREFOX_PLACES))


@functools.cache
def webkit() -> str | None:
    """
    The path of WebKitGTK's driver: ``$WEBKIT_DRIVER``, then PATH.
    """
    return _first_that_runs("WEBKIT_DRIVER", _named(("WebKitWebDriver",), ()))


@functools.cache
def node() -> str | None:
    """
    The path of a Node that runs.
    """
    return next((path for path in _named(("node",), ()) if version_of(path)), None)


def _python_candidates() -> Iterator[str]:
    yield sys.executable
    for name in (*(f"python3.{minor}" for minor in range(12, 20)), "python3", "python"):
        yield from _named((name,), ())
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    asdf = Path(os.environ.get("ASDF_DATA_DIR") or Path.home() / ".asdf")
    uv = Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or Path.home() / ".local/share/uv/python")
    for home in (pyenv / "versions", asdf / "installs/python", uv):
        yield from map(str, sorted(home.glob("*/bin/python3")))
    for folder in ("/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"):
        yield from map(str, sorted(Path(folder).glob("python3.1[2-9]")))


PROBE = """
import sys, sysconfig
good = sys.implementation.name == "cpython" and sys.version_info >= (3, 12)
good = good and sys.version_info.releaselevel == "final"
good = good and not sysconfig.get_config_var("Py_GIL_DISABLED")
print(*sys.version_info[:3], getattr(sys, "_base_executable", sys.executable)) if good else sys.exit(1)
"""


def _probe(path: str) -> Interpreter | None:
    said = _said(path, "-I", "-c", PROBE)
    if said is None:
        return None
    major, minor, micro, base = said.split(" ", 3)
    return Interpreter(release=(int(major), int(minor), int(micro)), path=base)


@functools.cache
def interpreters() -> tuple[Interpreter, ...]:
    """
    Every CPython >= 3.12 on this machine that runs, oldest first, one for each release.
    """
    found: dict[tuple[int, int, int], Interpreter] = {}
    for candidate in _python_candidates():
        interpreter = _probe(candidate)
        if interpreter is not None:
            found.setdefault(interpreter.release, interpreter)
    return tuple(found[release] for release in sorted(found))


def _say(*words: str) -> None:
    print("weighbridge:", *words, flush=True)


def _is_debian_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def _install_chromium() -> None:
    if _is_debian_root():
        _say("no Chromium here; installing Debian's chromium with apt-get")
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        subprocess.run(
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"],
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            check=False,
        )
    chromium.cache_clear()
    if chromium() is None:
        _say("no Chromium here; asking Playwright for its own")
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
        chromium.cache_clear()


def main() -> int:
    """
    Say what the tests will run on; install a missing Chromium, or end with the cure.
    """
    try:
        if chromium() is None:
            _install_chromium()
        found = {"Chromium": chromium(), "Firefox": firefox(), "WebKitGTK's driver": webkit()}
    except MissingError as missing:
        _say(str(missing))
        return 1
    if found["Chromium"] is None:
        _say(CURE)
        return 1
    for engine, path in found.items():
        if path is None:
            _say(f"not run: {engine} was not found on this machine")
        else:
            _say(f"found {engine}: {version_of(path)}")
    for interpreter in interpreters():
        _say(f"found CPython {interpreter.version}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
