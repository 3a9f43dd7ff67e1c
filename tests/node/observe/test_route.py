"""Where a request goes, and that nothing of it changes on the way but what must."""

import pytest

from gatecrash.core.errors import UserError
from gatecrash.node.http1.head import RequestHead, RequestHeads, read_request_head
from gatecrash.node.observe.route import (
    LastRoute,
    Origin,
    Refused,
    forward,
    inside,
    read_authority,
    read_upstream,
    reverse,
    with_host,
)


def head(target: bytes, *lines: bytes) -> RequestHead:
    return read_request_head(b"\r\n".join((b"GET " + target + b" HTTP/1.1", *lines)))


@pytest.mark.parametrize(
    ("target", "origin", "left"),
    [
        (b"http://A.example/x/../y?z#f", Origin("http", "a.example", 80), b"/x/../y?z#f"),
        (b"HTTP://a:81", Origin("http", "a", 81), b"/"),
        (b"http://a?q=http://b/", Origin("http", "a", 80), b"/?q=http://b/"),
        (b"https://[::1]:8/", Origin("https", "::1", 8), b"/"),
        (b"http://[::1]/", Origin("http", "::1", 80), b"/"),
    ],
)
def test_absolute_form_becomes_origin_form(target: bytes, origin: Origin, left: bytes) -> None:
    route = forward(head(target))
    assert (route.origin, route.target) == (origin, left)


@pytest.mark.parametrize(
    "target", [b"/", b"*", b"ftp://a/", b"http:///x", b"http://u@a/", b"http://a:0/", b"http://a:x/", b"http://a\\b/"]
)
def test_what_names_no_origin_is_refused(target: bytes) -> None:
    with pytest.raises(Refused) as caught:
        forward(head(target))
    assert caught.value.status == 400


def test_two_hosts_are_refused_by_the_reverse_proxy() -> None:
    with pytest.raises(Refused):
        reverse(head(b"/", b"Host: a", b"host: b"), Origin("http", "c", 80))


def test_a_host_is_set_in_place_or_at_the_head() -> None:
    assert with_host(((b"A", b"1"), (b"hOst", b"x")), b"y") == ((b"A", b"1"), (b"hOst", b"y"))
    assert with_host(((b"A", b"1"),), b"y") == ((b"Host", b"y"), (b"A", b"1"))


def test_an_origin_is_shown_as_a_host_header_writes_it() -> None:
    assert read_authority(b"a", "https").authority == b"a"
    assert str(read_authority(b"[::1]:8080", "http")) == "http://[::1]:8080"


@pytest.mark.parametrize(
    "url", ["example.com", "ftp://a", "http://a/base", "http://a:99999", "http://u:p@a", "http://"]
)
def test_an_upstream_that_is_none_is_told(url: str) -> None:
    with pytest.raises(UserError):
        read_upstream(url)
    assert read_upstream("https://A.example/") == Origin("https", "a.example", 443)


def test_the_last_route_is_taken_again_for_the_very_same_headers_only() -> None:
    read, last, origin = RequestHeads(), LastRoute(), Origin("http", "b", 80)
    one = read(b"GET /1 HTTP/1.1\r\nHost: a")
    last.note(one, inside(one, origin), one.headers, one.block)
    again = last.again(read(b"POST /2 HTTP/1.1\r\nHost: a"))
    assert again is not None
    assert (again.origin, again.target, again.headers, again.lines) == (origin, b"/2", one.headers, b"\r\nHost: a")
    assert last.again(head(b"/2", b"Host: a")) is None
    assert last.again(read(b"GET /1 HTTP/1.1\r\nHost: c")) is None


def test_a_target_that_names_a_host_neither_is_a_last_route_nor_takes_one() -> None:
    read, last = RequestHeads(), LastRoute()
    absolute = read(b"GET http://a/ HTTP/1.1\r\nHost: a")
    last.note(absolute, forward(absolute), absolute.headers, absolute.block)
    plain = read(b"GET / HTTP/1.1\r\nHost: a")
    assert last.again(plain) is None
    last.note(plain, inside(plain, Origin("http", "b", 80)), plain.headers, plain.block)
    assert last.again(read(b"GET http://c/ HTTP/1.1\r\nHost: a")) is None
    assert last.again(read(b"OPTIONS * HTTP/1.1\r\nHost: a")) is None


def test_an_address_of_another_protocol_is_refused_as_such() -> None:
    with pytest.raises(Refused, match="http:// and https:// addresses only"):
        forward(head(b"ftp://a/x"))
    with pytest.raises(Refused, match="This is a forward proxy"):
        forward(head(b"/ftp://a/x"))


@pytest.mark.parametrize("url", ["nonsense", "http://a:99999", "http://[::1", "http://a/path"])
def test_an_option_that_wants_an_origin_is_named(url: str) -> None:
    with pytest.raises(UserError, match=r"^--target "):
        read_upstream(url, "--target")
