"""
A record of one run as the page ``docs/benchmarks.md`` tells it, and its plots.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import pygal
from pygal.style import CleanStyle

from tests.support.machine import ROOT

# pygal leaves a finder behind that Python since 3.12 passes over and pytest's own imports fail on.
sys.meta_path[:] = [finder for finder in sys.meta_path if hasattr(finder, "find_spec")]

DOCS = ROOT / "docs"
PAGE = DOCS / "benchmarks.md"
RECORD = DOCS / "benchmarks.json"
PLOTS = DOCS / "benchmarks"

Record = dict[str, Any]

_HEAD = """\
# Benchmarks

Made by `make bench`, which runs every contender side by side in one process, or in servers that are
asked in turn, and writes this page, its plots and the record `benchmarks.json` beside it. Nothing
here is written by hand. `make bench-compare BASE=<commit>` holds two commits against each other.

A ratio is the median over the rounds of one run, with the quartiles in brackets: contenders take
turns of a few milliseconds in an order drawn anew each round, so what slows the machine slows both
of a pair. Machines differ, and ratios much less than times: times are shown to give their order.
"""


def page(record: Record) -> str:
    """The whole page."""
    return "\n".join([*_lines(record)]) + "\n"


def _lines(record: Record) -> Iterator[str]:
    yield _HEAD
    yield f"This run: {record['machine']}."
    yield from _admitting(record["admitting"])
    yield from _requests(record["requests"])
    yield from _memory(record["memory"])
    yield from _throughput(record["throughput"])
    yield from _starting(record["starting"])
    yield from _growth(record["growth"])
    yield from _in_a_page(record["page"])


def _ratio(one: dict[str, float]) -> str:
    return f"{_figure(one['median'])} ({_figure(one['low'])} to {_figure(one['high'])})"


def _figure(value: float) -> str:
    return f"{value:,.2f}" if value < 10 else f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def _table(*rows: tuple[str, ...]) -> Iterator[str]:
    yield f"| {' | '.join(rows[0])} |"
    yield f"|{' --- |' * len(rows[0])}"
    for row in rows[1:]:
        yield f"| {' | '.join(row)} |"


def _admitting(told: list[Record]) -> Iterator[str]:
    yield "\n## One call in one process\n"
    yield (
        "The whole gate (lookup, charge, schema, verdict object) beside `list(iter_errors())` of\n"
        "validators that were made beforehand, on the schema as it stands in its file.\n"
    )
    for kind in ("admitted", "refused"):
        rows = [
            (
                one["call"],
                _figure(one["microseconds"]["weighbridge"]),
                _ratio(one["by jsonschema-rs"]),
                _ratio(one["jsonschema by it"]),
                _ratio(one["without its plan"]),
            )
            for one in told
            if one["kind"] == kind
        ]
        head = (kind, "µs", "times jsonschema-rs", "jsonschema takes", "without a plan")
        yield from _table(head, *rows)
        yield ""
    yield (
        "jsonschema-rs is compiled Rust and answers with errors alone; the gate also charges the\n"
        "call, and gives a refusal that is worded, ordered and bounded. The two right columns say\n"
        "how many times as long plain jsonschema, and the gate with its plans turned off, take."
    )


def _requests(told: list[Record]) -> Iterator[str]:
    yield "\n## A whole request\n"
    yield "Over loopback HTTP, one server with the gate and one with a middleware that does nothing.\n"
    rows = [
        (
            one["body"],
            one["era"],
            f"{one['bytes']:,}",
            _figure(one["milliseconds"]["empty middleware"]),
            _ratio(one["ratio"]),
            f"{one['aim']:.2f}",
        )
        for one in told
    ]
    head = ("arguments", "protocol", "bytes", "ms without", "ratio with the gate", "aim")
    yield from _table(head, *rows)


def _memory(told: list[Record]) -> Iterator[str]:
    yield "\n## Memory of a body of 8 MiB\n"
    yield "The most that a server process has held (`VmHWM`), after two such calls, in MiB.\n"
    mib = 2**20
    rows = [
        (
            one["era"],
            _figure(one["bytes"]["empty middleware"] / mib),
            _figure(one["bytes"]["gate"] / mib),
            f"{one['more'] / mib:+.2f}",
        )
        for one in told
    ]
    yield from _table(("protocol", "without", "with the gate", "more"), *rows)


def _throughput(told: list[Record]) -> Iterator[str]:
    yield "\n## Throughput\n"
    yield "Copies of a server, each with a client of its own, on one machine; a mix of calls.\n"
    rows = [
        (
            str(one["copies"]),
            _figure(one["calls a second"]["gate"]),
            _figure(one["calls a second"]["empty middleware"]),
            _ratio(one["seconds a call"]),
            _ratio(one["p99"]),
        )
        for one in told
    ]
    head = ("copies", "calls a second", "without the gate", "time of a call, ratio", "p99, ratio")
    yield from _table(head, *rows)


def _starting(told: list[Record]) -> Iterator[str]:
    yield "\n## Before the first call\n"
    yield "In a process of its own, the interpreter's start left out.\n"
    rows = [
        (one["what"], _figure(one["milliseconds"]), _ratio(one["by import jsonschema"]))
        for one in told
    ]
    yield from _table(("import", "ms", "times `import jsonschema`"), *rows)


def _growth(told: list[Record]) -> Iterator[str]:
    yield "\n## How cost grows\n"
    yield "Microseconds of one verdict; the plots have logarithmic axes.\n"
    for one in told:
        yield f"![{one['axis']}](benchmarks/{_file(one)})\n"
        rows = [
            (f"{at['at']:,}", _figure(at["admitted"]), _figure(at["refused"]))
            for at in one["points"]
        ]
        yield from _table((one["unit"], "admitted", "refused"), *rows)
        yield ""


def _in_a_page(told: Record) -> Iterator[str]:
    yield "\n## In a page\n"
    yield (
        "Chromium, loopback, the gate in its worker; the stock loader is Pyodide's own with the same\n"
        "wheels. Milliseconds from the start of the navigation to the first verdict, medians.\n"
    )
    rows = [
        (
            name,
            _figure(told[name]["milliseconds"]["ours"]),
            _figure(told[name]["milliseconds"]["stock loader"]),
            _ratio(told[name]["ratio"]),
        )
        for name in ("first verdict", "second visit")
    ]
    yield from _table(("visit", "ours", "stock loader", "ratio"), *rows)
    again = _ratio(told["second visit"]["by the stock loader's first"])
    yield f"\nOur second visit takes {again} of the stock loader's first.\n"
    rows = [
        (
            name,
            _figure(one["p50 milliseconds"]),
            _figure(one["p99 milliseconds"]),
            _ratio(one["by an empty round trip"]),
            f"{one['milliseconds']['ajv, on the page']:.4f}",
            _ratio(one["by ajv"]),
        )
        for name, one in told["round trips"].items()
    ]
    head = ("a verdict", "p50 ms", "p99 ms", "times an empty round trip", "ajv, ms", "times ajv")
    yield from _table(head, *rows)
    heap = told["heap"]
    yield (
        f"\najv runs on the page's own thread and answers with errors alone; ours crosses to a worker\n"
        f"and back. The page's heap was {heap['before']:,} bytes before {heap['checks']:,} checks in\n"
        f"a row and {heap['after']:,} after them.\n"
    )


def _file(one: Record) -> str:
    return f"{one['axis'].replace(' ', '-')}.svg"


def plots(record: Record) -> dict[str, str]:
    """The plots by the names of their files."""
    return {_file(one): _plot(one) for one in record["growth"]}


def _plot(one: Record) -> str:
    chart = pygal.XY(
        logarithmic=True,
        style=CleanStyle,
        js=[],
        no_prefix=True,
        disable_xml_declaration=True,
        title=f"one verdict by {one['axis']}",
        x_title=one["unit"],
        y_title="microseconds",
        show_x_guides=True,
        width=800,
        height=420,
        x_labels=[at["at"] for at in one["points"]],
        xrange=(one["points"][0]["at"], one["points"][-1]["at"]),
    )
    for name in ("admitted", "refused"):
        chart.add(name, [(at["at"], round(at[name], 1)) for at in one["points"]])
    rendered: str = chart.render(is_unicode=True)
    return rendered


def write(record: Record) -> None:
    """Write the record, the page and the plots."""
    RECORD.write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    PAGE.write_text(page(record), "utf-8")
    PLOTS.mkdir(exist_ok=True)
    for name, plot in plots(record).items():
        (PLOTS / name).write_text(plot, "utf-8")
