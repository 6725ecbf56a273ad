"""
The most that one call may cost, as numbers that are part of the contract.

Every number stands once, here, with its unit and where it comes from; the
catalog may choose others, and the digest covers whichever are in force.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields

#: UTF-8 bytes that a request may hold beside its largest inline body: the
#: JSON-RPC envelope, ``_meta`` and the other arguments.
ENVELOPE = 65_536

#: Bytes of one inline body, the largest string that the sample contract admits.
INLINE_BODY = 8_388_608

#: Wire bytes per landed UTF-8 byte, the worst over every class of characters
#: but the control classes, under both families of JSON encoders.
WIRE_RATIO = 3

#: Digits of an integer.  CPython refuses to convert more by default, and the
#: SDK's parsers with it; a process may change its own limit, we do not.
INTEGER_DIGITS = 4_300

#: How many times ``nodes`` a text may hold before it is refused unparsed: fewer
#: are parsed and left to the walk, whose order of limits is the contract's.
#: Chosen by measurement, see docs/memory.md.
TEXT_NODES = 4

#: Schema applications inside one another.  Each costs three to five interpreter
#: frames, so this many stand inside the default stack of 1,000 frames with 200
#: of the caller's to spare, natively and in WebAssembly.
EVALUATION_DEPTH = 150

#: Findings in one refusal, and caller-written names in one finding.
FINDINGS = 8
NAMES = 8

#: Characters of ``expected`` and of one finding's message.
SENTENCE = 240

#: Characters of a JSON Pointer into the arguments.
POINTER = 800


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """
    The most that one call may be charged.
    """

    #: Levels; ``{}`` is 1, ``{"labels": ["a"]}`` is 3.
    nesting: int = 32

    #: Keys, values and elements, the arguments object included; ``{"a": 1}`` is 3.
    nodes: int = 100_000

    #: Characters that ``repr`` would render, quotes excluded: one and a half
    #: times the largest inline body.
    rendered: int = 12_582_912

    #: Steps of schema evaluation; chosen by measurement, see docs/limits.md.
    work: int = 1_000_000

    #: UTF-8 bytes of the whole request: the largest body at the worst wire
    #: ratio, and one mebibyte for everything beside it.
    body: int = WIRE_RATIO * INLINE_BODY + 1_048_576

    #: Characters of one caller-written name quoted in a refusal, after escaping.
    fragment: int = 120

    #: Characters of a whole refusal message.
    refusal: int = 800

    @property
    def text(self) -> int:
        """UTF-8 bytes of the arguments alone: the body less its envelope."""
        return self.body - ENVELOPE

    @property
    def composed(self) -> int:
        """Characters that rendering a whole call can reach, separators included."""
        return self.rendered + 4 * self.nodes


#: What a limit may not be set below or above, and why: below, our own refusal
#: could not be worded; above, a parser or the interpreter gives up first.
RANGES = {
    "nesting": (1, 100),
    "nodes": (1, 10_000_000),
    "rendered": (0, 1 << 30),
    "work": (1, 100_000_000),
    "body": (ENVELOPE + 2, 1 << 30),
    "fragment": (40, 120),
    "refusal": (640, 8_000),
}


def as_dict(limits: Limits) -> dict[str, int]:
    """The limits as they stand in the catalog, its digest and the page."""
    return asdict(limits)


NAMES_OF_LIMITS = tuple(field.name for field in fields(Limits))
