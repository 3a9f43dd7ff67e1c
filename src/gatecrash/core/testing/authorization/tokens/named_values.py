"""Session values derived from the user name alone: the name itself, in base64, as a hash, in an object.

for made in made_of(b"YW5u", {"ann"}):
    made.told                  "in base64"
    made.of("bob")             the value that would be another's
"""

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable
from urllib.parse import unquote_to_bytes

from gatecrash.core.testing.authorization.tokens.made_values import HASHES, Made, around, hashed, quoted, says_little
from gatecrash.core.testing.authorization.tokens.signed_values import unpadded

_LEAST_NAME = 3
_HEX = re.compile(rb"[0-9a-f]+|[0-9A-F]+")


def made_of(value: bytes, names: Iterable[str]) -> Made | None:
    """How a value is made of one of these names, in whatever case; None where it holds anything that nobody could know."""
    is_quoted = b"%" in value
    plain = unquote_to_bytes(value) if is_quoted else value
    for name in sorted(each for each in names if len(each) >= _LEAST_NAME and "=" not in each):
        found = _made(plain, name)
        if found is not None:
            return around(found, quoted) if is_quoted else found
    return None


def _made(value: bytes, name: str) -> Made | None:
    if value.lower() == name.encode():
        return Made(name, "the name itself", str.encode)
    if value[::-1].lower() == name.encode():
        return Made(name, "the name from behind", lambda other: other.encode()[::-1])
    digest = HASHES.get(len(value)) if _HEX.fullmatch(value) else None
    if digest is not None:
        return _hashed(value, name, digest)
    inner = unpadded(value)
    inner_hex = bytes.fromhex(value.decode()) if _HEX.fullmatch(value) and len(value) % 2 == 0 else b""
    for raw, told, wrap in ((inner, "base64", b64encode), (inner_hex, "hexadecimal", lambda raw: raw.hex().encode())):
        below = around(_made(raw, name) if raw else None, wrap, f" in {told}")
        if below is not None:
            return below
    return _in_an_object(value, name)


def _hashed(value: bytes, name: str, digest: str) -> Made | None:
    case: Callable[[bytes], bytes] = bytes.upper if value.isupper() else bytes.lower
    for written in dict.fromkeys((name, name.capitalize(), name.upper())):
        if hashed(digest, written) == value.lower():
            return Made(name, f"the name's {digest.upper()}", lambda other: case(hashed(digest, other)))
    return None


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
    if not holders or not all(each is None or says_little(each) for each in others):
        return None
    return Made(
        name, "an object with the name", lambda other: json.dumps({**told, **dict.fromkeys(holders, other)}).encode()
    )
