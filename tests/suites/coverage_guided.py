"""
Bytes that reach new lines of the text door and the loader, looked for without end: ``make atheris``.

Raises for whatever raises anything but our own errors, and for a verdict that is a
fault of ours.  The suite tries the same doors with hypothesis, in ``test_hostile.py``:
atheris is built for some interpreters alone, and looks for hours.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import atheris  # type: ignore[import-not-found]

with atheris.instrument_imports(include=["weighbridge"]):
    import weighbridge
    from weighbridge import patterns
    from weighbridge.text import Parsed, parse

BUNDLED = weighbridge.Catalog.bundled()
FOLDER = Path(tempfile.mkdtemp())
CLOSED = b'{"type":"object","additionalProperties":false,"x-weighbridge-tool":"t",'


def call(content: bytes) -> None:
    """A call's text, at both doors where it parses."""
    verdict = BUNDLED.check_text("knowledge.search", content)
    assert verdict.refusal is None or verdict.refusal.code != "unusable-schema"
    parsed = parse(content, BUNDLED.limits)
    if isinstance(parsed, Parsed):
        assert BUNDLED.check("knowledge.search", parsed.value).to_json() == verdict.to_json()


def file(content: bytes) -> None:
    """A schema file of a published folder: as it comes, or behind what makes it one."""
    for whole in (content, CLOSED + content):
        (FOLDER / "t-input.schema.json").write_bytes(whole)
        try:
            catalog = weighbridge.Catalog.read(FOLDER)
        except weighbridge.CatalogError as error:
            assert str(error).isprintable()  # noqa: PT017 - the error is what is looked at
        else:
            catalog.check("t", {"a": 1})


def listed(content: bytes) -> None:
    """A foreign tool's schema."""
    parsed = parse(content, BUNDLED.limits)
    if isinstance(parsed, Parsed):
        catalog = weighbridge.Catalog.from_tools([{"name": "t", "inputSchema": parsed.value}])
        verdict = catalog.check("t", {"a": [1, "x", {}]})
        unusable = verdict.refusal is not None and verdict.refusal.code == "unusable-schema"
        assert unusable == ("t" in catalog.unusable)


def pattern(content: bytes) -> None:
    """A pattern, and a text that it is asked about."""
    source, _, text = content.decode("utf-8", "replace").partition("\n")
    try:
        patterns.compile(source[:200]).search(text[:200])
    except patterns.UnusablePattern as error:
        assert str(error).isascii()  # noqa: PT017 - the error is what is looked at


DOORS = (call, file, listed, pattern)

#: What to begin with, one of each door.
SEEDS = (
    b'\x00{"projectId":"demo","query":"retry"}',
    b'\x01"properties":{"a":{"type":"string","maxLength":9,"pattern":"^a+$"}}}',
    b"\x02" + json.dumps({"type": "object", "$ref": "#/$defs/a", "$defs": {"a": {}}}).encode(),
    b"\x03^[a-z0-9]+(?:-[a-z0-9]+)*$\nab-c",
)


def one(content: bytes) -> None:
    """The first byte says which door."""
    if content:
        DOORS[content[0] % len(DOORS)](content[1:])


if __name__ == "__main__":
    seeds = Path(tempfile.mkdtemp())
    for number, seed in enumerate(SEEDS):
        (seeds / str(number)).write_bytes(seed)
    atheris.Setup([*sys.argv, str(seeds)], one)
    atheris.Fuzz()
