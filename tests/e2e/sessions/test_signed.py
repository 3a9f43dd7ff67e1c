"""Signed schemes at targets that verify strictly: changed requests are signed again and taken; without the keys none is."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.e2e.sessions.guarded_shop import Guard, GuardedShop
from tests.e2e.sessions.scanning import POLICY, WEAKNESSES, scanned
from tests.e2e.sessions.verifying import AwsGuard, DigestGuard, HawkGuard, HmacGuard, MessageGuard
from tests.node.loop import run

KEY = Ed25519PrivateKey.generate()


def pem(key: Ed25519PrivateKey) -> str:
    form, coding = serialization.PrivateFormat.PKCS8, serialization.Encoding.PEM
    return key.private_bytes(coding, form, serialization.NoEncryption()).decode()


SCHEMES: dict[str, tuple[Callable[[], Guard], dict[str, Any], dict[str, Any]]] = {
    # The guard, how to sign for it, and the same with a wrong key.
    "aws_sigv4": (
        lambda: AwsGuard("right"),
        {"access_key": "AKID", "secret_key": "right", "region": "eu-west-1", "service": "execute-api"},
        {"secret_key": "wrong"},
    ),
    "hawk": (lambda: HawkGuard("right"), {"key_id": "client", "key": "right"}, {"key": "wrong"}),
    "http_message_signature": (
        lambda: MessageGuard(KEY.public_key()),
        {"key_id": "client", "key": pem(KEY), "algorithm": "ed25519", "nonce": True},
        {"key": pem(Ed25519PrivateKey.generate())},
    ),
    "hmac": (
        lambda: HmacGuard("right"),
        {
            "key": "right",
            "header": "X-Signature",
            "value": "v1=${signature}",
            "headers": {"X-Time": "${timestamp}", "X-Nonce": "${nonce}"},
            "signed": "${method}\n${target}\n${timestamp}\n${nonce}\n${body_sha256}",
        },
        {"key": "wrong"},
    ),
    "digest": (lambda: DigestGuard("right"), {"username": "alice", "password": "right"}, {"password": "wrong"}),
}


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
@run
async def test_changed_requests_are_signed_again_and_taken(scheme: str) -> None:
    guard, given, _ = SCHEMES[scheme]
    async with GuardedShop(guard()) as shop:
        found = await scanned(shop, {"sign": {"scheme": scheme, **given}}, headers=())
    assert found.findings == WEAKNESSES
    assert set(found.reasons.values()) == {None}
    assert found.run["authenticated_share"] == 1.0


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
@run
async def test_with_a_wrong_key_nothing_passes(scheme: str) -> None:
    guard, given, wrong = SCHEMES[scheme]
    async with GuardedShop(guard()) as shop:
        found = await scanned(shop, {"sign": {"scheme": scheme, **given, **wrong}}, headers=())
    assert found.findings == set()
    assert set(found.reasons.values()) == {"auth_failed"}
    assert all(status in (401, 404) for _, status in shop.asked)


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
@run
async def test_without_keys_what_was_recorded_is_refused_and_nothing_passes(scheme: str) -> None:
    guard, _, _ = SCHEMES[scheme]
    recorded = (
        (
            b"Authorization",
            b'Hawk id="client", ts="1353832234", nonce="j4h3g2", mac="6R4rV5iE+NPoym+WwjeHzjAGXUtLNIxmo1vpMofpLAE="',
        ),
    )
    async with GuardedShop(guard()) as shop:
        found = await scanned(shop, None, headers=recorded)
    assert found.findings == set()
    assert set(found.reasons.values()) == {"auth_failed"}


@run
async def test_who_leaves_the_signature_out_is_heard_unsigned() -> None:
    """The auth probe takes the proof away; were it put back, an endpoint that asks for none would look guarded."""
    guard, given, _ = SCHEMES["hmac"]
    policy = msgspec.structs.replace(POLICY, types=("auth",))
    async with GuardedShop(guard()) as shop:
        await scanned(shop, {"sign": {"scheme": "hmac", **given}}, headers=(), policy=policy)
        unsigned = [asked for asked, _ in shop.asked if "x-signature" not in asked.headers]
        signed = [status for asked, status in shop.asked if asked.headers.get("x-signature", "").startswith("v1=")]
    assert len(unsigned) >= 5
    assert 200 in signed

    class Open(Guard):
        """Nobody is asked for anything."""

    async with GuardedShop(Open()) as shop:
        found = await scanned(shop, {"sign": {"scheme": "hmac", **given}}, headers=(), policy=policy)
    assert ("auth", "GET", "/me", ()) in found.findings
