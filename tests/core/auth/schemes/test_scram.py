"""SCRAM: client-first is a leg, client-final with a proof is valid."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.scheme import Candidate, Kind, Place
from gatecrash.core.auth.schemes.scram import is_final, judge

PROOF = base64.b64encode(bytes(32))


def judged(message: bytes):
    value = b"sid=A, data=" + base64.b64encode(message)
    return judge(Candidate(Place.HEADER, "AUTHORIZATION", b"scram-sha-256", value))


@pytest.mark.parametrize(
    "message",
    [b"n,,n=user,r=abc", b"y,a=admin,n=user,r=abc", b"p=tls-exporter,,n=us=2Cer,r=abc", b"n,,n=user,r=abc,x=1"],
)
def test_a_client_first_message_is_a_leg(message):
    assert (judged(message).kind, judged(message).valid) == (Kind.LEG, False)


def test_a_client_final_message_is_valid():
    assert is_final(b"c=biws,r=abcdef,p=" + PROOF)
    assert is_final(b"c=biws,r=abcdef,x=1,p=" + PROOF)
    assert judged(b"c=biws,r=abcdef,p=" + PROOF).kind is Kind.PROOF


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"c=biws,r=abc",
        b"r=abc,p=" + PROOF,
        b"c=biws,p=" + PROOF,
        b"c=biws,r=,p=" + PROOF,
        b"c=biws,r=a,p=" + PROOF + b",x=1",
    ],
)
def test_a_final_message_has_binding_nonce_and_its_proof_at_the_end(message):
    assert not is_final(message)


@given(st.integers(1, 70))
def test_a_proof_has_the_length_of_a_digest(length):
    assert is_final(b"c=biws,r=a,p=" + base64.b64encode(bytes(length))) == (length in (20, 28, 32, 48, 64))
