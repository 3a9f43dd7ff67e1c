"""What a form needs is made anew before it is sent: tokens, and the steps that lead to it."""

import asyncio
import itertools
from collections.abc import Callable

import msgspec
from tests.node.loop import run
from tests.node.test.answering import Application, traffic

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Headers, Request, Response, without_header
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.probe import TestRequest
from gatecrash.node.test.sessions.principal import Principal

RECOGNISER = compile_recogniser()
TITLE, TOKEN = (Point.of("post", "form_urlencoded", name) for name in ("title", "csrf"))
HEAD: Headers = ((b"Host", b"shop.example"), (b"Cookie", b"sid=0123456789abcdef"))
FORM: Headers = (*HEAD, (b"Content-Type", b"application/x-www-form-urlencoded"), (b"Content-Length", b"0"))
SAVED = Response(200, body=b"<p>saved</p>")


def asked(target: bytes, body: bytes = b"") -> Request:
    return Request("POST" if body else "GET", target, FORM if body else HEAD, body, "https", "shop.example", 443)


def form(token: bytes) -> Response:
    return Response(200, body=b"<form method=post><input type=hidden name=csrf value=%s></form>" % token)


class Shop:
    """Hands out tokens. once: each is good for one request; told: what it says of a stale one."""

    def __init__(self, *, once: bool, told: Response) -> None:
        self.tokens = (b"token-%d" % number for number in itertools.count(1))
        self.valid = b""
        self.taken = 0
        self.once = once
        self.told = told

    def says(self, request: Request) -> Response:
        if request.method == "GET":
            self.valid = next(self.tokens) if self.once or not self.valid else self.valid
            return form(self.valid)
        good = self.valid and read(request, TOKEN) == self.valid
        self.valid = b"" if self.once else self.valid
        self.taken += bool(good)
        return SAVED if good else self.told


async def principal_of(
    says: Callable[[Request], Response], *met: Exchange, recorded: Exchange | None = None
) -> tuple[Principal, Baseline, Application]:
    application = Application(says)
    sent = traffic(application)
    for exchange in met:
        sent.met(exchange)
    exchange = recorded or Exchange(asked(b"/save", b"title=a&csrf=recorded-1"), SAVED)
    principal = Principal(Baseline("bl_1", exchange), sent, RECOGNISER)
    return principal, await principal.dress(), application


async def answers_of(principal: Principal, baseline: Baseline, number: int, point: Point = TITLE) -> list[int]:
    requests = [rewrite(baseline.request, point, b"payload-%d" % each) for each in range(number)]
    answers = await asyncio.gather(*[principal.send(TestRequest(request)) for request in requests])
    return [answer.exchange.response.status for answer in answers if answer.exchange.response]


@run
async def test_what_is_sent_as_it_is_has_a_token_of_now_where_its_credentials_are_there() -> None:
    for once in (False, True):
        shop = Shop(once=once, told=Response(403, body=b"CSRF verification failed"))
        signed_in = (*FORM, (b"Authorization", b"Bearer 3f9a0c77de114b02a1b2c3d4"))
        recorded = msgspec.structs.replace(asked(b"/save", b"title=a&csrf=recorded-1"), headers=signed_in)
        principal, baseline, application = await principal_of(shop.says, recorded=Exchange(recorded, SAVED))
        changed = rewrite(baseline.request, TITLE, b"payload")
        told = [(await principal.send(TestRequest(each, raw=True))).exchange.response for each in (changed, changed)]
        assert [response.status for response in told if response] == [200, 200]
        nobody = msgspec.structs.replace(changed, headers=without_header(changed.headers, b"Authorization"))
        await principal.send(TestRequest(nobody, raw=True))
        assert application.asked[-1].body == nobody.body, "whose credentials are the question keeps what was recorded"


@run
async def test_a_sessions_token_is_fetched_once_and_serves_all_tests() -> None:
    shop = Shop(once=False, told=Response(403, body=b"CSRF verification failed"))
    principal, baseline, application = await principal_of(shop.says)
    assert await answers_of(principal, baseline, 10) == [200] * 10
    assert application.paths() == ["/save"] * 12, "its page, ten tests, and one of them once more"
    assert [request.method for request in application.asked].count("GET") == 1


