"""What is a JSON Web Token by its look."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.jwt import begins_as_jwt, is_jwt, object_in


def token(header: bytes, rest: bytes = b".e30.c2ln") -> bytes:
    return base64.urlsafe_b64encode(header).rstrip(b"=") + rest


@pytest.mark.parametrize(
    "header", [b'{"alg":"RS256"}', b'{"alg":"none"}', b'{"kid":"\xc3\xbf\xc3\xbf?","alg":"ES256"}']
)
def test_three_parts_whose_header_names_an_algorithm(header):
    assert is_jwt(token(header))


def test_an_empty_signature_and_five_parts_are_well_formed():
    assert is_jwt(token(b'{"alg":"none"}', b".e30."))
    assert is_jwt(token(b'{"alg":"dir"}', b"..aXY.Y3Q.dGFn"))


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"eyJ",
        b"eyJ.eyJ.eyJ",
        token(b'{"alg":""}'),
        token(b'{"alg":7}'),
        token(b'{"typ":"JWT"}'),
        token(b'{"alg":"RS256"}', b".e30"),
        token(b'{"alg":"RS256"}', b".e30.c2ln.more"),
        token(b'{"alg":"RS256"}', b".e30.a.b.c.d"),
        token(b'{"alg":"RS256"}', b".e 30.c2ln"),
        token(b'["alg"]'),
    ],
)
def test_what_is_none(value):
    assert not is_jwt(value)


@pytest.mark.parametrize("header", [b'{"alg":"RS256"}', b'{"alg":7,"typ":"JWT"}', b'{"typ":'])
def test_a_token_that_was_broken_off_begins_as_one(header):
    assert begins_as_jwt(token(header, b""))
    assert begins_as_jwt(token(header))


@pytest.mark.parametrize("encoded", [base64.b64encode, base64.urlsafe_b64encode])
def test_one_object_in_base64_that_names_no_algorithm_is_no_token_of_this_kind(encoded):
    whole = encoded(b'{"user":7,"mark":"\xc3\xbf?>"}')
    assert not begins_as_jwt(whole)
    assert not begins_as_jwt(whole.rstrip(b"="))
    assert begins_as_jwt(whole.rstrip(b"=") + b".c2ln")


@given(st.binary(max_size=80))
def test_arbitrary_bytes_never_raise(tail):
    assert is_jwt(b"eyJ" + tail) in (True, False)


def test_a_segment_holds_an_object_or_nothing():
    assert object_in(base64.urlsafe_b64encode(b'{"sub":"a?>"}').rstrip(b"=")) == {"sub": "a?>"}
    for none in (b"", b"!", b"WzFd", b"eyJ", b"x"):
        assert object_in(none) is None
