"""What a browser asks for becomes the request that the node would send."""

import base64
from typing import Any

from gatecrash.core.message import Request
from gatecrash.node.browser.asked import request_of

FRONT = Request(
    "GET", b"/", ((b"Host", b"notes.example"), (b"Accept", b"text/html"), (b"User-Agent", b"us")), host="notes.example"
)


def asked(url: str, method: str = "GET", kind: str = "Fetch", **more: Any) -> Request | None:
    return request_of(FRONT, {"request": {"url": url, "method": method, "headers": {}, **more}, "resourceType": kind})


def test_it_goes_to_the_sites_own_origin_alone() -> None:
    found = asked("http://notes.example/api/a?b=1#c")
    assert found is not None
    assert found.target == b"/api/a?b=1"
    for url in (
        "http://elsewhere.example/",
        "https://notes.example/",
        "http://notes.example:81/",
        "data:text/html,x",
        "blob:x",
    ):
        assert asked(url) is None


def test_the_scripts_headers_are_added_and_the_browsers_own_are_not() -> None:
    found = asked(
        "http://notes.example/",
        headers={"X-Api": "1", "User-Agent": "Headless", "sec-ch-ua": "x", "Cookie": "a=b", "Origin": "x"},
    )
    assert found is not None
    assert found.first(b"X-Api") == b"1"
    assert found.first(b"User-Agent") == b"us"
    assert found.first(b"Accept") == b"*/*"
    assert found.first(b"Cookie") is None
    assert found.first(b"sec-ch-ua") is None


def test_a_body_is_put_together_of_its_pieces() -> None:
    pieces = [{"bytes": base64.b64encode(each).decode()} for each in (b'{"a":', b"1}")] + [{}]
    found = asked("http://notes.example/", "post", headers={"Content-Type": "application/json"}, postDataEntries=pieces)
    assert found is not None
    assert (found.method, found.body) == ("POST", b'{"a":1}')
    assert found.first(b"Content-Length") == b"7"
    assert found.first(b"Origin") == b"http://notes.example"
    told = asked("http://notes.example/", "PUT", postData="a=1", postDataEntries=[{"bytes": "?"}])
    assert told is not None
    assert told.body == b"a=1"
