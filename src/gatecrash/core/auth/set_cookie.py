"""What an answer's Set-Cookie headers issue (RFC 6265 section 5.2)."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gatecrash.core.auth.placeholders import is_placeholder
from gatecrash.core.message import Response

_SET_COOKIE = b"set-cookie"
_LENGTH = len(_SET_COOKIE)
_MOST_COOKIES = 50
_PAST = re.compile(rb"\b(?:19\d\d|20[01]\d)\b")


class Issued(NamedTuple):
    """One cookie that an answer issues; one that it deletes is none. domain: as written, empty where it has none."""

    name: bytes
    value: bytes
    http_only: bool
    domain: bytes = b""


def issued(response: Response) -> Iterator[Issued]:
    """The cookies that the answer issues, deletions left out."""
    count = 0
    for name, value in response.headers:
        if len(name) == _LENGTH and name.lower() == _SET_COOKIE:
            count += 1
            cookie = parse(value)
            if cookie is not None:
                yield cookie
            if count == _MOST_COOKIES:
                return


def taken_back(response: Response) -> frozenset[bytes]:
    """The names of the cookies that the answer deletes, and does not issue once more."""
    told = (value for name, value in response.headers if len(name) == _LENGTH and name.lower() == _SET_COOKIE)
    deleted = {value.partition(b"=")[0].strip() for value in told if parse(value) is None}
    return frozenset(deleted - {each.name for each in issued(response)})


def parse(header: bytes) -> Issued | None:
    """The cookie of one Set-Cookie value; None where it has no name or is deleted by it."""
    pair, *attributes = header.split(b";")
    name, equals, value = pair.partition(b"=")
    name, value = name.strip(), value.strip().strip(b'"')
    if not equals or not name or is_placeholder(value):
        return None
    http_only, domain = False, b""
    for attribute in attributes:
        key, _, setting = attribute.partition(b"=")
        key = key.strip().lower()
        if key == b"httponly":
            http_only = True
        elif key == b"domain":
            domain = setting.strip()
        elif _deletes(key, setting.strip()):
            return None
    return Issued(name, value, http_only, domain)


def _deletes(key: bytes, setting: bytes) -> bool:
    """Whether the attribute lets the cookie expire at once; a date of before 2020 is one that has passed."""
    if key == b"max-age":
        return setting.startswith(b"-") or setting.strip(b"0") == b""
    return key == b"expires" and _PAST.search(setting) is not None
