"""The list of parameters behind a scheme word."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.auth_params import auth_params


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (b"", {}),
        (b"a=1", {b"a": b"1"}),
        (b'A="x, y" , b = z', {b"a": b"x, y", b"b": b"z"}),
        (rb'a="say \"hi\" \\"', {b"a": b'say "hi" \\'}),
        (b", ,a=1,,b=2,", {b"a": b"1", b"b": b"2"}),
        (b"cred=AK/20260101/x, sig=ab==", {b"cred": b"AK/20260101/x", b"sig": b"ab=="}),
        (b'a=""', {b"a": b""}),
        (b"a=1, A=2", None),
        (b'a="open', None),
        (b"a=1 b=2", None),
        (b"token", None),
        (b"=1", None),
    ],
)
def test_pairs(value, expected):
    assert auth_params(value) == expected


names = st.from_regex(rb"[a-z][a-z0-9*-]{0,8}", fullmatch=True)
texts = st.binary(max_size=20).map(lambda raw: bytes(byte for byte in raw if byte >= 0x20 and byte != 0x7F))


@given(st.dictionaries(names, texts, max_size=6))
def test_what_is_quoted_is_read_back(pairs):
    quoted = (
        name + b'="' + value.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"' for name, value in pairs.items()
    )
    assert auth_params(b", ".join(quoted)) == pairs


@given(st.binary(max_size=200))
def test_arbitrary_bytes_never_raise(value):
    assert auth_params(value) is None or isinstance(auth_params(value), dict)


@pytest.mark.parametrize("piece", [b'a="', b"a=", b'\\"', b'a="\\', b", ", b" ", b"a"])
def test_a_long_hostile_value_takes_linear_time(piece):
    start = time.process_time()
    auth_params(piece * 20_000)
    auth_params(b'x="' + piece * 20_000)
    assert time.process_time() - start < 2
