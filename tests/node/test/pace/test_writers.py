"""Who writes at one address does so in turn; all others go on, and where very many write nobody waits."""

import asyncio

import msgspec
from tests.node.loop import run
from tests.node.test.answering import Application, get, traffic

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.overwriting import MOST_WRITERS
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.probes import auth
from gatecrash.core.testing.verdict import safe
from gatecrash.node.test.pace.writers import Writers
from gatecrash.node.test.trial import Trial
from gatecrash.wire.session import RunOrder


def put(target: bytes = b"/notes/7", method: str = "PUT", body: bytes = b"") -> Request:
    return Request(method, target, (), body)


async def at_once(writers: Writers, *asked: Request) -> int:
    """How many of them had their turn at the same time, at most."""
    now = most = 0

    async def write(request: Request) -> None:
        nonlocal now, most
        async with writers.turn(request):
            now += 1
            most = max(most, now)
            for _ in range(3):
                await asyncio.sleep(0)
            now -= 1

    await asyncio.gather(*(write(each) for each in asked))
    return most


@run
async def test_one_at_a_time_writes_at_an_address() -> None:
    writers = Writers()
    assert await at_once(writers, put(), put(), put(method="PATCH")) == 1
    assert await at_once(writers, put(), put(b"/notes/8"), put()) == 2
    assert await at_once(writers, *[put(method="GET")] * 3) == 3


@run
async def test_where_very_many_different_requests_write_nobody_waits() -> None:
    writers = Writers()
    for number in range(MOST_WRITERS):
        for _ in range(2):  # known from the record, and again when its tests begin
            writers.meet(put(body=b"%d" % number))
    assert await at_once(writers, put(), put()) == 1
    writers.meet(put(body=b"one more"))
    assert await at_once(writers, put(), put()) == 2


@run
async def test_who_is_cancelled_leaves_its_turn_to_the_next() -> None:
    writers = Writers()

    async def hold() -> None:
        async with writers.turn(put()):
            await asyncio.Event().wait()

    holding = [asyncio.ensure_future(hold()) for _ in range(2)]  # one has the turn, one waits for it
    await asyncio.sleep(0)
    for task in holding:
        task.cancel()
    await asyncio.gather(*holding, return_exceptions=True)
    assert await at_once(writers, put()) == 1


@run
async def test_a_trial_reads_back_what_it_wrote_though_others_write_there_too() -> None:
    """Three users saved one page: each test of it reads the page afterwards."""
    kept, lost = [b""], 0

    def says(request: Request) -> Response:
        if request.method == "PUT":
            kept[0] = request.body
        return Response(200, body=kept[0])

    def dialogue(situation: Situation) -> Dialogue:
        nonlocal lost
        mine = situation.baseline.request
        for number in range(4):
            written = msgspec.structs.replace(mine, body=b"%s %d" % (mine.body, number))
            yield TestRequest(written)
            read = yield TestRequest(get("/notes/7"))
            lost += read.exchange.response is None or read.exchange.response.body != written.body
        return safe("auth", situation.point)

    probe = Probe(type="auth", entry=auth.ENTRY, whole=True, applies=lambda _: True, forecast=lambda _: 8, run=dialogue)
    way = traffic(Application(says))
    order = RunOrder(run_id="tr_1", generation=1, record_id="r", recording=False, sending=True, policy=DEFAULT)
    trials = []
    for name in ("ida", "ove", "mod"):
        saved = msgspec.structs.replace(get("/notes/7", method="PUT"), body=name.encode())
        baseline = Baseline(name, Exchange(saved, Response(200)))
        trials.append(Trial(baseline, order, way, compile_recogniser(), [probe]))
    results = await asyncio.gather(*(trial.run(lambda _: None) for trial in trials))
    assert [result.status for result in results] == ["passed"] * 3
    assert lost == 0


@run
async def test_the_steps_of_one_form_are_gone_through_one_at_a_time() -> None:
    """What one step's tests have begun in the session is ended before another's begin anew."""
    begun, lost = [b""], 0

    def says(request: Request) -> Response:
        if request.method == "POST":
            begun[0] = request.body
        return Response(302, ((b"Location", b"/leave/2"),)) if request.path == b"/leave/1" else Response(200)

    def dialogue(situation: Situation) -> Dialogue:
        nonlocal lost
        mine = situation.baseline.request
        for number in range(4):
            written = msgspec.structs.replace(mine, body=b"%s %d" % (mine.body, number))
            yield TestRequest(written)
            yield TestRequest(get("/leave/3"))
            lost += begun[0] != written.body
        return safe("auth", situation.point)

    probe = Probe(type="auth", entry=auth.ENTRY, whole=True, applies=lambda _: True, forecast=lambda _: 8, run=dialogue)
    way = traffic(Application(says))
    steps = (
        ("/leave/1", "/leave/1", b"/leave/2"),
        ("/leave/2", "/leave/2", b"/leave/3"),
        ("/leave/confirm", "/leave/3", b"/leave/9"),
    )
    order = RunOrder(run_id="tr_1", generation=1, record_id="r", recording=False, sending=True, policy=DEFAULT)
    trials = []
    for path, page, landing in steps:
        asked = get(path, method="POST")
        referer = b"http://%s%s" % (asked.host.encode(), page.encode())
        sent = msgspec.structs.replace(asked, body=path.encode(), headers=(*asked.headers, (b"Referer", referer)))
        exchange = Exchange(sent, Response(302, ((b"Location", landing),)))
        way.met(exchange)
        trials.append(Trial(Baseline(path, exchange), order, way, compile_recogniser(), [probe]))
    await asyncio.gather(*(trial.run(lambda _: None) for trial in trials))
    assert lost == 0
