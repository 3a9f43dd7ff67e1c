"""JSON by our own scanner, because only spans let one value change and every other byte stay (RFC 8259).

Steps: `json_obj` NAME for a member, `json_array` N for an element; a name that occurs twice in one object is numbered
with `array`. A string's value is its text in UTF-8; a number, `true`, `false`, `null`, `{}` and `[]` are their own bytes.
Writing at a string makes a string. Writing at anything else keeps numbers and literals what they are, and makes a
string of the rest; at an object or array, JSON text is written as it is.
Known leniency: bytes that are not UTF-8 pass within strings, so that a tester can put them there.

JSON lines (NDJSON) are documents with line ends between them; the steps are those of an array of all lines.
"""

import re
from typing import Final

import msgspec

from gatecrash.core.points.codec import CONTAINER, LEAF, NAMED, OPAQUE, Codec, Limits, Part, Unreadable, text
from gatecrash.core.points.naming import number_parts

STRING: Final = 10

# Possessive throughout: a scan never goes back, so its time is linear whatever the input.
_BLANK: Final = rb"[ \t\r\n]*+"
_TEXT: Final = rb'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
_SCALAR: Final = rb"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+|true|false|null"
_VALUE: Final = rb"(?:(" + _TEXT + rb")|(" + _SCALAR + rb"|\{" + _BLANK + rb"\}|\[" + _BLANK + rb"\])|([{\[]))"
_ELEMENT: Final = re.compile(_BLANK + _VALUE + _BLANK)
_MEMBER: Final = re.compile(_BLANK + rb"(" + _TEXT + rb")" + _BLANK + rb":" + _BLANK + _VALUE + _BLANK)
_NAME: Final = re.compile(_TEXT)
_KEEPS: Final = re.compile(_SCALAR)
_ESCAPE: Final = re.compile(
    rb"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))"
)
_ESCAPED: Final = {b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t"}
_MUST_ESCAPE: Final = re.compile(rb'[\x00-\x1f"\\]')
_ESCAPES: Final = {b'"': b'\\"', b"\\": b"\\\\", b"\n": b"\\n", b"\r": b"\\r", b"\t": b"\\t"}
_STRING_DECODER: Final = msgspec.json.Decoder(str)

_OPEN_OBJECT: Final = ord("{")


class Json(Codec):
    """Reads a JSON document; each member and element is a part, containers before what they hold."""

    step = "json_doc"
    first_bytes = b"{["
    between = b","

    def looks(self, data: bytes, /) -> bool:
        """Whether the value may be an object or an array; a single scalar is never taken for JSON."""
        return data[:1] in (b"{", b"[") and data[-1:] in (b"}", b"]")

    def parts(self, data: bytes, limits: Limits, levels: int, /) -> list[Part]:
        """The document, then every value in it."""
        return _Scanner(data, limits, levels).scan()

    def encode(self, data: bytes, part: Part, value: bytes, /) -> bytes:
        """A string, or the value as it is where the place held something else and the value is fit for it."""
        if part.kind in (STRING, NAMED):
            return quote(value)
        if _KEEPS.fullmatch(value) is not None:
            return value
        if data[part.start : part.start + 1] in (b"{", b"[") and _is_document(value):
            return value
        return quote(value)

    def name(self, data: bytes, part: Part, /) -> Part | None:
        """A member's name; an element has none."""
        match = _NAME.match(data, part.begin) if part.begin < part.start else None
        if match is None:
            return None
        return Part((), match.start(), match.end(), unquote(match[0]), part.begin, part.finish, NAMED, OPAQUE)

    def remove(self, data: bytes, part: Part, /) -> bytes | None:
        """The document without the member or element and one comma; without the document its holder goes."""
        if not part.steps:
            return None
        after = _skip_blanks(data, part.finish)
        if data[after : after + 1] == b",":
            return data[: part.begin] + data[_skip_blanks(data, after + 1) :]
        before = data[: part.begin].rstrip(b" \t\r\n")
        return before.removesuffix(b",") + data[part.finish :]


class _Frame:
    """A container that is still open."""

    __slots__ = ("count", "names", "part")

    def __init__(self, part: Part, data: bytes) -> None:
        self.part = part
        # The names seen in an object; None for an array, whose elements are counted.
        self.names: set[str] | None = set() if data[part.start] == _OPEN_OBJECT else None
        self.count = 0


class _Scanner:
    """One pass over one document, without recursion."""

    def __init__(self, data: bytes, limits: Limits, levels: int) -> None:
        self._data = data
        self._points = limits.points
        self._levels = levels
        self._parts: list[Part] = []
        self._leaves = 0
        self._repeated = False

    def scan(self) -> list[Part]:
        """All parts, or the first few too many. Raises Unreadable."""
        match = _ELEMENT.match(self._data)
        if match is None:
            raise _broken(0)
        position = self._add((), match, 1, match.start(match.lastindex or 0))
        open_frames: list[_Frame] = []
        if match.lastindex == 3:
            open_frames = [_Frame(self._parts[0], self._data)]
            position = self._walk(open_frames, position)
        elif self._parts[0].kind == LEAF and self._data[self._parts[0].start] in b"{[":
            # An empty document is no leaf: with other text in its place, a body of no declared type were no JSON.
            self._parts[0].kind = CONTAINER
        if position != len(self._data) and not open_frames:
            raise _broken(position)
        if self._repeated:
            number_parts(self._parts)
        # Where there was too much to read on, the end of what is open is not known.
        unfinished = [frame.part for frame in open_frames]
        return [part for part in self._parts if part not in unfinished] if unfinished else self._parts

    def _add(self, steps: tuple[str, ...], match: re.Match[bytes], group: int, begin: int) -> int:
        """Note the value that a match found; give the position behind it and its blanks."""
        found = match.lastindex or 0
        start, end = match.span(found)
        if found == group:
            part = Part(steps, start, end, unquote(match[found]), begin, end, STRING)
        elif found == group + 1:
            part = Part(steps, start, end, match[found], begin, end)
        else:
            self._parts.append(Part(steps, start, end, b"", begin, end, CONTAINER))
            return end
        self._leaves += 1
        self._parts.append(part)
        return match.end()

    def _walk(self, frames: list[_Frame], position: int) -> int:
        """Read what the open container holds, with a stack of our own; give the position behind it.

        Frames are left where there are too many parts.
        """
        parts = self._parts
        most = 4 * self._points  # bounds the containers, which are no points
        while frames:
            frame = frames[-1]
            known = len(parts)
            position = self._element(frame, position) if frame.names is None else self._member(frame, position)
            if parts[known].kind == CONTAINER:
                if len(frames) >= self._levels:
                    raise Unreadable(f"nested more than {self._levels} levels deep")
                frames.append(_Frame(parts[known], self._data))
            elif self._leaves > self._points or known > most:
                break
            else:
                position = self._close(frames, position)
        return position

    def _element(self, frame: _Frame, position: int) -> int:
        match = _ELEMENT.match(self._data, position)
        if match is None:
            raise _broken(position)
        steps = (*frame.part.steps, "json_array", str(frame.count))
        frame.count += 1
        return self._add(steps, match, 1, match.start(match.lastindex or 0))

    def _member(self, frame: _Frame, position: int) -> int:
        match = _MEMBER.match(self._data, position)
        if match is None:
            raise _broken(position)
        name = text(unquote(match[1]))
        if frame.names is not None:
            self._repeated = self._repeated or name in frame.names
            frame.names.add(name)
        return self._add((*frame.part.steps, "json_obj", name), match, 2, match.start(1))

    def _close(self, frames: list[_Frame], position: int) -> int:
        """Behind a value: a comma, or the end of one container or several."""
        data = self._data
        while frames:
            mark = data[position : position + 1]
            if mark == b",":
                return position + 1
            frame = frames[-1]
            if mark != (b"]" if frame.names is None else b"}"):
                raise _broken(position)
            frame.part.end = frame.part.finish = position + 1
            frames.pop()
            position = _skip_blanks(data, position + 1)
        return position


def _broken(position: int) -> Unreadable:
    return Unreadable(f"not JSON at byte {position}")


def unquote(raw: bytes) -> bytes:
    """The text of a JSON string with its quotes, in UTF-8; half a surrogate pair keeps its own three bytes."""
    if b"\\" not in raw:
        return raw[1:-1]
    try:
        return _STRING_DECODER.decode(raw).encode()
    except (msgspec.DecodeError, UnicodeError):
        return _ESCAPE.sub(_unescape, raw[1:-1])


def quote(value: bytes) -> bytes:
    """The value as a JSON string; only what must be escaped is."""
    return b'"' + _MUST_ESCAPE.sub(_escape, value) + b'"'


def _unescape(match: re.Match[bytes]) -> bytes:
    high, low, single, short = match.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00).encode()
    if single:
        return chr(int(single, 16)).encode("utf-8", "surrogatepass")
    return _ESCAPED.get(short, short)


