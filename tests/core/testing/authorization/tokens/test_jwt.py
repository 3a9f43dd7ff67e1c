"""Tokens taken apart and written anew, compared with a library that we did not write."""

import json

import jwt as pyjwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.testing.authorization.tokens.jwt import DIGESTS, compact, decode, encode, parse, unsigned, with_hmac

KEY = b"b8f1c64de0a34f2bb1d7c09a7a0e52f2c1d79b34b8f1c64de0a34f2bb1d7c09a7a0e52f2c1d79b34"
CLAIMS = {"sub": "ann", "exp": 4_102_444_800, "roles": ["a", {"b": None}]}


@pytest.mark.parametrize("algorithm", DIGESTS)
def test_what_is_signed_here_is_verified_there_and_the_other_way_round(algorithm):
    made = compact({"alg": algorithm, "typ": "JWT"}, CLAIMS, with_hmac(algorithm, KEY))
    assert pyjwt.decode(made, KEY, algorithms=[algorithm]) == CLAIMS
    token = parse(pyjwt.encode(CLAIMS, KEY, algorithm=algorithm).encode())
    assert (token.payload, token.algorithm, token.expires) == (CLAIMS, algorithm, 4_102_444_800)
    assert encode(with_hmac(algorithm, KEY)(token.signed)) == token.parts[2]


def test_a_payload_that_was_written_already_stays_as_it_is():
    part = encode(json.dumps(CLAIMS, indent=3).encode())
    assert compact({"alg": "none"}, part, unsigned).split(b".")[1:] == [part, b""]


@pytest.mark.parametrize(
    "value",
    [b"", b"3f9a0c77de114b02", b"a.b.c", b"eyJhbGciOiJIUzI1NiJ9", b"eyJhbGciOiJIUzI1NiJ9.W10.c2ln", b"eyJ0eXAiOiJKV1QifQ.e30.c2ln"],
)  # fmt: skip
def test_what_is_no_signed_token_with_claims_is_none(value):
    assert parse(value) is None


@pytest.mark.parametrize("expires", ["soon", None, True, [1]])
def test_a_time_that_is_no_number_is_none(expires):
    assert parse(compact({"alg": "HS256"}, {"exp": expires}, with_hmac("HS256", KEY))).expires is None


@given(st.binary(max_size=40))
def test_base64_for_addresses_and_back(data):
    assert decode(encode(data)) == data


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_are_none(data):
    parse(b"eyJhbGciOiJIUzI1NiJ9." + data + b".c2ln")
    decode(data)
