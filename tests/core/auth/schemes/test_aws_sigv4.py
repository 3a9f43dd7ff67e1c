"""Signature v4: a day that can be, a marker with its own terminator, a signature of 64 digits, and nothing left out."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Place
from gatecrash.core.auth.schemes.aws_sigv4 import SCHEME, judge

PARTS = {
    b"Credential": b"AKIDEXAMPLE/20260115/us-east-1/s3/aws4_request",
    b"SignedHeaders": b"host;x-amz-date",
    b"Signature": b"0f" * 32,
}
PRESIGNED = (b"AWS4-HMAC-SHA256", PARTS[b"Credential"], b"20260115T101500Z", b"host")


def header(parts: dict[bytes, bytes], word: bytes = b"aws4-hmac-sha256") -> bool:
    value = b", ".join(name + b"=" + content for name, content in parts.items())
    judged = judge(Candidate(Place.HEADER, "AUTHORIZATION", word, value))
    assert judged is not None
    assert judged.type is AuthType.AWS_SIGV4
    return judged.valid


def presigned(*companions: bytes | None, signature: bytes = b"0f" * 32) -> Judgement | None:
    return judge(Candidate(Place.QUERY, "X-Amz-Signature", b"", signature, 8, companions))


@pytest.mark.parametrize("order", list(itertools.permutations(PARTS)), ids=str)
def test_the_parts_may_stand_in_any_order(order):
    assert header({name: PARTS[name] for name in order})


@pytest.mark.parametrize("left_out", PARTS)
def test_no_part_may_be_missing(left_out):
    assert not header({name: content for name, content in PARTS.items() if name != left_out})


@pytest.mark.parametrize("date", [b"20261301", b"20260132", b"2026011", b"20260100", b"today"])
def test_the_scopes_date_must_be_one(date):
    assert not header({**PARTS, b"Credential": PARTS[b"Credential"].replace(b"20260115", date)})


def test_each_marker_has_its_own_terminator():
    assert not header(PARTS, b"goog4-hmac-sha256")
    assert header({**PARTS, b"Credential": b"GOOG/20260115/auto/storage/goog4_request"}, b"goog4-hmac-sha256")


@given(st.integers(0, 80))
def test_only_64_digits_are_a_signature(length):
    assert header({**PARTS, b"Signature": b"a" * length}) == (length == 64)


def test_a_presigned_address_is_complete_or_not_valid():
    assert presigned(*PRESIGNED) == Judgement(AuthType.AWS_SIGV4, True)
    for index in (1, 2, 3):
        assert presigned(*(None if at == index else one for at, one in enumerate(PRESIGNED))) == Judgement(
            AuthType.AWS_SIGV4, False
        )


def test_without_its_marker_a_parameter_is_not_this_schemes():
    assert presigned(None, *PRESIGNED[1:]) is None
    assert presigned(b"AWS4-ECDSA-P256-SHA256", *PRESIGNED[1:]) is None


def test_the_companions_stand_in_the_order_that_judge_reads():
    assert [name.rpartition("-")[2] for name in SCHEME.rules[0].companions] == [
        "Algorithm",
        "Credential",
        "Date",
        "SignedHeaders",
    ]
