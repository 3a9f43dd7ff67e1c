"""Session values derived from the user name alone: the name itself, in base64, as a hash, in an object.

for made in made_of(b"YW5u", {"ann"}):
    made.told                  "in base64"
    made.of("bob")             the value that would be another's
"""

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable
from typing import NamedTuple
from urllib.parse import quote_from_bytes, unquote_to_bytes

from gatecrash.core.testing.authorization.tokens.signed_values import unpadded

_LEAST_NAME = 3
_HASHES = {32: "md5", 40: "sha1", 64: "sha256", 128: "sha512"}
_HEX = re.compile(rb"[0-9a-f]+|[0-9A-F]+")
_SHORT = re.compile(r"[A-Za-z]{0,12}|\d{1,6}")
_Make = Callable[[bytes], bytes]


class Made(NamedTuple):
    """A value and what it is made of. told: how, for people."""

    name: str
    told: str
    of: Callable[[str], bytes]


def made_of(value: bytes, names: Iterable[str]) -> Made | None:
    """How a value is made of one of these names, in whatever case; None where it holds anything that nobody could know."""
    is_quoted = b"%" in value
    plain = unquote_to_bytes(value) if is_quoted else value
    for name in sorted(each for each in names if len(each) >= _LEAST_NAME and "=" not in each):
        found = _made(plain, name)
        if found is not None:
            return found._replace(of=_around(_quoted, found.of)) if is_quoted else found
    return None


def _quoted(raw: bytes) -> bytes:
    return quote_from_bytes(raw, safe="").encode()


def _made(value: bytes, name: str) -> Made | None:
    if value.lower() == name.encode():
        return Made(name, "the name itself", str.encode)
    if value[::-1].lower() == name.encode():
        return Made(name, "the name from behind", lambda other: other.encode()[::-1])
    digest = _HASHES.get(len(value)) if _HEX.fullmatch(value) else None
    if digest is not None:
        return _hashed(value, name, digest)
    inner = unpadded(value)
    inner_hex = bytes.fromhex(value.decode()) if _HEX.fullmatch(value) and len(value) % 2 == 0 else b""
    for raw, told, wrap in ((inner, "base64", b64encode), (inner_hex, "hexadecimal", lambda raw: raw.hex().encode())):
        below = _made(raw, name) if raw else None
        if below is not None:
            return Made(name, f"{below.told} in {told}", _around(wrap, below.of))
    return _in_an_object(value, name)


def _around(wrap: _Make, make: Callable[[str], bytes]) -> Callable[[str], bytes]:
    return lambda other: wrap(make(other))


def _hashed(value: bytes, name: str, digest: str) -> Made | None:
    case: _Make = bytes.upper if value.isupper() else bytes.lower
    for written in dict.fromkeys((name, name.capitalize(), name.upper())):
        if _hash(digest, written) == value.lower():
            return Made(name, f"the name's {digest.upper()}", lambda other: case(_hash(digest, other)))
    return None


def _hash(digest: str, name: str) -> bytes:
    return hashlib.new(digest, name.encode(), usedforsecurity=False).hexdigest().encode()


def _in_an_object(value: bytes, name: str) -> Made | None:
    """A flat JSON object with the name, and beside it short words and small numbers only."""
    try:
        told = json.loads(value)
    except ValueError:
        return None
    if not isinstance(told, dict):
        return None
    holders = [key for key, each in told.items() if isinstance(each, str) and each.lower() == name]
    others = [each for key, each in told.items() if key not in holders]
    if not holders or not all(
        each is None or (isinstance(each, bool | int | str) and _SHORT.fullmatch(str(each))) for each in others
    ):
        return None
    return Made(
        name, "an object with the name", lambda other: json.dumps({**told, **dict.fromkeys(holders, other)}).encode()
    )
