"""What a target did not survive is asked alone, and left out where it ends the target again; nothing else is lost."""

import asyncio
from typing import Any, cast

import pytest
from tests.node.loop import run_without_waiting

from gatecrash.core.message import Request
from gatecrash.node.test.health.casualties import MANY_RETURNS, MOST_ENDS, MOST_RETURNS, MOST_TRIES, Casualties
from gatecrash.node.test.health.patience import WEIGHT_OF_SILENCE, Patience
from gatecrash.node.test.wording import AWAY, SILENT, TargetGone

HERE = Request("GET", b"/", host="here")
CHECKS = cast("dict[int, Any]", {0: "a", 1: "b", 2: "c"})
CUT, LATE = TargetGone(AWAY, cut=True), TargetGone(AWAY)


class Target:
    """Is away once whenever it was killed."""

    def __init__(self) -> None:
        self.is_there = True

    async def reaches(self, _request: Request) -> bool:
        there, self.is_there = self.is_there, True
        return there


async def ends(casualties: Casualties, target: Target, *places: int, gone: TargetGone = CUT) -> list[int]:
    """The target goes away while these checks are made."""
    for place in places:
        with pytest.raises(TargetGone):
            async with casualties.during(place):
                raise gone
    target.is_there = False
    return await casualties.outlast(gone)


def asked(casualties: Casualties) -> list[int]:
    return [place for place, _ in casualties.next(CHECKS)]


@run_without_waiting
async def test_the_suspected_are_asked_last_and_one_after_the_other() -> None:
    target = Target()
    casualties = Casualties(Patience(target.reaches), HERE)
    assert asked(casualties) == [0, 1, 2]
    assert not casualties.narrow
    assert await ends(casualties, target, 1) == []
    assert asked(casualties) == [0, 2]
    assert not casualties.narrow
    assert await ends(casualties, target, 0, 2) == []
    assert asked(casualties) == [0, 1, 2]
    assert casualties.narrow


@run_without_waiting
async def test_a_check_that_ends_the_target_when_it_is_asked_alone_is_left_out() -> None:
    target = Target()
    casualties = Casualties(Patience(target.reaches), HERE)
    asked(casualties)
    await ends(casualties, target, 0, 1, 2)
    asked(casualties)
    for _ in range(MOST_TRIES - 1):
        assert await ends(casualties, target, 1) == []
    assert await ends(casualties, target, 1) == [1]


@run_without_waiting
async def test_who_comes_when_nobody_is_there_is_not_suspected() -> None:
    target = Target()
    casualties = Casualties(Patience(target.reaches), HERE)
    for _ in range(MOST_TRIES + 1):
        assert asked(casualties) == [0, 1, 2]
        assert await ends(casualties, target, 0, gone=LATE) == []


@run_without_waiting
async def test_a_target_that_goes_away_often_is_asked_for_nothing_twice_and_at_last_given_up() -> None:
    target = Target()
    patience = Patience(target.reaches)
    casualties = Casualties(patience, HERE)
    for _ in range(MOST_ENDS - 1):
        asked(casualties)
        assert not casualties.narrow
        assert await ends(casualties, target, 0) == []
    assert await ends(casualties, target, 1) == [1]
    while patience.returns_of(HERE) < MANY_RETURNS:
        await ends(casualties, target, 2)
    assert await ends(Casualties(patience, HERE), target, 0) == [0], "also at another baseline"
    while patience.returns_of(HERE) < MOST_RETURNS:
        await ends(casualties, target, 2)
    with pytest.raises(TargetGone, match="unsteady"):
        await ends(casualties, target, 2)


@run_without_waiting
async def test_a_check_that_silences_the_target_when_it_is_asked_alone_is_left_out_at_once() -> None:
    silent = TargetGone(SILENT, cut=True)
    target = Target()
    patience = Patience(target.reaches)
    casualties = Casualties(patience, HERE)
    asked(casualties)
    assert await ends(casualties, target, 0, 1, 2, gone=silent) == []
    asked(casualties)
    assert await ends(casualties, target, 1, gone=silent) == [1]
    assert patience.returns_of(HERE) == 2 * WEIGHT_OF_SILENCE, "a run bears fewer silences than ends"


@run_without_waiting
async def test_what_does_not_come_back_is_not_waited_for() -> None:
    target = Target()
    casualties = Casualties(Patience(target.reaches), HERE)
    with pytest.raises(TargetGone, match="moved"):
        await ends(casualties, target, 0, gone=TargetGone("moved"))


@run_without_waiting
async def test_who_is_asked_alone_waits_for_other_baselines_and_they_for_him() -> None:
    target, order = Target(), []
    patience = Patience(target.reaches)
    suspected, other = Casualties(patience, HERE), Casualties(patience, HERE)
    asked(other)
    asked(suspected)
    await ends(suspected, target, 0, 1, 2)
    asked(suspected)

    async def make(casualties: Casualties, name: str) -> None:
        async with casualties.during(0):
            order.append(f"{name} begins")
            await asyncio.sleep(1)
            order.append(f"{name} ends")

    await asyncio.gather(make(other, "first"), make(suspected, "alone"), make(other, "last"))
    assert order == ["first begins", "first ends", "alone begins", "alone ends", "last begins", "last ends"]
