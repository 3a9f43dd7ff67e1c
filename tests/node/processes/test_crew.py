"""Several processes test as one: what is found, counted and limited is the same, and the death of one costs nothing."""

import asyncio
import math
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import msgspec
from tests.node.loop import run, until
from tests.node.test.test_runner import OK, hold, order

from gatecrash.core.testing.policy import DEFAULT
from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.processes.crew import Crew
from gatecrash.node.processes.lane_traffic import run_name
from gatecrash.node.session import Lifeline, Session
from gatecrash.node.test.bounds import Bounds
from gatecrash.node.uplink import HELLO, Uplink
from gatecrash.wire.session import Hello, Welcome

QUIET_SECONDS = 1.5
"""Many times the distance of two requests."""


@asynccontextmanager
async def working(
    control: ControlPlane, *, heard: bool = True, processes: int = 2, **named: Any
) -> AsyncIterator[Crew]:
    async with AsyncExitStack() as stack:
        uplink, session, lifeline = Uplink(control.api, TOKEN), Session(), Lifeline(math.inf)
        stack.push_async_callback(uplink.close)
        session.set(await uplink.call(HELLO, Hello("n", "native", "1", "sp"), Welcome))
        if heard:
            lifeline.heard(asyncio.get_running_loop().time())
        crew = Crew(uplink, session, lifeline, lambda: ((), ()), Bounds(**named), processes=processes)
        outbox = asyncio.ensure_future(crew.outbox.send_always(uplink, session))
        stack.callback(outbox.cancel)
        stack.push_async_callback(crew.close)
        crew.start()
        yield crew


@asynccontextmanager
async def counting(rps: int, baselines: int, *, processes: int) -> AsyncIterator[tuple[ControlPlane, RawServer, Crew]]:
    """A run under a limit, in the midst of its tests."""
    async with ControlPlane() as control, RawServer().answering(OK) as target:
        control.orders = [order(rps=rps)]
        async with working(control, processes=processes) as crew:
            crew.obey(control.orders)
            # All are there and ask, before there is anything to test.
            await until(lambda: len(asking(crew)) == processes)
            hold(control, target, baselines)
            crew.wake("tr_1")
            yield control, target, crew


def asking(crew: Crew) -> list[set[str]]:
    """What each process that has asked for work holds."""
    return [worker.held["tr_1", 1] for worker in crew.workers.values() if ("tr_1", 1) in worker.held]


def sent(crew: Crew) -> int:
    return crew.progress(order(), recording=False, unsent=0).sent


def departures(crew: Crew) -> list[float]:
    """When the bytes of each request left, as the processes noted it themselves."""
    cells = crew.board.region("limit", f"run {run_name('tr_1', 1)}").cells
    return sorted(cells[2 : 2 + int(cells[1])].tolist())


@run
async def test_all_baselines_are_tested_and_every_request_is_counted_once() -> None:
    released = asyncio.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            await target.read_request(reader)
            await released.wait()
            writer.write(OK)
            await writer.drain()

    async with ControlPlane() as control, RawServer(talk) as target:
        control.orders = [order()]
        hold(control, target, 6)
        async with working(control, workers=4) as crew:
            crew.obey(control.orders)

            def done() -> bool:
                tested = crew.progress(order(), recording=False, unsent=0).remaining
                assert len(tested) <= 4, "WORKERS is over all processes"
                if not released.is_set():
                    # Nothing can end, so that what is held is what is tested.
                    held = [
                        name for worker in crew.workers.values() for names in worker.held.values() for name in names
                    ]
                    assert len(held) <= 4, "WORKERS is over all processes"
                    if len(tested) == len(held) == 4:
                        released.set()
                return len(control.finals) == 6

            await until(done)
            assert {result.status for result in control.finals.values()} == {"passed"}
            told = sum(result.sent for result in (*control.finals.values(), *control.parts))
            assert sent(crew) == told == len(target.received)
            recent = crew.progress(order(), recording=False, unsent=0).recent
            assert sum(count for _, count in recent) <= len(target.received)


