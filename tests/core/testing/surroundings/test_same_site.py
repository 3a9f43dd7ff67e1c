"""Cookies that stay at home are told from those that any site's page sends along."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.surroundings.same_site import MOST_KEPT, SameSite

SESSION = Point(("header", "COOKIE", "cookie", "sid"))


def request(method: str = "POST", host: str = "shop.test") -> Request:
    headers = ((b"Host", host.encode()), (b"Cookie", b"sid=k2"))
    return Request(method, b"/orders", headers, scheme="https", host=host, port=443)


def setting(attributes: bytes, name: bytes = b"sid", host: str = "shop.test") -> Exchange:
    return Exchange(request(host=host), Response(200, ((b"Set-Cookie", name + b"=k2" + attributes),), b""))


@pytest.mark.parametrize(
    ("attributes", "posted", "followed"),
    [
        (b"; HttpOnly; SameSite=Lax", True, False),
        (b"; samesite = STRICT", True, True),
        (b"; SameSite=None; Secure", False, False),
        (b"; HttpOnly", False, False),
        (b"; SameSite=lax; Max-Age=0", False, False),
    ],
)
def test_a_cookie_stays_at_home_as_it_was_set(attributes: bytes, posted: bool, followed: bool) -> None:
    said = SameSite()
    said.see(setting(attributes))
    assert bool(said.kept_home(request(), (SESSION,))) is posted
    assert bool(said.kept_home(request("GET"), (SESSION,))) is followed


def test_the_latest_word_counts_and_is_new_once() -> None:
    said = SameSite()
    assert said.see(setting(b"; SameSite=Lax"))
    assert not said.see(setting(b"; SameSite=Lax"))
    assert said.see(setting(b""))
    assert not said.kept_home(request(), (SESSION,))


def test_of_several_credentials_those_that_stay_are_told() -> None:
    said = SameSite()
    said.see(setting(b"; SameSite=Lax"))
    assert not said.kept_home(request(), ())
    assert said.kept_home(request(), (SESSION, Point(("header", "COOKIE", "cookie", "other")))) == (SESSION,)
    assert said.kept_home(request(), (SESSION, Point(("header", "X-API-KEY")))) == (SESSION,)


def test_a_domain_counts_for_the_hosts_below_it_and_for_no_other() -> None:
    said = SameSite()
    said.see(setting(b"; Domain=.shop.test; SameSite=Lax", host="login.shop.test"))
    assert said.kept_home(request(host="orders.shop.test"), (SESSION,))
    assert not said.kept_home(request(host="workshop.test"), (SESSION,))


def test_no_more_is_kept_than_there_is_room_for() -> None:
    said = SameSite()
    said.see(setting(b"; SameSite=Lax"))
    for number in range(MOST_KEPT):
        said.see(setting(b"; SameSite=Lax", b"c%d" % number))
    assert not said.kept_home(request(), (SESSION,))


def test_an_exchange_without_an_answer_says_nothing() -> None:
    assert not SameSite().see(Exchange(request(), None))
