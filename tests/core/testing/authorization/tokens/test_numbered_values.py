"""What is made of a small number, and what is not."""

import hashlib
from base64 import b64encode

import pytest

from gatecrash.core.testing.authorization.tokens.numbered_values import numbered


def md5(number: str) -> bytes:
    return hashlib.md5(number.encode(), usedforsecurity=False).hexdigest().encode()


@pytest.mark.parametrize(
    ("value", "of_another"),
    [
        (b"7", b"8"),
        (b"Nw==", b"OA=="),
        (b"Nw%3D%3D", b"OA%3D%3D"),
        (md5("7"), md5("8")),
        (b64encode(md5("7")), b64encode(md5("8"))),
        (b'{"user_id": 7, "role": "user"}', b'{"user_id": 8, "role": "user"}'),
        (b'a:2:{s:7:"user_id";i:7;s:4:"name";s:3:"ann";}', b'a:2:{s:7:"user_id";i:8;s:4:"name";s:3:"ann";}'),
    ],
)
def test_what_is_made_of_a_small_number_alone(value: bytes, of_another: bytes):
    made = numbered(value)
    assert made is not None
    assert (made.name, made.of("8")) == ("7", of_another)


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"1790000000",
        b"ann",
        b"8f1c0e7753ab21ce",
        md5("no number"),
        b'{"user_id": 7, "token": "8f1c0e7753ab"}',
        b'{"width": 7}',
        b'{"id": true}',
        b'a:2:{s:7:"user_id";i:7;s:3:"key";s:12:"8f1c0e7753ab";}',
        b"\xff\xfe",
    ],
)
def test_what_holds_anything_else_is_not(value: bytes):
    assert numbered(value) is None
