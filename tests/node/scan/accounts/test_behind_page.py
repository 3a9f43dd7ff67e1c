"""A visitor's form is sent in the session that its page begins, with what the page hands out in it."""

import asyncio

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.node.scan.accounts.behind_page import asked_behind, has_let_in

HTML = (b"Content-Type", b"text/html")
FORM = b"<form method=post action=/login><input type=hidden name=_token value=new-77777777><input name=user><input name=password></form>"
HEADERS = (
    (b"Host", b"club.example"),
    (b"Referer", b"http://club.example/login"),
    (b"Content-Type", b"application/x-www-form-urlencoded"),
    (b"Cookie", b"sid=old; seen=1"),
)


def login(headers: tuple[tuple[bytes, bytes], ...] = HEADERS) -> Request:
    return Request("POST", b"/login", headers, b"_token=old-11111111&user=a&password=b", host="club.example")


def asked(form: Request, page: Response, answer: Response) -> tuple[Exchange, Exchange | None, list[Request]]:
    sent: list[Request] = []

    async def send(request: Request) -> Answer:
        sent.append(request)
        return Answer(Exchange(request, page if request.method == "GET" else answer))

    found, shown = asyncio.run(asked_behind(form, send))
    return found.exchange, shown, sent


GIVES = Response(200, (HTML, (b"Set-Cookie", b"sid=new; Path=/; HttpOnly")), FORM)
IN = Response(302, ((b"Location", b"/notes"),), b"")


def test_its_page_is_asked_by_nobody_and_its_token_and_cookie_go_along() -> None:
    sent, page, requests = asked(login(), GIVES, IN)
    assert [(one.method, one.target, one.first(b"Cookie")) for one in requests] == [
        ("GET", b"/login", None),
        ("POST", b"/login", b"sid=new"),
    ]
    assert sent.request.body == b"_token=new-77777777&user=a&password=b"
    assert page is not None
    assert has_let_in(sent, page)


@pytest.mark.parametrize("page", [Response(404, (HTML,), b""), Response(500, (), b"")])
def test_a_form_whose_page_is_not_shown_is_sent_as_it_is(page: Response) -> None:
    sent, shown, _ = asked(login(), page, IN)
    assert shown is None
    assert sent.request == login()


def test_what_names_no_page_is_sent_as_it_is() -> None:
    sent, shown, requests = asked(login((HEADERS[0], HEADERS[2])), GIVES, IN)
    assert (shown, len(requests)) == (None, 1)
    assert not has_let_in(sent, None)


@pytest.mark.parametrize(
    ("page", "answer"),
    [
        (GIVES, Response(302, ((b"Location", b"/login"),), b"")),
        (GIVES, Response(200, (HTML,), b"<p>Invalid credentials</p>")),
        (Response(200, (HTML,), FORM), IN),
    ],
    ids=["back to the form", "refused in words", "no cookie at all"],
)
def test_nobody_is_let_in(page: Response, answer: Response) -> None:
    sent, shown, _ = asked(login(), page, answer)
    assert not has_let_in(sent, shown)


def test_a_login_without_a_page_lets_in_by_its_own_cookie() -> None:
    given = Response(200, ((b"Set-Cookie", b"sid=x"),), b"")
    assert has_let_in(Exchange(login(), given), None)
    assert not has_let_in(Exchange(login(), None), None)


def test_to_be_led_back_with_a_word_lets_nobody_in() -> None:
    page = Exchange(Request("GET", b"/enter", HEADERS[:1], host="club.example"), GIVES)
    for location, is_in in ((b"/enter?wrong=1", False), (b"/desk", True)):
        sent = Exchange(login(), Response(302, ((b"Location", location),), b""))
        assert has_let_in(sent, page) == is_in
