"""Bodies whose text is not in UTF-8: points show it in UTF-8, and what is written there is put into the body's own encoding.

    codec = charset_of(request, body)       None for nearly every body

Told are UTF-16 and UTF-32 by their byte order mark or, as RFC 4627 section 3 has it, by where the first zero bytes are; and
single bytes where the Content-Type or the XML declaration names them. A body that does not come out the same when its
text is written again is left as it is.
"""

import codecs
import re
from typing import Final

from gatecrash.core.errors import UnwritableValue
from gatecrash.core.message import Request
from gatecrash.core.points.codec import Codec, Limits, Part, Unreadable

_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED: Final = re.compile(rb"""<\?xml[^>]{0,80}?encoding=["']([\w.:-]{1,40})["']""", re.ASCII)
_PARAMETER: Final = re.compile(rb""";[ \t]*+charset="?([\w.:-]{1,40})""", re.IGNORECASE | re.ASCII)
_SINGLE_BYTES: Final = re.compile(r"(?:iso-?8859-?\d{1,2}|latin-?1|windows-?125\d|cp125\d)", re.IGNORECASE)
# Files and form data with parts are not text as a whole.
_TEXT: Final = re.compile(
    rb"[ \t]*+(?:text/|application/(?:[\w.-]++\+)?+(?:xml|json|csv|x-ndjson|ndjson|x-www-form-urlencoded|graphql)|(?![^ \t;]))",
    re.IGNORECASE,
)


class Charset(Codec):
    """A whole body in one encoding other than UTF-8."""

    step = "post"

    def __init__(self, encoding: str, mark: bytes = b"") -> None:
        """encoding: as Python calls it. mark: the byte order mark that stands before the text."""
        self._encoding = encoding
        self._mark = mark

    def parts(self, data: bytes, _limits: Limits, _levels: int, /) -> list[Part]:
        """The text in UTF-8. Raises Unreadable where it is none, or would not be written as it came."""
        try:
            text = data[len(self._mark) :].decode(self._encoding)
            same = self._mark + text.encode(self._encoding) == data
            value = text.encode()
        except UnicodeError as error:
            raise Unreadable(f"not {self._encoding}") from error
        if not same:
            raise Unreadable(f"{self._encoding} that would be written in another way")
        return [Part(("post",), 0, len(data), value, 0, len(data))]

    def encode(self, _data: bytes, _part: Part, value: bytes, /) -> bytes:
        """The text in the body's encoding. Raises UnwritableValue for what that does not have."""
        try:
            return self._mark + value.decode().encode(self._encoding)
        except UnicodeError as error:
            raise UnwritableValue(f"the body is text in {self._encoding}, which cannot hold the value") from error

    def remove(self, _data: bytes, _part: Part, /) -> bytes | None:
        """An empty body."""
        return b""


def charset_of(request: Request, body: bytes) -> Charset | None:
    """What reads the body's text; None where it is in UTF-8, or no text by its Content-Type."""
    head = body[:4]
    declared = request.first(b"content-type") or b""
    if not _TEXT.match(declared):
        return None
    if b"\x00" in head or head[:1] in (b"\xff", b"\xfe"):
        return _wide(head)
    named = _PARAMETER.search(declared) or (_DECLARED.match(body) if head == b"<?xm" else None)
    if named is None or body.isascii():
        return None
    name = named[1].decode("ascii")
    return Charset(name) if _SINGLE_BYTES.fullmatch(name) and _is_known(name) else None


def _is_known(name: str) -> bool:
    try:
        codecs.lookup(name)
    except LookupError:
        return False
    return True


def _wide(head: bytes) -> Charset | None:
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return Charset(encoding, mark)
    found = _ZEROS.get(tuple(byte == 0 for byte in head))
    return Charset(found) if found else None


# The first two characters of text that programs read are ASCII.
_ZEROS: Final[dict[tuple[bool, ...], str]] = {
    (False, True, False, True): "utf-16-le",
    (True, False, True, False): "utf-16-be",
    (False, True, True, True): "utf-32-le",
    (True, True, True, False): "utf-32-be",
}
