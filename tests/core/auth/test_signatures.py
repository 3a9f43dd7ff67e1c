"""How signatures are written."""

import base64
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.signatures import (
    SHAPES,
    is_digest,
    is_labelled,
    is_of_key_pair,
    is_timestamped,
    is_versioned,
    pairs,
)

HEX = hashlib.sha256(b"x").hexdigest().encode()


def test_a_digest_has_the_length_of_one_in_use():
    assert is_digest(HEX)
    assert is_digest(hashlib.md5(b"x").hexdigest().encode())
    assert not is_digest(HEX[:-2])
    assert not is_digest(b"g" + HEX[1:-1])


def test_a_private_keys_signature_is_longer_than_most_digests():
    assert is_of_key_pair(base64.b64encode(bytes(64)))
    assert not is_of_key_pair(base64.b64encode(bytes(63)))
    assert not is_of_key_pair(b"Kind regards, and until soon" * 5)


def test_labels_and_versions():
    assert is_labelled(b"sha256=" + HEX)
    assert is_labelled(b"v1=" + HEX + b",v1=" + HEX)
    assert not is_labelled(HEX)
    assert is_versioned(b"v1," + HEX)
    assert not is_versioned(b"v1," + HEX + b" junk")


def test_a_time_alone_and_a_digest_alone_are_not_both():
    assert is_timestamped(b"t=1700000000,v1=" + HEX)
    assert not is_timestamped(b"t=1700000000,v1=no")
    assert not is_timestamped(b"v1=" + HEX)


def test_pairs_with_any_separator():
    assert dict(pairs(b'a=1; B="two words" & c==')) == {b"a": b"1", b"b": b"two words", b"c": b"="}


@pytest.mark.parametrize("shape", SHAPES)
@given(value=st.binary(max_size=80))
def test_arbitrary_bytes_never_raise(shape, value):
    assert SHAPES[shape](value) in (True, False)


@pytest.mark.parametrize("missing", [None, "Username", "PasswordDigest", "Nonce", "Created"])
def test_a_username_token_has_all_its_parts(missing):
    parts = {"Username": "bob", "PasswordDigest": "quR/EWLAV4xLf9Zqyw4pDmfV9OY=", "Nonce": "d36e31", "Created": "2003"}
    pairs = ", ".join(f'{name}="{value}"' for name, value in parts.items() if name != missing).encode()
    assert SHAPES["username_token"](b"UsernameToken " + pairs) is (missing is None)
    assert SHAPES["username_token"](b"Other " + pairs) is False
