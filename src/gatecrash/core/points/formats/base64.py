"""Base64 inside a value, both alphabets, padded or not (RFC 4648 sections 4 and 5). Where it holds a kind and a number, as
GraphQL's global identifiers and the cursors of its lists do (`Card:510`), the number is a place of its own: `["…", "base64", "key"]`.
"""

import binascii
import re
from typing import Final

from gatecrash.core.points.codec import Codec, Limits, Part, Unreadable

_ALPHABET: Final = re.compile(rb"(?:[A-Za-z0-9+/]{8,}+|[A-Za-z0-9_\-]{8,}+)={0,2}")
_NOT_TEXT: Final = bytes(code for code in range(0x20) if code not in b"\t\r\n") + b"\x7f"
_NOT_ASCII: Final = bytes(range(0x80, 0x100))
_PACKED: Final = (b"\x1f\x8b\x08", b"PK\x03\x04")  # gzip, and an archive
_TO_STANDARD: Final = bytes.maketrans(b"-_", b"+/")
_TO_URLSAFE: Final = bytes.maketrans(b"+/", b"-_")
_MIN_TEXT: Final = 6
_MIN_UNICODE: Final = 16
# Padding is no part of a name or a number: `MQ==` is 1, as short identifiers and paths are hidden.
_SHORT_PADDED: Final = re.compile(rb"(?:[A-Za-z0-9+/_-]{4})?(?:[A-Za-z0-9+/_-]{2}==|[A-Za-z0-9+/_-]{3}=)")
_KEYED: Final = re.compile(rb"(?:gid://[\w-]{1,60}/[A-Za-z]\w{0,60}/|[A-Za-z_][\w.]{0,60}[:|])(\d{1,18})")
_KEY: Final = ("key",)
_WORD: Final = re.compile(rb"/?[A-Za-z0-9_.@-]+")


class Base64(Codec):
    """Decodes unasked only what becomes text, a gzip stream or an archive and encodes to the very same bytes again."""

    step = "base64"
    first_bytes = b"+-/0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"

    def looks(self, data: bytes, /) -> bool:
        """Whether the value is base64 beyond doubt: chance makes printable text of random letters about never."""
        if data.endswith(b"=") and _SHORT_PADDED.fullmatch(data) is not None:
            return _is_word(data)
        if len(data) < 8 or _ALPHABET.fullmatch(data) is None:
            return False
        # The first bytes settle nearly every case, so a long token is not decoded in vain.
        try:
            head = binascii.a2b_base64(data[:8].translate(_TO_STANDARD))
            if not head.startswith(_PACKED) and head.translate(None, _NOT_TEXT) != head:
                return False
            decoded = _decode(data)
        except (binascii.Error, Unreadable):
            return False
        return (_is_text(decoded) or decoded.startswith(_PACKED)) and _encode(decoded, data) == data

    def parts(self, data: bytes, _limits: Limits, _levels: int, /) -> list[Part]:
        """The decoded bytes, and behind them what counts in them."""
        decoded, end = _decode(data), len(data)
        whole = Part((), 0, end, decoded, 0, end)
        keyed = _KEYED.fullmatch(decoded)
        return [whole] if keyed is None else [whole, Part(_KEY, 0, end, keyed[1], 0, end)]

    def encode(self, data: bytes, part: Part, value: bytes, /) -> bytes:
        """Base64 in the alphabet and with the padding that was there."""
        before = _decode(data)[: -len(part.value)] if part.steps == _KEY else b""
        return _encode(before + value, data)

    def remove(self, _data: bytes, _part: Part, /) -> bytes | None:
        """Its holder goes."""
        return None


def _decode(data: bytes) -> bytes:
    standard = data.translate(_TO_STANDARD)
    try:
        return binascii.a2b_base64(standard + b"=" * (-len(standard) % 4), strict_mode=True)
    except binascii.Error as error:
        raise Unreadable("not base64") from error


def _is_word(data: bytes) -> bool:
    """Whether it decodes to one word, or a path of one, and the word encodes to the very same bytes again."""
    try:
        decoded = _decode(data)
    except Unreadable:
        return False
    return _WORD.fullmatch(decoded) is not None and _encode(decoded, data) == data


def _encode(value: bytes, like: bytes) -> bytes:
    encoded = binascii.b2a_base64(value, newline=False)
    if b"-" in like or b"_" in like:
        encoded = encoded.translate(_TO_URLSAFE)
    # Where the length needed no padding it cannot be seen whether there would be any: padded is the rule (RFC 4648 3.2).
    return encoded.rstrip(b"=") if len(like) % 4 else encoded


def _is_text(decoded: bytes) -> bool:
    if len(decoded) < _MIN_TEXT or decoded.translate(None, _NOT_TEXT) != decoded:
        return False
    if decoded.isascii():
        return True
    try:
        decoded.decode()
    except UnicodeDecodeError:
        return False
    # Short random bytes are now and then sound UTF-8; they are seldom mostly ASCII as well.
    return len(decoded) >= _MIN_UNICODE and 2 * len(decoded.translate(None, _NOT_ASCII)) > len(decoded)


BASE64 = Base64()
