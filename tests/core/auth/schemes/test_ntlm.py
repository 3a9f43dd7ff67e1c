"""NTLM: a greeting is a leg, a challenge nothing, and only an authenticate message a proof."""

import base64

import pytest

from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Kind, Place
from gatecrash.core.auth.schemes.ntlm import judge


def judged(value: bytes) -> Judgement:
    return judge(Candidate(Place.HEADER, "AUTHORIZATION", b"ntlm", value))


def message(kind: int, tail: bytes = bytes(40)) -> bytes:
    return base64.b64encode(b"NTLMSSP\x00" + kind.to_bytes(4, "little") + tail)


def test_a_greeting_is_a_leg_and_not_valid():
    assert judged(message(1)) == Judgement(AuthType.NTLM, False, Kind.LEG)


@pytest.mark.parametrize("kind", [0, 2, 3, 4, 2**32 - 1])
def test_what_is_neither_greeting_nor_whole_proof_is_not_valid(kind):
    assert judged(message(kind)) == Judgement(AuthType.NTLM, False, Kind.PROOF)


@pytest.mark.parametrize("value", [b"", b"NTLMSSP", b"!!!", base64.b64encode(b"xxNTLMSSP\x00\x01\x00\x00\x00")])
def test_anything_else_is_not_valid(value):
    assert judged(value) == Judgement(AuthType.NTLM, False, Kind.PROOF)
