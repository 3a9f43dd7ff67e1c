"""What an application's own client sends is told from what every client and proxy does."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.callers.own_headers import is_ordinary, own_headers


@pytest.mark.parametrize(
    "name", ["ACCEPT-LANGUAGE", "SEC-FETCH-MODE", "X-FORWARDED-FOR", "COOKIE", "X-REQUEST-ID", "TE"]
)
def test_what_clients_and_proxies_add_is_ordinary(name: str) -> None:
    assert is_ordinary(name)


def test_headers_of_its_own_are_given_as_they_were_sent() -> None:
    headers = ((b"Host", b"x"), (b"X-Guild-Pass", b"k3y"), (b"accept", b"*/*"), (b"Team", b"red"))
    assert own_headers(Request("GET", b"/", headers)) == ((b"X-Guild-Pass", b"k3y"), (b"Team", b"red"))
