"""
The gate at a prompt: what ``weighbridge`` prints and the status it ends with.

Status 0 is admitted, 1 is refused (for ``catalog diff``: the catalogs are not
proven to admit the same; for ``catalog compare``: the server's may be another; for ``agree``: a handler does not take what is published), 2 is a
command that could not be carried out, its cure on standard error.

``agree``, ``serve`` and ``web`` stand on extras that ``check`` must work without, so their
modules are imported by name once such a command was asked for.
"""

import argparse
import importlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import weighbridge
from weighbridge import agree_report, describe, diff_report, lint, lint_report
from weighbridge import diff as differing
from weighbridge.agree import SEED, TRIES, Agreement
from weighbridge.agree_target import NoTarget
from weighbridge.compare import compare_text
from weighbridge.reading import bundled_folder

ADMITTED = 0
REFUSED = 1
FAILED = 2

EXTRAS = {
    "agree": "pip install 'weighbridge[mcp]'",
    "serve": "pip install 'weighbridge[reference]'",
    "web": "pip install weighbridge",
}


def main(argv: Sequence[str] | None = None) -> int:
    """
    Carry out one command; ``argv`` is without the program's name, ``sys.argv`` by default.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets its escape, not a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        # The service has options of its own; they are parsed where they are used.
        if words[:1] == ["serve"]:
            return _adapter("serve", "weighbridge.reference.__main__", "main")(words[1:])
        asked = parser().parse_args(words)
        command: Callable[[argparse.Namespace], int] = asked.command
        return command(asked)
    except weighbridge.CatalogError as error:
        return _failed(str(error))
    except BrokenPipeError:
        # Whoever read our output has seen enough; the exit must not try to flush the rest.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED


def parser() -> argparse.ArgumentParser:
    """
    The command line as argparse knows it.
    """
    top = argparse.ArgumentParser(
        prog="weighbridge",
        description="Preflight for MCP tool calls: may this call reach its handler?",
    )
    top.add_argument("--version", action="version", version=weighbridge.__version__)
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    check = commands.add_parser(
        "check",
        help="judge one call",
        description="Judge one call. Ends with 0 if it is admitted, 1 if refused, 2 if not judged.",
    )
    check.add_argument("tool", metavar="TOOL", help="the tool's name, e.g. knowledge.search")
    check.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        default="-",
        help="a file with the arguments as JSON text; - or nothing reads standard input",
    )
    check.add_argument("--json", action="store_true", help="print the verdict, exactly its bytes")
    _catalog_option(check)
    check.set_defaults(command=_check)

    commands.add_parser("serve", help="serve the reference service, the bundle and the workbench")

    _agree_command(commands)

    web = commands.add_parser("web", help="write the browser bundle into a folder")
    web.add_argument("out", metavar="OUT", type=Path, help="the folder, or the .zip file, to write")
    _catalog_option(web)
    web.set_defaults(command=_web)

    catalog = commands.add_parser("catalog", help="look at a folder of published schemas")
    _catalog_commands(catalog.add_subparsers(required=True, metavar="ACTION"))
    return top


def _agree_command(commands: Any) -> None:
    agree = commands.add_parser(
        "agree",
        help="hold a server's handlers to a folder of published schemas",
        description="Hold a server's handlers to a folder of published schemas. Ends with 0 if "
        "every handler takes what is published, 1 if one does not, 2 if they could not be asked.",
    )
    agree.add_argument(
        "server", metavar="MODULE:SERVER", help="an MCPServer, or a function that makes one"
    )
    agree.add_argument(
        "--catalog",
        dest="folder",
        metavar="DIR",
        type=Path,
        required=True,
        help="the folder of published schemas",
    )
    agree.add_argument("--json", action="store_true", help="print the same as one JSON text")
    agree.add_argument(
        "--serves",
        metavar="PARAMETER=MODULE:CONSTANT",
        action="append",
        default=[],
        help="values that a handler serves, where its code does not show them; TOOL/PARAMETER "
        "for one tool alone",
    )
    agree.add_argument(
        "--seed", type=int, default=SEED, help="where the generated calls begin; %(default)s"
    )
    agree.add_argument(
        "--tries", type=int, default=TRIES, help="calls generated for each tool; %(default)s"
    )
    agree.set_defaults(command=_agree)


def _catalog_commands(actions: Any) -> None:
    look = actions.add_parser(
        "lint",
        help="load it, and say what each tool admits at most and what looks like a mistake",
    )
    look.add_argument("folder", metavar="DIR", type=Path, nargs="?")
    look.add_argument("--json", action="store_true", help="print the same as one JSON text")
    look.add_argument(
        "--strict", action="store_true", help="end with 1 for a remark without a recorded reason"
    )
    look.set_defaults(command=_lint)

    digest = actions.add_parser("digest", help="print its digests, one a line")
    digest.add_argument("folder", metavar="DIR", type=Path, nargs="?")
    digest.set_defaults(command=_digest)

    show = actions.add_parser("show", help="print its tools, or the fields of one")
    show.add_argument("folder", metavar="DIR", type=Path)
    show.add_argument("tool", metavar="TOOL", nargs="?")
    show.add_argument(
        "--for",
        dest="form",
        choices=["tools-list"],
        help="print JSON as tools/list serves it instead",
    )
    show.set_defaults(command=_show)

    compare = actions.add_parser(
        "compare",
        help="say whether a server lists this very catalog",
        description="Say whether a server that answers tools/list so judges by this catalog. Ends "
        "with 0 if every verdict is the server's too, 1 if not or if that is not known.",
    )
    compare.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        default="-",
        help="the result of tools/list as JSON text, its pages joined; - reads standard input",
    )
    compare.add_argument("--json", action="store_true", help="print the same as one JSON text")
    _catalog_option(compare)
    compare.set_defaults(command=_compare)

    diff = actions.add_parser(
        "diff",
        help="say what is refused now and was admitted, and the reverse, with calls that show it",
        description="Say what NEW refuses and OLD admits, and the reverse, each with a call that "
        "shows it. Ends with 0 if both admit the same, 1 if not or if that is not proven.",
    )
    diff.add_argument("old", metavar="OLD", type=Path)
    diff.add_argument("new", metavar="NEW", type=Path)
    diff.add_argument("--json", action="store_true", help="print the same as one JSON text")
    diff.add_argument(
        "--seed",
        type=int,
        default=differing.SEED,
        help="where the generated calls begin; %(default)s",
    )
    diff.add_argument(
        "--tries",
        type=int,
        default=differing.TRIES,
        help="calls drawn for each tool, before they are varied; %(default)s",
    )
    diff.set_defaults(command=_diff)


def _catalog_option(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--catalog",
        dest="folder",
        metavar="DIR",
        type=Path,
        help="the folder of published schemas; by default the ten in the package",
    )


def _read_catalog(folder: Path | None) -> weighbridge.Catalog:
    return weighbridge.Catalog.bundled() if folder is None else weighbridge.Catalog.read(folder)


def _read(file: str) -> bytes:
    return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()


def _failed(message: str) -> int:
    print(f"weighbridge: {message}", file=sys.stderr)
    return FAILED


def _adapter(command: str, module: str, function: str) -> Callable[..., int]:
    try:
        return getattr(importlib.import_module(module), function)  # type: ignore[no-any-return]
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package == "weighbridge":
            raise
        message = (
            f"{command} needs {package}, which is not installed. Install it: {EXTRAS[command]}"
        )
        return lambda *_: _failed(message)


def _check(asked: argparse.Namespace) -> int:
    catalog = _read_catalog(asked.folder)
    try:
        text = _read(asked.file)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return _failed(
            f"cannot read {asked.file}: {reason}. Name a file that exists, or - for standard input."
        )
    verdict = catalog.check_text(asked.tool, text)
    if asked.json:
        # No newline: what is printed is what parity compares.
        sys.stdout.write(verdict.to_json())
    elif verdict.refusal is not None:
        print(verdict.refusal.message)
    else:
        print(describe.admitted(verdict))
    sys.stdout.flush()
    return ADMITTED if verdict.admitted else REFUSED


def _agree(asked: argparse.Namespace) -> int:
    ask: Callable[..., Any] = _adapter("agree", "weighbridge.agree_mcp", "of_target")
    try:
        found = ask(asked.server, asked.folder, asked.serves, seed=asked.seed, tries=asked.tries)
    except NoTarget as fault:
        return _failed(str(fault))
    if not isinstance(found, Agreement):
        return FAILED
    if asked.json:
        print(json.dumps(found.as_dict(), indent=2))
    else:
        print("\n".join(agree_report.lines(found)))
    return ADMITTED if found.agrees else REFUSED


def _web(asked: argparse.Namespace) -> int:
    return _adapter("web", "weighbridge.web", "main")(asked.out, asked.folder)


def _lint(asked: argparse.Namespace) -> int:
    catalog = _read_catalog(asked.folder)
    remarks = lint.of_folder(bundled_folder() if asked.folder is None else asked.folder)
    if asked.json:
        print(lint_report.as_json(catalog, remarks))
    else:
        print("\n".join(lint_report.lines(catalog, remarks)))
    unexplained = any(not one.reason for one in remarks)
    return REFUSED if asked.strict and unexplained else ADMITTED


def _digest(asked: argparse.Namespace) -> int:
    catalog = _read_catalog(asked.folder)
    print("\n".join(describe.digests(catalog)))
    return ADMITTED


def _show(asked: argparse.Namespace) -> int:
    catalog = _read_catalog(asked.folder)
    if asked.tool is not None and asked.tool not in catalog.tools:
        names = ", ".join(catalog.tools)
        return _failed(f"the catalog publishes no such tool. It publishes: {names}")
    chosen = list(catalog.tools) if asked.tool is None else [asked.tool]
    if asked.form == "tools-list":
        listed = [describe.listed(catalog.tools[name]) for name in chosen]
        print(json.dumps(listed if asked.tool is None else listed[0], indent=2))
    else:
        print("\n".join(line for name in chosen for line in describe.fields(catalog.tools[name])))
    return ADMITTED


def _compare(asked: argparse.Namespace) -> int:
    found = compare_text(_read_catalog(asked.folder), _read(asked.file))
    print(found.to_json() if asked.json else "\n".join(describe.comparison(found)))
    return REFUSED if found.advisory else ADMITTED


def _diff(asked: argparse.Namespace) -> int:
    if asked.tries < 1:
        return _failed("--tries must be at least 1")
    old, new = (weighbridge.Catalog.read(folder) for folder in (asked.old, asked.new))
    found = differing.diff(old, new, seed=asked.seed, tries=asked.tries)
    if asked.json:
        print(json.dumps(differing.as_json(found), indent=2))
    else:
        print("\n".join(diff_report.lines(found)))
    return ADMITTED if found.admits_the_same else REFUSED
