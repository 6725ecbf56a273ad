"""
The text door: what is measured on JSON text before anything parses it.

Parsing hides some faults (a key written twice) and does not survive others
(twenty thousand open brackets end the browser's interpreter for good), so they
are refused here, by scans that cannot recurse.  Whatever parsing neither hides
nor breaks on is left to the walk, so that both doors give one answer.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from weighbridge.characters import utf8_length
from weighbridge.charge import Passed
from weighbridge.limits import INTEGER_DIGITS, TEXT_NODES
from weighbridge.syntax import malformed_at
from weighbridge.text_scan import past

if TYPE_CHECKING:
    from weighbridge.limits import Limits

#: Why a text is not strict JSON.
TextFault = Literal["malformed", "bom", "utf-8", "duplicate", "digits"]

BOM = "\ufeff"

# Digits turned into an integer at a time: below the least that a process may
# set as its interpreter's own limit (640).
_DIGITS_AT_ONCE = 600

# Looked for from the first digit of a run only: from each digit it is quadratic.
_LONG_INTEGER = re.compile(rf"[0-9](?<![0-9][0-9])[0-9]{{{_DIGITS_AT_ONCE}}}")


@dataclass(frozen=True, slots=True)
class Parsed:
    """
    The value that a text spells.
    """

    value: object


@dataclass(frozen=True, slots=True)
class NotStrict:
    """
    A text that is not strict JSON.
    """

    fault: TextFault

    #: The key written twice in one object, as the caller wrote it.
    key: str = ""

    #: Line and column of the fault, in characters from 1; 0 where not looked for.
    line: int = 0
    column: int = 0


class _DoubledKey(Exception):
    pass


class _TooManyDigits(Exception):
    pass


def parse(text: str | bytes, limits: Limits) -> Parsed | Passed | NotStrict:
    """
    Parse the JSON text of a call's arguments, if it is fit to be parsed.

    Args:
        text: the text, or its UTF-8 bytes.
        limits: ``text`` bounds its UTF-8 bytes, ``nesting`` its open brackets,
            ``TEXT_NODES`` times ``nodes`` what parsing it may make.

    Returns:
        The value; or the limit passed (``body``, ``nesting`` or ``nodes``,
        whether the text is well formed or not); or why it is not strict JSON.
        Numbers that are not finite, lone surrogates and most texts past
        ``nodes`` are parsed: the walk refuses them.
    """
    size = len(text) if isinstance(text, bytes) else utf8_length(text)
    if size > limits.text:
        return Passed("body")
    decoded = _decoded(text)
    # Brackets are told before bytes that are no text: latin-1 leaves them as they are.
    scanned = text.decode("latin-1") if decoded is None else decoded  # type: ignore[union-attr]
    passed = past(scanned, limits.nesting, TEXT_NODES * limits.nodes)
    if passed is not None:
        return Passed(passed)
    return NotStrict("utf-8") if decoded is None else loads(decoded)


def _decoded(text: str | bytes) -> str | None:
    """The text itself; None for bytes that are not UTF-8."""
    if isinstance(text, str):
        return text
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return None


def nested_past(text: str, most: int) -> bool:
    """
    Whether more than ``most`` brackets stand open at once outside strings, in a
    text that is well formed or not; it stops soon after it knows.
    """
    # No text has more values than characters, the root beside them.
    return past(text, most, len(text) + 1) is not None


def loads(text: str, *, locate: bool = True) -> Parsed | NotStrict:
    """
    Parse ``text`` as strict JSON: no key twice, no integer past 4,300 digits.

    The caller has bounded its brackets; the parser recurses on them.  Looking
    for the place of a fault, with ``locate``, takes longer than parsing.
    """
    if text.startswith(BOM):
        return NotStrict("bom", line=1, column=1)
    twice: list[str] = []

    def object_of(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) != len(pairs):
            twice.append(_first_doubled(pairs))
            raise _DoubledKey
        return found

    # The parser's own conversion is fast but refuses at a limit of the process.
    convert = integer if _LONG_INTEGER.search(text) else int
    try:
        return Parsed(json.loads(text, object_pairs_hook=object_of, parse_int=convert))
    except _DoubledKey:
        return NotStrict("duplicate", key=twice[0])
    except _TooManyDigits:
        return NotStrict("digits")
    except ValueError:
        line, column = malformed_at(text) if locate else (0, 0)
        return NotStrict("malformed", line=line, column=column)


def integer(digits: str) -> int:
    """
    The integer that ``digits`` spell, whatever limit this process has set.
    """
    sign, digits = (-1, digits[1:]) if digits.startswith("-") else (1, digits)
    if len(digits) > INTEGER_DIGITS:
        raise _TooManyDigits
    value = 0
    for start in range(0, len(digits), _DIGITS_AT_ONCE):
        piece = digits[start : start + _DIGITS_AT_ONCE]
        value = value * 10 ** len(piece) + int(piece)
    return sign * value


def _first_doubled(pairs: list[tuple[str, object]]) -> str:
    seen = set()
    for key, _value in pairs:
        if key in seen:
            return key
        seen.add(key)
    raise AssertionError
