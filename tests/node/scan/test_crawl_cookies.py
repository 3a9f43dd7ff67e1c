"""A cookie goes where it is set for."""

from gatecrash.core.message import Request, Response
from gatecrash.node.scan.crawl_cookies import CrawlCookies


def at(path: str) -> Request:
    return Request("GET", path.encode(), host="a.test")


def sent(cookies: CrawlCookies, path: str) -> bytes | None:
    return cookies.on(at(path)).first(b"Cookie")


def test_a_cookie_with_a_path_goes_there_alone() -> None:
    cookies = CrawlCookies()
    cookies.put(at("/"), [b"a=1; Path=/shop", b"b=2; Path=/shop/7", b"c=3"])
    assert sent(cookies, "/shop/7/do") == b"b=2; a=1; c=3"
    assert sent(cookies, "/shop") == b"a=1; c=3"
    assert sent(cookies, "/shopping") == b"c=3"


def test_more_cookies_than_one_jar_holds_have_room_where_each_has_a_path() -> None:
    cookies = CrawlCookies()
    cookies.put(at("/"), [f"c{number}=1; path=/{number}".encode() for number in range(200)])
    assert sent(cookies, "/199/a") == b"c199=1"


def test_answers_set_and_delete() -> None:
    cookies = CrawlCookies()
    cookies.take(at("/"), Response(200, ((b"Set-Cookie", b"a=1"),)))
    assert sent(cookies, "/x") == b"a=1"
    cookies.take(at("/"), Response(200, ((b"Set-Cookie", b"a=; Max-Age=0"),)))
    assert sent(cookies, "/x") is None
