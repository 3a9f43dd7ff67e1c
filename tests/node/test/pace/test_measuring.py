"""Dialogues that measure a host's work do so one after the other; what they ask besides goes on beside others."""

import asyncio
from typing import cast

import msgspec
import pytest
from tests.node.loop import run, run_without_waiting
from tests.node.test.answering import Application, get, traffic

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.pacing.congestion import Congestion
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.probes import auth
from gatecrash.core.testing.verdict import safe
from gatecrash.node.test.pace.hanging import HANGING
from gatecrash.node.test.pace.measuring import Measuring, Turn
from gatecrash.node.test.pace.slots import Places
from gatecrash.node.test.trial import Trial
from gatecrash.wire.session import RunOrder


@run
async def test_a_trial_measures_alone() -> None:
    """Each dialogue's measured requests come in one piece, and are measured whole before another's begin."""
    way = traffic(application := Application(lambda _: Response(200)))

    def dialogue(situation: Situation) -> Dialogue:
        mine = situation.baseline.request
        yield TestRequest(mine)
        for _ in range(3):
            yield TestRequest(msgspec.structs.replace(mine, target=mine.target + b"?work"), measured="work")
        yield TestRequest(mine)
        return safe("auth", situation.point)

    probe = Probe(type="auth", entry=auth.ENTRY, whole=True, applies=lambda _: True, forecast=lambda _: 5, run=dialogue)
    order = RunOrder(run_id="tr_1", generation=1, record_id="r", recording=False, sending=True, policy=DEFAULT)
    baselines = [Baseline(name, Exchange(get(f"/{name}"), Response(200))) for name in ("a", "b", "c")]
    trials = [Trial(each, order, way, compile_recogniser(), [probe]) for each in baselines]
    results = await asyncio.gather(*(trial.run(lambda _: None) for trial in trials))

    assert [result.status for result in results] == ["passed"] * 3
    measured = [request.path for request in application.asked if request.query]
    assert measured == [path for path in dict.fromkeys(measured) for _ in range(3)]
    others = [request.path for request in application.asked if not request.query]
    assert others != sorted(others)


class _Waits:
    """An application whose pages wait as they are asked to. locked: it answers one request at a time. told: of each
    measured one what was asked and how long it took.
    """

    def __init__(self, *, locked: bool) -> None:
        self.told: list[tuple[float, float]] = []
        self.most = self._now = 0
        self._one = asyncio.Lock() if locked else None

    def excludes(self, _request: Request) -> bool:
        return False

    async def send(self, request: Request, _extra: Headers = (), _before: object = None) -> Answer:
        clock = asyncio.get_running_loop().time
        began = clock()
        self._now += 1
        self.most = max(self.most, self._now)
        if self._one is None:
            await self._answered(request)
        else:
            async with self._one:
                await self._answered(request)
        self._now -= 1
        elapsed = clock() - began
        if (request.query or b"").startswith(b"measured"):
            self.told.append((_asked(request), round(elapsed, 1)))
        return Answer(Exchange(request, Response(200), elapsed=elapsed))

    async def _answered(self, request: Request) -> None:
        await asyncio.sleep(_asked(request) + 0.01)


def _asked(request: Request) -> float:
    return float((request.query or b"").rpartition(b"=")[2] or 0)


async def _measured_by(application: _Waits) -> float:
    """Three pages that wait, and one that does not and is asked often; the time that it took."""

    def asking(mine: Request, query: str) -> Request:
        return msgspec.structs.replace(mine, target=mine.target + query.encode())

    def dialogue(situation: Situation) -> Dialogue:
        mine = situation.baseline.request
        for _ in range(400 if mine.path == b"/sound" else 20):  # it is seen to bear more than two at once
            yield TestRequest(mine)
        if mine.path == b"/sound":
            return safe("auth", situation.point)
        answer = yield TestRequest(asking(mine, "?first=2"))
        assert (answer.exchange.elapsed or 0) > 2
        for wait in (0, 1, 0, 2):
            yield TestRequest(asking(mine, f"?measured={wait}"), "confirm", measured="wait")
        return safe("auth", situation.point)

    way = traffic(cast("Application", application))
    probe = Probe(type="auth", entry=auth.ENTRY, whole=True, applies=lambda _: True, forecast=lambda _: 5, run=dialogue)
    order = RunOrder(run_id="tr_1", generation=1, record_id="r", recording=False, sending=True, policy=DEFAULT)
    names = ("a", "b", "c", "sound")
    baselines = [Baseline(name, Exchange(get(f"/{name}"), Response(200), elapsed=0.01)) for name in names]
    trials = [Trial(each, order, way, compile_recogniser(), [probe]) for each in baselines]
    began = asyncio.get_running_loop().time()
    results = await asyncio.gather(*(trial.run(lambda _: None) for trial in trials))
    assert [(result.status, result.detail) for result in results] == [("passed", "")] * len(trials)
    return asyncio.get_running_loop().time() - began


@run_without_waiting
async def test_waits_are_measured_alone_where_one_request_is_answered_at_a_time() -> None:
    application = _Waits(locked=True)
    await _measured_by(application)
    assert len(application.told) == 12
    assert all(asked == elapsed for asked, elapsed in application.told)
    assert application.most > 1


@run_without_waiting
async def test_nobody_is_kept_back_where_many_are_answered_at_once() -> None:
    """All waits together take hardly longer than those of one page."""
    application = _Waits(locked=False)
    assert await _measured_by(application) < 7
    assert all(asked == elapsed for asked, elapsed in application.told)


