"""Signed schemes as people write them, and their mistakes."""

from typing import Any

import pytest

from gatecrash.core.errors import InvalidProfile
from gatecrash.core.testing.profiles.signers.aws_sigv4 import AwsSigV4
from gatecrash.core.testing.profiles.signers.digest import Digest
from gatecrash.core.testing.profiles.signers.hawk import Hawk
from gatecrash.core.testing.profiles.signers.keyed_hash import KeyedHash
from gatecrash.core.testing.profiles.signers.message_signature import COMPONENTS, MessageSignature
from gatecrash.core.testing.profiles.signers.username_token import UsernameToken
from gatecrash.core.testing.profiles.signing import SCHEMES
from gatecrash.core.testing.profiles.signing_document import read_signer

RIGHT: dict[str, tuple[dict[str, Any], Any]] = {
    "aws_sigv4": (
        {"access_key": "a", "secret_key": "s", "region": "r", "service": "x"},
        AwsSigV4(access_key="a", secret_key="s", region="r", service="x"),
    ),
    "hawk": ({"key_id": "i", "key": "k", "algorithm": "sha1"}, Hawk(key_id="i", key="k", algorithm="sha1")),
    "http_message_signature": (
        {"key_id": "i", "key": "c2VjcmV0", "algorithm": "hmac-sha256", "tag": "app"},
        MessageSignature(key_id="i", key="c2VjcmV0", algorithm="hmac-sha256", components=COMPONENTS, tag_value="app"),
    ),
    "hmac": (
        {"key": "k", "header": "X-S", "signed": "${body}", "headers": {"X-T": "${timestamp}"}},
        KeyedHash(key="k", header="X-S", signed="${body}", headers=(("X-T", "${timestamp}"),)),
    ),
    "ws_username_token": (
        {"username": "u", "password": "p", "kind": "digest"},
        UsernameToken(username="u", password="p", kind="digest"),
    ),
    "digest": ({"username": "u", "password": "p"}, Digest(username="u", password="p")),
}


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
def test_every_scheme_is_read(scheme: str) -> None:
    given, expected = RIGHT[scheme]
    assert read_signer({"scheme": scheme, **given}, "sign") == expected


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({"scheme": "rot13"}, "sign.scheme: is none of aws_sigv4, hawk, "),
        ({}, "sign.scheme: is required"),
        ({"scheme": "hawk", "key": "k"}, "sign.key_id: is required"),
        ({"scheme": "hawk", "region": "r"}, "sign: 'region' is no field of the scheme hawk"),
        ({"scheme": "hmac", "key": "k", "header": "h", "signed": "${bdy}"}, "sign.signed: ${bdy} is none of"),
        ({"scheme": "hmac", "key": "zz", "header": "h", "signed": "", "key_encoding": "hex"}, "sign.signed: is empty"),
        (
            {"scheme": "hmac", "key": "zz", "header": "h", "signed": "x", "key_encoding": "hex"},
            "sign.key: is not written",
        ),
        (
            {"scheme": "http_message_signature", "key_id": "i", "key": "hunter2!", "algorithm": "ed25519"},
            "sign.key: is no key for ed25519",
        ),
        (
            {
                "scheme": "http_message_signature",
                "key_id": "i",
                "key": "x",
                "algorithm": "ed25519",
                "components": ["@mthd"],
            },
            "sign.components[0]: is none of @method",
        ),
    ],
)
def test_mistakes_are_told_with_their_place_and_without_the_key(document: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidProfile) as caught:
        read_signer(document, "sign")
    assert str(caught.value).startswith(told)
    assert "hunter2" not in str(caught.value)


def test_a_key_that_a_login_hands_out_is_not_read_before() -> None:
    given = {"scheme": "http_message_signature", "key_id": "i", "key": "${key}", "algorithm": "ed25519"}
    assert isinstance(read_signer(given, "sign"), MessageSignature)
