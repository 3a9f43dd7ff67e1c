"""Recorded sessions that end meanwhile are had back once for all baselines, and not asked for without end."""

import asyncio

from tests.node.loop import run
from tests.node.test.answering import Application, get, traffic

from gatecrash.core.message import Exchange, Response
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.node.scan.captures.liveness import Sending
from gatecrash.node.scan.captures.renewal import MOST_IN_VAIN, Renewal, ended
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.sessions.of_run import Sessions
from gatecrash.wire.work import Result

REFUSED = Exchange(get("/orders"))


class Users:
    """Can sign in again, or not. asked: how often they were."""

    def __init__(self, profile: AuthProfile | None) -> None:
        self.asked = 0
        self._profile = profile

    async def again(self, _send: Sending, _refused: Exchange) -> AuthProfile | None:
        self.asked += 1
        await asyncio.sleep(0)
        return self._profile


def result(reason: str | None = None, detail: str = "") -> Result:
    return Result(baseline_id="bl_1", final=True, status="error", reason=reason, detail=detail)


@run
async def test_who_noticed_together_gets_the_same_sessions_and_nobody_asks_twice() -> None:
    users, target = (
        Users(AuthProfile(id="recorded", name="p", identities=())),
        traffic(Application(lambda _: Response(200))),
    )
    renewal, old = Renewal(users.again), target.sessions
    assert await asyncio.gather(*[renewal.of(target, old, REFUSED) for _ in range(3)]) == [True] * 3
    assert target.sessions is not old
    assert users.asked == 1


@run
async def test_who_signs_in_again_is_asked_who_he_is_before_anything_is_tested_in_his_session() -> None:
    introduced: list[Sessions] = []

    async def introduces(traffic: Traffic) -> None:
        introduced.append(traffic.sessions)

    users = Users(AuthProfile(id="recorded", name="p", identities=()))
    target = traffic(Application(lambda _: Response(200)))
    renewal, old = Renewal(users.again, introduces), target.sessions
    assert await asyncio.gather(*[renewal.of(target, old, REFUSED) for _ in range(3)]) == [True] * 3
    assert introduced == [target.sessions], "once, and of the new ones"


@run
async def test_sessions_that_are_found_alive_are_asked_a_few_times_only() -> None:
    users, target = Users(None), traffic(Application(lambda _: Response(200)))
    renewal, old = Renewal(users.again), target.sessions
    for _ in range(MOST_IN_VAIN + 3):
        assert not await renewal.of(target, old, REFUSED)
    assert users.asked == MOST_IN_VAIN
    assert target.sessions is old


def test_which_results_tell_of_an_ended_session() -> None:
    assert ended(result("auth_failed"))
    assert ended(result(None, "auth_failed: the session is over"))
    assert not ended(result("connection_failed", "the target refuses connections"))
