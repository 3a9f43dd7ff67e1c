"""Identical baselines, and the smallest differences that make two."""

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.selection.duplicates import Fullest, identity, says_more

KEY = b"k" * 32
TOKEN = Point.of("header", "AUTHORIZATION")
REQUEST = Request(
    "POST",
    b"/orders?page=1",
    ((b"Content-Type", b"application/json"), (b"Authorization", b"Bearer one"), (b"User-Agent", b"curl")),
    b'{"a": 1}',
    "http",
    "api.example.com",
    80,
)


def changed(**parts: object) -> Request:
    return msgspec.structs.replace(REQUEST, **parts)


def with_headers(**values: bytes) -> Request:
    return changed(
        headers=tuple((name, values.get(name.decode().replace("-", "_"), value)) for name, value in REQUEST.headers)
    )


@pytest.mark.parametrize(
    "other",
    [
        changed(method="PUT"),
        changed(scheme="https"),
        changed(host="api2.example.com"),
        changed(port=81),
        changed(target=b"/orders?page=2"),
        changed(target=b"/orders?page=%31"),
        changed(body=b'{"a":1}'),
        with_headers(Content_Type=b"application/json; charset=utf-8"),
        with_headers(Authorization=b"Bearer two"),
    ],
)
def test_any_part_of_the_identity_makes_another_baseline(other):
    assert identity(REQUEST, [TOKEN], KEY) != identity(other, [TOKEN], KEY)


def test_other_headers_and_the_order_of_credentials_do_not_count():
    query = Point.of("get", "page")
    assert identity(REQUEST, [TOKEN, query], KEY) == identity(with_headers(User_Agent=b"x"), [query, TOKEN, TOKEN], KEY)


def test_an_absent_credential_is_not_an_empty_one():
    absent = changed(headers=REQUEST.headers[:1])
    empty = changed(headers=(*REQUEST.headers[:1], (b"Authorization", b"")))
    assert identity(absent, [TOKEN], KEY) != identity(empty, [TOKEN], KEY)


def test_the_digest_is_keyed():
    assert identity(REQUEST, [TOKEN], KEY) != identity(REQUEST, [TOKEN], b"other")


@pytest.mark.parametrize(
    ("first", "later", "says"),
    [
        ((), (b"seen=1",), True),
        ((b"a=1",), (b"a=2; seen=1",), True),
        ((b"a=1",), (b"a=2",), False),
        ((b"a=1; b=2",), (b"a=1",), False),
        ((b"a=1",), (b"seen=1",), False),
    ],
)
def test_a_later_visit_with_more_cookies_has_more_points(first, later, says):
    def visit(cookies, status=200):
        request = changed(headers=(*REQUEST.headers, *((b"Cookie", each) for each in cookies)))
        return Exchange(request, Response(status))

    assert says_more(visit(later), visit(first)) is says
    assert not says_more(visit(later, status=403), visit(first))
    assert not says_more(Exchange(visit(later).request), visit(first))


def seen(cookies: bytes, *, status: int = 200, token: bytes = b"Bearer one") -> Exchange:
    headers = ((b"Authorization", token), *(((b"Cookie", cookies),) if cookies else ()))
    return Exchange(changed(headers=headers), Response(status))


def test_of_a_record_that_is_known_the_one_with_most_cookies_stands_for_the_others() -> None:
    fullest = Fullest(KEY)
    bare, most = seen(b""), seen(b"theme=dark; size=2")
    for each in (bare, seen(b"theme=dark"), most, seen(b"size=3"), seen(b"theme=dark; size=2; x=1", status=500)):
        fullest.see(each, [TOKEN])
    assert fullest.same(bare, [TOKEN]) == fullest.same(seen(b"theme=light"), [TOKEN]) == most
    assert fullest.same(most, [TOKEN]) is None
    assert fullest.same(seen(b"", token=b"Bearer two"), [TOKEN]) is None, "another user's"


def test_where_none_says_more_each_stands_for_itself() -> None:
    fullest = Fullest(KEY)
    for each in (seen(b"a=1"), seen(b"a=2"), Exchange(seen(b"a=1; b=2").request)):
        fullest.see(each, [TOKEN])
    assert fullest.same(seen(b"a=1"), [TOKEN]) is None
