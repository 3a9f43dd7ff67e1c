"""A way that leads back to itself is told from one that ends, and nothing is followed off the origin."""

import msgspec
import pytest

from gatecrash.core.message import Headers, Request, Response
from gatecrash.node.test.connections.redirects import MOST_HOPS, RedirectLoop, Trail, brings, location_of, moved_to


def asking(target: bytes = b"/a/b?q=1", method: str = "GET", headers: Headers = ()) -> Request:
    return Request(method, target, headers, b"", "http", "shop.example", 8080)


def to(location: bytes, *more: tuple[bytes, bytes], status: int = 302) -> Response:
    return Response(status, ((b"Location", location), *more))


@pytest.mark.parametrize(
    ("location", "target"),
    [
        (b"/x", b"/x"),
        (b"c?d=%2e", b"/a/c?d=%2e"),
        (b"?q=2", b"/a/b?q=2"),
        (b"#top", b"/a/b?q=1"),
        (b"http://SHOP.example:8080", b"/"),
        (b"//shop.example:8080/y", b"/y"),
        (b"/caf\xe9 au", b"/caf%E9%20au"),
        (b"https://shop.example:8080/", None),
        (b"http://shop.example/", None),
        (b"//other.example/", None),
        (b"http://[/", None),
        (b"javascript:alert(1)", None),
    ],
)
def test_a_location_is_resolved_on_the_same_origin_only(location: bytes, target: bytes | None) -> None:
    assert location_of(asking(), to(location)) == target


@pytest.mark.parametrize(
    ("location", "origin"),
    [
        (b"https://shop.example/a/b?q=1", "https://shop.example"),
        (b"http://www.shop.example:8080/a/b", "http://www.shop.example:8080"),
        (b"/a/b?q=1", None),
        (b"http://shop.example:8080/a/b", None),
        (b"https://shop.example/login", None),
        (b"http://[/a/b", None),
    ],
)
def test_the_same_path_of_another_origin_is_where_the_target_moved(location: bytes, origin: str | None) -> None:
    assert moved_to(asking(), to(location)) == origin
    assert moved_to(asking(), Response(200, ((b"Location", location),))) is None


def test_an_origin_that_a_test_names_itself_is_the_tests_own() -> None:
    """The root of a site leads wherever its query says: `/?next=https://away.example/`."""
    recorded = asking(headers=((b"Host", b"shop.example:8080"), (b"Referer", b"https://shop.example/")))
    by_query = msgspec.structs.replace(recorded, target=b"/?next=https%3A%2F%2FAway.example%2F")
    by_header = msgspec.structs.replace(recorded, headers=((b"X-Forwarded-Host", b"away.example"), *recorded.headers))
    by_body = msgspec.structs.replace(recorded, body=b'{"next": "https:\\/\\/away.example\\/"}')
    for test in (by_query, by_header, by_body):
        assert brings(test, recorded, "https://away.example")
        assert not brings(test, recorded, "https://shop.example"), "its own name stands in the record"
        assert not brings(test, recorded, "https://proper.example")


def test_only_a_redirect_leads_anywhere() -> None:
    assert location_of(asking(), to(b"/x", status=201)) is None
    assert location_of(asking(), Response(302)) is None
    assert Trail(asking(method="POST")).next(to(b"/x", status=307)) is None, "what changes something is not repeated"


def test_a_way_that_ends_is_no_loop() -> None:
    trail = Trail(asking())
    followed = trail.next(to(b"/login"))
    assert followed is not None
    assert followed.target == b"/login"
    assert trail.next(Response(200)) is None


def test_a_circle_is_a_loop_and_its_text_shows_no_query() -> None:
    with pytest.raises(RedirectLoop, match=r"without end: /a/b to /a/b$"):
        Trail(asking()).next(to(b"?q=1"))
    trail = Trail(asking())
    trail.next(to(b"/x?token=secret"))
    with pytest.raises(RedirectLoop, match=r"without end: /a/b to /x to /a/b$"):
        trail.next(to(b"/a/b?q=1"))


def test_a_way_of_ever_new_places_is_a_loop() -> None:
    trail = Trail(asking())
    for number in range(MOST_HOPS - 1):
        trail.next(to(b"/%d" % number))
    with pytest.raises(RedirectLoop):
        trail.next(to(b"/last"))


def test_a_test_for_cookies_leads_to_itself_once_and_gets_its_cookie() -> None:
    trail = Trail(asking(headers=((b"Cookie", b"a=1; seen=0"),)))
    again = trail.next(to(b"/a/b?q=1", (b"Set-Cookie", b"seen=1; Path=/")))
    assert again is not None
    assert again.first(b"Cookie") == b"a=1; seen=1"
    with pytest.raises(RedirectLoop):
        trail.next(to(b"/a/b?q=1", (b"Set-Cookie", b"seen=1")))
