"""Signature v4 against the examples of Amazon S3's own documentation, and what must be signed besides."""

import msgspec
import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.profiles.moment import Moment
from gatecrash.core.testing.profiles.signers.aws_sigv4 import AwsSigV4, canonical_query, points, sign

KEYS = AwsSigV4(
    access_key="AKIAIOSFODNN7EXAMPLE",
    secret_key="wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    region="us-east-1",
    service="s3",
)
NOW = Moment(now=1369353600.0, nonce="n")  # 2013-05-24 00:00:00 UTC
HOST = (b"Host", b"examplebucket.s3.amazonaws.com")


def signature(request: Request, config: AwsSigV4 = KEYS) -> str:
    value = sign(config, request, NOW).first(b"Authorization") or b""
    return value.decode().rpartition("Signature=")[2]


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (b"/?lifecycle", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        (b"/?max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ],
)
def test_the_documented_examples_give_the_documented_signatures(target: bytes, expected: str) -> None:
    assert signature(Request("GET", target, (HOST,))) == expected


def test_what_a_payload_changed_is_signed_and_an_old_signature_replaced() -> None:
    once = sign(KEYS, Request("POST", b"/a", (HOST,), b"x"), NOW)
    changed = msgspec.structs.replace(once, body=b"x' OR 1", target=b"/a?q=%27")
    again = sign(KEYS, changed, NOW)
    assert again.first(b"Authorization") != once.first(b"Authorization")
    assert sum(name == b"Authorization" for name, _ in again.headers) == 1
    assert sign(KEYS, again, NOW) == again, "signing twice changes nothing"


def test_a_session_token_travels_and_is_signed() -> None:
    config = msgspec.structs.replace(KEYS, session_token="FwoGZXIvYXdzEXAMPLE")
    signed = sign(config, Request("GET", b"/", (HOST,)), NOW)
    assert signed.first(b"X-Amz-Security-Token") == b"FwoGZXIvYXdzEXAMPLE"
    assert b"x-amz-security-token" in (signed.first(b"Authorization") or b"")


def test_paths_are_encoded_once_for_s3_and_normalised_and_encoded_twice_elsewhere() -> None:
    other = msgspec.structs.replace(KEYS, service="execute-api")
    same = {
        signature(Request("GET", target, (HOST,)), other) for target in (b"/a/./b", b"/a/b", b"/a//b", b"/a/c/../b")
    }
    assert len(same) == 1
    assert signature(Request("GET", b"/a/./b", (HOST,))) != signature(Request("GET", b"/a/b", (HOST,)))


def test_the_query_is_sorted_by_its_encoded_names_and_values() -> None:
    assert canonical_query(b"b=2&a=%7e&a=1&c&d=a+b") == "a=1&a=~&b=2&c=&d=a%2Bb"


def test_the_proof_stands_in_the_authorization_header() -> None:
    assert points(KEYS)[0] == ("header", "AUTHORIZATION")
