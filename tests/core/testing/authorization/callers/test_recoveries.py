"""What sets a forgotten password is known by one code beside the new one."""

import pytest

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.authorization.callers.recoveries import Recoveries

JSON = ((b"Host", b"a"), (b"Authorization", b"Bearer x"), (b"Content-Type", b"application/json"))
ASKS = Request("POST", b"/auth/forgot", JSON, b'{"email": "ann@example.org"}', host="a")


def sets(body: bytes, path: bytes = b"/auth/reset", method: str = "POST", host: str = "a") -> Exchange:
    return Exchange(Request(method, path, JSON, body, host=host))


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (b'{"email": "a", "code": "1", "password": "b"}', "code"),
        (b'{"resetToken": "1", "newPassword": "b", "csrf_token": "2"}', "resettoken"),
    ],
)
def test_it_is_told_by_the_name_of_its_code_and_without_credentials(body: bytes, name: str) -> None:
    recoveries = Recoveries()
    assert recoveries.see(sets(body))
    assert not recoveries.see(sets(body))
    (made,) = recoveries.of(ASKS)
    assert made.path == (name,)
    assert made.request.first(b"Authorization") is None


@pytest.mark.parametrize(
    "exchange",
    [
        sets(b'{"token": "1", "code": "2", "password": "b"}'),
        sets(b'{"code": "1"}'),
        sets(b'{"email": "a", "password": "b"}'),
        sets(b'{"code": "1", "password": "b"}', b"/vouchers"),
        sets(b'{"code": "1", "password": "b"}', method="GET"),
        sets(b'{"code": "1", "password": "b"}', host="b"),
    ],
    ids=["two codes", "no password", "no code", "of something else", "reads", "of another host"],
)
def test_others_set_none_with_what_is_asked_for(exchange: Exchange) -> None:
    recoveries = Recoveries()
    recoveries.see(exchange)
    assert recoveries.of(ASKS) == ()


def test_only_who_forgot_a_password_is_told() -> None:
    recoveries = Recoveries()
    recoveries.see(sets(b'{"code": "1", "password": "b"}'))
    login = Request("POST", b"/auth/login", JSON, b'{"email": "a", "password": "b"}', host="a")
    assert recoveries.of(login) == ()


def test_a_bounded_number_is_kept() -> None:
    recoveries = Recoveries()
    for number in range(50):
        recoveries.see(sets(b'{"code": "1", "password": "b"}', b"/reset/%d" % number))
    assert len(recoveries.of(ASKS)) == 20
