"""Captures become requests that can be sent and answers that can be compared; everything else stays."""

import pytest

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.selection.replay import MAX_KEPT_ANSWER, replayable, why_not

OK = Response(200, ((b"Content-Type", b"application/json"),), b"{}")


def sent(method: str = "GET", headers: Headers = (), body: bytes = b"", **place: object) -> Request:
    request = Request(method, b"/a?q=1", headers, body, **{"host": "api.example.com", **place})  # type: ignore[arg-type]
    return replayable(Exchange(request, OK)).request


def test_a_request_without_a_host_gets_its_own_in_front() -> None:
    assert sent(headers=((b"Accept", b"*/*"),)).headers == ((b"Host", b"api.example.com"), (b"Accept", b"*/*"))
    assert sent(port=8001).headers == ((b"Host", b"api.example.com:8001"),)
    assert sent(headers=((b"host", b"other"),)).headers == ((b"host", b"other"),)


def test_the_length_fits_the_body_and_nothing_speaks_of_the_old_connection() -> None:
    headers = (
        (b"Host", b"h"),
        (b"Transfer-Encoding", b"chunked"),
        (b"Connection", b"keep-alive"),
        (b"content-length", b"99"),
        (b"X-A", b"1"),
    )
    assert sent("POST", headers, b"abc").headers == ((b"Host", b"h"), (b"content-length", b"3"), (b"X-A", b"1"))
    assert sent("POST", ((b"Host", b"h"),), b"abc").headers[-1] == (b"Content-Length", b"3")


@pytest.mark.parametrize(
    ("offered", "kept"),
    [
        (b"gzip, deflate, br, zstd", (b"gzip, deflate",)),
        (b"gzip;q=1.0, br", (b"gzip;q=1.0",)),
        (b"br", ()),
    ],
)
def test_only_codings_that_can_be_undone_are_asked_for(offered: bytes, kept: tuple[bytes, ...]) -> None:
    headers = sent(headers=((b"Host", b"h"), (b"accept-encoding", offered))).headers
    assert tuple(value for name, value in headers if name == b"accept-encoding") == kept


def test_a_websocket_is_opened_again_with_what_its_client_says_behind_it() -> None:
    recorded = ((b"Host", b"h"), (b"Upgrade", b"WebSocket"), (b"Sec-WebSocket-Extensions", b"permessage-deflate"))
    request = sent(headers=recorded, body=b'{"type": "subscribe"}')
    assert request.body == b'{"type": "subscribe"}'
    assert [name for name, _ in request.headers] == [
        b"Host",
        b"Upgrade",
        b"Connection",
        b"Sec-WebSocket-Version",
        b"Sec-WebSocket-Key",
    ]


def test_what_a_socket_was_heard_to_say_is_no_whole_answer() -> None:
    """It may have been said to what is not said again."""

    def truncated(status: int) -> bool:
        opening = Request("GET", b"/", ((b"Host", b"h"), (b"Upgrade", b"websocket")), host="h")
        response = replayable(Exchange(opening, Response(status, body=b"{}"))).response
        assert response is not None
        return response.truncated

    assert truncated(101)
    assert not truncated(403)


def test_conditions_go_where_they_would_only_hide_the_answer() -> None:
    headers = ((b"Host", b"h"), (b"If-None-Match", b'"a"'))
    assert sent("GET", headers).headers == ((b"Host", b"h"),)
    assert sent("PUT", headers).headers == headers, "on a change it decides what happens"


def test_a_long_answer_is_cut_and_says_so() -> None:
    exchange = Exchange(Request("GET", b"/", host="h"), Response(200, body=b"x" * (MAX_KEPT_ANSWER + 1)))
    response = replayable(exchange).response
    assert response is not None
    assert (len(response.body), response.truncated, response.size) == (MAX_KEPT_ANSWER, True, MAX_KEPT_ANSWER + 1)


@pytest.mark.parametrize(
    ("request_", "response", "why"),
    [
        (Request("GET", b"/"), OK, ""),
        (Request("GET", b"/"), None, ""),
        (Request("POST", b"/", body=b"a"), OK, ""),
        (Request("POST", b"/", body=b"a"), None, "unanswered"),
        (Request("OPTIONS", b"/", ((b"Access-Control-Request-Method", b"PUT"),)), OK, "preflight"),
        (Request("OPTIONS", b"/"), OK, ""),
        (Request("POST", b"/", ((b"Content-Length", b"512"),)), OK, "incomplete"),
        (Request("POST", b"/", ((b"Content-Length", b"0"),)), OK, ""),
        (Request("GET", b"/", scheme="wss"), OK, "no_http"),
        (Request("GET", b"/"), Response(101), "no_http"),
        (Request("GET", b"/", ((b"Upgrade", b"websocket"),)), Response(101), ""),
        (Request("GET", b"/", ((b"Upgrade", b"websocket"),), scheme="ws"), Response(101), "no_http"),
        (Request("GET", b"/", ((b"Upgrade", b"h2c"),)), Response(101), "no_http"),
        (Request("CONNECT", b"h:443"), OK, "no_http"),
    ],
)
def test_what_is_no_baseline_says_why(request_: Request, response: Response | None, why: str) -> None:
    assert why_not(Exchange(request_, response)) == why
