"""
What any test may ask for by name; how it is made stands in ``tests/support``.
"""

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from coverage import Coverage
from playwright.sync_api import Browser, Page

from tests.support import browsers, machine, turns
from tests.support.site import Site, site
from tests.support.workers import Shared


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """
    A worker measures its coverage once.

    pytest-cov begins there as if it were alone, and then again as a worker; a test
    that is marked ``no_cover`` would pause the second and be traced by the first.
    """
    first = Coverage.current()
    if first is not None and hasattr(session.config, "workerinput"):
        first.stop()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Shared:
    """
    Which tests go to which process, where there are two.
    """
    return Shared(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """
    A test that is marked ``alone`` has the machine to itself, its fixtures included.
    """
    if not hasattr(item.config, "workerinput"):
        return (yield)
    with turns.turn(alone=item.get_closest_marker("alone") is not None):
        return (yield)


def _built(path: Path, target: str) -> Path:
    if not path.exists():
        pytest.fail(f"{path.relative_to(machine.ROOT)} is not built; run: make {target}")
    return path


@pytest.fixture(scope="session")
def root() -> Path:
    """
    The checkout.
    """
    return machine.ROOT


@pytest.fixture(scope="session")
def wheel() -> Path:
    """
    The built wheel.
    """
    return _built(machine.ROOT / "dist" / "weighbridge-0.1.0-py3-none-any.whl", "wheel")


@pytest.fixture(scope="session")
def dist() -> Path:
    """
    The built page side, ``web/dist``.
    """
    _built(machine.ROOT / "web" / "dist" / "weighbridge.js", "web")
    return machine.ROOT / "web" / "dist"


@pytest.fixture(scope="session")
def served_dist(dist: Path) -> Iterator[Site]:
    """
    ``web/dist`` at the root of a static server.
    """
    with site({"/": dist}) as served:
        yield served


# Playwright's synchronous API keeps an event loop running in this thread for as
# long as it is open, and no asynchronous test can run meanwhile; so a browser
# lives no longer than the module that asked for it.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """
    A headless Chromium for one module; a missing one fails with the cure.
    """
    with browsers.chromium() as started:
        yield started


@pytest.fixture(scope="module")
def firefox() -> Iterator[Browser]:
    """
    A headless Firefox for one module; where there is none the tests are skipped, said aloud.
    """
    if machine.firefox() is None:
        pytest.skip("not run: Firefox was not found on this machine")
    with browsers.firefox() as started:
        yield started


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """
    A fresh page of its own context; an error that the page did not catch fails the test.
    """
    context = browser.new_context()
    opened = context.new_page()
    uncaught: list[str] = []
    opened.on("pageerror", lambda error: uncaught.append(str(error)))
    yield opened
    context.close()
    assert uncaught == []
