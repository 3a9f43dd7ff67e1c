"""Basic: base64 of a pair, by RFC 7617."""

import base64

from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.schemes.basic import is_user_and_password

printable = st.text(st.characters(min_codepoint=0x20, exclude_categories=["Cc", "Cs"]), max_size=20)


@given(printable.filter(lambda name: ":" not in name), printable)
def test_any_pair_not_both_empty_is_valid_with_and_without_padding(user, password):
    value = base64.b64encode(f"{user}:{password}".encode())
    assert is_user_and_password(value) == bool(user or password)
    assert is_user_and_password(value.rstrip(b"=")) == bool(user or password)


@given(st.binary(max_size=40))
def test_arbitrary_bytes_never_raise(value):
    assert is_user_and_password(value) in (True, False)


def test_control_characters_are_refused():
    assert not is_user_and_password(base64.b64encode(b"a\n:b"))
