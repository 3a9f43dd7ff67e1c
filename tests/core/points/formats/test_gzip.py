"""Compressed streams, bounded."""

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.points.codec import LIMITS, Limits, Unreadable
from gatecrash.core.points.formats.gzip import DEFLATE, GZIP

MIB = 1024 * 1024


@given(st.binary())
def test_what_is_written_is_read(value: bytes) -> None:
    for codec, data in ((GZIP, gzip.compress(b"x")), (DEFLATE, zlib.compress(b"x"))):
        part = codec.parts(data, LIMITS, 32)[0]
        assert codec.parts(codec.encode(data, part, value), LIMITS, 32)[0].value == value


def test_what_packs_too_well_is_stored_so_that_it_can_be_read() -> None:
    part = GZIP.parts(gzip.compress(b"x"), LIMITS, 32)[0]
    assert GZIP.parts(GZIP.encode(b"", part, bytes(MIB)), LIMITS, 32)[0].value == bytes(MIB)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x1f\x8b\x08",
        gzip.compress(b"hello", mtime=0)[:-1],
        gzip.compress(b"hello", mtime=0) + b"x",
        gzip.compress(b"a", mtime=0) * 2,
        b"\x1f\x8b\x08" + b"\xff" * 40,
    ],
)
def test_a_broken_stream_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable):
        GZIP.parts(data, LIMITS, 32)


def test_expansion_and_size_are_bounded() -> None:
    with pytest.raises(Unreadable, match="more than"):
        GZIP.parts(gzip.compress(bytes(MIB)), LIMITS, 32)
    random_enough = gzip.compress(b"".join(b"%d" % n for n in range(5000)))
    with pytest.raises(Unreadable, match="more than 1000 bytes"):
        GZIP.parts(random_enough, Limits(decompressed=1000), 32)
