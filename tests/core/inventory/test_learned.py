"""What a capture taught of sessions decides what counts as a credential when its requests are tested."""

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.inventory.fold import Folder
from gatecrash.core.inventory.learned import Learned
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point

SID = b"q8Zr2LmT5xWc9VbN4kPd7HsJ"
COOKIE = (b"Set-Cookie", b"shop_ticket=" + SID + b"; HttpOnly")


def asked(method: str, path: bytes, cookie: bytes = b"", body: bytes = b"") -> Request:
    headers: tuple[tuple[bytes, bytes], ...] = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    if cookie:
        headers += ((b"Cookie", cookie),)
    return Request(method, path, headers, body, host="h")


def learned(*exchanges: Exchange) -> Learned:
    recogniser = compile_recogniser()
    folder = Folder(recogniser)
    for exchange in exchanges:
        folder.add(exchange)
    return Learned(recogniser, folder.sessions)


def points(learned_: Learned, request: Request) -> list[Point]:
    return [one.point for one in learned_.recognise(request)]


def test_a_cookie_that_a_login_issued_is_a_credential() -> None:
    login = Exchange(asked("POST", b"/login", body=b"user=ada&password=lovelace"), Response(200, (COOKIE,), b"ok"))
    knowing = learned(login)
    request = asked("GET", b"/orders", b"shop_ticket=" + SID)
    assert points(knowing, request) == [Point.of("header", "COOKIE", "cookie", "shop_ticket")]
    assert points(learned(), request) == [], "nothing is known before"
    elsewhere = Request("GET", b"/orders", request.headers, host="other")
    assert points(knowing, elsewhere) == [], "another host's cookie of that name"


def test_a_session_that_every_visitor_gets_is_none() -> None:
    handed = (b"Set-Cookie", b"PHPSESSID=" + SID + b"; HttpOnly")
    request = asked("GET", b"/home", b"PHPSESSID=" + SID)
    visit = Exchange(asked("GET", b"/"), Response(200, (handed,), b"welcome"))
    assert points(learned(), request) == [Point.of("header", "COOKIE", "cookie", "PHPSESSID")]
    assert points(learned(visit), request) == []


def test_judging_teaches_nothing() -> None:
    knowing = learned()
    request = asked("GET", b"/orders", b"shop_ticket=" + SID)
    assert points(knowing, request) == points(knowing, request) == []
