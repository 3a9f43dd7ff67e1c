"""What a session value is made of that others may know, and how it is written around that: percent codes, base64, a hash."""

import hashlib
import re
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import quote_from_bytes

HASHES = {32: "md5", 40: "sha1", 64: "sha256", 128: "sha512"}
"""By how many hexadecimal digits they have."""

_SHORT = re.compile(r"[A-Za-z]{0,12}|\d{1,6}")


class Made(NamedTuple):
    """A value and what it is made of. name: the name or the number. told: how, for people. of: the value that would be
    another's.
    """

    name: str
    told: str
    of: Callable[[str], bytes]


def around(inner: Made | None, wrap: Callable[[bytes], bytes], told: str = "") -> Made | None:
    """The same of a value that holds the inner one, which `wrap` puts in; None where that is none. told: what it says more."""
    if inner is None:
        return None
    made = inner.of
    return inner._replace(told=inner.told + told, of=lambda other: wrap(made(other)))


def quoted(raw: bytes) -> bytes:
    """In percent codes, as a cookie is written."""
    return quote_from_bytes(raw, safe="").encode()


def hashed(digest: str, text: str) -> bytes:
    """The hexadecimal digits of a text's hash, in small letters."""
    return hashlib.new(digest, text.encode(), usedforsecurity=False).hexdigest().encode()


def says_little(value: object) -> bool:
    """Whether what stands beside a name or a number in an object is a short word, a small number, yes or no: nothing secret."""
    return isinstance(value, bool | int | str) and _SHORT.fullmatch(str(value)) is not None
