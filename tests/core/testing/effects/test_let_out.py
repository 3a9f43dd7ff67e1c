"""What was answered by the end of its sender's session."""

import pytest

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.effects.let_out import lets_out

SID, OTHER = b"4f9d6794af32a361519edc8b6cbd", b"0b6a340d188355597f2a1eae7d7032aa"
GONE = b"shedsid=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT"


def asked(path: str, *set_cookies: bytes, cookie: bytes = b"shedsid=" + SID, body: bytes = b"") -> Exchange:
    headers: Headers = ((b"Host", b"shed.example"), (b"Cookie", cookie))
    headers += ((b"Content-Type", b"application/x-www-form-urlencoded"),) if body else ()
    request = Request("POST" if body else "GET", path.encode(), headers, body, "http", "shed.example", 80)
    return Exchange(request, Response(302, tuple((b"Set-Cookie", each) for each in set_cookies)))


@pytest.mark.parametrize("deletion", [GONE, b"shedsid=deleted; Max-Age=0", b"shedsid=" + SID + b"; max-age=0"])
def test_an_answer_that_takes_the_session_away(deletion: bytes) -> None:
    assert lets_out(asked("/leave", deletion))
    assert lets_out(asked("/leave", b"theme=; Max-Age=0", deletion, b"notice=Goodbye"))


@pytest.mark.parametrize(
    "exchange",
    [
        asked("/leave"),
        asked("/leave", GONE, cookie=b"theme=dark"),
        asked("/page", b"notice=; Max-Age=0", cookie=b"notice=Saved.; shedsid=" + SID),
        asked("/renew", GONE, b"shedsid=" + OTHER),
        asked("/renew", GONE, b"other=" + OTHER),
        asked("/enter", GONE, body=b"user=ann&password=sesame"),
    ],
    ids=["nothing", "not sent", "a notice", "another in its place", "under another name", "a login"],
)
def test_what_takes_no_session_away(exchange: Exchange) -> None:
    assert not lets_out(exchange)
