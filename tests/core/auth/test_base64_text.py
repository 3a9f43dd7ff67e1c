"""Base64 as credentials write it."""

import base64

from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.base64_text import decoded, decoded_url


@given(st.binary(min_size=1, max_size=60))
def test_both_alphabets_with_and_without_padding(data):
    assert decoded(base64.b64encode(data)) == decoded(base64.b64encode(data).rstrip(b"=")) == data
    assert decoded_url(base64.urlsafe_b64encode(data)) == data


@given(st.binary(max_size=60))
def test_arbitrary_bytes_never_raise(value):
    for read in (decoded, decoded_url):
        assert read(value) is None or isinstance(read(value), bytes)


def test_the_alphabets_are_not_mixed():
    assert decoded(b"ab-_") is None
    assert decoded_url(b"ab+/") is None
    assert decoded(b"") is None
