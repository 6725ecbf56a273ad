"""
The published contract spoilt in one place at a time, and what must be told of each.

``make spoil`` goes through all of them, a minute or two of processor time; the
suite through a few.
"""

import copy
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import MCPServer

from tests.support.machine import ROOT
from weighbridge import Catalog
from weighbridge.agree import Agreement
from weighbridge.agree_mcp import agreement
from weighbridge.reference.store import open_store
from weighbridge.reference.tools import Service, handlers

SCHEMAS = ROOT / "schemas" / "mcp"
CONTEXT = "tool-context.schema.json"

#: A type that is added to a property, by one of its own; what pydantic turns into
#: the other, a boolean into an integer, would be no fault.
WIDER = {
    "string": "array",
    "integer": "string",
    "boolean": "object",
    "array": "null",
    "object": "null",
}

Place = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spoilt:
    """
    One published schema with one fault, and where it must be told.
    """

    stem: str
    label: str
    schema: dict[str, Any]

    #: The rule and the place, as a difference has them.
    told: tuple[str, Place]


def every() -> Iterator[Spoilt]:
    """
    Every required name dropped, every type widened, and in every object a name added.
    """
    for path in sorted(SCHEMAS.glob("*-input.schema.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        for at, _ in list(_objects(schema, ())):
            yield from _of_object(path.name.removesuffix("-input.schema.json"), schema, at)


def _objects(schema: dict[str, Any], at: Place) -> Iterator[tuple[Place, dict[str, Any]]]:
    if "properties" in schema:
        yield at, schema
        for name, inner in schema["properties"].items():
            yield from _objects(inner, (*at, "properties", name))
    if "items" in schema:
        yield from _objects(schema["items"], (*at, "items"))


def _of_object(stem: str, schema: dict[str, Any], at: Place) -> Iterator[Spoilt]:
    def changed() -> tuple[dict[str, Any], dict[str, Any]]:
        whole = copy.deepcopy(schema)
        here = whole
        for step in at:
            here = here[step]
        return whole, here

    _, untouched = changed()
    for name in untouched.get("required", ()):
        whole, here = changed()
        here["required"].remove(name)
        rule = "handler-refuses" if at else "required-apart"
        yield Spoilt(stem, f"without {name}", whole, (rule, (*at, "properties", name)))
    for name, inner in untouched["properties"].items():
        kinds = inner.get("type", [])
        own = [kinds] if isinstance(kinds, str) else kinds
        if "enum" not in inner and own:
            whole, here = changed()
            here["properties"][name]["type"] = [*own, WIDER[own[0]]]
            told = ("handler-refuses", (*at, "properties", name))
            yield Spoilt(stem, f"{name} also {WIDER[own[0]]}", whole, told)
    whole, here = changed()
    here["properties"]["colour"] = {"type": "string", "maxLength": 20}
    yield Spoilt(stem, "with colour", whole, ("handler-lacks", (*at, "properties", "colour")))


def asked(one: Spoilt, service: Service, folder: Path, tries: int) -> Agreement:
    """
    The handler of one tool held to its spoilt schema.
    """
    (folder / f"{one.stem}-input.schema.json").write_text(json.dumps(one.schema), encoding="utf-8")
    if "allOf" in one.schema:
        context = (SCHEMAS / CONTEXT).read_text(encoding="utf-8")
        (folder / CONTEXT).write_text(context, encoding="utf-8")
    name = one.schema["x-weighbridge-tool"]
    server: MCPServer[Any] = MCPServer("one", log_level="ERROR")
    server.add_tool(handlers(service)[name], name)
    return agreement(server, Catalog.read(folder), tries=tries)


def main() -> int:
    """
    Go through all; 1 if some fault is not told, alone and at its place.
    """
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        service = Service(open_store(Path(scratch) / "x.sqlite3"), {})
        found = list(every())
        for one in found:
            with tempfile.TemporaryDirectory(dir=scratch) as folder:
                differences = asked(one, service, Path(folder), tries=8).differences
            if [(each.rule, each.place) for each in differences] != [one.told]:
                wrong += 1
                print(one.stem, one.label, *map(str, differences), sep="\n  ")
    print(f"{len(found)} spoilt schemas, {wrong} not told as they must be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
