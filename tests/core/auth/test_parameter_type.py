"""The typing rule for default and custom parameters, in its order."""

import pytest

from gatecrash.core.auth.parameter_type import judge_parameter, plain
from gatecrash.core.auth.registry import REGISTRY
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Place
from gatecrash.core.auth.words import Words

WORDS = Words(REGISTRY)
JWT = b"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl"


@pytest.mark.parametrize(
    ("place", "name", "value", "expected"),
    [
        (Place.COOKIE, "jwt", b"Bearer%20" + JWT, Judgement(AuthType.BEARER, True)),
        (Place.COOKIE, "jwt", JWT, Judgement(AuthType.COOKIE, True)),
        (Place.COOKIE, "jwt", b"deleted", Judgement(AuthType.COOKIE, False)),
        (Place.HEADER, "X-TOKEN", JWT, Judgement(AuthType.BEARER, True)),
        (Place.HEADER, "X-SHED-PASS", b"eyJtIjoxMDQxfQ==", Judgement(AuthType.API_KEY, True)),
        (Place.QUERY, "access_token", b"9f8e7d6c5b4a", Judgement(AuthType.BEARER, True)),
        (Place.QUERY, "access_token", b"short", Judgement(AuthType.BEARER, False)),
        (Place.JSON, "api_key", b"9f8e7d6c5b4a", Judgement(AuthType.API_KEY, True)),
        (Place.FORM, "api_key", b"unknown 9f8e7d6c5b4a", Judgement(AuthType.API_KEY, False)),
    ],
)
def test_the_order_of_the_rule(place, name, value, expected):
    assert judge_parameter(Candidate(place, name, b"", value), WORDS) == expected


def test_a_cookies_quotes_and_escapes_are_taken_off():
    assert plain(b'"a%20b"') == b"a b"
    assert plain(b'"') == b'"'
