"""Percent codes around a whole value that nobody reads as an address: what a page put into a header with
`encodeURIComponent`, or encoded twice.

Query, path, form and cookie are decoded by their own codecs, once. Of any other value its application alone knows that
it is encoded.
"""

import re
from typing import Final

from gatecrash.core.points.codec import Codec, Limits, Part, Unreadable
from gatecrash.core.points.percent import quoter, unquote

# What encodeURIComponent (ECMA-262 section 19.2.6.4) and encoders of forms write, which put a plus for a blank; Python's leaves
# slashes (urllib.parse.quote), of which none begins what is no path.
_ENCODED: Final = re.compile(rb"(?!/)(?:[A-Za-z0-9\-_.!~*'()+/]|%[0-9A-Fa-f]{2})*+")
_NO_TEXT: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# Every decoder reads what is encoded throughout.
_quote: Final = quoter("-_.")


class Percent(Codec):
    """Decodes unasked only what is encoded throughout, and becomes text."""

    step = "percent"
    first_bytes = b"%!'()*+-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    def looks(self, data: bytes, /) -> bool:
        """Whether there is a code, and no sign beside codes that an encoder would not have left."""
        if b"%" not in data or _ENCODED.fullmatch(data) is None:
            return False
        decoded = unquote(data)
        return decoded != data and _NO_TEXT.search(decoded) is None and _is_unicode(decoded)

    def parts(self, data: bytes, _limits: Limits, _levels: int, /) -> list[Part]:
        """The decoded bytes."""
        if _ENCODED.fullmatch(data) is None:
            raise Unreadable("not encoded throughout")
        return [Part((), 0, len(data), unquote(data.replace(b"+", b" ")), 0, len(data))]

    def encode(self, _data: bytes, _part: Part, value: bytes, /) -> bytes:
        """Codes for all but letters, digits and three signs."""
        return _quote(value)

    def remove(self, _data: bytes, _part: Part, /) -> bytes | None:
        """Its holder goes."""
        return None


def _is_unicode(decoded: bytes) -> bool:
    try:
        decoded.decode()
    except UnicodeDecodeError:
        return False
    return True


PERCENT = Percent()
