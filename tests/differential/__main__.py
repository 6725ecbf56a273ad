"""
Many more calls than a test run has time for.

    python -m tests.differential [--count N] [--seed N] [--record]

N calls, half of them over our schemas and foreign shapes and half over schemas of
every keyword, are judged by the gate, by jsonschema and by jsonschema-rs here, and
by the gate and ajv in Chromium. Any disagreement without a reason is a failure.
"""

import argparse
import json
import sys
from pathlib import Path

from tests.differential.browser import pairing
from tests.differential.compare import Tally, beside_peers
from tests.differential.drawn import every_keyword, published
from tests.support import browsers
from tests.support.machine import ROOT

SEED = 20_261_201

#: What ``docs/held-by.md`` says of the last recorded run.
RECORDED = Path(__file__).with_name("recorded.json")

#: Calls drawn at a time.
PART = 5_000


def main() -> int:
    """
    Draw, compare, tell; 1 if anything has no reason.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--record", action="store_true", help="keep the counts for the documents")
    options = parser.parse_args()
    parts = []
    for number in range(-(-options.count // (2 * PART))):
        parts.append((published, options.seed + number, PART))
        parts.append((every_keyword, options.seed + number, PART // 8, 8))
    tally = Tally()
    for draw, *how in parts:
        beside_peers(draw(*how), tally)
        print(f"{tally.compared['jsonschema']} calls here", file=sys.stderr)
    with browsers.chromium() as browser, pairing(browser, ROOT / "web" / "dist") as pair:
        for draw, *how in parts:
            drawn = draw(*how)
            tally.add("ajv", drawn, pair.ours(drawn), pair.ajv(drawn))
            print(f"{tally.compared['ajv']} calls in the page", file=sys.stderr)
    if options.record:
        RECORDED.write_text(json.dumps(tally.as_dict(options.seed), indent=1) + "\n")
    print(tally.told())
    print(f"ours admitted {tally.admitted} of the calls here")
    return 1 if tally.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
