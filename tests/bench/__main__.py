"""
``make bench``: measures, and writes the record, the page and its plots into ``docs``.

``--compare OTHER`` holds another checkout of this repository against this one instead.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from pathlib import Path

from tests.bench import admitting, compared, growth, page, record, requests, starting, throughput


def say(text: str) -> None:
    """Tell whoever waits what is measured now."""
    print(f"bench: {text}", file=sys.stderr, flush=True)


def machine() -> str:
    """What a reader has to know of the machine; nothing that names it."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    python = f"CPython {platform.python_version()}"
    return f"{python}, {os.cpu_count()} cores, load {load:.1f} when it began"


def measured() -> record.Record:
    """Everything."""
    return {
        "machine": machine(),
        "admitting": admitting.run(say),
        "requests": requests.run(say),
        "memory": requests.memory(say),
        "throughput": throughput.run(say),
        "starting": starting.run(say),
        "growth": growth.run(say),
        "page": page.run(say),
    }


def rounded(value: object) -> object:
    """The same with four significant digits: more is noise, and a bigger difference."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list) else value


def main() -> int:
    """Measure, or compare."""
    options = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    options.add_argument("--compare", type=Path, metavar="OTHER", help="another checkout")
    given = options.parse_args()
    if given.compare is not None:
        print(compared.told(given.compare, say))
        return 0
    found = rounded(measured())
    assert isinstance(found, dict)
    record.write(found)
    say(f"wrote {record.PAGE.name}, {record.RECORD.name} and {len(found['growth'])} plots")
    print(json.dumps(found["admitting"], indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
