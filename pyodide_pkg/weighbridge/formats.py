"""
The formats that are asserted, each by a grammar of its own that no interpreter changes.

``datetime``, ``ipaddress`` and ``urllib`` answer differently from one Python to
the next, and what is installed beside a validator can change its answers too.
Every grammar here is ASCII, linear in the text, and without recursion.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from weighbridge.format_addresses import is_email, is_ipv4, is_ipv6, is_uri
from weighbridge.format_times import is_date, is_date_time, is_duration, is_time
from weighbridge.patterns import is_pattern

__all__ = ["FORMATS", "Format"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """
    One format: its name in a schema, what it expects, and what asking costs.
    """

    #: As a schema writes it, for example ``"date-time"``.
    name: str

    #: What a refusal says was expected; at most 80 characters.
    expected: str

    _conforms: Callable[[str], bool]

    #: Nanoseconds of CPython for any text, and for each code point more.
    _fixed: int
    _each: int

    def conforms(self, text: str) -> bool:
        """
        Whether ``text`` is of this format, as a whole.
        """
        return self._conforms(text)

    def steps(self, length: int) -> int:
        """
        Work units that asking about ``length`` code points takes at most.

        A unit is about a microsecond of CPython.  The number depends on nothing
        but the format and the length, and never falls as the length grows.
        """
        return (self._fixed + self._each * length) // 1000 + 1


_UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\Z")
_POINTER = re.compile(r"(?:/(?:[^~/]++|~[01])*+)*+\Z")


def _is_uuid(text: str) -> bool:
    """The form of RFC 4122, section 3; the version and the variant may be any."""
    return _UUID.match(text) is not None


def _is_pointer(text: str) -> bool:
    """RFC 6901, section 3."""
    return _POINTER.match(text) is not None


# Fixed and each, measured on one core of 2020 or so and doubled; the tests hold
# the worst text of every format under them.
_ALL = (
    Format(
        name="date",
        expected="a full RFC 3339 date such as 2026-01-31",
        _conforms=is_date,
        _fixed=2_000,
        _each=0,
    ),
    Format(
        name="date-time",
        expected="an RFC 3339 date and time with its offset such as 2026-01-31T12:00:00Z",
        _conforms=is_date_time,
        _fixed=5_000,
        _each=4,
    ),
    Format(
        name="time",
        expected="an RFC 3339 time with its offset such as 12:00:00Z",
        _conforms=is_time,
        _fixed=4_000,
        _each=4,
    ),
    Format(
        name="duration",
        expected="an RFC 3339 duration such as P1DT12H",
        _conforms=is_duration,
        _fixed=2_000,
        _each=8,
    ),
    Format(
        name="uri",
        expected="an RFC 3986 URI with its scheme such as https://example.com/a",
        _conforms=is_uri,
        _fixed=8_000,
        _each=25,
    ),
    Format(
        name="email",
        expected="an RFC 5321 mailbox such as ada@example.com",
        _conforms=is_email,
        _fixed=16_000,
        _each=0,
    ),
    Format(
        name="uuid",
        expected="a UUID such as 2eb8aa08-aa98-11ea-b4aa-73b441d16380",
        _conforms=_is_uuid,
        _fixed=1_500,
        _each=0,
    ),
    Format(
        name="ipv4",
        expected="an IPv4 address such as 192.0.2.1",
        _conforms=is_ipv4,
        _fixed=1_500,
        _each=0,
    ),
    Format(
        name="ipv6",
        expected="an IPv6 address such as 2001:db8::1",
        _conforms=is_ipv6,
        _fixed=8_000,
        _each=0,
    ),
    Format(
        name="json-pointer",
        expected="an RFC 6901 JSON Pointer such as /a/b~1c",
        _conforms=_is_pointer,
        _fixed=1_500,
        _each=50,
    ),
    Format(
        name="regex",
        expected="an ECMA-262 pattern, read with the u flag",
        _conforms=is_pattern,
        _fixed=5_000,
        _each=1_500,
    ),
)

#: Every asserted format by its name.
FORMATS: Mapping[str, Format] = MappingProxyType({form.name: form for form in _ALL})
