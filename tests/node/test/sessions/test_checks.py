"""One baseline's session through its tests: refused ones are sent again, or the tests end."""

import asyncio
from typing import Any

import pytest
from tests.node.loop import run
from tests.node.test.answering import Application, get, traffic

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.probe import TestRequest
from gatecrash.node.test.sessions.checks import MOST_FALSE_ALARMS, Attendance, SessionLost
from gatecrash.node.test.sessions.living import DOUBT_SECONDS

PROFILE: dict[str, Any] = {
    "login": [{"path": "/login", "take": {"t": {"json": "$.t"}}}],
    "values": [{"point": ["header", "Authorization"], "value": "Bearer ${t}"}],
    "identities": [
        {"name": "alice"},
        {"name": "bob", "login": [{"path": "/login-bob", "take": {"t": {"json": "$.t"}}}]},
    ],
}
OK = Response(200, body=b"fine")


class Shop:
    """Tokens by number; only the last of each is good. ends: at these paths the session dies."""

    def __init__(self, *, ends: bytes = b"", forbids: bytes = b"none", locked: bool = False) -> None:
        self.logins = 0
        self.good: set[str] = set()
        self.ends = ends
        self.forbids = forbids
        self.locked = locked

    def __call__(self, request: Request) -> Response:
        if request.path.startswith(b"/login"):
            if self.locked and self.logins:
                return Response(403)
            self.logins += 1
            self.good.add(f"Bearer token-{self.logins:08d}")
            return Response(200, body=b'{"t": "token-%08d"}' % self.logins)
        if (request.first(b"Authorization") or b"").decode() not in self.good:
            return Response(401)
        if self.ends and request.target.endswith(self.ends):
            self.good.clear()
        return Response(403) if request.target.endswith(self.forbids) else OK


async def attended(
    shop: Shop, request: Request, profile: dict[str, Any] | None = PROFILE
) -> tuple[Attendance, Request, Application]:
    application = Application(shop)
    baseline = Baseline("bl_1", Exchange(request, OK))
    made = Attendance(baseline, traffic(application, profile), compile_recogniser())
    dressed = await made.dress()
    await made.begin()
    return made, dressed.request, application


async def statuses(made: Attendance, *requests: Request) -> list[int]:
    answers = [await made.send(TestRequest(request)) for request in requests]
    return [answer.exchange.response.status for answer in answers if answer.exchange.response]


def at(request: Request, target: bytes) -> Request:
    return Request(request.method, target, request.headers, request.body, request.scheme, request.host, request.port)


@run
async def test_tests_that_go_on_later_are_asked_about_behind_them_alone() -> None:
    shop = Shop()
    made, _, application = await attended(shop, get("/a"))
    asked = len(application.paths())
    await made.begin(again=True)
    assert len(application.paths()) == asked
    shop.good.clear()
    assert await made.end()
    assert shop.logins == 2, "who needs the session has it back behind them"


@run
async def test_what_was_refused_by_a_dead_session_is_sent_again() -> None:
    shop = Shop(ends=b"bye")
    made, request, _ = await attended(shop, get("/a"))
    assert await statuses(made, at(request, b"/a?bye"), at(request, b"/a?1"), at(request, b"/a?2")) == [200, 200, 200]
    assert await made.end(), "the refusals were noticed one by one"
    assert shop.logins == 2


@run
async def test_all_that_were_refused_at_once_share_one_login() -> None:
    shop = Shop()
    made, request, _ = await attended(shop, get("/a"))
    shop.good.clear()
    answers = await asyncio.gather(*[made.send(TestRequest(at(request, b"/a?%d" % number))) for number in range(8)])
    assert {answer.exchange.response.status for answer in answers if answer.exchange.response} == {200}
    assert shop.logins == 2


@run
async def test_refusals_under_a_living_session_are_the_applications_opinion() -> None:
    shop = Shop(forbids=b"evil")
    made, request, application = await attended(shop, get("/a"))
    before = len(application.asked)
    assert await statuses(made, *[at(request, b"/a?evil")] * 10) == [403] * 10
    assert len(application.asked) - before == 10 + MOST_FALSE_ALARMS, "one control for each alarm, and then no more"
    assert await made.end()
    assert shop.logins == 1


