"""The Cookie header: `["header", "COOKIE", "cookie", NAME]`.

Values are percent-decoded, as most frameworks do, but encoded only where a byte could not be sent (RFC 6265 section
4.1.1 read as servers do): blanks inside, quotes and commas go as they are. A cookie's quotes belong to its value.
Where a value came with percent codes its application decodes them, and what is written gets them throughout.
"""

import re
from typing import Final

from gatecrash.core.errors import UnwritableValue
from gatecrash.core.points.codec import NAMED, OPAQUE, Codec, Limits, Part, text
from gatecrash.core.points.percent import quoter, unquote

WITHOUT_EQUALS: Final = 10
_BLANKS: Final = b" \t"
_UNSENDABLE: Final = re.compile(rb"[\x00-\x1f\x7f;]|^[ ]|[ ]\Z|%(?=[0-9A-Fa-f]{2})")
_CODE: Final = re.compile(rb"%[0-9A-Fa-f]{2}")
# What encodeURIComponent leaves as it is (ECMA-262 section 19.2.6.4): it writes nearly all such cookies.
_quote: Final = quoter("-_.!~*'()")
_NO_NAME: Final = re.compile(rb"[\x00-\x1f\x7f;=]|^[ ]|[ ]\Z")


class Cookie(Codec):
    """Reads one Cookie header's value."""

    step = "cookie"
    between = b"; "

    def looks(self, data: bytes, /) -> bool:
        """Whether there is a pair at all."""
        return b"=" in data

    def parts(self, data: bytes, limits: Limits, _levels: int, /) -> list[Part]:
        """The cookies, steps not yet told apart: a request may spread them over several headers (RFC 9113 8.2.3)."""
        parts: list[Part] = []
        position = 0
        for piece in data.split(b";", limits.points + 1)[: limits.points + 1]:
            begin = position + len(piece) - len(piece.lstrip(_BLANKS))
            stripped = piece.strip(_BLANKS)
            position += len(piece) + 1
            if stripped:
                finish = begin + len(stripped)
                name, equals, value = stripped.partition(b"=")
                value = value.lstrip(_BLANKS)
                kind = 0 if equals else WITHOUT_EQUALS
                decoded = unquote(value)
                steps = ("header", "COOKIE", "cookie", text(name.rstrip(_BLANKS)))
                parts.append(Part(steps, finish - len(value), finish, decoded, begin, finish, kind))
        return parts

    def encode(self, data: bytes, part: Part, value: bytes, /) -> bytes:
        """The value, only its unsendable bytes in percent codes, or all that is not plain where there were codes before."""
        if part.kind == NAMED:
            if _NO_NAME.search(value):
                raise UnwritableValue("a cookie's name cannot hold blanks around it, control bytes, = or ;")
            return value
        had_codes = _CODE.search(data, part.start, part.end) is not None
        return self.insert(data, part, _quote(value) if had_codes else _UNSENDABLE.sub(_percent, value))

    def insert(self, _data: bytes, part: Part, value: bytes, /) -> bytes:
        """The value as it is, behind an equals sign."""
        return b"=" + value if part.kind == WITHOUT_EQUALS else value

    def name(self, data: bytes, part: Part, /) -> Part | None:
        """The cookie's name, undecoded."""
        name = data[part.begin : part.finish].partition(b"=")[0].rstrip(_BLANKS)
        return Part((), part.begin, part.begin + len(name), name, part.begin, part.finish, NAMED, OPAQUE)

    def remove(self, data: bytes, part: Part, /) -> bytes | None:
        """The header without the cookie and one semicolon; None where it was the only one."""
        after = data[part.finish :].lstrip(_BLANKS)
        if after.startswith(b";"):
            left = data[: part.begin] + after[1:].lstrip(_BLANKS)
        else:
            left = data[: part.begin].rstrip(b"; \t")
        return left if left.strip(b"; \t") else None


def _percent(match: re.Match[bytes]) -> bytes:
    return b"%%%02X" % match[0][0]


COOKIE = Cookie()
