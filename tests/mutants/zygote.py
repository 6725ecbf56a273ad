"""
One test run in a child of this process, with one module of the package changed.

Everything heavy that is not ours is imported before the fork, so a child pays for
the package and the tests alone. Its time is limited in CPU seconds: a mutant that
never ends is noticed, however busy the machine is.
"""

import ast
import importlib.machinery
import importlib.util
import os
import resource
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import hypothesis
import jsonschema
import jsonschema_rs
import playwright.sync_api
import pytest
import referencing

from tests.support.machine import ROOT

PRELOADED = (hypothesis, jsonschema, jsonschema_rs, playwright.sync_api, pytest, referencing)

PACKAGE = ROOT / "pyodide_pkg" / "weighbridge"

#: Bytes of address space of one child.
MEMORY = 4 << 30

#: Exit codes beside pytest's own 0 and 1.
INTERNAL = 70


class Changed(importlib.machinery.SourceFileLoader):
    """
    Loads one module from a tree instead of from its file.
    """

    tree: ast.Module

    def get_code(self, fullname):
        """The changed code, never the cached one."""
        return compile(self.tree, self.path, "exec")


class Finder:
    """
    Finds that one module; every other is found as ever.
    """

    def __init__(self, module: str, tree: ast.Module) -> None:
        """Of the package's module of that short name."""
        self.name = f"weighbridge.{module}"
        self.loader = Changed(self.name, str(PACKAGE / f"{module}.py"))
        self.loader.tree = tree

    def find_spec(self, name, path=None, target=None):
        """Where that one module comes from."""
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(
            name, self.loader.path, loader=self.loader, submodule_search_locations=None
        )


class Only:
    """
    Keeps these tests, in this order.
    """

    def __init__(self, names: list[str]) -> None:
        """Node ids, in the order to run."""
        self.names = names

    def pytest_collection_modifyitems(self, items):
        """Drop and sort."""
        collected = {item.nodeid: item for item in items}
        items[:] = [collected[name] for name in self.names]


class Fewer:
    """
    Holds generated examples to ``most`` a test, and never shrinks what failed.
    """

    def __init__(self, most: int) -> None:
        """Of that many examples a test."""
        self.most = most

    def pytest_collection_modifyitems(self, items):
        """Whatever a test asked for, it gets no more."""
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        for item in items:
            # Whatever the test asked for stands under this one name.
            asked = getattr(item.obj, "_hypothesis_internal_use_settings", None)
            if asked is not None:
                item.obj._hypothesis_internal_use_settings = hypothesis.settings(
                    asked, max_examples=min(self.most, asked.max_examples), phases=phases
                )


def forked(seconds: int, work: Callable[[], int]) -> tuple[int, float]:
    """
    The exit code of ``work`` in a child (negative: the signal that ended it), and
    the CPU seconds that it took.
    """
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        code = INTERNAL
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            code = int(work())
        except BaseException:  # noqa: BLE001 - a child tells by its exit code alone
            traceback.print_exc()
        os._exit(code)
    _, status, usage = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime


def tests(
    selected: list[str], most: int, plugins: list[object], log: Path, change: Finder | None
) -> int:
    """
    Pytest's exit code for those tests; to be called in a child.
    """
    options = []
    if change is not None:
        options = ["-x"]
        sys.meta_path.insert(0, change)
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(written, 1)
    os.dup2(written, 2)
    hypothesis.settings.register_profile(
        "mutants",
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    hypothesis.settings.load_profile("mutants")
    os.chdir(ROOT)
    options += ["-q", "--tb=line", "-p", "no:cacheprovider", "-p", "no:cov"]
    # Imported before pytest could rewrite its asserts; nothing here asks for that.
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    return pytest.main([*options, *selected], plugins=[Fewer(most), *plugins])
