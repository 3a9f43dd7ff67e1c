"""Header values."""

import pytest

from gatecrash.core.errors import UnwritableValue
from gatecrash.core.points.codec import LIMITS
from gatecrash.core.points.formats.header import HEADER, credentials_offset


@pytest.mark.parametrize("value", [b"a\rb", b"a\nb", b"\x00", b" a", b"a ", b"\ta", b"\n"])
def test_what_a_header_cannot_hold_is_refused(value: bytes) -> None:
    with pytest.raises(UnwritableValue):
        HEADER.encode(b"", HEADER.parts(b"x", LIMITS, 32)[0], value)


@pytest.mark.parametrize("value", [b"", b"a b", b"\xff\x01", b'"; drop'])
def test_anything_else_is_written_as_it_is(value: bytes) -> None:
    assert HEADER.encode(b"", HEADER.parts(b"x", LIMITS, 32)[0], value) == value


@pytest.mark.parametrize(
    ("value", "credentials"),
    [(b"Basic abc", b"abc"), (b"Bearer   x y", b"x y"), (b"abc", b"abc"), (b"a.b c", b"a.b c"), (b"", b"")],
)
def test_credentials_stand_behind_the_schemes_word(value: bytes, credentials: bytes) -> None:
    assert value[credentials_offset(value) :] == credentials
