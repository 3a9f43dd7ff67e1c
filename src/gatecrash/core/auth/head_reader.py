"""The head of a raw request, read for the headers that somebody asks for: of a browser's twelve, four.

Whoever only counts needs no more, and nothing is made of the others: no pair, no copy of a value. Each spelling of a
name is looked at once in its life, and lines that hold no secret and come again just so are not cut twice. Heads that are
written as nearly all are written are read here; of any other None is said, and whoever reads strictly has the word.
"""

from collections.abc import Callable

from gatecrash.core.message import Headers

# The bytes of a token (RFC 9110 section 5.6.2).
_TOKEN = b"!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_METHODS = {name.encode(): name for name in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")}
_VERSION = b"HTTP/1.1"
_LINE_ENDS = b"\r\n"
# Headers without secrets of which a client sends the same line each time: only these lines are remembered as they are.
_STEADY = frozenset(
    (
        b"HOST ACCEPT ACCEPT-LANGUAGE ACCEPT-ENCODING ACCEPT-CHARSET CACHE-CONTROL CONNECTION CONTENT-TYPE DNT ORIGIN"
        b" PRAGMA PRIORITY SAVE-DATA TE UPGRADE-INSECURE-REQUESTS USER-AGENT SEC-CH-UA SEC-CH-UA-MOBILE"
        b" SEC-CH-UA-PLATFORM SEC-FETCH-DEST SEC-FETCH-MODE SEC-FETCH-SITE SEC-FETCH-USER SEC-GPC"
        b" X-FORWARDED-HOST X-FORWARDED-PORT X-FORWARDED-PROTO X-REQUESTED-WITH"
        b" X-ORIGINAL-HOST X-ORIGINAL-METHOD X-ORIGINAL-SCHEME"
    ).split()
)
_MOST_SPELLINGS = 8192
_MOST_LINES = 4096
_LONGEST_LINE = 512
# What becomes of the lines of a name.
_NO_NAME, _DULL, _STEADY_DULL, _KEPT, _STEADY_KEPT = range(5)

Pair = tuple[bytes, bytes]
# Method, raw target, and the headers that are asked for, in order and in their own spelling.
Read = tuple[str, bytes, Headers]


class _Names(dict[bytes, int]):
    """From a name's raw spelling to what becomes of its lines."""

    def __init__(self, wanted: Callable[[bytes], bool]) -> None:
        super().__init__()
        self._wanted = wanted

    def __missing__(self, spelling: bytes) -> int:
        if not spelling or spelling.translate(None, _TOKEN):
            return _NO_NAME
        name = spelling.upper()
        kind = (_KEPT if self._wanted(name) else _DULL) + (name in _STEADY)
        # Clients choose spellings, so the table must not grow for ever.
        if len(self) < _MOST_SPELLINGS:
            self[spelling] = kind
        return kind


def every_header(name: bytes) -> bool:
    """For a reader that keeps all of them."""
    del name
    return True


class HeadReader:
    """Reads heads for whoever wants certain headers. Bounded, not shared between threads."""

    def __init__(self, wanted: Callable[[bytes], bool] = every_header) -> None:
        """wanted: whether anybody asks for a header; its name is given in capitals."""
        self._names = _Names(wanted)
        # Of each line its header; None where nobody asks for it.
        self._lines: dict[bytes, Pair | None] = {}

    def read(self, head: bytes) -> Read | None:
        """The head, given without its empty line; None where it is written in any but the usual way."""
        lines = head.splitlines()
        # Where a CR or an LF stood alone, which some take for a line's end and some do not, the lengths differ; unless one
        # ended the last line, which then makes up for another.
        if not lines or len(b"\r\n".join(lines)) != len(head) or head[-1] in _LINE_ENDS or 0 in head:
            return None
        first = lines[0].split(b" ")
        method = _METHODS.get(first[0])
        if method is None or len(first) != 3 or first[2] != _VERSION or not first[1]:
            return None
        del lines[0]
        headers = self._headers(lines)
        return None if headers is None else (method, first[1], headers)

    def _headers(self, lines: list[bytes]) -> Headers | None:
        kept: list[Pair] = []
        names, remembered = self._names, self._lines
        for line in lines:
            # No default to compare with by identity: compiled, a pair is packed anew at each step.
            if line in remembered:
                header = remembered[line]
                if header is not None:
                    kept.append(header)
                continue
            name, colon, value = line.partition(b":")
            kind = names[name]
            if not colon or kind == _NO_NAME:
                return None
            if kind == _DULL:
                continue
            header = (name, value.strip(b" \t")) if kind >= _KEPT else None
            if kind != _KEPT:
                self._remember(line, header)
            if header is not None:
                kept.append(header)
        return tuple(kept)

    def _remember(self, line: bytes, header: Pair | None) -> None:
        if len(line) <= _LONGEST_LINE:
            if len(self._lines) >= _MOST_LINES:
                self._lines.clear()
            self._lines[line] = header
