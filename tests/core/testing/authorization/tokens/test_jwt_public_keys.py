"""A token's public key: one that the record told and that verifies it spares every question; else the usual addresses are
asked, once in a run.
"""

import json

import pytest
from msgspec.structs import replace
from tests.core.testing.authorization.tokens.test_jwt_keys import jwk_of
from tests.core.testing.driving import credentials_of, drive, record
from tests.range.jwt_public_keys_told import (
    CERTIFICATE,
    ELSEWHERE,
    OLD,
    PRIVATE,
    STRANGE,
    TOKEN,
    USUAL,
    bearing,
    confusing,
    presented,
)
from tests.range.jwt_tokens import account, unauthorized

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.tokens.known_keys import remember_key
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_jwt import PROBE
from gatecrash.core.testing.verdict import Outcome


def service_with(key: bytes, publishing: dict[str, object] | None = None):
    """What takes this text for a shared secret, and publishes these documents alone."""
    verify = confusing(key)

    def respond(request: Request) -> Response:
        if (document := (publishing or {}).get(request.target.decode())) is not None:
            return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(document).encode())
        try:
            verify(presented(request))
        except Exception:  # noqa: BLE001 -- whatever is wrong with the token
            return unauthorized()
        return account()

    return respond


def run_at(key: bytes, *told: bytes):
    known: set[tuple[str, ...]] = set()
    for each in told:
        remember_key(known, each.strip())
    service, request = service_with(key), bearing("/place")
    (check,) = plan(record(service, request), DEFAULT, credentials_of(request), (PROBE,), told=known)
    return drive(check, service)


def asked_for_keys(run) -> int:
    return sum(b"jwks" in asked.request.target or b"/.well-known/" in asked.request.target for asked in run.sent)


@pytest.mark.parametrize("key", [OLD, USUAL, CERTIFICATE, CERTIFICATE.strip()], ids=["pkcs1", "spki", "crt", "cut"])
def test_a_key_that_was_told_is_tried_as_it_was_told(key):
    run = run_at(key, key)
    assert (run.verdict.outcome, asked_for_keys(run)) == (Outcome.VULNERABLE, 0)
    assert run.verdict.title == "A public key is taken for a shared secret"


def test_the_key_of_a_certificate_is_tried_too():
    assert run_at(USUAL, CERTIFICATE).verdict.outcome is Outcome.VULNERABLE


def test_a_key_that_does_not_verify_the_token_is_none_of_it():
    run = run_at(USUAL, ELSEWHERE)
    assert (run.verdict.outcome, asked_for_keys(run)) == (Outcome.SAFE, 8)
    assert TOKEN not in run.verdict.detail


def test_what_is_sent_is_what_was_forecast():
    for told in ((), (USUAL,)):
        run = run_at(b"Pelican-77-Samovar-Brook", *told)
        assert run.verdict.outcome is Outcome.SAFE
        assert abs(len(run.sent) - asked_for_keys(run) - run.check.forecast) <= 2


KEYS = {"keys": [{"kty": "oct", "k": "AA"}, jwk_of(STRANGE.public_key()), jwk_of(PRIVATE.public_key())]}


@pytest.mark.parametrize(
    "published",
    [
        {"/jwks": KEYS},
        {"/place/jwks.json": KEYS},
        {"/.well-known/openid-configuration": {"jwks_uri": "http://api.example/certs"}, "/certs": KEYS},
    ],
    ids=["usual", "of the service", "named by metadata"],
)
def test_a_key_that_the_host_publishes_is_found_and_asked_for_once(published):
    known: set[tuple[str, ...]] = set()
    service, request = service_with(USUAL, published), replace(bearing("/place"), host="api.example")
    runs = []
    for _ in range(2):
        (check,) = plan(record(service, request), DEFAULT, credentials_of(request), (PROBE,), told=known)
        runs.append(drive(check, service))
    assert [run.verdict.outcome for run in runs] == [Outcome.VULNERABLE] * 2
    assert (asked_for_keys(runs[0]) > 0, asked_for_keys(runs[1])) == (True, 0)


def test_metadata_that_name_another_host_are_not_followed():
    published = {"/.well-known/openid-configuration": {"jwks_uri": "http://keys.example/certs"}, "/certs": KEYS}
    service, request = service_with(USUAL, published), replace(bearing("/place"), host="api.example")
    (check,) = plan(record(service, request), DEFAULT, credentials_of(request), (PROBE,))
    run = drive(check, service)
    assert run.verdict.outcome is Outcome.SAFE
    assert {asked.request.host for asked in run.sent} == {request.host}
    assert not any(asked.request.target == b"/certs" for asked in run.sent)
