"""Sessions of a capture are told to be over by what is refused in them now."""

import asyncio
from collections.abc import Iterable

import pytest

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.node.scan.captures.liveness import Unopened, dead_logins, open_sessions

SID = b"PHPSESSID=71354a2dfb0ab172a69d7032"
FORM = b"application/x-www-form-urlencoded"
LOGIN = ("shed.example:80", b"/login.php")


def exchange(target: bytes, body: bytes = b"", answer: Response | None = None) -> Exchange:
    headers = ((b"Host", b"shed.example"), (b"Cookie", SID), *(((b"Content-Type", FORM),) if body else ()))
    request = Request("POST" if body else "GET", target, headers, body, "http", "shed.example", 80)
    return Exchange(request, answer or Response(200, body=b"<p>hello</p>"))


CAPTURE = (
    exchange(b"/login.php", b"user=ann&password=sesame", Response(302, ((b"Location", b"/"),))),
    exchange(b"/about"),
    exchange(b"/orders"),
)


def told(
    answers: dict[bytes, Response | None], capture: Iterable[Exchange] = CAPTURE
) -> tuple[frozenset[object], list[bytes]]:
    sent: list[bytes] = []

    async def send(request: Request) -> Answer:
        sent.append(request.target)
        response = answers.get(request.target, Response(200, body=b"<p>hello</p>"))
        return Answer(Exchange(request, response), "" if response else "refused")

    return asyncio.run(dead_logins(open_sessions(capture), send)), sent


@pytest.mark.parametrize(
    "refused",
    [
        Response(401),
        Response(302, ((b"Location", b"/login.php"),)),
        Response(200, body=b"<form><input type='password' name='password'></form>"),
    ],
)
def test_a_session_in_which_something_is_refused_now_is_over(refused: Response) -> None:
    assert told({b"/orders": refused}) == (frozenset({LOGIN}), [b"/about", b"/orders"])


def test_one_in_which_all_is_answered_is_not_nor_one_of_a_target_that_does_not_answer() -> None:
    assert told({}) == (frozenset(), [b"/about", b"/orders"])
    assert told({b"/about": None, b"/orders": Response(401)}) == (frozenset(), [b"/about"])


@pytest.mark.parametrize(("status", "over"), [(500, True), (404, True), (429, False), (503, False)])
def test_a_session_is_over_where_all_that_it_read_is_answered_by_errors_now(status: int, over: bool) -> None:
    failing = Response(status, body=b"invalid signature")
    assert told({b"/about": failing, b"/orders": failing})[0] == (frozenset({LOGIN}) if over else frozenset())
    assert told({b"/orders": failing})[0] == frozenset(), "an object that is gone tells nothing of who asks for it"


def asked_again(now: Response, nobody: Response, recorded: Response | None = None) -> bool:
    """Whether the session is over where all that it read is answered so now, and this to nobody."""
    record = [CAPTURE[0], *(exchange(each.request.target, answer=recorded) for each in CAPTURE[1:])]

    async def send(request: Request) -> Answer:
        return Answer(Exchange(request, now if request.first(b"Cookie") else nobody))

    return bool(asyncio.run(dead_logins(open_sessions(record), send)))


SHELL = Response(200, ((b"Content-Type", b"text/html"),), b"<div id=app></div>")
LIST = Response(200, ((b"Content-Type", b"application/json"),), b'[{"id": 7}]')
FALSE = Response(200, ((b"Content-Type", b"application/json"),), b'{"ok": false}')


@pytest.mark.parametrize(
    "answer",
    [SHELL, FALSE, Response(302, ((b"Location", b"/"),)), Response(200, ((b"Content-Type", b"application/json"),))],
)
def test_a_session_is_over_where_all_that_it_read_is_answered_as_nobody_is(answer: Response) -> None:
    assert asked_again(answer, answer, LIST)
    assert not asked_again(answer, Response(401), LIST), "who is refused is told otherwise"
    assert not asked_again(answer, answer, answer), "everybody was answered so when it was recorded"
    other = Response(200, LIST.headers, b'[{"id": 8}]')
    assert not asked_again(other, other, LIST), "a public list that has other things now"


def test_a_capture_without_a_login_asks_nothing() -> None:
    assert open_sessions(CAPTURE[1:]) == {}


