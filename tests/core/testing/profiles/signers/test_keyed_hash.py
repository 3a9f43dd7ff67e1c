"""Generic HMAC: what is signed is what the template says, over what the request holds now."""

import base64
import hashlib
import hmac

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.profiles.moment import Moment
from gatecrash.core.testing.profiles.signers.keyed_hash import KeyedHash, key_bytes, points, sign, unknown_word

NOW = Moment(now=1700000000.25, nonce="abc123")
REQUEST = Request("POST", b"/v1/orders?b=2&a=1", ((b"Host", b"api.example"), (b"X-Tenant", b"t1")), b'{"n":1}')


def test_a_webhooks_signature() -> None:
    config = KeyedHash(key="s3cret", header="X-Hub-Signature-256", signed="${body}", value="sha256=${signature}")
    expected = hmac.new(b"s3cret", b'{"n":1}', hashlib.sha256).hexdigest()
    assert sign(config, REQUEST, NOW).first(b"X-Hub-Signature-256") == b"sha256=" + expected.encode()


def test_headers_are_set_before_they_are_signed() -> None:
    config = KeyedHash(
        key=base64.b64encode(b"binary\x00key").decode(), key_encoding="base64", key_id="me", header="Authorization",
        algorithm="sha512", encoding="base64", headers=(("X-Date", "${timestamp_ms}"), ("X-Nonce", "${nonce}")),
        signed="${method}\n${host}\n${path}\n${query}\n${header:X-Date}\n${header:x-tenant}\n${body_sha256}",
        value="HMAC ${key_id}:${nonce}:${signature}",
    )  # fmt: skip
    signed = sign(config, REQUEST, NOW)
    text = (
        b"POST\napi.example\n/v1/orders\nb=2&a=1\n1700000000250\nt1\n"
        + hashlib.sha256(REQUEST.body).hexdigest().encode()
    )
    mac = base64.b64encode(hmac.new(b"binary\x00key", text, hashlib.sha512).digest())
    assert signed.first(b"Authorization") == b"HMAC me:abc123:" + mac
    assert signed.first(b"X-Nonce") == b"abc123"
    assert points(config) == (("header", "AUTHORIZATION"), ("header", "X-DATE"), ("header", "X-NONCE"))


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("scheme", b"http"), ("url", b"http://api.example/v1/orders?b=2&a=1"), ("target", b"/v1/orders?b=2&a=1"),
        ("timestamp", b"1700000000"), ("date", b"Tue, 14 Nov 2023 22:13:20 GMT"),
        ("body_md5_base64", base64.b64encode(hashlib.md5(b'{"n":1}').digest())),
        ("body_sha256_base64", base64.b64encode(hashlib.sha256(b'{"n":1}').digest())),
    ],
)  # fmt: skip
def test_every_word_has_its_meaning(word: str, expected: bytes) -> None:
    config = KeyedHash(key="k", header="X-S", signed="${body}", headers=(("X-Word", f"${{{word}}}"),))
    assert sign(config, REQUEST, NOW).first(b"X-Word") == expected


def test_words_that_mean_nothing_and_keys_that_are_none_are_told() -> None:
    assert unknown_word("${method} ${header:X-A}") is None
    assert unknown_word("${method}${methd}") == "methd"
    assert unknown_word("${header}") == "header"
    assert key_bytes(KeyedHash(key="00ff", header="h", signed="", key_encoding="hex")) == b"\x00\xff"
    with pytest.raises(ValueError, match=r".*"):
        key_bytes(KeyedHash(key="not hex", header="h", signed="", key_encoding="hex"))
