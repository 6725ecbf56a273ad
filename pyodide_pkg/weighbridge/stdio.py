"""
An MCP server's standard input with the limit and the answers that HTTP has.

The SDK's own reader holds a line however long it is, and of one that it cannot
read it says nothing, so that whoever sent it waits for ever.  This one stands in
its place; standard output stays the SDK's.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, BinaryIO, Final

import anyio
import anyio.to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server import MCPServer
from mcp.server import stdio as sdk
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from weighbridge.answers import UNCHANGED
from weighbridge.limits import Limits
from weighbridge.lines import Lines, TooLong, request_id

#: Bytes asked of a pipe at a time.
CHUNK: Final = 65_536

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Passed = MemoryObjectSendStream[SessionMessage | Exception]


async def serve_stdio(server: MCPServer[Any] | Server[Any], limits: Limits) -> None:
    """
    Serve over standard input and output, with the limit on a request that HTTP has.

    In place of ``server.run("stdio")``, or of ``server.run`` over the SDK's
    ``stdio_server``.

    Args:
        server: either kind.
        limits: ``catalog.limits``; its ``body`` is the most bytes of one line.
    """
    low: Server[Any] = server if isinstance(server, Server) else server._lowlevel_server  # noqa: SLF001
    async with stdio_server(limits) as (read, write):
        await low.run(read, write, low.create_initialization_options())


@asynccontextmanager
async def stdio_server(limits: Limits) -> AsyncIterator[tuple[Incoming, Any]]:
    """
    The SDK's stdio streams, with a reader of our own that answers every line it does not pass on.

    A line longer than ``limits.body`` bytes, one that is not strict JSON and
    one that is no JSON-RPC message gets a JSON-RPC error, under the id of the
    request if that can be found.
    """
    nothing = anyio.wrap_file(io.StringIO())
    with _standard_input() as pipe:
        async with sdk.stdio_server(stdin=nothing) as (unused, write):
            await unused.aclose()
            passed, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_read_lines, pipe, limits.body, passed, write)
                yield read, write
                tasks.cancel_scope.cancel()


async def _read_lines(pipe: BinaryIO, most: int, passed: Passed, write: Any) -> None:
    """Pass every message on, and answer every line that is none, until the pipe ends."""
    lines = Lines(most)
    # What is buffered already, then what the pipe has, then what it will have.
    read = getattr(pipe, "read1", pipe.read)
    with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
        async with passed:
            more = True
            while more:
                chunk = await anyio.to_thread.run_sync(read, CHUNK, abandon_on_cancel=True)
                more = bool(chunk)
                for line in lines.feed(chunk) if more else lines.end():
                    read_as = _read(line, most)
                    if isinstance(read_as, JSONRPCError):
                        await write.send(SessionMessage(read_as))
                    else:
                        await passed.send(read_as)


def _read(line: bytes | TooLong, most: int) -> SessionMessage | JSONRPCError:
    """The message that a line is, or the error that answers it."""
    if isinstance(line, TooLong):
        return _answer(line.id, INVALID_REQUEST, f"it is longer than {most} bytes", "Send less.")
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as error:
        # Its words are never used: they quote the line.
        broken = error.errors(include_url=False, include_context=False, include_input=False)
        if broken[0]["type"] == "json_invalid":
            remedy = "Send one JSON object in UTF-8, without lone surrogates and not nested deeply."
            return _answer(request_id(line), PARSE_ERROR, "it is not strict JSON", remedy)
        remedy = "Send one JSON-RPC 2.0 request or notification, not several in an array."
        return _answer(request_id(line), INVALID_REQUEST, "it is not a JSON-RPC message", remedy)
    return SessionMessage(message)


def _answer(asked: str | int | None, code: int, rule: str, remedy: str) -> JSONRPCError:
    """The error that answers a line which was not passed on."""
    message = f"The line was not read: {rule}. {UNCHANGED} {remedy}"
    return JSONRPCError(jsonrpc="2.0", id=asked, error=ErrorData(code=code, message=message))


@contextmanager
def _standard_input() -> Iterator[BinaryIO]:
    """
    The process's standard input, out of reach of handlers and of the programs they start.
    """
    pipe: BinaryIO = sys.stdin.buffer
    try:
        is_descriptor = pipe.fileno() == 0
    except (OSError, ValueError):
        is_descriptor = False
    if not is_descriptor:
        yield pipe
        return
    private = os.dup(0)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    try:
        # Never closed: a thread may still be reading from it.
        yield os.fdopen(private, "rb", buffering=0, closefd=False)
    finally:
        os.dup2(private, 0)
