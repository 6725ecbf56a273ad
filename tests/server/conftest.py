"""
The small server behind every transport, each opened once and shared by the tests that only ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

import weighbridge
from tests.server import small_server, wire

KINDS = tuple(small_server.KINDS)


@dataclass(frozen=True, slots=True)
class Seat:
    """
    One way to reach the gate: which server class, which transport, which protocol version.
    """

    kind: str
    #: ``"stateless"`` and ``"stateful"`` are Streamable HTTP; ``"stdio"`` is a pipe,
    #: and ``"lines"`` the same with our own reader on it.
    transport: str
    version: str


#: Every kind and version over HTTP; over a pipe every version of the one kind and
#: both eras of the others, since each of those is a process.
SEATS = (
    *(
        Seat(kind, transport, version)
        for kind in KINDS
        for transport in ("stateless", "stateful")
        for version in wire.VERSIONS
    ),
    *(Seat("MCPServer", "stdio", version) for version in wire.VERSIONS),
    *(Seat("Server", "stdio", version) for version in (wire.OLDER[-1], wire.NEWEST)),
    *(Seat("MCPServer", "lines", version) for version in (wire.OLDER[-1], wire.NEWEST)),
)

Client = wire.Http | wire.Stdio


@dataclass(frozen=True, slots=True)
class Opened:
    """
    One open connection, and the file that ``note.purge`` would leave behind.
    """

    client: Client
    sentinel: Path


Reach = Callable[..., Opened]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for ``seat`` is run from every one."""
    if "seat" in metafunc.fixturenames:
        ids = [f"{seat.kind}-{seat.transport}-{seat.version}" for seat in SEATS]
        metafunc.parametrize("seat", SEATS, ids=ids)


@pytest.fixture(scope="session")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the three published schemas."""
    return small_server.write_catalog(tmp_path_factory.mktemp("schemas"))


@pytest.fixture(scope="session")
def catalog(schemas: Path) -> weighbridge.Catalog:
    """The catalog of that folder."""
    return weighbridge.Catalog.read(schemas)


@pytest.fixture(scope="session")
def reach(
    schemas: Path, catalog: weighbridge.Catalog, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Reach]:
    """
    Opens a seat, with the gate or with that one middleware lifted off; each only once.
    """
    ports: dict[tuple[str, str, bool], tuple[int, Path]] = {}
    opened: dict[tuple[Seat, bool], Opened] = {}
    folder = tmp_path_factory.mktemp("sentinels")

    with ExitStack() as stack:

        def http(seat: Seat, *, gated: bool) -> Opened:
            key = (seat.kind, seat.transport, gated)
            if key not in ports:
                sentinel = folder / "-".join(map(str, key))
                server = small_server.build(seat.kind, sentinel, catalog if gated else None)
                serving = wire.http_server(server, stateless=seat.transport == "stateless")
                ports[key] = (stack.enter_context(serving), sentinel)
            port, sentinel = ports[key]
            return Opened(wire.Http(port, seat.version), sentinel)

        def stdio(seat: Seat, *, gated: bool) -> Opened:
            sentinel = folder / f"{seat.kind}-{seat.transport}-{seat.version}-{gated}"
            command = [Path(small_server.__file__), seat.kind, sentinel]
            given = ["--catalog", schemas] if gated else []
            if gated and seat.transport == "lines":
                given.append("--lines")
            process = stack.enter_context(wire.stdio_process([*command, *given]))
            return Opened(wire.Stdio(process, seat.version), sentinel)

        def opener(seat: Seat, *, gated: bool = True) -> Opened:
            key = (seat, gated)
            if key not in opened:
                how = stdio if seat.transport in ("stdio", "lines") else http
                opened[key] = how(seat, gated=gated)
            return opened[key]

        yield opener
