"""Every scheme, whatever a client sends: it answers, and its answers are of the contract's kinds."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.registry import REGISTRY
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Kind, Place, Scheme

pieces = st.sampled_from(
    [
        *(b'username="a"', b"realm=r", b"nonce=n", b'response="', b"data=", b"sid=1", b"c=biws,r=a,p=", b"n,,n=a,r=b"),
        *(b"Credential=a/20260101/b/c/aws4_request", b"SignedHeaders=host", b"Signature=", b"keyId=k", b"sig1=:", b":"),
        *(
            b"TlRMTVNTUAADAAAA",
            b"YIIJvwYGKwYBBQUC",
            b"oQcwBaADCgEB",
            b", ",
            b";",
            b"=",
            b'"',
            b"\\",
            b"v1,",
            b"t=1",
            b"eyJ",
        ),
    ]
)
values = st.one_of(st.binary(max_size=80), st.lists(st.one_of(pieces, st.binary(max_size=6)), max_size=8).map(b"".join))


def candidates(scheme: Scheme):
    words = [b"", *(word.rstrip("*").encode() for word in scheme.words)]
    optional = st.one_of(st.none(), values)
    in_authorization = st.builds(
        lambda word, value: Candidate(Place.HEADER, "AUTHORIZATION", word, value), st.sampled_from(words), values
    )
    by_rule = [
        st.builds(
            lambda value, companions, rule=rule: Candidate(
                Place.QUERY if rule.point[0] == "get" else Place.HEADER, rule.point[-1], b"", value, 8, companions
            ),
            values,
            st.tuples(*(optional for _ in rule.companions)),
        )
        for rule in scheme.rules[:40]
    ]
    return st.one_of(in_authorization, *by_rule)


@pytest.mark.parametrize("scheme", REGISTRY, ids=lambda scheme: scheme.type.value)
@given(data=st.data())
def test_a_scheme_never_raises(scheme, data):
    judged = scheme.judge(data.draw(candidates(scheme)))
    if judged is not None:
        assert isinstance(judged, Judgement)
        assert judged.type in AuthType
        assert judged.kind is not Kind.LEG or not judged.valid


@pytest.mark.parametrize("scheme", REGISTRY, ids=lambda scheme: scheme.type.value)
@pytest.mark.parametrize(
    "piece", [b"a", b"a=", b'a="', b",", b";", b":", b"=", b"A1/", b"\\", b"v1,", b" ", b"r=a,", b"c=a,"]
)
def test_a_long_hostile_value_takes_linear_time(scheme, piece):
    start = time.process_time()
    for word in scheme.words or ("",):
        scheme.judge(
            Candidate(Place.HEADER, "AUTHORIZATION", word.rstrip("*").encode(), piece * (16_000 // len(piece)))
        )
    assert time.process_time() - start < 1


def test_every_rule_says_where_it_is_documented():
    assert all(rule.source for scheme in REGISTRY for rule in scheme.rules)


def test_no_two_schemes_claim_a_word_or_a_name():
    words = [word for scheme in REGISTRY for word in scheme.words]
    points = [rule.point for scheme in REGISTRY for rule in scheme.rules]
    assert len(set(words)) == len(words)
    assert len(set(points)) == len(points)
