"""One request in a session."""

import asyncio
import itertools
from typing import Any

import pytest
from tests.node.loop import run
from tests.node.test.answering import Application, get, traffic

from gatecrash.core.message import Request, Response
from gatecrash.node.test.sessions.living import LoginFailed
from gatecrash.node.test.sessions.request import Errand


@run
async def test_without_a_profile_it_is_sent_as_it_is() -> None:
    application = Application(lambda _request: Response(200))
    await Errand(traffic(application), "bl_1").own(get("/a"))
    assert application.asked == [get("/a")]


@run
async def test_one_time_values_are_fetched_in_the_session_for_each_request_and_never_shared() -> None:
    tokens = itertools.count(1)
    current: list[bytes] = []

    def says(request: Request) -> Response:
        if request.path == b"/csrf":
            assert request.first(b"X-Key") == b"k"
            current[:] = [b"c%d" % next(tokens)]
            return Response(200, body=current[0])
        good = current == [request.first(b"X-Csrf")]
        current.clear()
        return Response(200 if good else 403)

    profile: dict[str, Any] = {
        "values": [{"point": ["header", "X-Key"], "value": "k"}],
        "once": [
            {"steps": [{"path": "/csrf", "take": {"c": {"pattern": ".+"}}}], "values": [{"point": ["header", "X-Csrf"], "value": "${c}"}]}
        ],
    }  # fmt: skip
    application = Application(says)
    sent = traffic(application, profile)
    errand = Errand(sent, "bl_1")
    answers = await asyncio.gather(*[errand.own(get("/a", method="POST")) for _ in range(10)])
    assert {answer.exchange.response.status for answer in answers if answer.exchange.response} == {200}
    assert application.paths() == ["/csrf", "/a"] * 10
    assert sent.tally.by_baseline["bl_1"] == 20, "what is fetched counts too"
    await errand.own(get("/b"))
    assert application.paths()[-2:] == ["/a", "/b"], "a safe request needs none"


@run
async def test_a_new_digest_nonce_is_used_once_more_and_not_for_ever() -> None:
    nonces = itertools.count(1)

    def says(_request: Request) -> Response:
        return Response(401, ((b"WWW-Authenticate", b'Digest realm="r", nonce="n%d", qop="auth"' % next(nonces)),))

    application = Application(says)
    sent = traffic(application, {"sign": {"scheme": "digest", "username": "u", "password": "p"}})
    answer = await Errand(sent, "bl_1").own(get("/a"))
    assert answer.exchange.response is not None
    assert [b"Digest" in (request.first(b"Authorization") or b"") for request in application.asked] == [
        False,
        True,
        True,
    ]


@run
async def test_a_request_that_waited_past_the_sessions_end_waits_for_a_new_one() -> None:
    lives = iter((True, False, True, True, True))
    application = Application(lambda _request: Response(200, body=b'{"t": "x"}'))
    profile = {"login": [{"path": "/login", "take": {"t": {"json": "$.t"}}}], "values": [{"point": ["header", "X"], "value": "${t}"}]}  # fmt: skip
    sent = traffic(application, profile)
    session = sent.sessions.own(get())
    assert session is not None
    await session.ready("bl_1")
    turn = sent.turn

    async def slow_turn(baseline_id: str, *, urgent: bool = False) -> None:
        await turn(baseline_id, urgent=urgent)
        if not next(lives):
            session._ends = 0.0

    sent.turn = slow_turn  # type: ignore[method-assign]
    await Errand(sent, "bl_1").own(get("/1"))
    await Errand(sent, "bl_1").own(get("/2"))
    assert application.paths() == ["/login", "/1", "/login", "/2"]


@run
async def test_where_nothing_can_be_fetched_nothing_is_sent() -> None:
    application = Application(lambda _request: Response(404))
    once = [{"steps": [{"path": "/csrf"}], "values": [{"point": ["header", "X"], "value": "v"}]}]
    sent = traffic(application, {"values": [{"point": ["header", "K"], "value": "k"}], "once": once})
    with pytest.raises(LoginFailed, match="one-time step 0: answered 404"):
        await Errand(sent, "bl_1").own(get("/a", method="POST"))
    assert application.paths() == ["/csrf"]


@run
async def test_logins_and_what_is_fetched_are_paced_with_all_else() -> None:
    login = [{"path": "/login", "take": {"t": {"json": "$.t"}}}]
    once = [{"steps": [{"path": "/csrf"}], "values": [{"point": ["header", "X"], "value": "v"}]}]
    profile = {"login": login, "values": [{"point": ["header", "K"], "value": "${t}"}], "once": once}
    application = Application(lambda _request: Response(200, body=b'{"t": "x"}'))
    errand = Errand(traffic(application, profile, rps=20), "bl_1")
    await asyncio.gather(*[errand.own(get("/a", method="POST")) for _ in range(15)])
    times = application.left
    assert len(times) == 1 + 2 * 15
    assert all(later - first > 1.0 for first, later in zip(times, times[20:], strict=False)), "any window of a second"


@run
async def test_a_login_takes_the_place_of_the_next_test_that_waits() -> None:
    application = Application(lambda _request: Response(200, body=b'{"t": "x"}'))
    profile = {"login": [{"path": "/login", "take": {"t": {"json": "$.t"}}}], "values": [{"point": ["header", "K"], "value": "${t}"}]}  # fmt: skip
    sent = traffic(application, profile, rps=20)
    waiting = [asyncio.ensure_future(sent.send(get(f"/test/{number}"), "bl_1")) for number in range(15)]
    await asyncio.sleep(0)
    await Errand(sent, "bl_2").own(get("/mine"))
    await asyncio.gather(*waiting)
    assert application.paths().index("/login") <= 2, "and not behind all who were there before"


@run
async def test_a_token_header_repeats_the_cookie_that_the_session_was_given_last() -> None:
    def says(request: Request) -> Response:
        sets = {b"/login": (b"sid=1; HttpOnly", b"csrftoken=of-the-login"), b"/": (b"csrftoken=of-the-page",)}
        given = (
            sets.get(request.path, ())
            if b"sid=9" not in (request.first(b"Cookie") or b"")
            else (b"csrftoken=of-another",)
        )
        return Response(200, tuple((b"Set-Cookie", each) for each in given))

    application = Application(says)
    errand = Errand(traffic(application, {"login": [{"path": "/login"}], "cookies": True}), "bl_1")
    call = get("/api", (b"Cookie", b"csrftoken=read"), (b"X-CSRFToken", b"read"), method="POST")
    page = get("/", (b"Cookie", b"sid=9"))
    session = errand._traffic.sessions.own(call)
    assert session is not None
    for asked in (call, get("/"), call):
        await errand.own(asked)
    await errand.run(session, page, lambda _once: page)
    await errand.own(call)
    sent = [each.first(b"X-CSRFToken") for each in application.asked if each.path == b"/api"]
    assert sent == [b"of-the-login", b"of-the-page", b"of-the-page"], "what a changed session is given is another's"
    assert [each.first(b"Cookie") for each in application.asked if each.path == b"/api"][
        -1
    ] == b"csrftoken=of-the-page; sid=1"
