"""How a signature is written: bare digests, labelled ones, and the pairs and lists that hold them.

Nothing is verified; a digest is told by its alphabet and by having the length of one that is in use.
"""

import re
from collections.abc import Callable, Iterator

from gatecrash.core.auth.base64_text import decoded, decoded_url

# MD5, SHA-1, SHA-224, SHA-256, SHA-384, SHA-512, in bytes.
_DIGEST_BYTES = frozenset({16, 20, 28, 32, 48, 64})
# The shortest is of an elliptic curve: two numbers of 32 bytes.
_LEAST_OF_A_KEY_PAIR = 64
_HEX = re.compile(rb"[0-9a-fA-F]+")
_LABELLED = re.compile(rb"(?:hmac-)?(?:md5|sha-?\d{1,3}|v\d{1,2})[=:](.+)", re.IGNORECASE)
_VERSIONED = re.compile(rb"v\d{1,2}a?,([^ ,]+)")
# A name begins where none is under way, or a long run of letters would be tried from each of them.
_PAIR = re.compile(rb"""(?<![A-Za-z0-9_.-])([A-Za-z][A-Za-z0-9_.-]*)[ \t]*=[ \t]*(?:"([^"]*)"|([^",;&\s]*))""")
_TIME = re.compile(rb"\d{9,19}")
# A header holds a few signatures at most, even while keys are exchanged.
_MOST_PIECES = 16


def is_hex(value: bytes) -> bool:
    """Whether the value is a digest in hexadecimal."""
    return len(value) % 2 == 0 and len(value) // 2 in _DIGEST_BYTES and _HEX.fullmatch(value) is not None


def is_base64(value: bytes) -> bool:
    """Whether the value is a digest in base64 or base64url."""
    return len(decoded(value) or decoded_url(value) or b"") in _DIGEST_BYTES


def is_digest(value: bytes) -> bool:
    """Whether the value is a digest in either."""
    return is_hex(value) or is_base64(value)


def is_of_key_pair(value: bytes) -> bool:
    """Whether the value is base64 of a signature that a private key may have made."""
    return len(decoded(value) or b"") >= _LEAST_OF_A_KEY_PAIR


def is_labelled(value: bytes) -> bool:
    """Whether the value is a digest behind its algorithm or version: `sha256=…`, `v0=…`; several with commas between."""
    pieces = value.split(b",", _MOST_PIECES)
    labelled = [_LABELLED.fullmatch(piece.strip()) for piece in pieces]
    return all(one is not None and is_digest(one[1]) for one in labelled)


def is_timestamped(value: bytes) -> bool:
    """Whether the value holds a time and a digest: `t=…,v1=…`, `ts=…;h1=…`."""
    values = [pair for _, pair in pairs(value)]
    return any(_TIME.fullmatch(one) for one in values) and any(is_digest(one) for one in values)


def is_versioned(value: bytes) -> bool:
    """Whether the value is a list such as `v1,…base64… v1,…base64…`."""
    pieces = value.split(b" ", _MOST_PIECES)
    found = [_VERSIONED.fullmatch(piece) for piece in pieces]
    return all(found) and any(one is not None and is_digest(one[1]) for one in found)


def is_username_token(value: bytes) -> bool:
    """Whether the value is `UsernameToken` with a digest of nonce, moment and password beside the first two."""
    word, _, rest = value.partition(b" ")
    named = dict(pairs(rest))
    complete = all(named.get(name) for name in (b"username", b"nonce", b"created"))
    return word.lower() == b"usernametoken" and complete and is_base64(named.get(b"passworddigest", b""))


def pairs(value: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The `name=value` pairs in a value, names in lower case, whatever stands between them."""
    for pair in _PAIR.finditer(value):
        yield pair[1].lower(), pair[3] if pair[2] is None else pair[2]


def is_any(value: bytes) -> bool:
    """Whether the value is a signature in any of these shapes."""
    return is_digest(value) or is_labelled(value) or is_timestamped(value) or is_versioned(value)


SHAPES: dict[str, Callable[[bytes], bool]] = {
    "hex": is_hex,
    "base64": is_base64,
    "labelled": is_labelled,
    "timestamped": is_timestamped,
    "versioned": is_versioned,
    "key_pair": is_of_key_pair,
    "username_token": is_username_token,
    "any": is_any,
}
