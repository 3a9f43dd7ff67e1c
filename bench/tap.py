"""The plain recording tap against direct requests: the same server and the same load, with and without the tap between.

The tap runs in a process of its own and copies every exchange; its observers take and drop them.
"""

import asyncio
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

import uvloop

from bench.sender import CONNECTIONS, ROUNDS, served, wrk
from gatecrash.node.observe.observations import Observations
from gatecrash.node.observe.route import Origin
from gatecrash.node.observe.tap import Tap, TapSettings


def tap(upstream: int, pipe: Connection) -> None:
    """The tap's process: tells its port, then its number of observations when asked."""

    async def run() -> None:
        observations = Observations()
        running = Tap(TapSettings(port=0, upstream=Origin("http", "127.0.0.1", upstream)), observations)
        await running.start()
        pipe.send(running.port)
        seen = 0
        asyncio.get_running_loop().add_reader(
            pipe.fileno(), lambda: (pipe.recv(), pipe.send((seen, observations.dropped, time.process_time())))
        )
        while True:
            seen += len(await observations.take())

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())


@contextmanager
def tapped(upstream: int) -> Iterator[tuple[int, Connection]]:
    """A running tap's port, and the pipe to ask it."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=tap, args=(upstream, theirs), daemon=True)
    process.start()
    try:
        yield int(ours.recv()), ours
    finally:
        process.kill()
        process.join()


def main() -> None:
    """Measures and prints: both ways in turns, the best round of each, since other programs disturb single ones."""
    print(f"machine: {os.uname().machine}, {os.cpu_count()} cores, Python {sys.version.split()[0]}")
    direct: list[float] = []
    through: list[float] = []
    with served() as port, tapped(port) as (proxy, pipe):
        for _ in range(ROUNDS):
            for rates, to in ((direct, port), (through, proxy)):
                rate = wrk(f"http://127.0.0.1:{to}/items?q=1")
                if rate is None:
                    print("wrk is not installed: nothing to compare with (Debian: apt-get install wrk)")
                    return
                rates.append(rate)
        pipe.send("how many?")
        seen, dropped, cpu = pipe.recv()
    print(f"direct: {max(direct):,.0f} requests/s, wrk, {CONNECTIONS} connections, best of {ROUNDS} rounds each")
    print(
        f"tap:    {max(through):,.0f} requests/s, {seen:,} exchanges copied, {dropped:,} dropped, {cpu / seen * 1e6:.0f} µs of CPU each"
    )
    print(f"ratio:  {max(through) / max(direct):.2f} (must reach 0.18)")


if __name__ == "__main__":
    main()
