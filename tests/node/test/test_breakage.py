"""A fault of ours in one check: the others of its baseline go on, and the baseline never passes for it."""

import asyncio
import logging

import pytest
from tests.node.loop import run
from tests.node.test.test_trial import OK, breaks, finds, passes, probe, tried

from gatecrash.core.testing.verdict import Outcome
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.test.breakage import Breakage
from gatecrash.node.test.sessions.checks import SessionLost
from gatecrash.node.test.wording import TargetGone

BROKEN = "auth at the request: RuntimeError"


@run
async def test_checks_behind_one_that_broke_are_made_and_find() -> None:
    async with RawServer().answering(OK) as server:
        probes = [probe("auth", breaks), probe("auth", breaks), probe("auth", finds), probe("auth", passes, asks=3)]
        result, told, trial = await tried(server.port, probes, posted=b"a=b")
        assert len(server.received) >= 6
    assert (result.status, result.reason, result.detail) == ("failed", None, f"internal_exception: {BROKEN}")
    assert [each.verdicts[0].outcome for each in told] == [Outcome.VULNERABLE]
    assert trial.remaining == 0


@run
async def test_a_baseline_with_a_broken_check_that_finds_nothing_has_not_passed() -> None:
    async with RawServer().answering(OK) as server:
        result, _, _ = await tried(server.port, [probe("auth", passes), probe("auth", breaks)])
    assert (result.status, result.reason, result.detail) == ("error", "internal_exception", BROKEN)


@pytest.mark.parametrize("ends", [SessionLost("x"), TargetGone("away"), asyncio.CancelledError()])
@run
async def test_what_ends_all_checks_is_no_fault_of_one(ends: BaseException, caplog: pytest.LogCaptureFixture) -> None:
    async def dialogue() -> None:
        raise ends

    breakage = Breakage("bl_1")
    with pytest.raises(type(ends)):
        await breakage.outlived(None, dialogue())
    assert not breakage.words
    assert not caplog.records


def test_one_place_is_logged_once_and_forgotten_when_all_is_made_again(caplog: pytest.LogCaptureFixture) -> None:
    breakage = Breakage("bl_1")
    for _ in range(3):
        breakage.note(ValueError("secret"))
    assert breakage.words == "ValueError"
    assert [each.levelno for each in caplog.records] == [logging.ERROR]
    assert "secret" not in str(vars(caplog.records[0]))
    breakage.forget()
    assert not breakage.words


def test_what_broke_in_checks_that_are_not_made_again_stays() -> None:
    breakage = Breakage("bl_1")
    breakage.note(ValueError("first"))
    breakage.keep()
    breakage.note(KeyError("second"))
    breakage.forget()
    assert breakage.words == "ValueError"
