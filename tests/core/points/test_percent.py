"""Percent codes."""

from urllib.parse import quote_from_bytes, unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.points.percent import for_request_line, quoter, unquote


@pytest.mark.parametrize(
    ("data", "value"),
    [(b"%41%6a%6A", b"Ajj"), (b"%", b"%"), (b"%4", b"%4"), (b"%zz%41", b"%zzA"), (b"+", b"+")],
)
def test_broken_codes_stay(data: bytes, value: bytes) -> None:
    assert unquote(data) == value


@given(st.binary(), st.text(alphabet="%0aF+").map(str.encode))
def test_every_byte_comes_back_as_the_standard_library_reads_it(value: bytes, odd: bytes) -> None:
    assert unquote(quote_from_bytes(value).encode()) == value
    assert unquote(odd) == unquote_to_bytes(odd)


@given(st.binary())
def test_what_is_written_in_codes_is_what_the_standard_library_writes(value: bytes) -> None:
    assert quoter("-_.~")(value) == quote_from_bytes(value, safe="").encode()
    assert quoter("*-._~")(value) == quote_from_bytes(value, safe="*").encode()


@given(st.binary())
def test_any_target_fits_a_request_line_and_says_the_same(target: bytes) -> None:
    written = for_request_line(target)
    assert not set(written) - set(range(0x21, 0x7F))
    assert unquote(written) == unquote(target)
