"""
Dates, times and durations as RFC 3339 spells them, and as no calendar library reads them.
"""

from __future__ import annotations

import re

_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})\Z")
_TIME = re.compile(
    r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]++)?+"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))\Z"
)
_DATE_LENGTH = len("2026-01-31")
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FEBRUARY = 2
_HOUR = 60
_DAY = 24 * _HOUR
_LEAP = 60

# Appendix A of RFC 3339: within a date or a time no unit may be left out
# between two others, and weeks stand alone.
_DURATION_DATE = r"(?:[0-9]++D|[0-9]++M(?:[0-9]++D)?+|[0-9]++Y(?:[0-9]++M(?:[0-9]++D)?+)?+)"
_DURATION_TIME = r"T(?:[0-9]++S|[0-9]++M(?:[0-9]++S)?+|[0-9]++H(?:[0-9]++M(?:[0-9]++S)?+)?+)"
_DURATION = re.compile(rf"P(?:[0-9]++W|{_DURATION_DATE}(?:{_DURATION_TIME})?+|{_DURATION_TIME})\Z")


def is_date(text: str) -> bool:
    """
    ``full-date`` of RFC 3339, section 5.6, on a day that there was or will be.
    """
    found = _DATE.match(text)
    if found is None:
        return False
    year, month, day = map(int, found.groups())
    if not 1 <= month <= len(_DAYS):
        return False
    leap = month == _FEBRUARY and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _DAYS[month - 1] + leap


def is_time(text: str) -> bool:
    """
    ``full-time`` of RFC 3339, section 5.6: with its offset.

    A leap second is one only as the last of a day of UTC.
    """
    found = _TIME.match(text)
    if found is None:
        return False
    hour, minute, second = (int(found[group]) for group in (1, 2, 3))
    local = _minutes(hour, minute)
    offset = _minutes(int(found[5] or 0), int(found[6] or 0))
    if local is None or offset is None or second > _LEAP:
        return False
    utc = local + offset if found[4] == "-" else local - offset
    return second < _LEAP or utc % _DAY == _DAY - 1


def _minutes(hour: int, minute: int) -> int | None:
    """Minutes since midnight, or None where no clock shows that."""
    minutes = hour * _HOUR + minute
    return minutes if minute < _HOUR and minutes < _DAY else None


def is_date_time(text: str) -> bool:
    """
    ``date-time`` of RFC 3339, section 5.6; ``T`` and ``Z`` may be small letters.
    """
    return (
        text[_DATE_LENGTH : _DATE_LENGTH + 1] in ("T", "t")
        and is_date(text[:_DATE_LENGTH])
        and is_time(text[_DATE_LENGTH + 1 :])
    )


def is_duration(text: str) -> bool:
    """
    ``duration`` of RFC 3339, appendix A, in capital letters.
    """
    return _DURATION.match(text) is not None