@run
async def test_who_is_cancelled_while_it_waits_or_measures_leaves_the_turn_to_others() -> None:
    measuring = Measuring()

    async def hold(request: Request) -> None:
        turn = measuring.at(request, "a")
        try:
            await turn.comes(TestRequest(request, measured="work"))
            await asyncio.Event().wait()
        finally:
            turn.end()

    holding = [asyncio.ensure_future(hold(get())) for _ in range(2)]
    await asyncio.sleep(0)
    for task in holding:
        task.cancel()
    await asyncio.gather(*holding, return_exceptions=True)
    turn = measuring.at(get(), "a")
    await turn.comes(TestRequest(get(), measured="work"))
    assert turn.is_concerned


@run_without_waiting
async def test_who_measures_alone_waits_for_nothing_that_hangs() -> None:
    measuring = Measuring()
    hanging, measured, wait = measuring.at(get(), "a"), measuring.at(get(), "a"), TestRequest(get(), measured="wait")
    hanging.begins(TestRequest(get()))
    await asyncio.sleep(4)
    measured.begins(TestRequest(get()))
    await asyncio.sleep(2)
    measured.answered(2.0)  # nobody was answered meanwhile, nor asked
    await asyncio.wait_for(measured.comes(wait), 2)
    hanging.answered(None)
    measured.end()


@run_without_waiting
async def test_whose_baseline_is_measured_is_known_until_something_else_is_asked() -> None:
    measuring = Measuring()
    turns = [measuring.at(get(), name) for name in ("a", "a", "b")]
    for turn in turns:
        await turn.comes(TestRequest(get(), measured="wait"))
        await turn.comes(TestRequest(get(), "control"))
    turns[0].end()
    assert set(measuring.measured) == {"a", "b"}
    await turns[1].comes(TestRequest(get()))
    turns[2].end()
    assert not measuring.measured


@run_without_waiting
async def test_who_measures_alone_and_hangs_keeps_nobody_back_for_longer() -> None:
    measuring, clock = Measuring(), asyncio.get_running_loop().time
    measured, other = measuring.at(get(), "a"), measuring.at(get(), "b")
    measured.begins(TestRequest(get()))
    measured.answered(2.0)
    await measured.comes(wait := TestRequest(get(), measured="wait"))
    measured.begins(wait)
    began = clock()
    await asyncio.wait_for(other.comes(TestRequest(get())), 2 * HANGING)
    assert clock() - began >= HANGING - 1
    measured.end()


async def _asked_alone(measuring: Measuring, seconds: float) -> Turn:
    """Somebody whom nobody overtook, who measures alone for so long and is not over."""
    turn, wait = measuring.at(get(), "slow"), TestRequest(get(), measured="wait")
    turn.begins(wait)
    await asyncio.sleep(2)
    turn.answered(2.0)
    await turn.comes(wait)
    turn.begins(wait)
    await asyncio.sleep(seconds)
    turn.answered(seconds)
    return turn


@pytest.mark.parametrize(("asks", "least", "most"), [(True, 3.0, 4.0), (False, 0.0, 1.0)])
@run_without_waiting
async def test_others_go_on_for_as_long_as_they_were_kept_back_before_the_next_measures_alone(
    asks: bool,
    least: float,
    most: float,
) -> None:
    measuring, clock = Measuring(), asyncio.get_running_loop().time
    held_up, quick, wait = measuring.at(get(), "b"), measuring.at(get(), "c"), TestRequest(get(), measured="wait")
    held_up.begins(wait)
    await asyncio.sleep(2)
    held_up.answered(2.0)
    alone = await _asked_alone(measuring, 3.0)
    alone.end()
    began, next_one = clock(), asyncio.ensure_future(held_up.comes(wait))
    while asks and not quick.is_concerned:
        quick.begins(TestRequest(get()))
        await asyncio.sleep(0.15)
        quick.answered(0.15)
    await next_one
    assert least <= clock() - began < most
    held_up.end()


@run_without_waiting
async def test_whom_many_overtook_before_somebody_was_alone_is_not_held_up_by_that() -> None:
    measuring, clock = Measuring(), asyncio.get_running_loop().time
    overtaken, quick, wait = measuring.at(get(), "b"), measuring.at(get(), "c"), TestRequest(get(), measured="wait")
    first, second = measuring.at(get(), "a"), measuring.at(get(), "a")
    first.begins(wait)
    await asyncio.sleep(2)
    first.answered(2.0)
    overtaken.begins(wait)
    for _ in range(10):
        quick.begins(TestRequest(get()))
        quick.answered(0.01)
    alone = asyncio.ensure_future(first.comes(wait))
    await asyncio.sleep(2)
    overtaken.answered(2.0)
    await alone
    next_one = asyncio.ensure_future(overtaken.comes(wait))
    await asyncio.sleep(1)
    first.end()
    began = clock()
    await next_one
    assert clock() == began
    await second.comes(TestRequest(get()))
    assert clock() == began, "it measures beside others"


@run_without_waiting
async def test_who_waits_to_measure_leaves_its_place_to_others() -> None:
    measuring, places = Measuring(), Places(Congestion(1))
    first, second = measuring.at(get(), "a"), measuring.at(get(), "b", places)
    work = TestRequest(get(), measured="work")
    await first.comes(work)
    await places.enter("b")
    assert not places.enters("c")
    waiting = asyncio.ensure_future(second.comes(work))
    await asyncio.sleep(1)
    await asyncio.wait_for(places.enter("c"), 1)
    first.end()
    await waiting
    places.leave("c")
    assert not places.enters("c"), "it has its own again"
    second.end()
