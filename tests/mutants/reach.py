"""
Which test reaches which line of the package, and how long it takes.

A mutant is shown to the tests that reach its line, the quickest first.
"""

import sys
import time
from collections import defaultdict

from tests.mutants.zygote import PACKAGE

TOOL = sys.monitoring.COVERAGE_ID


class Reach:
    """
    A pytest plugin that notes each line of the package once a test.
    """

    def __init__(self) -> None:
        """Nothing is noted before the first test."""
        self.seconds: dict[str, float] = {}
        self.lines: defaultdict[str, list[int]] = defaultdict(list)
        self._now = -1
        self._began = 0.0

    def pytest_sessionstart(self):
        """Watch every line from here on."""
        sys.monitoring.use_tool_id(TOOL, "mutants")
        sys.monitoring.register_callback(TOOL, sys.monitoring.events.LINE, self._line)
        sys.monitoring.set_events(TOOL, sys.monitoring.events.LINE)

    def _line(self, code, line):
        if self._now >= 0 and code.co_filename.startswith(str(PACKAGE)):
            module = code.co_filename.rpartition("/")[2].removesuffix(".py")
            tests = self.lines[f"{module}:{line}"]
            if self._now not in tests[-1:]:
                tests.append(self._now)
        return sys.monitoring.DISABLE

    def pytest_runtest_setup(self, item):
        """
        Begin a test, and let it see for itself what its module keeps between tests.
        """
        for value in vars(item.module).values():
            of_module = getattr(value, "__module__", None) == item.module.__name__
            if of_module and hasattr(value, "cache_clear"):
                value.cache_clear()
        self._now = len(self.seconds)
        self._began = time.process_time()
        sys.monitoring.restart_events()

    def pytest_runtest_teardown(self, item):
        """End a test."""
        self.seconds[item.nodeid] = time.process_time() - self._began
        self._now = -1

    def as_dict(self) -> dict[str, object]:
        """As JSON values: seconds of each test, and of each line the numbers of its tests."""
        return {"seconds": self.seconds, "lines": self.lines}
