"""One run's side of the listener: who gets addresses, what a dialogue's end makes of a hit, how long a run stays."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.node.loop import run
from tests.node.oob.lured import VERDICT, Told

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.out_of_band import Hit, OutOfBand
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import TestRequest
from gatecrash.core.testing.probes.ssrf import PROBE
from gatecrash.core.testing.verdict import Outcome, safe
from gatecrash.node.oob.listener import Listener
from gatecrash.node.oob.lures import Lures
from gatecrash.node.oob.planting import Planting
from gatecrash.node.oob.settings import OobSettings
from gatecrash.wire.session import RunOrder


def baseline(host: str = "127.0.0.1") -> Baseline:
    request = Request("GET", b"/?url=http://x.example/", ((b"Host", host.encode()),), b"", "http", host, 80)
    return Baseline("bl_1", Exchange(request, Response(200, body=b"ok")))


def check_of(tested: Baseline) -> Check:
    (check,) = plan(tested, DEFAULT, (), (PROBE,))
    return check


CHECK = check_of(baseline())
SAFE = safe("ssrf", CHECK.point)


@asynccontextmanager
async def planting(key: bytes = b"k", grace: float = 30.0) -> AsyncIterator[tuple[Planting, Listener, Told]]:
    told = Told()
    listener = Listener(OobSettings(grace=grace), Lures(told))
    await listener.start()
    order = RunOrder(
        run_id="tr_1", generation=5, record_id="r", recording=False, sending=True, policy=DEFAULT, marker_key=key
    )
    try:
        yield Planting(listener, order), listener, told
    finally:
        await listener.close()


def sent(planted: Planting) -> tuple[TestRequest, OutOfBand]:
    oob = planted.addresses(CHECK, baseline())
    assert oob is not None
    asked = TestRequest(Request("GET", b"/"), lures=(oob.lure(1, VERDICT, dns_threat=30),))
    planted.plant(CHECK, "bl_1", asked)
    return asked, oob


def come(listener: Listener, oob: OutOfBand) -> None:
    listener.lures.hear(Hit(name=oob.name(1), protocol="http"))


@run
async def test_targets_elsewhere_get_no_loopback_address_and_nobody_one_without_a_key():
    async with planting() as (planted, _, _):
        assert planted.addresses(CHECK, baseline()) is not None
        assert planted.addresses(CHECK, baseline("api.example.com")) is None
    async with planting(key=b"") as (planted, _, _):
        assert planted.addresses(CHECK, baseline()) is None


@run
async def test_hits_come_with_the_answer():
    async with planting() as (planted, listener, _):
        asked, oob = sent(planted)
        come(listener, oob)
        assert [hit.name for hit in await planted.hits(asked, Exchange(asked.request))] == [oob.name(1)]


@run
async def test_a_hit_behind_the_answer_turns_the_dialogues_verdict():
    async with planting() as (planted, listener, told):
        _, oob = sent(planted)
        come(listener, oob)
        verdict = planted.conclude(CHECK, "bl_1", SAFE)
        assert (verdict.outcome, planted.grace("bl_1"), told) == (Outcome.VULNERABLE, 0.0, [])


@run
async def test_a_run_stays_for_payloads_of_points_that_are_not_decided():
    async with planting() as (planted, listener, told):
        _, oob = sent(planted)
        assert planted.conclude(CHECK, "bl_1", SAFE) is SAFE
        assert 25 < planted.grace("bl_1") <= 30
        come(listener, oob)
        assert [(run_id, generation) for run_id, generation, _ in told] == [("tr_1", 5)]


@run
async def test_a_run_does_not_stay_for_a_decided_point_nor_where_nothing_was_sent():
    async with planting() as (planted, listener, told):
        _, oob = sent(planted)
        assert planted.conclude(CHECK, "bl_1", VERDICT) is VERDICT
        assert planted.grace("bl_1") == 0.0
        assert planted.grace("bl_2") == 0.0
        come(listener, oob)
        assert told == []


@run
async def test_who_came_for_a_dialogue_that_broke_off_is_told_late():
    async with planting() as (planted, listener, told):
        _, oob = sent(planted)
        come(listener, oob)
        planted.break_off(CHECK, "bl_1")
        planted.break_off(CHECK, "bl_1")
        assert len(told) == 1


@run
async def test_of_two_lures_in_one_request_either_ends_the_waiting():
    async with planting() as (planted, listener, _):
        oob = planted.addresses(CHECK, baseline())
        assert oob is not None
        lures = tuple(oob.lure(number, VERDICT, dns_threat=30) for number in (1, 2))
        asked = TestRequest(Request("GET", b"/"), lures=lures, patience=25.0)
        planted.plant(CHECK, "bl_1", asked)
        planted.plant(CHECK, "bl_1", asked)
        waiting = asyncio.ensure_future(planted.hits(asked, Exchange(asked.request)))
        await asyncio.sleep(0)
        listener.lures.hear(Hit(name=oob.name(2), protocol="http"))
        assert [hit.name for hit in await waiting] == [oob.name(2)]
        assert planted.conclude(CHECK, "bl_1", SAFE).outcome is Outcome.VULNERABLE
