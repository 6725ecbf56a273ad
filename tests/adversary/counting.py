"""
What came of some attacks under the Python that runs this, one JSON line an attack.

Run by the tests under every interpreter, with the wheel; takes the share to judge:
``counting.py 3`` judges every third.
"""

import json
import sys

import weighbridge
from tests.adversary.attack import Attack, corpus, outcome


def main() -> None:
    """Judge, and say which package did."""
    print(json.dumps({"package": weighbridge.__file__}))
    rows = [*corpus("known.json"), *corpus("found.json")]
    for row in rows[:: int(sys.argv[1])]:
        came = outcome(Attack(row["name"], row["schema"], row["arguments"]))
        print(json.dumps([row["name"], came.verdict, came.steps]))


if __name__ == "__main__":
    main()
