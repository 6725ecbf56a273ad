"""
An MCP server's handlers, asked as the SDK asks them, without one of them being run.

All contact with the SDK is in this file.  The question is the SDK's own function,
which reads texts as JSON where it does so for a real call.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.tools import Tool
from pydantic import ValidationError

from weighbridge.agree import SEED, TRIES, Agreement, judge
from weighbridge.agree_code import values
from weighbridge.agree_report import lines
from weighbridge.agree_served import held
from weighbridge.agree_sides import Answer, Handler, Refused, Taken, Wrong
from weighbridge.agree_target import NoTarget, made, target
from weighbridge.catalog import Catalog

__all__ = ["Served", "agreement", "assert_agrees", "handlers", "of_target"]

#: The values that a parameter is held to, by parameter, or by ``TOOL/PARAMETER``.
Served = Mapping[str, Iterable[Any]]


def assert_agrees(
    server: MCPServer[Any],
    catalog: Catalog | str | Path,
    *,
    serves: Served | None = None,
    seed: int = SEED,
    tries: int = TRIES,
) -> None:
    """
    Fail unless a server's handlers take what a catalog publishes: one line of a test.

    Args:
        server: whose tools they are.
        catalog: a catalog, or the folder of one.
        serves: as ``agreement`` takes it.
        seed: as ``agreement`` takes it.
        tries: as ``agreement`` takes it.

    Raises:
        AssertionError: they do not; it names each tool, what differs, a witness and the cure.
        CatalogError: the folder cannot be used.
        TypeError: the server is of another kind.
    """
    __tracebackhide__ = True
    found = agreement(server, catalog, serves=serves, seed=seed, tries=tries)
    if not found.agrees:
        raise AssertionError("\n".join(lines(found)))


def agreement(
    server: MCPServer[Any],
    catalog: Catalog | str | Path,
    *,
    serves: Served | None = None,
    seed: int = SEED,
    tries: int = TRIES,
) -> Agreement:
    """
    What came of holding a catalog to a server's handlers.

    Args:
        server: whose tools they are.
        catalog: a catalog, or the folder of one.
        serves: named constants that handlers hold their parameters to, where the code
            does not show them; by parameter, or by ``TOOL/PARAMETER``.
        seed: where the generated calls begin.
        tries: calls generated for each tool.

    Raises:
        CatalogError: the folder cannot be used.
        TypeError: the server is of another kind: only ``MCPServer`` has argument models.
        ValueError: ``tries`` is less than 1, or ``serves`` names a parameter that no tool has.
    """
    read = catalog if isinstance(catalog, Catalog) else Catalog.read(catalog)
    return judge(handlers(server, serves), read, seed=seed, tries=tries)


def of_target(
    name: str, folder: Path, serves: Sequence[str], *, seed: int, tries: int
) -> Agreement:
    """
    The same for a command line.

    Args:
        name: the server, as ``module:name``; a function there is called for it.
        folder: the folder of a catalog.
        serves: named constants as ``PARAMETER=module:name``.
        seed: where the generated calls begin.
        tries: calls generated for each tool.

    Raises:
        CatalogError: the folder cannot be used.
        NoTarget: a name leads to nothing that can be used.
    """
    catalog = Catalog.read(folder)
    if tries < 1:
        raise NoTarget("--tries", f"{tries} is too few", "Generate at least 1 call")
    # What a program prints while it is imported is no part of the answer.
    with redirect_stdout(sys.stderr):
        server = made(name)
        constants = dict(map(_constant, serves))
    if not isinstance(server, MCPServer):
        kind = type(server).__name__
        raise NoTarget(
            name, f"it is no MCPServer but {kind}", "Name one, or a function that makes one"
        )
    try:
        found = handlers(server, constants)
    except ValueError as fault:
        raise NoTarget("--serves", str(fault), "Name a parameter of a tool") from None
    return judge(found, catalog, seed=seed, tries=tries)


def _constant(given: str) -> tuple[str, tuple[Any, ...]]:
    """One ``--serves``, as the parameter and the values."""
    parameter, equals, name = given.partition("=")
    if not (parameter and equals):
        raise NoTarget(given, "it names no parameter", "Write PARAMETER=module:CONSTANT")
    listed = values(target(name))
    if not listed:
        raise NoTarget(given, "it lists no values", "Name a tuple, a set, a mapping or an Enum")
    return parameter, listed


def handlers(server: MCPServer[Any], serves: Served | None = None) -> list[Handler]:
    """
    A server's tools, each with what its argument model says.

    Raises:
        TypeError: the server is of another kind.
        ValueError: ``serves`` names a parameter that no tool has.
    """
    if not isinstance(server, MCPServer):
        raise TypeError(
            "server must be an MCPServer: a low-level Server hands its handler the arguments as "
            "they come, so there is no argument model to agree with"
        )
    # The manager is the one place that holds a tool's argument model.
    tools: list[Tool] = server._tool_manager.list_tools()  # noqa: SLF001
    left = dict(serves or {})
    found = [_handler(tool, left) for tool in tools]
    known = {
        name
        for one in found
        for parameter in one.derived.get("properties", ())
        for name in (parameter, f"{one.name}/{parameter}")
    }
    for name in left.keys() - known:
        raise ValueError(f"serves names {name}, which is a parameter of no tool of the server")
    return found


def _handler(tool: Tool, serves: Served) -> Handler:
    listed = held(tool.fn)
    for parameter in tool.parameters.get("properties", ()):
        for name in (parameter, f"{tool.name}/{parameter}"):
            if name in serves:
                listed[parameter] = (*listed.get(parameter, ()), *values(serves[name]))

    def ask(arguments: dict[str, Any]) -> Answer:
        return _answer(tool, arguments)

    return Handler(name=tool.name, derived=tool.parameters, ask=ask, held=listed)


def _answer(tool: Tool, arguments: dict[str, Any]) -> Answer:
    """What the SDK would say to these arguments before it calls the handler."""
    try:
        return Taken(tool.fn_metadata.validate_arguments(arguments))
    except ValidationError as refused:
        wrong = tuple(Wrong(tuple(one["loc"]), one["type"]) for one in refused.errors())
        return Refused(wrong, _reparsed(tool, arguments))
    except Exception as raised:  # noqa: BLE001 - the SDK answers for whatever a validator raises
        return Refused((Wrong((), type(raised).__name__),))


def _reparsed(tool: Tool, arguments: dict[str, Any]) -> frozenset[str]:
    """The parameters that are refused for nothing but that their text was read as JSON."""
    read = tool.fn_metadata.pre_parse_json(arguments)
    changed = frozenset(name for name in arguments if read[name] is not arguments[name])
    if not changed:
        return changed
    try:
        tool.fn_metadata.arg_model.model_validate(arguments)
    except Exception:  # noqa: BLE001 - refused either way, whatever the reason
        return frozenset()
    return changed
