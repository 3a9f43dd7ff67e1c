"""What is made of a name, and what is not."""

import base64
import hashlib
import json

import pytest

from gatecrash.core.testing.authorization.tokens.named_values import made_of

NAMES = {"ann", "7", "basket=4"}


def md5(name: str) -> str:
    return hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()


def wrapped(document: object) -> bytes:
    return base64.b64encode(json.dumps(document).encode())


@pytest.mark.parametrize(
    ("value", "bobs"),
    [
        (b"ann", b"bob"),
        (b"nna", b"bob"),
        (b"YW5u", b"Ym9i"),
        (b"616e6e", b"626f62"),
        (md5("ann").encode(), md5("bob").encode()),
        (md5("Ann").upper().encode(), md5("bob").upper().encode()),
        (hashlib.sha256(b"ann").hexdigest().encode(), hashlib.sha256(b"bob").hexdigest().encode()),
        (base64.b64encode(md5("ann").encode()), base64.b64encode(md5("bob").encode())),
        (wrapped({"user": "ann", "role": "user", "id": 4}), wrapped({"user": "bob", "role": "user", "id": 4})),
        (b"%7B%22u%22%3A%22ann%22%7D", b"%7B%22u%22%3A%20%22bob%22%7D"),
    ],
)
def test_what_is_made_of_a_name_alone(value, bobs):
    assert made_of(value, NAMES).of("bob") == bobs


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"7",
        b"4",
        b"ben",
        md5("ann7").encode(),
        b"a9f8" * 8,
        b"YW5uOjE3MDAwMDAwMDA=",
        wrapped({"user": "ann", "token": "8f1c0e7753ab"}),
        wrapped({"user": "ann", "until": 1700000000}),
        wrapped({"user": "ann", "more": {"a": 1}}),
        wrapped(["ann"]),
        b"\xff\xfe",
    ],
)
def test_what_holds_anything_that_nobody_could_know_is_not(value):
    assert made_of(value, NAMES) is None
