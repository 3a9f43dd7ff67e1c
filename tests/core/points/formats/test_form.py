"""Forms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.points.codec import LIMITS, splice
from gatecrash.core.points.formats.form import FORM


@given(st.binary())
def test_every_byte_string_is_a_form(data: bytes) -> None:
    for part in FORM.parts(data, LIMITS, 32):
        assert splice(data, part.start, part.end, data[part.start : part.end]) == data


def test_a_space_is_written_as_a_plus() -> None:
    place = FORM.parts(b"a=1&b=2", LIMITS, 32)[1]
    assert FORM.encode(b"a=1&b=2", place, b"x y&z") == b"x+y%26z"


@pytest.mark.parametrize(
    ("data", "looks"),
    [
        (b"a=1&b=2", True),
        (b"a[x]=1&b=%41", True),
        (b"a=1", False),
        (b"x?a=1&b=2", False),
        (b"a=1 & b=2", False),
        (b"R&D=x", False),
    ],
)
def test_only_two_plain_pairs_look_like_a_form(data: bytes, looks: bool) -> None:
    assert FORM.looks(data) is looks


def test_a_field_goes_and_an_empty_form_stays() -> None:
    assert FORM.remove(b"a=1&b=2", FORM.parts(b"a=1&b=2", LIMITS, 32)[0]) == b"b=2"
    assert FORM.remove(b"a=1", FORM.parts(b"a=1", LIMITS, 32)[0]) == b""
