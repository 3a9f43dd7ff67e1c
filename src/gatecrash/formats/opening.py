"""Which reader a capture wants: found by looking at its first bytes, never by the file's name."""

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, NamedTuple, cast

from gatecrash.core.message import Exchange
from gatecrash.formats import har, jsonl
from gatecrash.formats.capture import Malformed, Reader, UnreadableCapture

_GZIP = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LOOK = 64 * 1024


class Capture(NamedTuple):
    """A capture whose kind is known: "har" or "jsonl", and its items, read as they are asked for."""

    kind: str
    items: Iterator[Exchange | Malformed]


def opened(stream: BinaryIO) -> Capture:
    """A capture of any known kind, gzipped or not.

    Raises UnreadableCapture where the kind is not known; reading the items raises it where the data breaks off.
    """
    looked = io.BufferedReader(cast("io.RawIOBase", stream), _LOOK) if not hasattr(stream, "peek") else stream
    with _broken_off():
        plain = _unzipped(looked)
        if plain.peek(3)[:3] == _BYTE_ORDER_MARK:
            plain.read(3)
        kind, reader = _reader(plain.peek(_LOOK)[:_LOOK])
    return Capture(kind, _guarded(reader(cast("BinaryIO", plain))))


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
        f"The capture begins with {shown!r}: neither HAR nor JSON lines." if text else "The capture is empty."
    )


def _is_har(text: bytes) -> bool:
    """One object whose first member is the log; other members may come first, so any early `"log":` on no full line counts."""
    return text.startswith(b"{") and b'"log"' in text and b'"url"' not in text.partition(b'"log"')[0]


def _is_jsonl(text: bytes) -> bool:
    """Each line is an object."""
    return text.startswith(b"{")


_KINDS: tuple[tuple[str, Callable[[bytes], bool], Reader], ...] = (
    ("har", _is_har, har.read),
    ("jsonl", _is_jsonl, jsonl.read),
)
