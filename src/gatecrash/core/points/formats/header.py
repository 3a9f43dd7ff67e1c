"""One header's value, as it is (RFC 9110 section 5.5)."""

import re
from typing import Final

from gatecrash.core.errors import UnwritableValue
from gatecrash.core.points.codec import Codec, Limits, Part

_UNSENDABLE: Final = re.compile(rb"[\r\n\x00]|^[ \t]|[ \t]\Z")


class Header(Codec):
    """Holds the value whole; decoders look behind an authentication scheme's word."""

    step = "header"

    def looks(self, data: bytes, /) -> bool:
        """Always."""
        return bool(data)

    def parts(self, data: bytes, _limits: Limits, _levels: int, /) -> list[Part]:
        """The value itself."""
        return [Part((), 0, len(data), data, 0, len(data))]

    def encode(self, _data: bytes, _part: Part, value: bytes, /) -> bytes:
        """The value as it is; line breaks and zero bytes end a header, blanks around it are not part of it."""
        if _UNSENDABLE.search(value):
            raise UnwritableValue("a header cannot hold line breaks, zero bytes or blanks around its value")
        return value

    def remove(self, _data: bytes, _part: Part, /) -> bytes | None:
        """Without its value a header goes."""
        return None


def credentials_offset(value: bytes) -> int:
    """Where the credentials begin behind the scheme's word (RFC 9110 section 11.4); 0 where there is none."""
    word, blank, rest = value.partition(b" ")
    return len(value) - len(rest.lstrip(b" ")) if blank and word.isalnum() else 0


HEADER = Header()
