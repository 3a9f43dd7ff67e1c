"""Compressed bytes: gzip inside a value, and the content codings of a body that zlib reads (RFC 9110 section 8.4.1)."""

import zlib
from typing import Final

from gatecrash.core.points.codec import LIMITS, Codec, Limits, Part, Unreadable

_GZIP: Final = 31  # zlib's window bits: 15, and 16 for the gzip format
_ZLIB: Final = 15


class Gzip(Codec):
    """Reads one compressed stream; a value written there is compressed anew."""

    step = "gzip"
    first_bytes = b"\x1f"
    telling = True

    def __init__(self, window: int) -> None:
        """window: zlib's window bits, which also choose between the gzip and the zlib format."""
        self._window = window

    def looks(self, data: bytes, /) -> bool:
        """Whether the magic number and the only method there is are present (RFC 1952 section 2.3.1)."""
        return data.startswith(b"\x1f\x8b\x08")

    def parts(self, data: bytes, limits: Limits, _levels: int, /) -> list[Part]:
        """The decompressed bytes."""
        return [Part((), 0, len(data), self._decompress(data, limits), 0, len(data))]

    def encode(self, _data: bytes, _part: Part, value: bytes, /) -> bytes:
        """The value compressed; no time stamp, so the same value gives the same bytes."""
        packed = self._compress(value, 6)
        # What packs too well would be refused as a bomb by the next reader, ourselves included: store it then.
        return packed if len(value) <= LIMITS.expansion * len(packed) else self._compress(value, 0)

    def remove(self, _data: bytes, _part: Part, /) -> bytes | None:
        """Its holder goes."""
        return None

    def _compress(self, value: bytes, level: int) -> bytes:
        engine = zlib.compressobj(level, zlib.DEFLATED, self._window)
        return engine.compress(value) + engine.flush()

    def _decompress(self, data: bytes, limits: Limits) -> bytes:
        allowed = min(limits.decompressed, limits.expansion * len(data))
        engine = zlib.decompressobj(self._window)
        try:
            # One byte more than allowed tells too much from just enough.
            value = engine.decompress(data, allowed + 1)
        except zlib.error as error:
            raise Unreadable("a broken compressed stream") from error
        if len(value) > allowed:
            raise Unreadable(f"decompresses to more than {allowed} bytes")
        if not engine.eof:
            raise Unreadable("a compressed stream that is cut off")
        if engine.unused_data:
            raise Unreadable("bytes behind the end of the compressed stream")
        return value


GZIP = Gzip(_GZIP)
DEFLATE = Gzip(_ZLIB)
