"""Which reader a capture wants: found by looking at its first bytes, never by the file's name."""

import gzip
import io
from collections.abc import Callable, Iterator
from typing import BinaryIO, cast

from gatecrash.core.message import Exchange
from gatecrash.formats import har, jsonl
from gatecrash.formats.capture import Malformed, Reader, UnreadableCapture

_GZIP = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LOOK = 64 * 1024


def read(stream: BinaryIO) -> Iterator[Exchange | Malformed]:
    """The exchanges of a capture of any known kind, gzipped or not.

    Raises UnreadableCapture where the kind is not known or the compressed data is broken.
    """
    plain = _unzipped(io.BufferedReader(cast("io.RawIOBase", stream), _LOOK) if not hasattr(stream, "peek") else stream)
    try:
        if plain.peek(3)[:3] == _BYTE_ORDER_MARK:
            plain.read(3)
        yield from _reader(plain.peek(_LOOK)[:_LOOK])(cast("BinaryIO", plain))
    except (EOFError, gzip.BadGzipFile, OSError) as error:
        raise UnreadableCapture(f"The compressed capture is broken: {error}") from error


def _unzipped(stream: "BinaryIO | io.BufferedReader") -> io.BufferedReader:
    """The stream itself, or what it holds where it is gzipped."""
    buffered = cast("io.BufferedReader", stream)
    if buffered.peek(2)[:2] != _GZIP:
        return buffered
    return io.BufferedReader(cast("io.RawIOBase", gzip.GzipFile(fileobj=buffered)), _LOOK)


def _reader(beginning: bytes) -> Reader:
    """The reader for what begins so."""
    text = beginning.lstrip()
    for fits, reader in _KINDS:
        if fits(text):
            return reader
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


_KINDS: tuple[tuple[Callable[[bytes], bool], Reader], ...] = ((_is_har, har.read), (_is_jsonl, jsonl.read))