@run
async def test_a_baseline_that_the_identity_may_not_send_costs_no_login_and_spoils_no_other() -> None:
    shop = Shop(forbids=b"secret")
    application = Application(shop)
    sent = traffic(application, PROFILE)
    first = Attendance(Baseline("bl_1", Exchange(get("/a"), OK)), sent, compile_recogniser())
    await first.dress()
    await first.begin()
    forbidden = Attendance(Baseline("bl_2", Exchange(get("/a?secret"), OK)), sent, compile_recogniser())
    await forbidden.dress()
    with pytest.raises(SessionLost, match="though other requests show that the session lives"):
        await forbidden.begin()
    assert shop.logins == 1
    assert await first.end()


class WithPublicPages(Shop):
    """Lets anybody read what is public."""

    def __call__(self, request: Request) -> Response:
        return OK if request.path == b"/public" else super().__call__(request)


@pytest.mark.parametrize("method", ["GET", "POST"])
@run
async def test_a_public_page_does_not_vouch_for_a_session_that_began_long_ago(method: str) -> None:
    shop = WithPublicPages()
    sent = traffic(Application(shop), PROFILE)
    page = Attendance(Baseline("bl_1", Exchange(get("/public"), OK)), sent, compile_recogniser())
    made = Attendance(Baseline("bl_2", Exchange(get("/a", method=method), OK)), sent, compile_recogniser())
    dressed = await made.dress()
    await made.begin()
    await page.dress()
    await page.begin()
    session = made.principal.session
    assert session is not None
    shop.good.clear()
    session._signed_in_at -= DOUBT_SECONDS + 1
    assert await statuses(made, at(dressed.request, b"/a?1")) == [200]
    assert shop.logins == 2


@run
async def test_where_it_is_the_first_one_new_login_is_tried() -> None:
    shop = Shop(forbids=b"secret")
    made = Attendance(
        Baseline("bl_1", Exchange(get("/a?secret"), OK)), traffic(Application(shop), PROFILE), compile_recogniser()
    )
    await made.dress()
    with pytest.raises(SessionLost, match="refused right after a new login too"):
        await made.begin()
    assert (shop.logins, made.principal.deaths) == (2, 0)


@run
async def test_what_a_probe_left_out_may_be_refused() -> None:
    made, request, application = await attended(Shop(), get("/a"))
    before = len(application.asked)
    bare = Request("GET", b"/a", request.headers[:1], b"", "https", "shop.example", 443)
    assert await statuses(made, bare) == [401]
    assert len(application.asked) == before + 1


@run
async def test_without_a_login_the_tests_end() -> None:
    shop = Shop()
    shop.good.add("Bearer recorded-01234567")
    made, request, _ = await attended(shop, get("/a", (b"Authorization", b"Bearer recorded-01234567")), None)
    shop.good.clear()
    with pytest.raises(SessionLost, match="no login is given"):
        await statuses(made, request)
    with pytest.raises(SessionLost):
        await made.end()


@run
async def test_a_login_that_is_refused_ends_the_tests_with_its_reason() -> None:
    shop = Shop(locked=True)
    made, request, _ = await attended(shop, get("/a"))
    shop.good.clear()
    with pytest.raises(SessionLost, match=r"identity 'alice', login\[0\]: answered 403"):
        await statuses(made, request)


@run
async def test_a_session_found_dead_behind_the_tests_makes_them_count_only_where_they_were_refused() -> None:
    shop = Shop()
    profile = {**PROFILE, "check": {"path": "/me"}}
    made, request, _ = await attended(shop, get("/a", method="POST"), profile)
    await statuses(made, request)
    shop.good.clear()
    assert not await made.end(), "its last answers may have been those of a dead session"
    await statuses(made, request)
    assert await made.end()


