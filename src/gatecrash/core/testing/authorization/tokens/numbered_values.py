"""Session values made of a small number alone, which somebody has in an application: the number, in base64, as a hash,
in an object.

for made in numbered(b"Nw=="):
    made.told                  "a small number in base64"
    made.of("8")               the value that would be another's
"""

import json
import re
from base64 import b64encode
from urllib.parse import unquote_to_bytes

from gatecrash.core.testing.authorization.tokens.counted_values import number_in
from gatecrash.core.testing.authorization.tokens.made_values import HASHES, Made, around, hashed, quoted, says_little
from gatecrash.core.testing.authorization.tokens.signed_values import unpadded

_NUMBER = re.compile(rb"\d{1,6}")
_HEX = re.compile(rb"[0-9a-f]{32}|[0-9a-f]{40}")
_ID = re.compile(r"_?id|uid|(?:user|account|member|customer)(?:_?(?:id|no|number))?", re.IGNORECASE)
# What PHP's serialize() makes of an array or an object, and the identifier in it.
_SERIALIZED = re.compile(rb"[aO]:\d+:.*\}", re.DOTALL)
_SERIALIZED_ID = re.compile(rb'"(?:id|user_?id|userId|uid)";i:(\d{1,6});')
_SERIALIZED_TEXT = re.compile(rb's:\d+:"([^"]*)"')
_WORDS = re.compile(rb"[A-Za-z_]{0,16}")
_DEEPEST = 2


def numbered(value: bytes, depth: int = 0) -> Made | None:
    """How a value is made of a small number; None where it holds anything else that nobody could know."""
    if b"%" in value and not depth:
        return around(numbered(unquote_to_bytes(value), depth + 1), quoted)
    if _NUMBER.fullmatch(value):
        return Made(value.decode(), "a small number", str.encode)
    if _HEX.fullmatch(value):
        return _hashed(value)
    inner = unpadded(value) if depth < _DEEPEST else b""
    below = around(numbered(inner, depth + 1) if inner else None, b64encode, " in base64")
    return below or _in_an_object(value) or _serialized(value)


def _hashed(value: bytes) -> Made | None:
    number, digest = number_in(value), HASHES[len(value)]
    if number is None:
        return None
    return Made(str(number), f"the {digest.upper()} of a small number", lambda other: hashed(digest, other))


def _in_an_object(value: bytes) -> Made | None:
    """A flat JSON object with one identifier, and beside it short words and small numbers only."""
    try:
        told = json.loads(value)
    except ValueError:
        return None
    if not isinstance(told, dict):
        return None
    holders = [key for key, each in told.items() if _ID.fullmatch(key) and type(each) is int]
    if len(holders) != 1 or not all(map(says_little, told.values())):
        return None
    (key,) = holders
    return Made(
        str(told[key]), "an object with a small number", lambda other: json.dumps({**told, key: int(other)}).encode()
    )


def _serialized(value: bytes) -> Made | None:
    """The same as PHP writes it."""
    found = list(_SERIALIZED_ID.finditer(value)) if _SERIALIZED.fullmatch(value) else []
    texts = _SERIALIZED_TEXT.findall(value)
    if len(found) != 1 or not all(map(_WORDS.fullmatch, texts)):
        return None
    start, end = found[0].span(1)
    return Made(
        value[start:end].decode(),
        "a serialized object with a small number",
        lambda other: value[:start] + other.encode() + value[end:],
    )
