"""Dialogues that measure a host's work do so one after the other; what they ask besides goes on beside others."""

import asyncio

import msgspec
from tests.node.loop import run
from tests.node.test.answering import Application, get, traffic

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.probes import auth
from gatecrash.core.testing.verdict import safe
from gatecrash.node.test.measuring import Measuring
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
            yield TestRequest(msgspec.structs.replace(mine, target=mine.target + b"?work"), measured=True)
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


@run
async def test_who_is_cancelled_while_it_waits_or_measures_leaves_the_turn_to_others() -> None:
    measuring = Measuring()

    async def hold(request: Request) -> None:
        turn = measuring.at(request)
        try:
            await turn.change()
            await asyncio.Event().wait()
        finally:
            turn.end()

    holding = [asyncio.ensure_future(hold(get())) for _ in range(2)]
    await asyncio.sleep(0)
    for task in holding:
        task.cancel()
    await asyncio.gather(*holding, return_exceptions=True)
    turn = measuring.at(get())
    await turn.change()
    assert turn.held
