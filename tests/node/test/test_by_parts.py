"""What is put off goes on where it was left, each part told by itself; what waits elsewhere is none of a node's."""

import math

import msgspec
import pytest
from tests.node.loop import run
from tests.node.test.trying import OK, finds, passes, probe

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.pacing.parts import OTHERS, Todo
from gatecrash.core.testing.pacing.passes import Pass
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Probe
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.session import Lifeline
from gatecrash.node.test import by_parts
from gatecrash.node.test.connections.destinations import Destinations
from gatecrash.node.test.connections.sender import Sender
from gatecrash.node.test.connections.traffic import Tally, Traffic
from gatecrash.node.test.trial import Trial
from gatecrash.wire.session import RunOrder
from gatecrash.wire.work import Result

ORDER = RunOrder(run_id="tr_1", generation=1, record_id="r", recording=False, sending=True, policy=DEFAULT)
# Asked in the first pass, in the second and in the third.
PROBES = [probe("xss", passes, asks=2), probe("sqli", finds), probe("rce", passes, asks=3)]


def trial(port: int, probes: list[Probe]) -> Trial:
    sender = Sender(Destinations(lambda *_: None, lambda *_: None))
    request = Request("GET", b"/", ((b"Host", b"x"),), b"", "http", "127.0.0.1", port)
    lifeline = Lifeline(math.inf)
    lifeline.heard(0.0)
    traffic = Traffic(ORDER, sender, lifeline, Tally(1))
    baseline = Baseline("bl_1", Exchange(request, Response(200, (), b"ok")))
    return Trial(baseline, ORDER, traffic, compile_recogniser(), probes, todo=Todo(up_to=Pass.TELLING))


@run
async def test_each_part_tells_what_it_made_and_the_last_ends_the_baseline() -> None:
    told: list[Result] = []
    async with RawServer().answering(OK) as target:
        one, kept = trial(target.port, PROBES), by_parts.PutOff()
        first = await by_parts.made(one, told.append)
        assert kept.keep(one)
        again = kept.take("bl_1", Todo(1, Pass.STATEMENTS))
        assert again is one
        second = await by_parts.made(one, told.append)
        one.todo = Todo(2, Pass.DEAR)
        third = await by_parts.made(one, told.append)
    results = (first, second, third)
    assert [(each.final, each.part, each.made, each.left) for each in results] == [
        (False, 0, 1, 4),
        (False, 1, 2, 3),
        (True, 2, 0, 0),
    ]
    assert [each.status for each in results] == ["passed", "failed", "passed"]
    assert [(each.part, [one.type for one in each.verdicts]) for each in told] == [(1, ["sqli"])]
    assert [[one.type for one in each.verdicts] for each in results] == [[], ["sqli"], []], "told once"
    assert sum(each.sent for each in results) == len(target.received)


@run
async def test_a_part_with_nothing_to_make_is_passed_over() -> None:
    async with RawServer().answering(OK) as target:
        result = await by_parts.made(trial(target.port, [PROBES[0], PROBES[2]]), lambda _: None)
    assert (result.left, result.made) == (3, 2)


@pytest.mark.parametrize("todo", [OTHERS, Todo(1, Pass.TELLING, belated=True), Todo(2, Pass.DEAR)])
def test_a_trial_that_is_not_at_this_place_is_derived_anew(todo: Todo) -> None:
    @run
    async def kept_and_taken() -> None:
        async with RawServer().answering(OK) as target:
            one, kept = trial(target.port, PROBES), by_parts.PutOff()
            await by_parts.made(one, lambda _: None)
            kept.keep(one)
            assert kept.take("bl_1", todo) is None
            assert kept.take("bl_1", Todo(1)) is None, "forgotten"

    kept_and_taken()


@run
async def test_no_more_are_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_parts, "MOST_WAITING", 1)
    async with RawServer().answering(OK) as target:
        one, kept = trial(target.port, PROBES), by_parts.PutOff()
        other = trial(target.port, PROBES)
        other.baseline = msgspec.structs.replace(other.baseline, id="bl_2")
        assert [kept.keep(one), kept.keep(other), kept.keep(one)] == [True, False, True]
