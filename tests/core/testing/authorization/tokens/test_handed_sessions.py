"""What an answer to a login hands out, and requests that bring it along."""

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.tokens.handed_sessions import session_of, ways_of
from gatecrash.core.testing.known.page import Page

JSON = (b"Content-Type", b"application/json")
TOKEN = b"9f8e7d6c5b4a39281706"


def test_cookies_and_tokens_are_handed_out_and_a_plain_answer_hands_out_nothing():
    cookies = ((b"Set-Cookie", b"sid=a1; Path=/; HttpOnly"), (b"Set-Cookie", b"gone=; Max-Age=0"))
    session = session_of(Response(200, (*cookies, JSON), b'{"data": {"auth_token": "' + TOKEN + b'"}}'))
    assert session == (b"sid=a1", (TOKEN,))
    assert session_of(Response(200, (JSON,), b'{"message": "welcome"}')) is None


def test_a_token_is_brought_where_the_page_had_one_else_as_a_bearers():
    request = Request("GET", b"/me")
    session = session_of(Response(200, (JSON,), b'{"token": "' + TOKEN + b'"}'))
    (own,) = ways_of(Page(request, rendered=False, bearing=(b"X-Token", b"")), session)
    (usual,) = ways_of(Page(request, rendered=False), session)
    assert own.on(request).first(b"X-Token") == TOKEN
    assert usual.on(request).first(b"Authorization") == b"Bearer " + TOKEN


def test_cookies_are_one_way():
    session = session_of(Response(204, ((b"Set-Cookie", b"a=1"), (b"Set-Cookie", b"b=2"))))
    (way,) = ways_of(Page(Request("GET", b"/me"), rendered=True), session)
    assert way.on(Request("GET", b"/me")).first(b"Cookie") == b"a=1; b=2"
