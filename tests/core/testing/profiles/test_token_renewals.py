"""Which requests renew a token, and what they are given."""

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.profiles.token_renewals import renewed_by, renews

JSON = ((b"Content-Type", b"application/json"),)


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        (Request("POST", b"/auth/refresh"), True),
        (Request("POST", b"/api/v1/refresh-token/"), True),
        (Request("POST", b"/oauth/token", body=b"grant_type=refresh_token&refresh_token=x"), True),
        (Request("POST", b"/session", JSON, b'{"refresh": "x"}'), True),
        (Request("GET", b"/auth/refresh"), False),
        (Request("POST", b"/dashboard/refresh-charts"), False),
        (Request("POST", b"/auth/login", JSON, b'{"user": "ann", "password": "k"}'), False),
    ],
)
def test_what_asks_for_a_fresh_token_says_so(request_: Request, told: bool) -> None:
    assert renews(request_) is told


def test_the_fresh_token_is_read_where_it_stands() -> None:
    found = renewed_by(Response(200, body=b'{"data": {"accessToken": "at-123456789012"}}'))
    assert found is not None
    assert (found[1], found[0].source) == ("at-123456789012", "json")
    assert renewed_by(Response(200, body=b'{"token": "short-one"}')) is None
    assert renewed_by(Response(204)) is None
