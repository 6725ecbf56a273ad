"""
Many more random patterns against Node than the suite has time for.

``python -m tests.patterns_slowly 2000`` asks about 80,000 patterns.
"""

import sys

from hypothesis import HealthCheck, given, settings

from tests.test_patterns import ROWS, holds_for_rows


def main(examples: int) -> None:
    """
    Compare so many lots of 40 patterns; raises at the first that differs.
    """
    settings(
        max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )(given(ROWS)(holds_for_rows))()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
