"""Pacing at 1, 10, 100, 500 and 1000 requests a second, from one process and from four that share the limit.

Printed are the worst second, the average and the jitter. The target is a process of its own that writes down when each
request came. Times there are later than at the sender by what a loaded machine takes to read them, so that a window at the
target may look fuller than it left; the senders' own times, of one clock, are printed beside it.
"""

import asyncio
import math
import multiprocessing
import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path

import uvloop

from bench.sender import Bare
from gatecrash.core.message import Headers, Request
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer
from gatecrash.node.processes.board import Board
from gatecrash.node.processes.lane_host import LaneHostPaces
from gatecrash.node.processes.lane_traffic import COUNTERS, LaneTally, LaneTraffic
from gatecrash.node.session import Lifeline
from gatecrash.node.test.connections.destinations import Destinations
from gatecrash.node.test.connections.sender import Before, Sender
from gatecrash.node.test.connections.traffic import Tally, Traffic
from gatecrash.wire.session import RunOrder

RATES = (1, 10, 100, 500, 1000)
SECONDS = 6.0
BASELINES = 10
SHARE = 0.95
PROCESSES = 4


class Timed(Bare):
    """Answers, and notes when it was asked."""

    came: list[float] = []

    def on_message_complete(self) -> None:
        self.came.append(time.monotonic())
        super().on_message_complete()


def serve(pipe: Connection) -> None:
    """The target's process: its port, then, for every word, the times since the last."""

    async def main() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(Timed, "127.0.0.1", 0)
        pipe.send(server.sockets[0].getsockname()[1])
        while await loop.run_in_executor(None, pipe.recv):
            pipe.send(list(Timed.came))
            Timed.came.clear()

    uvloop.run(main())


@contextmanager
def target() -> Iterator[tuple[int, Connection]]:
    """The target's port and the pipe to it."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    try:
        yield int(ours.recv()), ours
    finally:
        ours.send(False)
        process.join(5)
        process.terminate()


class Noting(Sender):
    """Notes when each request's bytes leave."""

    def __init__(self, left: list[float]) -> None:
        super().__init__(Destinations(lambda *_: None, lambda *_: None))
        self._left = left

    async def send(self, request: Request, extra: Headers = (), before: Before | None = None) -> Answer:
        async def noted() -> None:
            waited_for = before() if before is not None else None
            if waited_for is not None:
                await waited_for
            self._left.append(time.monotonic())

        return await super().send(request, extra, noted)


def run_order(rps: int) -> RunOrder:
    """A run under a limit."""
    return RunOrder(
        run_id="tr_bench", generation=1, record_id="rec_bench", recording=False, sending=True, policy=DEFAULT, rps=rps,
        marker_key=b"k" * 32,
    )  # fmt: skip


async def send(port: int, traffic: Traffic, sender: Sender, rps: int, until: float) -> None:
    """Sends as much as the limit lets it, until a time of the monotonic clock."""
    request = Request("GET", b"/", ((b"Host", b"bench"),), b"", "http", "127.0.0.1", port)

    async def work(baseline_id: str) -> None:
        while time.monotonic() < until:
            answer = await traffic.send(request, baseline_id)
            assert not answer.failure, answer.failure

    await asyncio.gather(*(work(f"bl_{number % BASELINES}") for number in range(max(2, min(40, rps // 10)))))
    await sender.close()


def alone(port: int, rps: int) -> list[float]:
    """When each request left, from one process, as a node has it that was told nothing of processes."""

    async def main() -> list[float]:
        left: list[float] = []
        sender = Noting(left)
        traffic = Traffic(run_order(rps), sender, heard(), Tally(1))
        await send(port, traffic, sender, rps, time.monotonic() + SECONDS)
        return left

    return sorted(uvloop.run(main()))


def in_lane(port: int, rps: int, folder: str, lane: int, begin: float) -> list[float]:
    """The same from one of several processes."""

    async def main() -> list[float]:
        left: list[float] = []
        sender, board = Noting(left), Board(Path(folder), lane)
        tally = LaneTally(1, board.region(COUNTERS, "bench"), lane)
        paces = LaneHostPaces(board)
        traffic = LaneTraffic(run_order(rps), sender, heard(), tally, paces, board, lambda _: None)
        await asyncio.sleep(begin - time.monotonic())
        await send(port, traffic, sender, rps, begin + SECONDS)
        return left

    return uvloop.run(main())


def together(port: int, rps: int, processes: ProcessPoolExecutor) -> list[float]:
    """When each request left, from several processes that share the limit."""
    with tempfile.TemporaryDirectory(prefix="gatecrash-bench-") as folder:
        begin = time.monotonic() + 0.5
        lanes = [processes.submit(in_lane, port, rps, folder, lane, begin) for lane in range(PROCESSES)]
        return sorted(moment for lane in lanes for moment in lane.result())


def heard() -> Lifeline:
    """A control plane that is always heard."""
    lifeline = Lifeline(math.inf)
    lifeline.heard(asyncio.get_running_loop().time())
    return lifeline


def worst_second(times: Sequence[float]) -> int:
    """The most requests in any window of one second."""
    worst, first = 0, 0
    for last, moment in enumerate(times):
        while moment - times[first] >= 1.0:
            first += 1
        worst = max(worst, last - first + 1)
    return worst


def average(times: Sequence[float]) -> float:
    """Requests a second from the first to the last."""
    return (len(times) - 1) / (times[-1] - times[0])


def jitter(times: Sequence[float]) -> float:
    """The standard deviation of the gaps between requests, in milliseconds."""
    return statistics.pstdev([later - sooner for sooner, later in pairwise(times)]) * 1000


def ready() -> int:
    """Something to do for a process that is to be there before it is measured."""
    time.sleep(0.3)
    return os.getpid()


def measured(pipe: Connection, rps: int, left: Sequence[float]) -> str:
    """One line; pipe: to the target, which has seen these requests and no others."""
    pipe.send(True)
    seen = sorted(pipe.recv())
    share = average(left) / rps
    verdict = "" if worst_second(left) <= rps and share >= SHARE else "   MISSED"
    return (
        f"{rps:5}   {worst_second(left):12} / {worst_second(seen):4}   {average(left):9.1f}   {share:5.1%}   "
        f"{jitter(left):5.2f} ms{verdict}"
    )


def main() -> None:
    """Print a line for each rate and each number of processes."""
    context = multiprocessing.get_context("spawn")
    with target() as (port, pipe), ProcessPoolExecutor(PROCESSES, context) as processes:
        pipe.send(True)
        pipe.recv()
        while len({each.result() for each in [processes.submit(ready) for _ in range(PROCESSES)]}) < PROCESSES:
            pass
        for number in (1, PROCESSES):
            print(f"processes: {number}, {BASELINES} baselines each, {SECONDS:.0f} s each ({os.cpu_count()} cores)")
            print("  rps   worst second: sent / seen   average   share   jitter")
            for rps in RATES:
                left = alone(port, rps) if number == 1 else together(port, rps, processes)
                print(measured(pipe, rps, left), flush=True)


if __name__ == "__main__":
    main()
