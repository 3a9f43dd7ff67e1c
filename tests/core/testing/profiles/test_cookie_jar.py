"""Cookies of a login go back to the hosts they came from."""

from gatecrash.core.message import Response
from gatecrash.core.testing.profiles.cookie_jar import CookieJar


def answer(*cookies: bytes) -> Response:
    return Response(200, tuple((b"Set-Cookie", cookie) for cookie in cookies))


def test_a_cookie_goes_to_its_host_or_to_the_domain_that_it_names() -> None:
    jar = CookieJar()
    jar.take("id.shop.example", answer(b"own=1", b"all=2; Domain=shop.example", b"alien=3; Domain=other.example"))
    assert dict(jar.of("id.shop.example")) == {"own": b"1", "all": b"2", "alien": b"3"}
    assert dict(jar.of("api.shop.example")) == {"all": b"2"}
    assert dict(jar.of("other.example")) == {}
    assert dict(jar.of("evilshop.example")) == {}


def test_a_later_cookie_replaces_and_a_deletion_takes_away() -> None:
    jar = CookieJar()
    jar.take("a", answer(b"sid=1"))
    jar.take("a", answer(b"sid=2; Path=/"))
    assert dict(jar.of("a")) == {"sid": b"2"}
    jar.take("a", answer(b"sid=x; Max-Age=0"))
    assert dict(jar.of("a")) == {}


def test_it_can_be_emptied() -> None:
    jar = CookieJar()
    jar.take("a", answer(b"sid=1"))
    assert jar
    jar.clear()
    assert not list(jar.of("a"))
    assert not jar


def test_of_answers_in_a_session_it_takes_what_scripts_repeat_alone() -> None:
    jar = CookieJar()
    jar.take("a", answer(b"sid=1; HttpOnly", b"csrftoken=old"))
    assert not jar.take_tokens("a", answer(b"sid=2; HttpOnly", b"_csrf=secret; HttpOnly", b"theme=dark"))
    assert jar.take_tokens("a", answer(b"sid=3; HttpOnly", b"csrftoken=new"))
    assert dict(jar.of("a")) == {"sid": b"1", "csrftoken": b"new"}