@run
async def test_a_death_that_another_baseline_noticed_spoils_this_ones_silence_too() -> None:
    shop = Shop()
    made, request, _ = await attended(shop, get("/a"), {**PROFILE, "check": {"path": "/me"}})
    session = made.principal.session
    assert session is not None
    await statuses(made, request)
    session.found_dead(session.generation)
    await session.revive(session.generation, "bl_2")
    assert not await made.end()
    assert await made.end()


@run
async def test_a_changing_request_that_was_never_let_in_shows_nothing() -> None:
    shop = Shop()
    made, request, _ = await attended(shop, get("/a", method="POST"), {**PROFILE, "check": {"path": "/me"}})
    shop_refuses = Application(lambda asked: Response(419) if asked.method == "POST" else shop(asked))
    made.principal._traffic._sender = shop_refuses  # type: ignore[assignment]
    await statuses(made, request)
    with pytest.raises(SessionLost, match="every test with its credentials was refused"):
        await made.end()


@run
async def test_another_identitys_dead_session_is_had_back_and_its_refusals_are_believed_after_that() -> None:
    shop = Shop(forbids=b"secret")
    made, request, _ = await attended(shop, get("/a"))
    first = await made.send(TestRequest(request, identity="bob"))
    assert first.exchange.response == OK
    other = made._sessions.named("bob", request)
    assert other is not None
    shop.good.clear()
    shop.good.add("Bearer token-00000001")
    other._signed_in_at -= 60  # as if it had been signed in a minute ago
    again = await made.send(TestRequest(request, identity="bob"))
    assert again.exchange.response == OK
    logins = shop.logins
    refused = await made.send(TestRequest(at(request, b"/a?secret"), identity="bob"))
    assert refused.exchange.response is not None
    assert (refused.exchange.response.status, shop.logins) == (403, logins)


@run
async def test_a_page_that_asks_for_a_password_is_looked_after_as_any_other() -> None:
    """A second login behind the first, for one: its own form is no refusal, and being sent to the first one is."""
    form = Response(200, body=b"<form><input name=word type=password></form>")

    def says(asked: Request) -> Response:
        answer = shop(asked)
        away = answer.status == 401 and asked.method == "POST"
        return Response(302, ((b"Location", b"/login.php"),)) if away else form if asked.method == "POST" else answer

    shop = Shop()
    sent = traffic(Application(lambda asked: shop(asked) if asked.path.startswith(b"/login") else says(asked)), PROFILE)
    other = Attendance(Baseline("bl_1", Exchange(get("/a"), OK)), sent, compile_recogniser())
    await other.dress()
    await other.begin()
    behind = get("/vault/login.php", method="POST")
    made = Attendance(Baseline("bl_2", Exchange(behind, form)), sent, compile_recogniser())
    request = (await made.dress()).request
    await made.begin()
    shop.good.clear()
    assert await statuses(made, request, request) == [200, 200]
    assert await made.end()
    assert shop.logins == 2


@run
async def test_a_login_needs_no_session_and_may_end_the_one_before() -> None:
    def says(asked: Request) -> Response:
        if asked.path == b"/account/login.php":
            shop.good.clear()  # a new identifier for whoever signs in
            return Response(302, ((b"Location", b"/portal" if b"bug" in asked.body else b"/account/login.php"),))
        return shop(asked)

    shop = Shop()
    sent = traffic(Application(says), PROFILE)
    form = (b"Content-Type", b"application/x-www-form-urlencoded")
    login = Request("POST", b"/account/login.php", (form,), b"name=bee&password=bug", "https", "shop.example", 443)
    other = Attendance(Baseline("bl_1", Exchange(get("/a"), OK)), sent, compile_recogniser())
    await other.dress()
    await other.begin()
    recorded = Exchange(login, Response(302, ((b"Location", b"/portal"),)))
    made = Attendance(Baseline("bl_2", recorded), sent, compile_recogniser())
    request = (await made.dress()).request
    await made.begin()
    wrong = Request("POST", request.target, request.headers, b"name=bee&password=x", "https", "shop.example", 443)
    assert await statuses(made, wrong, request, wrong) == [302, 302, 302]
    assert await made.end()
    assert shop.logins == 1, "nobody signed in for the tests of a login"
    await other.begin()
    assert shop.logins == 2, "who needs the session has it back"
