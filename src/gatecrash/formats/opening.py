"""Which reader a capture wants: found by looking at its first bytes, never by the file's name."""

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, NamedTuple, cast

from gatecrash.core.message import Exchange
from gatecrash.formats import envoy_log, har, jsonl, nginx_log
from gatecrash.formats.capture import LineReader, Malformed, Reader, UnreadableCapture

_GZIP = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LOOK = 64 * 1024


# Logs that may still grow, by kind.
LINE_READERS: dict[str, LineReader] = {
    "nginx": nginx_log.exchange,
    "envoy": envoy_log.exchange,
    "jsonl": jsonl.exchange,
}
# Logs show only the headers that their format names.
LOGS = frozenset({"nginx", "envoy"})


class Capture(NamedTuple):
    """A capture whose kind is known: "har", "jsonl", "nginx" or "envoy", and its items, read as they are asked for.

    blind: a log whose format names neither an Authorization header nor cookies, so that nothing can be said.
    """

    kind: str
    items: Iterator[Exchange | Malformed]
    blind: bool = False


def opened(stream: BinaryIO) -> Capture:
    """A capture of any known kind, gzipped or not.

    Raises UnreadableCapture where the kind is not known; reading the items raises it where the data breaks off.
    """
    looked = io.BufferedReader(cast("io.RawIOBase", stream), _LOOK) if not hasattr(stream, "peek") else stream
    with _broken_off():
        plain = _unzipped(looked)
        if plain.peek(3)[:3] == _BYTE_ORDER_MARK:
            plain.read(3)
        beginning = plain.peek(_LOOK)[:_LOOK]
        kind, reader = _reader(beginning)
    return Capture(kind, _guarded(reader(cast("BinaryIO", plain))), kind in LOGS and is_blind(beginning))


def kind_of(beginning: bytes) -> str:
    """The kind of capture that begins so.

    Raises UnreadableCapture.
    """
    return _reader(beginning)[0]


def is_blind(beginning: bytes) -> bool:
    """Whether a log's first line has no field for the credentials that are most in use."""
    keys = _first_line(beginning).lower()
    return b"authorization" not in keys and b"cookie" not in keys


def _guarded(items: Iterator[Exchange | Malformed]) -> Iterator[Exchange | Malformed]:
    """The items, errors of decompression named as the file's."""
    with _broken_off():
        yield from items


@contextmanager
def _broken_off() -> Iterator[None]:
    """Name errors of decompression as what they are: the file's."""
    try:
        yield
    except (EOFError, OSError, zlib.error) as error:
        raise UnreadableCapture(f"The compressed capture is broken: {error}") from error


def _unzipped(stream: "BinaryIO | io.BufferedReader") -> io.BufferedReader:
    """The stream itself, or what it holds where it is gzipped."""
    buffered = cast("io.BufferedReader", stream)
    if buffered.peek(2)[:2] != _GZIP:
        return buffered
    return io.BufferedReader(cast("io.RawIOBase", gzip.GzipFile(fileobj=buffered)), _LOOK)


def _reader(beginning: bytes) -> tuple[str, Reader]:
    """The reader for what begins so."""
    text = beginning.lstrip()
    for kind, fits, reader in _KINDS:
        if fits(text):
            return kind, reader
    shown = text[:40].decode("utf-8", "replace")
    raise UnreadableCapture(
        f"The capture begins with {shown!r}: neither HAR nor JSON lines, nor a JSON access log of nginx or Envoy."
        if text
        else "The capture is empty."
    )


def _is_har(text: bytes) -> bool:
    """One object whose first member is the log; other members may come first, so any early `"log":` on no full line counts."""
    return text.startswith(b"{") and b'"log"' in text and b'"url"' not in text.partition(b'"log"')[0]


def _is_jsonl(text: bytes) -> bool:
    """Each line is an object."""
    return text.startswith(b"{")


def _is_nginx(text: bytes) -> bool:
    """An object whose keys are nginx's variables, on a line of its own."""
    line = _first_line(text)
    return line.startswith(b"{") and (
        b'"request_uri"' in line or b'"request_method"' in line or (b'"request"' in line and b'"status"' in line)
    )


def _is_envoy(text: bytes) -> bool:
    """An object with Envoy's name for a status, on a line of its own."""
    line = _first_line(text)
    return line.startswith(b"{") and b'"response_code"' in line and b'"path"' in line


def _first_line(text: bytes) -> bytes:
    return text.lstrip().partition(b"\n")[0]


_KINDS: tuple[tuple[str, Callable[[bytes], bool], Reader], ...] = (
    ("har", _is_har, har.read),
    ("nginx", _is_nginx, nginx_log.read),
    ("envoy", _is_envoy, envoy_log.read),
    ("jsonl", _is_jsonl, jsonl.read),
)
