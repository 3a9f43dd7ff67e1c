"""GraphQL documents: the literal arguments of their fields, for clients that write values into the query itself.

Steps: the fields that lead to the argument, its name, and within it the names of object fields and positions in lists:
`{ user(name: "ann") { posts(first: 3) } }` has `user name` and `user posts first`. A directive counts as a field, `@include`.
Variables, enums, `true` and `null` are no places: what a server would take there is a name, not a value. Aliases are not
shown. Strings are decoded, block strings as they stand; writing makes an ordinary string, or a number where one was.
Standards and references: GraphQL specification (October 2021), sections 2.1 (tokens), 2.4 to 2.9 (values, arguments).
"""

import re
from typing import Final

import msgspec

from gatecrash.core.points.codec import CONTAINER, LEAF, Codec, Limits, Part, Unreadable, text
from gatecrash.core.points.naming import distinct

STRING: Final = 10

# Possessive throughout: a scan never goes back, so its time is linear whatever the input.
_TOKEN: Final = re.compile(
    rb"(?:[ \t\r\n,]|\xef\xbb\xbf|#[^\r\n]*+)*+"
    rb'(?:("""(?:[^"\\]|\\(?:""")?+|"(?!""))*+""")'
    rb'|("(?:[^"\\\r\n]|\\.)*+")'
    rb"|(-?[0-9]++(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+)"
    rb"|([A-Za-z_][A-Za-z0-9_]*+)"
    rb"|(\.\.\.|[!$&():=@\[\]{}|]))"
)
_BLOCK, _TEXT, _NUMBER, _NAME, _MARK = range(1, 6)
_IGNORED: Final = re.compile(rb"(?:[ \t\r\n,]|\xef\xbb\xbf|#[^\r\n]*+)*+")
_BEGINS: Final = re.compile(
    rb"[ \t\r\n,]*+(?:\{[ \t\r\n,]*+(?:[A-Za-z_]|\.\.\.|#)|(?:query|mutation|subscription|fragment)\b[^{]*+\{)"
)
_KEEPS: Final = re.compile(rb"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+")
_MUST_ESCAPE: Final = re.compile(rb'[\x00-\x1f"\\]')
_ESCAPES: Final = {b'"': b'\\"', b"\\": b"\\\\", b"\n": b"\\n", b"\r": b"\\r", b"\t": b"\\t"}
_DECODER: Final = msgspec.json.Decoder(str)

# What is open: a selection set, the arguments of a field, an object or a list within them, or definitions of variables.
_SET, _ARGUMENTS, _OBJECT, _LIST, _SKIPPED = range(5)
_CLOSER: Final = {b"{": b"}", b"(": b")", b"[": b"]"}


class GraphQl(Codec):
    """Reads a document with one operation or several; each literal argument is a part."""

    step = "graphql"
    first_bytes = b"{qmsf \t\r\n"

    def looks(self, data: bytes, /) -> bool:
        """Whether it begins as an operation does; a JSON object begins with a quote behind its brace."""
        return _BEGINS.match(data) is not None

    def parts(self, data: bytes, limits: Limits, levels: int, /) -> list[Part]:
        """The document, then every literal in it."""
        whole = Part((), 0, len(data), b"", 0, len(data), CONTAINER)
        return distinct([whole, *_Scanner(data, limits, levels).scan()])

    def encode(self, _data: bytes, part: Part, value: bytes, /) -> bytes:
        """A string; a number where one was and one is written; the document as it is."""
        if part.kind == CONTAINER or (part.kind == LEAF and _KEEPS.fullmatch(value) is not None):
            return value
        return b'"' + _MUST_ESCAPE.sub(_escape, value) + b'"'

    def remove(self, data: bytes, part: Part, /) -> bytes | None:
        """The document without the argument; without its parentheses too where it was the only one."""
        if not part.steps:
            return None
        before = data[: part.begin].rstrip(b" \t\r\n,")
        ignored = _IGNORED.match(data, part.finish)
        after = data[ignored.end() if ignored else part.finish :]
        if before.endswith(b"(") and after.startswith(b")"):
            return before[:-1] + after[1:]
        return data[: part.begin] + after


