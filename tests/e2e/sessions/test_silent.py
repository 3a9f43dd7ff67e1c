"""Sessions that end without a word: whoever is not signed in is answered by an error, the start page or nothing, and never refused."""

from typing import Any

import pytest
from tests.node.loop import run
from tests.node.test.answering import Application, get, traffic

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.health.nobody import face_of
from gatecrash.core.testing.probe import TestRequest
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.health.silence import FIRST_ALARM
from gatecrash.node.test.sessions.checks import Attendance, SessionLost

PROFILE: dict[str, Any] = {
    "login": [{"path": "/login", "take": {"t": {"json": "$.t"}}}],
    "values": [{"point": ["header", "Authorization"], "value": "Bearer ${t}"}],
}
JSON: Headers = ((b"Content-Type", b"application/json"),)
HTML: Headers = ((b"Content-Type", b"text/html"),)
OK = Response(200, JSON, b'{"ok": true, "orders": [7]}')
GONE = Response(404, JSON, b'{"ok": false}')
ALIVE = "Bearer recorded-0123456789"
WAYS = [
    GONE,
    Response(500, body=b"Internal Server Error"),
    Response(200, HTML, b"<title>Shed</title><div id=root></div>"),
    Response(200, JSON, b'{"ok": false}'),
    Response(302, ((b"Location", b"/"),)),
    Response(200, JSON, b'{"ok": true, "orders": []}'),
]


class Shed:
    """Answers whoever is not signed in in one way. missing: what is there for nobody. public: what is there for everybody."""

    def __init__(self, dead: Response = GONE, missing: bytes = b"none", public: bytes = b"none") -> None:
        self.dead = dead
        self.missing = missing
        self.public = public
        self.logins = 0
        self.good = {ALIVE}

    def __call__(self, request: Request) -> Response:
        if request.path == b"/login":
            self.logins += 1
            self.good = {f"Bearer token-{self.logins:08d}"}
            return Response(200, body=b'{"t": "token-%08d"}' % self.logins)
        if request.target.endswith(self.public):
            return OK
        lives = (request.first(b"Authorization") or b"").decode() in self.good
        return OK if lives and not request.target.endswith(self.missing) else self.dead


async def attended(sent: Traffic, request: Request, recorded: Response = OK) -> tuple[Attendance, Request]:
    made = Attendance(Baseline(request.path.decode(), Exchange(request, recorded)), sent, compile_recogniser())
    dressed = await made.dress()
    await made.begin()
    return made, dressed.request


async def answers_to(made: Attendance, request: Request, number: int = 1) -> list[Response | None]:
    """Answers to so many tests."""
    return [(await made.send(TestRequest(request))).exchange.response for _ in range(number)]


@pytest.mark.parametrize("dead", WAYS)
@run
async def test_a_baseline_whose_session_ended_is_tested_again_in_a_new_one(dead: Response) -> None:
    shed = Shed(dead)
    made, request = await attended(traffic(Application(shed), PROFILE), get("/orders"))
    shed.good.clear()
    assert await answers_to(made, request, FIRST_ALARM) == [dead] * (FIRST_ALARM - 1) + [OK]
    assert not await made.end(), "what was answered before the alarm is not the target's opinion"
    shed.good.clear()
    assert await answers_to(made, request, 2) == [OK, OK], "known by now, and noticed at once"
    assert await made.end()
    assert shed.logins == 3


@pytest.mark.parametrize("dead", WAYS)
@run
async def test_what_changes_something_is_watched_by_what_only_reads(dead: Response) -> None:
    shed = Shed(dead)
    sent = traffic(Application(shed), PROFILE)
    await attended(sent, get("/orders"))
    made, request = await attended(sent, get("/order", method="POST"))
    shed.good.clear()
    await answers_to(made, request, 2)
    assert not await made.end()
    assert await answers_to(made, request) == [OK]
    assert await made.end()


@pytest.mark.parametrize("dead", WAYS[:5])
@run
async def test_without_a_login_the_tests_end_and_never_pass(dead: Response) -> None:
    shed = Shed(dead)
    made, request = await attended(traffic(Application(shed)), get("/orders", (b"Authorization", ALIVE.encode())))
    shed.good.clear()
    await answers_to(made, request)
    with pytest.raises(SessionLost, match="no login is given"):
        await made.end()


