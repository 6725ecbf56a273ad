"""
How ``make test`` shares the files among two processes: browsers are one's, one at a time.

Two browsers that start at once on two cores wait for each other, and what a test
waits for would depend on its neighbour. So every file that drives one goes to the
same worker, and the rest to whichever is free.
"""

from xdist.scheduler import LoadScopeScheduling

#: Folders and files whose tests drive a browser.
DRIVING = (
    "tests/bridges/test_bridges.py",
    "tests/browser/",
    "tests/differential/test_browser.py",
    "tests/doors/test_documents.py",
    "tests/parity/test_browser.py",
    "tests/parity/test_firefox.py",
    "tests/suites/test_browser.py",
    "tests/suites/test_hostile.py",
    "tests/test_patterns_browser.py",
    "tests/test_patterns_firefox.py",
    "tests/workbench/",
)


class Shared(LoadScopeScheduling):
    """
    Whole files to one worker each, and all that drive a browser to the same one.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return "browsers" if file.startswith(DRIVING) else file