@run
async def test_a_token_that_is_good_once_is_fetched_for_each_test() -> None:
    for told in (Response(403), Response(302, ((b"Location", b"/save"),)), Response(200, body=b"<p>Invalid token</p>")):
        shop = Shop(once=True, told=told)
        principal, baseline, _ = await principal_of(shop.says)
        assert await answers_of(principal, baseline, 10) == [200] * 10
        assert shop.taken == 10, told.status


@run
async def test_what_a_probe_writes_in_the_tokens_place_stays_there() -> None:
    shop = Shop(once=False, told=Response(403))
    principal, baseline, application = await principal_of(shop.says)
    assert await answers_of(principal, baseline, 2, TOKEN) == [403, 403]
    assert {read(request, TOKEN) for request in application.asked} == {b"payload-0", b"payload-1"}


@run
async def test_another_form_that_a_test_sends_beside_its_own_has_fresh_tokens_too() -> None:
    for once in (False, True):
        shop = Shop(once=once, told=Response(403))
        principal, baseline, application = await principal_of(shop.says)
        making = msgspec.structs.replace(baseline.request, target=b"/notes/new")
        for request in (making, msgspec.structs.replace(making, method="GET"), making):
            await principal.send(TestRequest(request, "control"))
        assert shop.taken == 2
        assert [one.method for one in application.asked] == ["GET", "POST", "GET", "GET", "POST"]
        await principal.send(TestRequest(making))
        assert len(application.asked) == 6, "a payload in the path is no other form"


@run
async def test_what_a_test_writes_in_the_path_has_tokens_of_now() -> None:
    """`/rooms/oak/keep` with something else for `oak`; what stands at another place is another form, and a test's own
    word in the token stays.
    """
    for once in (False, True):
        shop = Shop(once=once, told=Response(302, ((b"Location", b"/rooms"),)))
        recorded = Exchange(asked(b"/rooms/oak/keep", b"title=a&csrf=recorded-1"), SAVED)
        principal, baseline, application = await principal_of(shop.says, recorded=recorded)
        for written in (b"oak%27", b"oak%22", b"elm"):
            request = msgspec.structs.replace(baseline.request, target=b"/rooms/" + written + b"/keep")
            assert (await principal.send(TestRequest(request))).exchange.response == SAVED
        assert shop.taken >= 3
        before = len(application.asked)
        for target in (b"/rooms/keep", b"/halls/oak%27/keep", b"/rooms/oak/x/keep"):
            other = msgspec.structs.replace(baseline.request, target=target)
            assert (await principal.send(TestRequest(other))).exchange.response != SAVED
        forged = rewrite(msgspec.structs.replace(baseline.request, target=b"/rooms/elm/keep"), TOKEN, b"forged")
        await principal.send(TestRequest(forged))
        assert len(application.asked) == before + 4
        assert read(application.asked[-1], TOKEN) == b"forged"


@run
async def test_refusals_that_no_token_helps_are_the_applications_opinion() -> None:
    def says(request: Request) -> Response:
        return form(b"token-1") if request.method == "GET" else Response(403)

    principal, baseline, application = await principal_of(says)
    assert await answers_of(principal, baseline, 20) == [403] * 20
    assert len(application.asked) < 30


@run
async def test_a_login_that_leads_back_and_makes_all_tokens_anew_is_answered_each_time() -> None:
    """Who is let in gets another session, in which the token of before is stale; who is not is led back to the form."""
    token = itertools.count(1)
    valid = [b""]

    def says(request: Request) -> Response:
        if request.method == "GET":
            valid[0] = valid[0] or b"token-%d" % next(token)
            return form(valid[0])
        if read(request, TOKEN) != valid[0]:
            return Response(419)
        if (read(request, TITLE) or b"").endswith((b"1", b"2", b"3")):
            return Response(302, ((b"Location", b"/save"),))
        valid[0] = b""
        return Response(302, ((b"Location", b"/home/" + (read(request, TITLE) or b"")),))

    recorded = Exchange(asked(b"/save", b"title=a&csrf=recorded-1"), Response(302, ((b"Location", b"/home/a"),)))
    principal, baseline, _ = await principal_of(says, recorded=recorded)
    for _round in range(3):
        assert await answers_of(principal, baseline, 18) == [302] * 18