class _Frame:
    """Something that is open. path: the steps to it. last: the field or argument named last, at `begin`. count: of a list.

    closer: what ends it. directive: the one named last, whose arguments may follow.
    """

    __slots__ = ("begin", "closer", "count", "directive", "kind", "last", "path")

    def __init__(self, kind: int, path: tuple[str, ...], closer: bytes) -> None:
        self.kind = kind
        self.path = path
        self.closer = closer
        self.last = ""
        self.directive = ""
        self.begin = 0
        self.count = 0

    def inner(self) -> tuple[str, ...]:
        """The steps to what was named last."""
        if self.kind == _LIST:
            return (*self.path, str(self.count))
        return (*self.path, self.last) if self.last else self.path


class _Scanner:
    """One pass over the tokens of a document, without recursion."""

    def __init__(self, data: bytes, limits: Limits, levels: int) -> None:
        self._data = data
        self._points = limits.points
        self._levels = levels
        self._frames: list[_Frame] = []
        self._parts: list[Part] = []
        self._before = b""

    def scan(self) -> list[Part]:
        """All literals, or the first few too many. Raises Unreadable."""
        data = self._data
        position = 0
        while len(self._parts) <= self._points:
            match = _TOKEN.match(data, position)
            if match is None:
                break
            self._take(match)
            position = match.end()
        ignored = _IGNORED.match(data, position)
        if len(self._parts) <= self._points and (self._frames or (ignored and ignored.end() != len(data))):
            raise Unreadable(f"not GraphQL at byte {position}")
        return self._parts

    def _take(self, match: re.Match[bytes]) -> None:
        group = match.lastindex or 0
        token = match[group]
        top = self._frames[-1] if self._frames else None
        if group == _MARK:
            self._mark(token, top)
        elif top is not None and top.kind != _SKIPPED:
            if group == _NAME:
                self._name(token, match.start(group), top)
            else:
                self._literal(group, token, match.start(group), top)
        self._before = token

    def _name(self, token: bytes, begin: int, top: _Frame) -> None:
        """A field, an argument, or a name that stands for a value."""
        if top.kind == _SET and self._before == b"@":
            top.directive = text(b"@" + token)
        elif top.kind == _SET:
            spread = self._before == b"..." or (self._before == b"on" and not top.last)
            top.last = "" if spread else text(token)
            top.directive = ""
        elif self._before == b"$" or (top.kind != _LIST and self._before == b":"):
            top.last = ""
        elif top.kind == _LIST:
            top.count += 1
        else:
            top.last, top.begin = text(token), begin

    def _literal(self, group: int, token: bytes, start: int, top: _Frame) -> None:
        if top.kind == _SET or (top.kind != _LIST and not top.last):
            raise Unreadable(f"not GraphQL at byte {start}")
        end = start + len(token)
        begin = start if top.kind == _LIST else top.begin
        kind, value = (LEAF, token) if group == _NUMBER else (STRING, _unquote(token))
        self._parts.append(Part(top.inner(), start, end, value, begin, end, kind))
        top.count += 1

    def _mark(self, token: bytes, top: _Frame | None) -> None:
        if token in (b"{", b"(", b"["):
            self._open(token, top)
        elif token in b"})]":
            if top is None or top.closer != token:
                raise Unreadable("brackets that do not match")
            self._frames.pop()
            if self._frames:
                self._frames[-1].count += 1

    def _open(self, token: bytes, top: _Frame | None) -> None:
        if len(self._frames) >= self._levels:
            raise Unreadable(f"nested more than {self._levels} levels deep")
        path = top.inner() if top is not None else ()
        if top is None:
            kind = _SET if token == b"{" else _SKIPPED
        elif top.kind == _SKIPPED:
            kind = _SKIPPED
        elif top.kind != _SET:
            kind = _OBJECT if token == b"{" else _LIST
        else:
            kind = _SET if token == b"{" else _ARGUMENTS
            if top.directive and kind == _ARGUMENTS:
                path = (*path, top.directive)
            top.directive = ""
        self._frames.append(_Frame(kind, path, _CLOSER[token]))


def _unquote(token: bytes) -> bytes:
    """The text of a string in UTF-8; of a block string, and of one with odd escapes, what stands between its quotes."""
    if token.startswith(b'"""') and len(token) >= 6:
        return token[3:-3].replace(b'\\"""', b'"""')
    if b"\\" not in token:
        return token[1:-1]
    try:
        return _DECODER.decode(token).encode()
    except (msgspec.DecodeError, UnicodeError):
        return token[1:-1]


def _escape(match: re.Match[bytes]) -> bytes:
    return _ESCAPES.get(match[0]) or b"\\u%04x" % match[0][0]


GRAPHQL = GraphQl()
