"""A ban that answers the question whether a session lives is no session's end; a session's end is no ban."""

import asyncio

import pytest
from tests.node.loop import run_without_waiting
from tests.node.test.answering import Application, get, traffic

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.node.test.sessions.checks import Attendance, SessionLost

OK, REFUSED = Response(200, body=b"fine"), Response(401, body=b"no")
TOKEN = (b"Authorization", b"Bearer 5f1c9f2ab0e94d")


class House:
    """Its door is everybody's, all else needs the token."""

    def __init__(self) -> None:
        self.banned_until = -1.0
        self.session_lives = True

    def __call__(self, request: Request) -> Response:
        if asyncio.get_running_loop().time() < self.banned_until:
            return REFUSED
        return OK if request.path == b"/" or (self.session_lives and request.first(b"Authorization")) else REFUSED


async def attending(house: House) -> Attendance:
    """Behind an ordinary answer to everybody."""
    sending = traffic(Application(house))
    await sending.send(get("/"), "first")
    made = Attendance(Baseline("bl_1", Exchange(get("/me", TOKEN), OK)), sending, compile_recogniser())
    await made.dress()
    return made


@run_without_waiting
async def test_a_ban_of_some_seconds_ends_no_recorded_session() -> None:
    house = House()
    made = await attending(house)
    house.banned_until = asyncio.get_running_loop().time() + 20
    await made.begin()
    assert asyncio.get_running_loop().time() >= house.banned_until, "what the ban says is waited for, and asked anew"
    house.banned_until = asyncio.get_running_loop().time() + 20
    assert await made.end()


@run_without_waiting
async def test_a_session_that_ended_is_told_at_once() -> None:
    house = House()
    made = await attending(house)
    house.session_lives = False
    with pytest.raises(SessionLost, match="refused now"):
        await made.begin()
    assert asyncio.get_running_loop().time() == 0.0


@run_without_waiting
async def test_who_is_banned_for_good_is_not_told_of_a_session() -> None:
    """The tests themselves say then that the target answers nobody."""
    house = House()
    made = await attending(house)
    house.banned_until = 1e9
    await made.begin()


LOGIN = {
    "login": [{"path": "/login", "form": {"user": "ann", "password": "k"}}],
    "check": {"path": "/me", "status": 200},
}


class Shop:
    """A login that gives a cookie; asked too often, it bans. locked: it refuses each login, and nothing else."""

    def __init__(self, *, locked: bool = False) -> None:
        self.banned_until = -1.0
        self.logins = 0
        self.locked = locked

    def __call__(self, request: Request) -> Response:
        if asyncio.get_running_loop().time() < self.banned_until:
            return Response(403, body=b"blocked")
        if request.path == b"/login":
            self.logins += 1
            return (
                Response(403, body=b"locked") if self.locked else Response(200, ((b"Set-Cookie", b"sid=1a2b3c4d5e"),))
            )
        return OK if request.path == b"/" or request.first(b"Cookie") else REFUSED


@run_without_waiting
async def test_a_login_that_a_ban_refused_is_sent_again_when_it_is_over() -> None:
    shop = Shop()
    sending = traffic(Application(shop), LOGIN)
    await sending.send(get("/"), "first")
    shop.banned_until = asyncio.get_running_loop().time() + 20
    made = Attendance(Baseline("bl_1", Exchange(get("/me"), OK)), sending, compile_recogniser())
    await made.dress()
    await made.begin()
    assert shop.logins == 1


@run_without_waiting
async def test_a_login_that_the_application_refuses_is_not_sent_again() -> None:
    shop = Shop(locked=True)
    sending = traffic(Application(shop), LOGIN)
    await sending.send(get("/"), "first")
    made = Attendance(Baseline("bl_1", Exchange(get("/me"), OK)), sending, compile_recogniser())
    with pytest.raises(SessionLost, match="answered 403"):
        await made.dress()
    assert shop.logins == 1, "more could lock the account"
    assert asyncio.get_running_loop().time() == 0.0


@run_without_waiting
async def test_a_login_by_get_is_no_witness() -> None:
    """It would be asked again and again."""
    shop = Shop()
    sending = traffic(Application(shop), {**LOGIN, "login": [{"path": "/login"}]})
    made = Attendance(Baseline("bl_1", Exchange(get("/me"), OK)), sending, compile_recogniser())
    await made.dress()
    for number in range(20):
        await sending.send(get(f"/{number}"), "bl_1")
    assert shop.logins == 1