@run
async def test_a_public_page_does_not_vouch_for_a_session() -> None:
    """The last page that answered is everybody's; the one before it is not, and is asked when the tests are answered oddly."""
    shed = Shed(public=b"/about")
    sent = traffic(Application(shed), PROFILE)
    await attended(sent, get("/orders"))
    await attended(sent, get("/about"))
    made, request = await attended(sent, get("/order", method="POST"))
    shed.good.clear()
    await answers_to(made, request)
    assert not await made.end()
    assert await answers_to(made, request) == [OK]
    assert await made.end()


@pytest.mark.parametrize("recorded", [OK, Response(200, JSON, b'{"ok": true, "orders": []}')])
@run
async def test_a_thing_that_is_gone_ends_no_session(recorded: Response) -> None:
    """Who is signed in is told of it what nobody is told, too; other requests show that he is."""
    shed = Shed(missing=b"/orders/8")
    sent = traffic(Application(shed), PROFILE)
    await attended(sent, get("/orders"))
    made, request = await attended(sent, get("/orders/8"), recorded)
    assert await answers_to(made, request, 9) == [GONE] * 9
    assert await made.end()
    assert shed.logins == 1


@run
async def test_a_thing_that_is_gone_where_nothing_else_tells_costs_a_login_or_two_and_no_more() -> None:
    shed = Shed(missing=b"/orders/8")
    made, request = await attended(traffic(Application(shed), PROFILE), get("/orders/8"))
    assert await answers_to(made, request, 9) == [GONE] * 9
    assert await made.end()
    assert shed.logins == 3


@run
async def test_a_public_list_that_was_emptied_since_ends_no_session() -> None:
    """A session that nobody can sign in again is not given up for it."""
    empty = Response(200, JSON, b'{"ok": true, "orders": []}')
    sent = traffic(Application(lambda _request: empty))
    made, request = await attended(sent, get("/orders", (b"Authorization", ALIVE.encode())))
    assert await answers_to(made, request, 9) == [empty] * 9
    assert await made.end()


@run
async def test_payloads_that_are_answered_as_nobody_is_cost_few_questions() -> None:
    shed = Shed(missing=b"evil")
    application = Application(shed)
    made, request = await attended(traffic(application, PROFILE), get("/orders"))
    before = len(application.asked)
    evil = Request("GET", b"/orders?evil", request.headers, b"", request.scheme, request.host, request.port)
    assert await answers_to(made, evil, 100) == [GONE] * 100
    assert len(application.asked) - before == 100 + 4, "asked after 4, 12, 28 and 60"
    assert await made.end()
    assert shed.logins == 1


TWO: dict[str, Any] = {**PROFILE, "identities": [{"name": "ann"}, {"name": "ben"}]}


class Both(Shed):
    """Knows two, each by his last token."""

    def __call__(self, request: Request) -> Response:
        others = self.good
        answer = super().__call__(request)
        if request.path == b"/login":
            self.good |= others
        return answer


@pytest.mark.parametrize("hides", [False, True])
@run
async def test_another_identity_that_is_answered_as_nobody_is_signed_in_again_where_it_is_not(*, hides: bool) -> None:
    """Most often the application hides what is another's, and he is."""
    shed = Both(missing=b"/orders/8" if hides else b"none")
    application = Application(shed)
    sent = traffic(application, TWO)
    made, request = await attended(sent, get("/orders"))
    ben = sent.sessions.named("ben", request)
    assert ben is not None
    sent.sessions.known_good.remember(ben, Exchange(get("/orders"), OK))
    sent.sessions.faces.learn(request, face_of(request, GONE))
    orders = Request("GET", b"/orders/8", request.headers, b"", request.scheme, request.host, request.port)
    as_ben = TestRequest(orders, identity="ben")
    assert (await made.send(as_ben)).exchange.response == (GONE if hides else OK)
    if not hides:
        shed.good = {one for one in shed.good if one.endswith("1")}
        assert (await made.send(as_ben)).exchange.response == OK
        assert shed.logins == 3
        return
    before = len(application.asked)
    for _ in range(20):
        await made.send(as_ben)
    assert shed.logins == 2
    assert len(application.asked) - before == 20 + 3, "asked for the fourth, the eighth and the sixteenth time"
