"""Requests and answers as text for people."""

from gatecrash.core.message import Request, Response
from gatecrash.core.reports.raw import raw_request, raw_response

REQUEST = Request(
    "POST",
    b"/a'b?q=1",
    ((b"Host", b"x"), (b"Authorization", b"Bearer $TOKEN"), (b"Content-Length", b"7")),
    b"it's $1",
    host="x",
)


def test_a_request_is_shown_as_it_is_on_the_wire() -> None:
    assert raw_request(REQUEST).split("\r\n")[0] == "POST /a'b?q=1 HTTP/1.1"
    assert raw_request(REQUEST).endswith("\r\n\r\nit's $1")


def test_no_answer_is_no_text() -> None:
    assert raw_response(None) == ""
    assert raw_response(Response(404, (), b"no", b"Not Found")) == "HTTP/1.1 404 Not Found\r\n\r\nno"


def test_a_long_body_is_cut_and_says_so() -> None:
    assert raw_response(Response(200, (), b"x" * 70_000)).endswith(f"\n[{70_000 - 65_536} more bytes]")