def unopened(*exchanges: Exchange, refused: bytes = b"") -> tuple[bool, list[bytes]]:
    one, sent = Unopened(compile_recogniser()), []
    for each in exchanges:
        one.see(each)

    async def send(request: Request) -> Answer:
        sent.append(request.target)
        return Answer(Exchange(request, Response(401 if request.target == refused else 200, body=b"<p>hello</p>")))

    return asyncio.run(one.are_over(send)), sent


def test_credentials_that_no_login_gave_are_over_where_something_is_refused_now() -> None:
    assert unopened(*CAPTURE[1:], refused=b"/orders") == (True, [b"/about", b"/orders"])
    assert unopened(*CAPTURE[1:]) == (False, [b"/about", b"/orders"])


def test_a_login_whose_password_is_masked_lets_nobody_in_again() -> None:
    masked = exchange(b"/login.php", b"user=ann&password=%2A%2A%2A%2A%2A%2A", Response(302, ((b"Location", b"/"),)))
    assert open_sessions((masked, *CAPTURE[1:])) == {}
    assert unopened(masked, *CAPTURE[1:], refused=b"/orders") == (True, [b"/about", b"/orders"])


def test_what_a_login_gave_or_was_refused_already_is_not_asked_about() -> None:
    assert unopened(*CAPTURE, refused=b"/orders") == (False, [])
    assert unopened(exchange(b"/orders", answer=Response(401)), refused=b"/orders") == (False, [])
    assert unopened(exchange(b"/logout"), exchange(b"/orders", b"a=b"), refused=b"/orders") == (False, [])


def test_what_everybody_is_shown_tells_nothing_where_the_rest_is_answered_as_nobody_is() -> None:
    """`/about` is everybody's; the orders and the tools are hidden from who is not signed in."""
    gone = Response(404, body=b"not here")
    capture = (*CAPTURE, exchange(b"/tools", answer=Response(200, body=b"rake")))
    assert told({b"/orders": gone, b"/tools": gone}, capture)[0] == frozenset({LOGIN})


PASS = (b"X-Plot", b"71354a2dfb0ab172a69d7032")


def held_over(
    now: Response, nobody: Response, *, everybodys: bytes = b"/none", own: tuple[bytes, bytes] = PASS
) -> tuple[bool, list[tuple[str, ...]]]:
    """Whether what a header of the application's own let read is over where it is answered so now, and this to nobody; and what that is."""
    one = Unopened(compile_recogniser())
    for target in (b"/orders", b"/tools", b"/me"):
        request = Request("GET", target, ((b"Host", b"shed.example"), own), b"", "http", "shed.example", 80)
        one.see(Exchange(request, Response(200, body=b"<p>hello</p>")))

    async def send(request: Request) -> Answer:
        if request.path == everybodys:
            return Answer(Exchange(request, Response(200, body=b"<p>hello</p>")))
        return Answer(Exchange(request, now if request.first(own[0]) else nobody))

    over = asyncio.run(one.are_over(send))
    return over, [(host, *point) for host, point in one.letting_in]


@pytest.mark.parametrize("dead", [Response(401), Response(404, body=b"not here"), Response(500, body=b"oops"), SHELL])
def test_a_header_of_the_applications_own_is_told_to_be_over(dead: Response) -> None:
    assert held_over(dead, dead) == (True, [("shed.example", "header", "X-PLOT")])


def test_where_a_page_is_everybodys_nothing_is_taken_for_a_credential() -> None:
    assert held_over(Response(401), Response(401), everybodys=b"/me") == (True, [])
    gone = Response(404, body=b"not here")
    assert held_over(gone, gone, everybodys=b"/me") == (False, [])


def test_what_nobody_is_answered_otherwise_or_anybody_could_write_is_not_over() -> None:
    gone = Response(404, body=b"not here")
    assert held_over(gone, Response(200, body=b"<p>welcome</p>")) == (False, [])
    assert held_over(Response(200, body=b"<p>hello</p>"), Response(401)) == (False, [])
    assert held_over(gone, gone, own=(b"X-Plot", b"harbour")) == (False, [])
    assert held_over(Response(503), Response(503)) == (False, [])
