"""A point marked in its request: the pieces are the whole text, and the marked one is the point's value."""

import pytest

from gatecrash.control.ui.highlighting import marked
from gatecrash.core.message import Request
from gatecrash.core.reports.raw import raw_request

FORM = ((b"Content-Type", b"application/x-www-form-urlencoded"), (b"Content-Length", b"11"))
JSON = ((b"Content-Type", b"application/json"),)


def request(
    target: bytes = b"/teas/7?q=sencha&n=1", headers: tuple[tuple[bytes, bytes], ...] = (), body: bytes = b""
) -> Request:
    return Request("POST" if body else "GET", target, ((b"Host", b"h"), *headers), body, host="h")


@pytest.mark.parametrize(
    ("given", "point", "value"),
    [
        (request(), ["get", "q"], "sencha"),
        (request(), ["path", "1"], "7"),
        (request(headers=((b"X-Tea", b"oolong"),)), ["header", "X-TEA"], "oolong"),
        (request(headers=((b"Cookie", b"a=1; sid=xyz"),)), ["header", "COOKIE", "cookie", "sid"], "xyz"),
        (request(headers=FORM, body=b"a=1&b=green"), ["post", "form_urlencoded", "b"], "green"),
        (
            request(headers=JSON, body=b'{"tea": {"sort": "matcha"}}'),
            ["post", "json_doc", "json_obj", "tea", "json_obj", "sort"],
            "matcha",
        ),
    ],
)
def test_the_value_at_the_point_is_marked(given: Request, point: list[str], value: str) -> None:
    pieces = marked(given, point)
    assert "".join(text for text, _ in pieces) == raw_request(given)
    [found] = [text for text, is_marked in pieces if is_marked]
    assert value in found


@pytest.mark.parametrize(
    "point", [[], ["get", "absent"], ["post", "json_doc", "json_obj", "a"], ["header", "X-ABSENT"]]
)
def test_a_request_without_the_point_is_shown_unmarked(point: list[str]) -> None:
    assert marked(request(), point) == [(raw_request(request()), False)]
