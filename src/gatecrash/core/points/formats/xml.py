"""XML: elements that hold text only, and attributes (`xml_tag` NAME …, then `xml_attr` NAME).

Read by expat for soundness, with our own spans. DTDs are refused, and entities with them: only the five predefined ones
and character references are read. An element that holds elements is a container; text between its elements is not read.
Writing at an element replaces all that is between its tags (comments and CDATA too) with escaped text.
"""

import re
from typing import Final
from xml.parsers import expat
from xml.sax.saxutils import escape

from gatecrash.core.errors import UnwritableValue
from gatecrash.core.points.codec import CONTAINER, Codec, Limits, Part, Unreadable, text
from gatecrash.core.points.naming import distinct

CLOSED: Final = 10  # `<a/>`: its span is the `/>`
ATTRIBUTE: Final = 11
ELEMENT: Final = 12

_TAG: Final = re.compile(rb"<([^\s/>]++)((?:\s++[^\s=/>]++\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'))*+)\s*+(/?)>", re.ASCII)
_ROOT: Final = re.compile(rb"<([A-Za-z_][\w.:-]*+)(?:\s[^<>]*+)?>", re.ASCII)
# What a piece of HTML begins with: somebody's text, and no document.
_OF_PAGES: Final = frozenset(
    b"html body head main nav header footer section article aside div span p a b i u s em strong small big sub sup code pre"
    b" blockquote cite h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table thead tbody tr td th input button select option"
    b" textarea script style iframe object embed video audio picture figure figcaption details font"
    b" center mark del ins kbd samp var abbr marquee template noscript math svg img br hr".split()
)
_ATTRIBUTE: Final = re.compile(rb"(?<!\s)\s++([^\s=]++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')", re.ASCII)
# XML 1.0 section 2.2: what a document can hold at all.
_FOREIGN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_IN_TEXT: Final = {"\r": "&#13;"}
_IN_ATTRIBUTE: Final = {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;", '"': "&quot;", "'": "&apos;"}
# Those of which the ASCII part is the same, and wide ones, whose bodies arrive here as UTF-8 (points/charset.py).
_ENCODINGS: Final = re.compile(
    r"utf-?(?:8|16|32)(?:[bl]e)?|(?:us-)?ascii|iso-?8859-?\d+|latin-?1|(?:windows-?|cp)125\d"
)


class Xml(Codec):
    """Reads a document in UTF-8."""

    step = "xml"
    first_bytes = b"<"

    def looks(self, data: bytes, /) -> bool:
        """Whether a value is a document beyond doubt; a piece of HTML is not."""
        if not data.startswith(b"<") or not data.rstrip().endswith(b">"):
            return False
        if data.startswith(b"<?xml") or b"xmlns" in data:
            return True
        root = _ROOT.match(data)
        return root is not None and root[1].lower() not in _OF_PAGES and data.rstrip().endswith(b"</%s>" % root[1])

    def parts(self, data: bytes, limits: Limits, levels: int, /) -> list[Part]:
        """Elements and attributes in the order of the document."""
        return _Reader(data, limits, levels).read()

    def encode(self, data: bytes, part: Part, value: bytes, /) -> bytes:
        """Escaped text; an element that holds elements takes what is given as it is."""
        if part.kind == CONTAINER:
            return value
        try:
            given = value.decode()
        except UnicodeDecodeError as error:
            raise UnwritableValue("XML cannot hold bytes that are not UTF-8") from error
        if _FOREIGN.search(given):
            raise UnwritableValue("XML cannot hold control characters")
        if part.kind == ATTRIBUTE:
            return escape(given, _IN_ATTRIBUTE).encode()
        return self.insert(data, part, escape(given, _IN_TEXT).encode())

    def insert(self, data: bytes, part: Part, value: bytes, /) -> bytes:
        """The value as it is; an element without content (`<a/>`) becomes two tags around it."""
        if part.kind != CLOSED:
            return value
        tag = _TAG.match(data, part.begin)
        return b">" + value + b"</" + (tag[1] if tag else b"") + b">"

    def remove(self, data: bytes, part: Part, /) -> bytes | None:
        """The document without the element or the attribute; without its root its holder goes."""
        return None if len(part.steps) == 2 else data[: part.begin] + data[part.finish :]


class _TooMany(Exception):
    """There are more points than allowed."""


class _Open:
    """An element whose end is still to come."""

    __slots__ = ("closed", "holds", "part", "pieces")

    def __init__(self, part: Part, closed: bool) -> None:
        self.part = part
        self.closed = closed
        self.holds = False
        self.pieces: list[str] = []


class _Reader:
    """One pass of expat over one document."""

    def __init__(self, data: bytes, limits: Limits, levels: int) -> None:
        self._data = data
        self._points = limits.points
        self._levels = levels
        self._parts: list[Part] = []
        self._leaves = 0
        self._open: list[_Open] = []
        self._parser = expat.ParserCreate("utf-8")
        self._parser.buffer_text = True
        self._parser.buffer_size = 65536
        self._parser.XmlDeclHandler = self._declared
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters

    def read(self) -> list[Part]:
        """All parts, or the first few too many. Raises Unreadable."""
        if self._data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise Unreadable("XML in UTF-16")
        try:
            self._parser.Parse(self._data, True)
        except expat.ExpatError as error:
            raise Unreadable(f"not XML at byte {self._parser.ErrorByteIndex}") from error
        except (UnicodeError, LookupError, ValueError) as error:  # an encoding that expat asks Python for
            raise Unreadable("XML in an encoding that is not read") from error
        except _TooMany:
            unfinished = [element.part for element in self._open]
            self._parts = [part for part in self._parts if part not in unfinished]
        return distinct(self._parts)

    def _declared(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if encoding is not None and _ENCODINGS.fullmatch(encoding.lower()) is None:
            raise Unreadable("XML in an encoding that is not read")

    def _doctype(self, *_: object) -> None:
        raise Unreadable("XML with a document type declaration")

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        begin = self._parser.CurrentByteIndex
        tag = _TAG.match(self._data, begin)
        if tag is None:
            raise Unreadable(f"a tag at byte {begin} that is not understood")
        if len(self._open) >= self._levels:
            raise Unreadable(f"nested more than {self._levels} levels deep")
        before: tuple[str, ...] = ()
        if self._open:
            self._open[-1].holds = True
            before = self._open[-1].part.steps
        closed = tag.end(3) > tag.start(3)
        start = tag.start(3) if closed else tag.end()
        part = Part((*before, "xml_tag", name), start, tag.end(), b"", begin, tag.end(), CLOSED if closed else ELEMENT)
        self._parts.append(part)
        self._open.append(_Open(part, closed))
        self._attributes(part, tag)
        if self._leaves > self._points or len(self._parts) > 4 * self._points:
            raise _TooMany

    def _attributes(self, element: Part, tag: re.Match[bytes]) -> None:
        for match in _ATTRIBUTE.finditer(self._data, tag.start(2), tag.end(2)):
            start, end = match.span(match.lastindex or 0)
            value = _unescape(self._data[start:end])
            steps = (*element.steps, "xml_attr", text(match[1]))
            self._parts.append(Part(steps, start, end, value, match.start(), match.end(), ATTRIBUTE))
            self._leaves += 1
            if self._leaves > self._points:
                return

    def _characters(self, data: str) -> None:
        if self._open and not self._open[-1].holds:
            self._open[-1].pieces.append(data)

    def _end(self, _name: str) -> None:
        element = self._open.pop()
        part = element.part
        if not element.closed:
            part.end = self._parser.CurrentByteIndex
            part.finish = self._data.index(b">", part.end) + 1
        if element.holds:
            part.kind = CONTAINER
        else:
            part.value = "".join(element.pieces).encode()
            self._leaves += 1


_REFERENCE: Final = re.compile(rb"&(?:#x([0-9a-fA-F]++)|#([0-9]++)|([a-z]++));")
_PREDEFINED: Final = {b"lt": b"<", b"gt": b">", b"amp": b"&", b"quot": b'"', b"apos": b"'"}
_LINE_ENDS: Final = re.compile(rb"\r\n|[\t\n\r]")


def _unescape(raw: bytes) -> bytes:
    """An attribute's value as XML reads it (section 3.3.3): white space is a blank, unless it is a reference."""
    plain = _LINE_ENDS.sub(b" ", raw)
    return _REFERENCE.sub(_resolve, plain) if b"&" in plain else plain


def _resolve(match: re.Match[bytes]) -> bytes:
    if match[3]:
        return _PREDEFINED.get(match[3], match[0])
    return chr(int(match[1], 16) if match[1] else int(match[2])).encode()


XML = Xml()