@run
async def test_a_page_that_a_probe_reads_and_that_makes_its_token_anew_does_not_spoil_what_comes_after() -> None:
    tokens = (b"token-%d" % number for number in itertools.count(1))
    valid = b""

    def says(request: Request) -> Response:
        nonlocal valid
        if request.method == "GET":
            valid = next(tokens)
            return form(valid)
        good = read(request, TOKEN) == valid and read(request, TITLE) == b"a"
        return SAVED if good else Response(302, ((b"Location", b"/save"),))

    principal, baseline, _ = await principal_of(says)
    assert await answers_of(principal, baseline, 8) == [302] * 8
    await principal.send(TestRequest(asked(b"/save")))
    right = (await principal.send(TestRequest(baseline.request, "control"))).exchange.response
    assert right is not None
    assert right.status == 200


@run
async def test_a_step_is_led_to_anew_by_the_request_that_led_to_it() -> None:
    ready = [False]

    def says(request: Request) -> Response:
        if request.path == b"/order/1":
            ready[0] = True
            return Response(302, ((b"Location", b"/order/2"),))
        if not ready[0]:
            return Response(302, ((b"Location", b"/order/1"),))
        ready[0] = request.method == "GET"
        return SAVED

    first = Exchange(asked(b"/order/1", b"book=1"), Response(302, ((b"Location", b"/order/2"),)))
    recorded = Exchange(asked(b"/order/2", b"title=a"), SAVED)
    principal, baseline, application = await principal_of(says, first, recorded=recorded)
    assert await answers_of(principal, baseline, 5) == [200] * 5
    assert application.paths().count("/order/1") >= 4


@run
async def test_a_step_with_a_token_that_other_pages_hand_out_too_is_led_to() -> None:
    ready = [False]

    def says(request: Request) -> Response:
        if request.method == "GET":
            to_begin = request.path == b"/order/2" and not ready[0]
            return Response(302, ((b"Location", b"/order/1"),)) if to_begin else form(b"lasting-1")
        if request.path == b"/order/1":
            ready[0] = read(request, TOKEN) == b"lasting-1"
            return Response(302, ((b"Location", b"/order/2"),))
        was, ready[0] = ready[0], False
        return SAVED if was else Response(302, ((b"Location", b"/order/1"),))

    first = Exchange(asked(b"/order/1", b"book=1&csrf=recorded-0"), Response(302, ((b"Location", b"/order/2"),)))
    pages = [Exchange(asked(target), form(b"recorded-1")) for target in (b"/order/2", b"/order/1", b"/search")]
    recorded = Exchange(asked(b"/order/2", b"title=a&csrf=recorded-1"), SAVED)
    principal, baseline, _ = await principal_of(says, first, *pages, recorded=recorded)
    assert await answers_of(principal, baseline, 5) == [200] * 5


@run
async def test_a_session_that_is_kept_in_a_cookie_goes_on_from_step_to_step_and_is_never_given_back_to_a_test() -> None:
    def says(request: Request) -> Response:
        state = (request.first(b"Cookie") or b"").partition(b"sid=")[2]
        if request.path == b"/order/1":
            return Response(200, ((b"Set-Cookie", b"sid=ready-12345678"),), form(b"confirm-1").body)
        good = state == b"ready-12345678" and read(request, TOKEN) == b"confirm-1"
        return SAVED if good else Response(302, ((b"Location", b"/order/1"),))

    first = Exchange(asked(b"/order/1", b"book=1"), Response(200, body=form(b"recorded-1").body))
    recorded = Exchange(asked(b"/order/2", b"title=a&csrf=recorded-1"), SAVED)
    principal, baseline, application = await principal_of(says, first, recorded=recorded)
    assert await answers_of(principal, baseline, 3) == [200] * 3
    bare = without_header(baseline.request.headers, b"Cookie")
    await principal.send(TestRequest(msgspec.structs.replace(baseline.request, headers=bare)))
    assert [one.first(b"Cookie") for one in application.asked if one.headers[:2] == bare[:2]] == [None] * 3


@run
async def test_without_tokens_and_steps_requests_go_as_they_are() -> None:
    recorded = Exchange(asked(b"/save", b"title=a"), SAVED)
    principal, baseline, application = await principal_of(lambda _request: SAVED, recorded=recorded)
    assert not principal.forms
    await answers_of(principal, baseline, 2)
    assert len(application.asked) == 2
