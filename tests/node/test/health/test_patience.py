"""A target that is away for some seconds is waited for, once for all; one that stays away is given up at once."""

import asyncio

import pytest
from tests.node.loop import run_without_waiting

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.probe import Answer
from gatecrash.node.test.health.patience import AWAY_SECONDS, DEPLOYED_SECONDS, Patience

HERE = Request("GET", b"/", host="here")


class Target:
    """Takes no connections so many times; for ever where that is None."""

    def __init__(self, refusals: int | None) -> None:
        self.refusals = refusals
        self.asked = 0

    async def reaches(self, _request: Request) -> bool:
        self.asked += 1
        return self.refusals is not None and self.asked > self.refusals


@run_without_waiting
async def test_a_target_that_comes_back_is_waited_for() -> None:
    target = Target(2)
    assert await Patience(target.reaches).outlast(HERE)
    assert target.asked == 3


@run_without_waiting
async def test_who_comes_later_waits_no_longer_than_the_first() -> None:
    target = Target(None)
    patience = Patience(target.reaches, seconds=0.3)
    clock = asyncio.get_running_loop().time
    began = clock()
    assert not any(await asyncio.gather(*[patience.outlast(HERE) for _ in range(5)]))
    assert clock() - began == pytest.approx(0.3)
    asked = target.asked
    assert not await patience.outlast(HERE)
    assert target.asked == asked + 1


@run_without_waiting
async def test_a_target_that_came_back_gets_the_whole_patience_again() -> None:
    target = Target(None)
    patience = Patience(target.reaches, seconds=0.2)
    assert not await patience.outlast(HERE)
    target.refusals = target.asked
    assert await patience.outlast(HERE)
    target.refusals = target.asked + 1
    assert await patience.outlast(HERE)


@run_without_waiting
async def test_a_run_that_nobody_sits_before_waits_for_a_new_version_of_a_target_that_answered() -> None:
    clock = asyncio.get_running_loop().time
    for met, seconds in ((False, AWAY_SECONDS), (True, DEPLOYED_SECONDS)):
        patience = Patience(Target(None).reaches)
        patience.unattended = lambda met=met: met  # type: ignore[misc] # what it is now
        began = clock()
        assert not await patience.outlast(HERE)
        assert clock() - began == pytest.approx(seconds)


@run_without_waiting
async def test_targets_are_apart() -> None:
    target = Target(None)
    patience = Patience(target.reaches, seconds=0)
    assert not await patience.outlast(HERE)
    target.refusals = 0
    assert await patience.outlast(Request("GET", b"/", host="there"))


@run_without_waiting
async def test_what_a_target_cut_off_that_takes_no_connections_now_was_refused_by_it() -> None:
    away, here = Patience(Target(None).reaches), Patience(Target(0).reaches)
    cut, late = (Answer(Exchange(HERE), failure) for failure in ("closed", "timeout"))
    assert [await away.failure_of(cut), await here.failure_of(cut)] == ["refused", "closed"]
    assert await away.failure_of(late) == "timeout"