def _escape(match: re.Match[bytes]) -> bytes:
    return _ESCAPES.get(match[0]) or b"\\u%04x" % match[0][0]


_BLANKS: Final = re.compile(_BLANK)


def _skip_blanks(data: bytes, position: int) -> int:
    match = _BLANKS.match(data, position)
    return match.end() if match else position


def _is_document(value: bytes) -> bool:
    try:
        msgspec.json.decode(value)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False
    return True


class JsonLines(Json):
    """Reads one JSON document a line, as `json_array` N for the Nth line that is not empty."""

    step = "ndjson"
    first_bytes = b"{"

    def looks(self, data: bytes, /) -> bool:
        """Whether one object ends and another begins on the next line, which no single document may hold."""
        return data[:1] == b"{" and _NEXT_LINE.search(data) is not None

    def parts(self, data: bytes, limits: Limits, levels: int, /) -> list[Part]:
        """Every line's document, then every value in it. Raises Unreadable where a line is no JSON."""
        parts: list[Part] = []
        position = line = 0
        # A bounded split: a hostile body of 10 MiB of line ends must not become millions of pieces.
        for piece in data.split(b"\n", limits.points + 1)[: limits.points + 1]:
            if piece.strip(b" \t\r"):
                parts += _moved(_Scanner(piece, limits, levels).scan(), ("json_array", str(line)), position)
                line += 1
                if len(parts) > 4 * limits.points:  # the walk tells by their number that there were too many
                    break
            position += len(piece) + 1
        return parts

    def remove(self, data: bytes, part: Part, /) -> bytes | None:
        """The data without the line, or the line without its member or element."""
        if len(part.steps) > 2:
            return super().remove(data, part)
        end = data.find(b"\n", part.finish)
        return data[: data.rfind(b"\n", 0, part.begin) + 1] + (data[end + 1 :] if end >= 0 else b"")


_NEXT_LINE: Final = re.compile(rb"\}[ \t]*+\r?+\n[ \t]*+\{")


def _moved(parts: list[Part], prefix: tuple[str, ...], offset: int) -> list[Part]:
    for part in parts:
        part.steps = prefix + part.steps
        part.start += offset
        part.end += offset
        part.begin += offset
        part.finish += offset
    return parts


JSON = Json()
JSON_LINES = JsonLines()
