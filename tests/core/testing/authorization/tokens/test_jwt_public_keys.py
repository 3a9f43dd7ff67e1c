"""A token's public key: one that the record told and that verifies it spares every question; else the usual addresses are asked."""

import pytest
from tests.core.testing.driving import credentials_of, drive, record
from tests.range.jwt_public_keys_told import CERTIFICATE, ELSEWHERE, OLD, TOKEN, USUAL, bearing, confusing, presented
from tests.range.jwt_tokens import account, unauthorized

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.tokens.known_keys import remember_key
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_jwt import PROBE
from gatecrash.core.testing.verdict import Outcome


def service_with(key: bytes):
    """What takes this text for a shared secret, and publishes nothing at the usual addresses."""
    verify = confusing(key)

    def respond(request: Request) -> Response:
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
    return sum(b"jwks" in asked.request.target for asked in run.sent)


@pytest.mark.parametrize("key", [OLD, USUAL, CERTIFICATE, CERTIFICATE.strip()], ids=["pkcs1", "spki", "crt", "cut"])
def test_a_key_that_was_told_is_tried_as_it_was_told(key):
    run = run_at(key, key)
    assert (run.verdict.outcome, asked_for_keys(run)) == (Outcome.VULNERABLE, 0)
    assert run.verdict.title == "A public key is taken for a shared secret"


def test_the_key_of_a_certificate_is_tried_too():
    assert run_at(USUAL, CERTIFICATE).verdict.outcome is Outcome.VULNERABLE


def test_a_key_that_does_not_verify_the_token_is_none_of_it():
    run = run_at(USUAL, ELSEWHERE)
    assert (run.verdict.outcome, asked_for_keys(run)) == (Outcome.SAFE, 2)
    assert TOKEN not in run.verdict.detail


def test_what_is_sent_is_what_was_forecast():
    for told in ((), (USUAL,)):
        run = run_at(b"Pelican-77-Samovar-Brook", *told)
        assert run.verdict.outcome is Outcome.SAFE
        assert abs(len(run.sent) - run.check.forecast) <= 2
