"""Which recorded request exchanged a refresh token, and which token is good since."""

import json

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.tokens.exchanges import Exchanges

JSON = (b"Content-Type", b"application/json")
OLD, NEW, ACCESS = "r1-0123456789abcdef", "r2-0123456789abcdef", "a1-0123456789abcdef"
LOGOUT = Request("POST", b"/session/logout", host="a.example")


def exchange(path: str = "/session/refresh", sent: object = None, cookie: str = "", status: int = 200) -> Exchange:
    headers = ((b"Host", b"a.example"), (b"Authorization", b"Bearer before"), *([JSON] if sent is not None else []))
    headers += ((b"Cookie", cookie.encode()),) if cookie else ()
    body = b"" if sent is None else json.dumps(sent).encode()
    set_cookie = (b"Set-Cookie", f"app_refresh={NEW}; HttpOnly".encode())
    answer = json.dumps({"accessToken": ACCESS}).encode()
    return Exchange(
        Request("POST", path.encode(), headers, body, host="a.example"), Response(status, (JSON, set_cookie), answer)
    )


def after(*seen: Exchange, signing_out: Request = LOGOUT) -> list[tuple[bytes, str]]:
    exchanges = Exchanges()
    for each in seen:
        exchanges.see(each)
    return [(made.request.path, made.was) for made in exchanges.of(signing_out)]


def test_a_cookie_is_exchanged_and_nothing_else_of_the_request_is_kept() -> None:
    seen = exchange(cookie=f"theme=dark-and-calm-as-it-was; app_refresh={OLD}")
    assert after(seen) == [(b"/session/refresh", NEW)]
    exchanges = Exchanges()
    assert (exchanges.see(seen), exchanges.see(seen)) == (True, False)
    (made,) = exchanges.of(LOGOUT)
    assert made.request.headers == ((b"Cookie", f"app_refresh={OLD}".encode()),)


def test_a_cookie_goes_along_with_a_get_as_well() -> None:
    seen = exchange(cookie=f"app_refresh={OLD}")
    by_get = msgspec.structs.replace(seen, request=msgspec.structs.replace(seen.request, method="GET"))
    assert after(by_get) == [(b"/session/refresh", NEW)]


@pytest.mark.parametrize("sent", [{}, {"grant_type": "refresh_token"}], ids=["nothing", "what it wants"])
def test_beside_a_cookie_nothing_else_is_sent(sent: object) -> None:
    assert after(exchange(sent=sent, cookie=f"app_refresh={OLD}")) == [(b"/session/refresh", NEW)]


def test_the_nearest_and_of_these_the_latest_is_taken() -> None:
    seen = [exchange(path, {"refresh_token": OLD}) for path in ("/session/refresh", "/admin/refresh", "/session/renew")]
    assert after(*seen) == [(b"/session/renew", NEW)]


@pytest.mark.parametrize(
    ("seen", "signing_out"),
    [
        (exchange(sent={"email": "ann@a.example", "password": "secret"}, cookie=f"app_refresh={OLD}"), LOGOUT),
        (exchange(cookie=f"app_refresh={OLD}", status=401), LOGOUT),
        (exchange(cookie=f"theme={OLD}"), LOGOUT),
        (exchange(), LOGOUT),
        (exchange(sent={"refresh_token": OLD}), Request("POST", b"/session/keep", host="a.example")),
        (exchange(sent={"refresh_token": OLD}), Request("POST", b"/session/logout", host="b.example")),
    ],
    ids=["a login", "refused", "another cookie", "no token", "no logout", "another host"],
)
def test_all_else_is_no_exchange_of_such_a_logout(seen: Exchange, signing_out: Request) -> None:
    assert after(seen, signing_out=signing_out) == []


@pytest.mark.parametrize(
    ("header", "is_its"),
    [
        ((b"Cookie", b"site-session=s1-0123456789abcdef"), False),
        ((b"Cookie", f"app_refresh={OLD}".encode()), True),
        ((b"Authorization", f"Bearer {ACCESS}".encode()), True),
        ((b"Accept", b"*/*"), True),
    ],
    ids=["a session of pages", "its cookie", "its token", "a record without credentials"],
)
def test_a_logout_is_that_of_tokens_as_it_was_recorded_whatever_the_tests_send(header, is_its: bool) -> None:
    exchanges = Exchanges()
    recorded = Request("POST", LOGOUT.target, (header,), host=LOGOUT.host)
    sent = Request("POST", LOGOUT.target, (header, (b"Authorization", b"Bearer now")), host=LOGOUT.host)
    for each in (
        exchange(cookie=f"app_refresh={OLD}"),
        Exchange(recorded, Response(204)),
        Exchange(sent, Response(204)),
    ):
        exchanges.see(each)
    assert bool(exchanges.of(sent)) is is_its
