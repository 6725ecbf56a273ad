"""
Lines of JSON-RPC from a pipe, none longer than a request may be, and who asked.

A transport without a body cap holds whatever a peer cares to send, and one that
drops a line leaves its sender waiting for ever.  Here a line is held only up to
its limit; past it what comes is looked through and let go, and all that is kept
is the id that an answer needs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from weighbridge.characters import has_lone_surrogate

#: Brackets and strings that are looked at for the id of a line that is not
#: kept; past it the answer carries none.  Four times as many as the default
#: limit on nodes, and less than a second.
TOKENS: Final = 400_000

#: Characters of an id, quotes included, and of a key at the root that is read.
NAME: Final = 256

_NEWLINE = b"\n"
_SPACE = b" \t\r\n"

# What matters between two strings: at the root also what parts keys from values.
_AT_ROOT = re.compile(rb'["\[\]{}:,]|[^\s"\[\]{}:,]+')
# Below it only brackets do: a string that ends within the piece is one step.
_DEEPER = re.compile(rb'"(?:[^"\\]++|\\.)*+"?+|[\[\]{}]', re.DOTALL)
_IN_STRING = re.compile(rb'(?:[^"\\]++|\\.)++|"', re.DOTALL)

_BACKSLASH = ord("\\")

_OPEN = (b"[", b"{")
_CLOSE = (b"]", b"}")
_MARKS = frozenset((b'"', *_OPEN, *_CLOSE, b":", b","))

_INTEGER = re.compile(rb"-?[0-9]+")


@dataclass(frozen=True, slots=True)
class TooLong:
    """
    A line that was not kept.
    """

    #: The id of the request that it was; None if it had none, or none was found.
    id: str | int | None


class Lines:
    """
    Cuts what a pipe brings into lines of at most ``most`` bytes, line ends not counted.
    """

    def __init__(self, most: int) -> None:
        """Start before the first line."""
        self._most = most
        self._kept = bytearray()
        self._asked: Asked | None = None

    def feed(self, chunk: bytes) -> Iterator[bytes | TooLong]:
        """The lines that end within ``chunk``; those of white space alone are left out."""
        start = 0
        while (end := chunk.find(_NEWLINE, start)) >= 0:
            self._take(chunk[start:end])
            yield from self.end()
            start = end + 1
        self._take(chunk[start:])

    def end(self) -> Iterator[bytes | TooLong]:
        """The line that the end of the pipe, or of a line, leaves complete."""
        if self._asked is not None:
            yield TooLong(self._asked.id)
        elif self._kept.strip(_SPACE):
            yield bytes(self._kept.removesuffix(b"\r"))
        self._kept = bytearray()
        self._asked = None

    def _take(self, piece: bytes) -> None:
        if self._asked is None:
            length = len(self._kept) + len(piece)
            # One more may be a carriage return, the first half of a line end.
            if length <= self._most + piece.endswith(b"\r"):
                self._kept += piece
                return
            self._asked = Asked()
            self._asked.feed(bytes(self._kept))
            self._kept = bytearray()
        self._asked.feed(piece)


def request_id(line: bytes) -> str | int | None:
    """
    The id of the request in a line that no parser takes; None if there is none to find.
    """
    asked = Asked()
    asked.feed(line)
    return asked.id


class Asked:
    """
    Finds the id of one JSON-RPC request in its bytes, in pieces, without parsing them.

    It knows strings, brackets and the keys of the root, and nothing else, so
    neither depth nor malformed text nor length is too much for it.
    """

    def __init__(self) -> None:
        """Start before the first byte."""
        self._depth = 0
        self._tokens = 0
        self._string: bytearray | None = None
        self._word = b""
        self._escaped = False
        self._key = b""
        self._is_key = False
        self._has_method = False
        self._id: str | int | None = None

    @property
    def id(self) -> str | int | None:
        """The id, if what was fed is a request's: a response's id is not ours to answer."""
        self._end_of_word()
        return self._id if self._has_method else None

    def feed(self, piece: bytes) -> None:
        """Look through the next bytes."""
        at = 0
        while at < len(piece):
            if self._tokens > TOKENS or (self._has_method and self._id is not None):
                return
            if self._string is not None:
                at = self._in_string(piece, at)
            elif self._depth > 1:
                at = self._deeper(piece, at)
            else:
                at = self._at_root(piece, at)

    def _in_string(self, piece: bytes, at: int) -> int:
        """Move on to the end of an open string, and keep what it says if that may matter."""
        kept = self._string if self._string is not None else bytearray()
        if self._escaped:
            self._escaped = False
            kept += piece[at : at + 1]
            return at + 1
        while at < len(piece):
            found = _IN_STRING.match(piece, at)
            if found is None:
                # A backslash whose other half is in the next piece.
                self._escaped = True
                kept += b"\\"
                return len(piece)
            at = found.end()
            token = found[0]
            if token == b'"':
                self._string = None
                self._end_of_string(bytes(kept))
                return at
            self._tokens += 1
            if len(kept) <= NAME:
                kept += token[: NAME + 1]
        return at

    def _deeper(self, piece: bytes, at: int) -> int:
        """Move on to the end of what is open below the root."""
        depth = self._depth
        for found in _DEEPER.finditer(piece, at):
            self._tokens += 1
            token = found[0]
            if token in _OPEN:
                depth += 1
            elif token in _CLOSE:
                depth -= 1
                if depth <= 1:
                    self._depth = depth
                    return found.end()
            elif found.end() == len(piece) or piece[found.end()] == _BACKSLASH:
                # It may go on in the next piece, or be cut within an escape.
                self._depth = depth
                self._string = bytearray()
                return found.start() + 1
        self._depth = depth
        return len(piece)

    def _at_root(self, piece: bytes, at: int) -> int:
        """Move on to the next token outside strings, at the root or before it."""
        found = _AT_ROOT.search(piece, at)
        if found is None:
            return len(piece)
        self._tokens += 1
        token = found[0]
        if token not in _MARKS:
            self._word = (self._word + token)[: NAME + 1]
            return found.end()
        self._end_of_word()
        if token == b'"':
            self._string = bytearray()
        elif token in _OPEN:
            self._depth += 1
            self._is_key = self._depth == 1 and token == b"{"
        elif token in _CLOSE:
            self._depth -= 1
        elif self._depth == 1:
            self._is_key = token == b","
        return found.end()

    def _end_of_string(self, said: bytes) -> None:
        if self._depth != 1:
            return
        if self._is_key:
            self._key = said
            self._has_method = self._has_method or said == b"method"
        elif self._key == b"id" and len(said) <= NAME:
            self._id = _text_of(said)

    def _end_of_word(self) -> None:
        word, self._word = self._word, b""
        is_id = self._depth == 1 and not self._is_key and self._key == b"id"
        if is_id and len(word) <= NAME and _INTEGER.fullmatch(word):
            self._id = int(word)


def _text_of(said: bytes) -> str | None:
    """What a JSON string says, if that can be said back."""
    try:
        text = json.loads(b'"' + said + b'"')
    except ValueError:
        return None
    return text if isinstance(text, str) and not has_lone_surrogate(text) else None
