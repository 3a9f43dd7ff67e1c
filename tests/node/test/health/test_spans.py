"""Checks that were given a ban's answers are known by their times."""

from typing import Any

import pytest
from tests.node.loop import run
from tests.node.test.trying import OK, banning, finds, passes, probe, tried

from gatecrash.core.testing.probe import Situation
from gatecrash.core.testing.verdict import Verdict, safe
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.test.health import bans
from gatecrash.node.test.health.bans import Ban
from gatecrash.node.test.sessions.checks import Attendance


@run
async def test_checks_that_a_ban_answered_are_made_again_when_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bans, "PAUSES", (0.3,))
    seen: list[int] = []

    def looks(situation: Situation, answer: Any) -> Verdict:
        seen.append(answer.exchange.response.status)
        return finds(situation, answer) if seen[-1] == 200 else safe("sqli", situation.point)

    async with RawServer(banning(4, 0.2)) as server:
        result, _, _ = await tried(server.port, [probe("sqli", looks, asks=5)])
    assert (result.status, seen[-1]) == ("failed", 200), result
    assert 403 in seen


@pytest.mark.parametrize(
    ("lived", "reason", "told"),
    [
        ([True, False, False], "auth_failed", "the session ended during each"),
        ([False, False, True], "connection_failed", "the target banned the tests"),
    ],
)
@run
async def test_what_spoilt_the_last_attempt_is_told_and_not_what_spoilt_the_first(
    lived: list[bool], reason: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Ban, "struck", lambda *_: True)

    async def ends(_: Attendance) -> bool:
        return lived.pop(0)

    monkeypatch.setattr(Attendance, "end", ends)
    async with RawServer().answering(OK) as server:
        result, _, _ = await tried(server.port, [probe("auth", passes)])
    assert (result.status, result.reason, lived) == ("error", reason, []), result
    assert told in (result.detail or ""), result
