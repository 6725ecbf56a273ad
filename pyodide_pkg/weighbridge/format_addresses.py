"""
Addresses: of a machine, of a mailbox, of anything that has a URI.
"""

from __future__ import annotations

import re

_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4 = re.compile(rf"{_OCTET}(?:\.{_OCTET}){{3}}\Z")
_GROUP = re.compile(r"[0-9A-Fa-f]{1,4}\Z")
_GROUPS = 8

#: The longest spelling: six groups of four and an IPv4 address.
_IPV6_LENGTH = len("0000:0000:0000:0000:0000:0000:255.255.255.255")

#: RFC 5321, section 4.5.3.1, in octets; both parts are ASCII.
_LOCAL_LENGTH = 64
_DOMAIN_LENGTH = 255

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]++"
_LOCAL = re.compile(rf"(?:{_ATOM}(?:\.{_ATOM})*+|\"(?:[ !#-\[\]-~]|\\[ -~])*+\")\Z")
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_DOMAIN = re.compile(rf"{_LABEL}(?:\.{_LABEL})*\Z")
_IPV6_TAG = re.compile(r"[Ii][Pp][Vv]6:")

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+:")
_UNRESERVED = r"A-Za-z0-9._~!$&'()*+,;=\-"
_ESCAPE = "%[0-9A-Fa-f]{2}"
_PATH = re.compile(rf"(?:[{_UNRESERVED}:@/]++|{_ESCAPE})*+\Z")
_QUERY = re.compile(rf"(?:[{_UNRESERVED}:@/?]++|{_ESCAPE})*+\Z")
_USER = re.compile(rf"(?:[{_UNRESERVED}:]++|{_ESCAPE})*+\Z")
_NAME = re.compile(rf"(?:[{_UNRESERVED}]++|{_ESCAPE})*+\Z")
_FUTURE = re.compile(rf"[vV][0-9A-Fa-f]++\.[{_UNRESERVED}:]++\Z")
_PORT = re.compile(r"(?::[0-9]*+)?+\Z")


def is_ipv4(text: str) -> bool:
    """
    Four decimal octets without leading zeros, as RFC 2673, section 3.2, is read.
    """
    return _IPV4.match(text) is not None


def is_ipv6(text: str) -> bool:
    """
    RFC 4291, section 2.2: eight groups, ``::`` for one or more of them, IPv4 at the end.
    """
    if len(text) > _IPV6_LENGTH:
        return False
    head, gap, tail = text.partition("::")
    if "::" in tail or (gap and tail.startswith(":")):
        return False
    before = head.split(":") if head else []
    after = tail.split(":") if tail else []
    groups = before + after
    last_is_ipv4 = bool(groups) and "." in groups[-1]
    if last_is_ipv4 and (not is_ipv4(groups.pop()) or (gap and not tail)):
        return False
    if not all(map(_GROUP.match, groups)):
        return False
    count = len(groups) + 2 * last_is_ipv4
    return count < _GROUPS if gap else count == _GROUPS


def is_email(text: str) -> bool:
    """
    ``Mailbox`` of RFC 5321, section 4.1.2: atoms or one quoted string, a domain or an address.
    """
    if len(text) > _LOCAL_LENGTH + 1 + _DOMAIN_LENGTH:
        return False
    local, at, domain = text.rpartition("@")
    if not at or len(local) > _LOCAL_LENGTH or len(domain) > _DOMAIN_LENGTH:
        return False
    if _LOCAL.match(local) is None:
        return False
    if domain.startswith("[") and domain.endswith("]"):
        inside = domain[1:-1]
        tag = _IPV6_TAG.match(inside)
        return is_ipv4(inside) if tag is None else is_ipv6(inside[tag.end() :])
    return _DOMAIN.match(domain) is not None


def is_uri(text: str) -> bool:
    """
    ``URI`` of RFC 3986, section 3: with its scheme, and ASCII.
    """
    scheme = _SCHEME.match(text)
    if scheme is None:
        return False
    rest, _, fragment = text[scheme.end() :].partition("#")
    hierarchy, _, query = rest.partition("?")
    if hierarchy.startswith("//"):
        authority, slash, path = hierarchy[2:].partition("/")
        if not _is_authority(authority):
            return False
        hierarchy = slash + path
    return (
        _PATH.match(hierarchy) is not None
        and _QUERY.match(query) is not None
        and _QUERY.match(fragment) is not None
    )


def _is_authority(text: str) -> bool:
    user, _, place = text.rpartition("@")
    if _USER.match(user) is None:
        return False
    if place.startswith("["):
        literal, closed, port = place[1:].partition("]")
        return (
            bool(closed)
            and _PORT.match(port) is not None
            and (is_ipv6(literal) or _FUTURE.match(literal) is not None)
        )
    name, colon, port = place.partition(":")
    return _NAME.match(name) is not None and _PORT.match(colon + port) is not None