@run
async def test_no_second_holds_more_than_the_limit_over_all_processes() -> None:
    async with counting(150, 60, processes=3) as (_, _, crew):
        await until(lambda: sent(crew) >= 400 and all(asking(crew)))
        times = departures(crew)
        assert all(late - soon > 1.0 for soon, late in zip(times, times[150:], strict=False))


@run
async def test_a_killed_process_is_replaced_and_what_it_held_goes_on() -> None:
    async with counting(200, 8, processes=2) as (control, target, crew):
        await until(lambda: sent(crew) > 20 and all(asking(crew)))
        victim = crew.workers[1]
        before = sent(crew)
        victim.process.kill()
        await until(lambda: len(control.finals) == 8)
        assert {result.status for result in control.finals.values()} == {"passed"}
        assert sent(crew) > before
        # What was counted and had not left is one request at most for each that the dead process had under way.
        assert 0 <= sent(crew) - len(target.received) <= 64
        await until(lambda: 1 in crew.workers and crew.workers[1] is not victim)


@run
async def test_a_pause_ends_the_sending_of_all_processes_and_a_resume_goes_on() -> None:
    """That it does within a second is measured on the wire (`python -m bench wire`); here it ends long before the tests would."""
    async with counting(100, 20, processes=2) as (control, target, crew):
        await until(lambda: sent(crew) > 20)
        crew.obey([order(rps=100, sending=False)])
        await until(lambda: time.monotonic() - departures(crew)[-1] > QUIET_SECONDS)
        seen = len(target.received)
        assert len(control.finals) < 20
        crew.obey(control.orders)
        await until(lambda: len(target.received) > seen + 20)
        assert sent(crew) >= seen


@run
async def test_the_first_finding_of_any_process_stops_all_where_it_is_wanted() -> None:
    async def reflects(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            request = await target.read_request(reader)
            page = b"<p>" + unquote_to_bytes(request.split(b" ", 2)[1]) + b"</p>"
            head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(page)
            writer.write(head + page)
            await writer.drain()

    target = RawServer(reflects)
    async with ControlPlane() as control, target:
        policy = msgspec.structs.replace(DEFAULT, types=("xss",))
        control.orders = [order(stop_on_first_fail=True, policy=policy)]
        hold(control, target, 12)
        async with working(control) as crew:
            crew.obey(control.orders)
            await until(lambda: bool(control.findings) and not crew.busy)
            # The halt is on its way: nothing is claimed any more, and what goes on ends.
            assert not any(worker.held for worker in crew.workers.values())
            assert len(control.finals) < 12


@run
async def test_nothing_is_sent_unheard_and_what_is_over_is_not_taken_up_again() -> None:
    async with ControlPlane() as control, RawServer().answering(OK) as target:
        control.orders = [order(generation=2)]
        hold(control, target, 1)
        async with working(control, heard=False) as crew:
            crew.obey(control.orders)
            await until(lambda: len(crew.workers) == 2)
            await asyncio.sleep(0.3)
            assert not target.received
            crew.lifeline.heard(asyncio.get_running_loop().time())
            crew.obey([order()])
            await until(lambda: not crew.busy)
            crew.obey([order()])
            assert not crew.busy, "its generation is over"
            crew.obey(control.orders)
            await until(lambda: len(control.finals) == 1)


def test_the_death_of_the_main_process_ends_the_others() -> None:
    main = (
        "import asyncio\n"
        "from gatecrash.node.processes.worker import started\n"
        "async def main():\n"
        "    workers = [await started(lane) for lane in range(2)]\n"
        "    print(*(worker.process.pid for worker in workers), flush=True)\n"
        "    await asyncio.Event().wait()\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", main], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        children = [int(word) for word in process.stdout.readline().split()]
        process.kill()
    assert len(children) == 2
    deadline = time.monotonic() + 120
    while any(map(runs, children)):
        assert time.monotonic() < deadline, "a testing process outlives its main one"
        time.sleep(0.02)  # nobody tells of the end of another's child


def runs(pid: int) -> bool:
    """Whether the process is there, and no zombie that waits to be reaped."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
