r"""Multipart form data (RFC 7578): `["post", "multipart", NAME]`, with `filename` and `content_type` behind the name.

A file name's `\"` and `\\` are read as quoted pairs and written so; other backslashes are themselves, as browsers send them.
Where there is only `filename*=UTF-8''…` (RFC 8187), which some clients send, that is the file name.
"""

import re
from typing import Final

from gatecrash.core.errors import UnwritableValue
from gatecrash.core.points.codec import OPAQUE, Codec, Limits, Part, Unreadable, text
from gatecrash.core.points.naming import distinct
from gatecrash.core.points.percent import quoter, unquote

FILE_NAME: Final = 10
CONTENT_TYPE: Final = 11
BARE_FILE_NAME: Final = 12  # without quotes: writing adds them
EXTENDED_FILE_NAME: Final = 13  # in percent codes

_BOUNDARY: Final = re.compile(rb';[ \t]*+boundary=(?:"([^"]++)"|([^;,\s"]++))', re.IGNORECASE)
_DISPOSITION: Final = re.compile(rb"(?:\A|\r\n)content-disposition:([^\r\n]*+)", re.IGNORECASE)
_TYPE: Final = re.compile(rb"(?:\A|\r\n)content-type:[ \t]*+([^\r\n]*+)", re.IGNORECASE)
_PARAMETER: Final = re.compile(rb';[ \t]*+(name|filename)=(?:"((?:[^"\\\r\n]|\\.)*+)"|([^;\s"]*+))', re.IGNORECASE)
_EXTENDED: Final = re.compile(rb";[ \t]*+filename\*=[\w.-]++'[\w-]*+'([^;\s\"]*+)", re.IGNORECASE)
_quote: Final = quoter("-._~")
_PAIR: Final = re.compile(rb'\\(["\\])')
_MAX_HEAD: Final = 16 * 1024


class Multipart(Codec):
    """Reads the fields between delimiters of one boundary."""

    step = "multipart"
    telling = True

    def __init__(self, boundary: bytes) -> None:
        """boundary: as the Content-Type names it, without the two dashes."""
        self._delimiter = b"--" + boundary

    def looks(self, data: bytes, /) -> bool:
        """Whether the data begins with the delimiter."""
        return data.startswith(self._delimiter)

    def parts(self, data: bytes, limits: Limits, _levels: int, /) -> list[Part]:
        """Each field's value, its file name and its content type where it has them."""
        parts: list[Part] = []
        begin = self._first(data)
        mark = b"\r\n" + self._delimiter
        for _ in range(limits.points + 1):
            line = begin + len(self._delimiter)
            if data.startswith(b"--", line):
                return distinct(parts)
            head = data.find(b"\r\n", line)
            if head < 0 or data[line:head].strip(b" \t"):
                raise Unreadable(f"no line end behind the delimiter at byte {begin}")
            finish = data.find(mark, head)
            if finish < 0:
                raise Unreadable("the closing delimiter is missing")
            _read_field(data, begin, head, finish, parts)
            begin = finish + 2
        return distinct(parts)

    def encode(self, _data: bytes, part: Part, value: bytes, /) -> bytes:
        """The value as it is; quoted for a file name."""
        if part.kind in (FILE_NAME, BARE_FILE_NAME):
            if b"\r" in value or b"\n" in value:
                raise UnwritableValue("a file name cannot hold line breaks")
            quoted = value.replace(b"\\", b"\\\\").replace(b'"', b'\\"')
            return quoted if part.kind == FILE_NAME else b'"' + quoted + b'"'
        if part.kind == EXTENDED_FILE_NAME:
            return _quote(value)
        if part.kind == CONTENT_TYPE:
            if b"\r" in value or b"\n" in value or value != value.strip(b" \t"):
                raise UnwritableValue("a content type cannot hold line breaks or blanks around it")
            return value
        if b"\r\n" + self._delimiter in b"\r\n" + value:
            raise UnwritableValue("the value holds the delimiter of the parts")
        return value

    def remove(self, data: bytes, part: Part, /) -> bytes | None:
        """The body without the field; without the parameter or header for a file name or a content type."""
        return data[: part.begin] + data[part.finish :]

    def _first(self, data: bytes) -> int:
        if data.startswith(self._delimiter):
            return 0
        found = data.find(b"\r\n" + self._delimiter)
        if found < 0:
            raise Unreadable("the delimiter that the Content-Type names is not there")
        return found + 2


def _read_field(data: bytes, begin: int, head: int, finish: int, parts: list[Part]) -> None:
    """Note the parts of the field whose head begins at the line end `head` and whose value ends at `finish`."""
    blank = data.find(b"\r\n\r\n", head, min(finish, head + _MAX_HEAD))
    if blank < 0:
        raise Unreadable(f"no blank line behind the head of the part at byte {begin}")
    start = blank + 4
    # A part without headers ends its head where it begins; mypyc cuts no slice that ends before its start.
    top = data[head + 2 : max(blank, head + 2)]
    disposition = _DISPOSITION.search(top)
    found = {} if disposition is None else {m[1].lower(): m for m in _PARAMETER.finditer(disposition[1])}
    name = found.get(b"name")
    steps = (text(_unquote(name)) if name else "",)
    parts.append(Part(steps, start, finish, data[start:finish], begin, finish + 2))
    file_name = found.get(b"filename")
    if disposition is not None and file_name is not None:
        parts.append(_file_name((*steps, "filename"), file_name, head + 2 + disposition.start(1)))
    elif disposition is not None and (extended := _EXTENDED.search(disposition[1])):
        parts.append(_extended_file_name((*steps, "filename"), extended, head + 2 + disposition.start(1)))
    kind = _TYPE.search(top)
    if kind is not None:
        parts.append(_content_type((*steps, "content_type"), kind, head + 2))


def _file_name(steps: tuple[str, ...], match: re.Match[bytes], offset: int) -> Part:
    quoted = match.lastindex == 2
    start, end = match.span(match.lastindex or 0)
    kind = FILE_NAME if quoted else BARE_FILE_NAME
    return Part(
        steps, offset + start, offset + end, _unquote(match), offset + match.start(), offset + match.end(), kind, OPAQUE
    )


def _extended_file_name(steps: tuple[str, ...], match: re.Match[bytes], offset: int) -> Part:
    start, end = match.span(1)
    return Part(
        steps,
        offset + start,
        offset + end,
        unquote(match[1]),
        offset + match.start(),
        offset + match.end(),
        EXTENDED_FILE_NAME,
        OPAQUE,
    )


def _content_type(steps: tuple[str, ...], match: re.Match[bytes], offset: int) -> Part:
    value = match[1].rstrip(b" \t")
    start = offset + match.start(1)
    # The line end before it goes with it on removal; before the first header that is the delimiter's.
    begin = offset + match.start() - (0 if match.start() else 2)
    return Part(steps, start, start + len(value), value, begin, offset + match.end(), CONTENT_TYPE, OPAQUE)


def _unquote(match: re.Match[bytes]) -> bytes:
    return _PAIR.sub(rb"\1", match[2]) if match[2] is not None else match[3]


def boundary_of(content_type: bytes) -> bytes | None:
    """The boundary that a Content-Type names; None where it names none."""
    match = _BOUNDARY.search(content_type)
    return (match[1] or match[2]) if match else None
