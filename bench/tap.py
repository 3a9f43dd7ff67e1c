"""The recording tap against direct requests, plain and through intercepted TLS: the same server, load and machine.

The tap runs in a process of its own and copies every exchange; its observers take and drop them. Then as a node does with
`--processes`: several processes proxy, and one more takes what they tell it. In TLS both hops have their own: wrk to the
tap, the tap to the server.

Beside them stands a relay: the same loop and the same two hops, bytes passed on unread. It is the floor under any proxy
of one process in Python here; what the tap takes above it is HTTP, routing and the copies.
"""

import asyncio
import multiprocessing
import os
import ssl
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import cast

import msgspec
import uvloop

from bench import entrance
from bench.sender import CONNECTIONS, ROUNDS, SECONDS, Bare, served, wrk
from gatecrash.node.garbage import collect_seldom
from gatecrash.node.observe.observations import Observations
from gatecrash.node.observe.proxy_messages import Begin, Inside
from gatecrash.node.observe.proxy_processes import ProxyProcesses
from gatecrash.node.observe.route import Origin
from gatecrash.node.observe.tap import TapSettings
from gatecrash.node.tls.authority import CertificateAuthority
from gatecrash.node.tls.resuming import ResumingContext

HOST = "127.0.0.1"
PLAIN, TLS = 0.18, 0.3
PROCESSES = max(2, os.cpu_count() or 2)


def tap(upstream: int, folder: str | None, processes: int, pipe: Connection) -> None:
    """The tap's process: tells its port, then its number of observations and its CPU seconds when asked.

    folder: of its CA; None measures it plain.
    """

    async def run() -> None:
        observations = Observations()
        settings = TapSettings(port=0, upstream=Origin("http", HOST, upstream), verify_tls=False)
        inside = Inside.at(Path(folder), "*") if folder is not None else None
        if processes > 1:
            running = ProxyProcesses(settings, observations, processes, inside, entrance.MODULE)
        else:
            running = entrance.make_tap(Begin("tap", settings, inside), observations)  # type: ignore[assignment]
        await running.start()
        before = cpu_seconds()
        pipe.send(running.port)
        seen = 0
        answer(pipe, lambda: (seen, observations.dropped, cpu_seconds() - before))
        while True:
            seen += len(await observations.take())

    collect_seldom()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())


def answer(pipe: Connection, told: Callable[[], tuple[float, ...]]) -> None:
    """Tells it whenever asked."""

    def asked() -> None:
        pipe.recv()
        pipe.send(told())

    asyncio.get_running_loop().add_reader(pipe.fileno(), asked)


def cpu_seconds() -> float:
    """Of this process and of those that it started and that run."""
    total = time.process_time()
    for listed in Path("/proc/self/task").glob("*/children"):
        for child in listed.read_text().split():
            fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


class Relaying(asyncio.Protocol):
    """One end of the relay; what comes before the other end is there waits."""

    def __init__(self, other: "Relaying | None" = None) -> None:
        self.other = other
        self.transport: asyncio.Transport | None = None
        self.early: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(b"".join(self.early))

    def data_received(self, data: bytes) -> None:
        if self.other is not None and self.other.transport is not None:
            self.other.transport.write(data)
        elif self.other is not None:
            self.other.early.append(data)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - either way it is gone
        if self.other is not None and self.other.transport is not None:
            self.other.transport.close()


def relay(upstream: int, folder: str | None, pipe: Connection) -> None:
    """The relay's process: tells its port, then its CPU seconds when asked."""

    async def run() -> None:
        loop = asyncio.get_running_loop()
        inner = outer = None
        if folder is not None:
            outer = CertificateAuthority.open(Path(folder)).context(HOST, ("http/1.1",))
            inner = ResumingContext.offering((), verify=False)
        connecting: set[asyncio.Task[object]] = set()

        def near() -> Relaying:
            far = Relaying()
            far.other = Relaying(far)
            task: asyncio.Task[object] = loop.create_task(
                loop.create_connection(lambda: far, HOST, upstream, ssl=inner)
            )
            connecting.add(task)
            task.add_done_callback(connecting.discard)
            return far.other

        server = await loop.create_server(near, HOST, 0, ssl=outer, backlog=2048)
        before = time.process_time()
        pipe.send(server.sockets[0].getsockname()[1])
        answer(pipe, lambda: (time.process_time() - before,))
        await server.serve_forever()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())


def serve_tls(folder: str, pipe: Connection) -> None:
    """The server that does nothing, in TLS."""

    async def run() -> None:
        context: ssl.SSLContext = CertificateAuthority.open(Path(folder)).context(HOST, ("http/1.1",))
        server = await asyncio.get_running_loop().create_server(Bare, HOST, 0, ssl=context, backlog=2048)
        pipe.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())


@contextmanager
def process(target: object, *given: object) -> Iterator[tuple[int, Connection]]:
    """A process that tells its port, and the pipe to ask it."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    started = context.Process(target=target, args=(*given, theirs), daemon=True)  # type: ignore[arg-type]
    started.start()
    try:
        yield int(ours.recv()), ours
    finally:
        started.kill()
        started.join()


class Way(msgspec.Struct):
    """One way to the server. rates: of its rounds. asked: gives its CPU seconds last."""

    name: str
    port: int
    pipe: Connection | None = None
    rates: list[float] = []

    def told(self, direct: float) -> str:
        """What is printed of it."""
        best = max(self.rates)
        text = f"  {self.name:<21} {best:>8,.0f} requests/s"
        if self.pipe is None:
            return text
        self.pipe.send("how much?")
        *counted, cpu = self.pipe.recv()
        text += f", {best / direct:.2f} of direct, {cpu / (sum(self.rates) * SECONDS) * 1e6:.0f} µs of CPU each"
        if counted:
            seen, dropped = counted
            assert seen + dropped >= best, "the tap must have seen what passed"
            text += f", {seen:,} exchanges copied, {dropped:,} dropped"
        return text


def measure(name: str, scheme: str, port: int, folder: str | None, wanted: float) -> bool:
    """All ways in turns, the best round of each, since other programs disturb single ones; False without wrk."""
    direct = Way("direct", port)
    ways = [direct]
    with ExitStack() as stack:
        started = {count: stack.enter_context(process(tap, port, folder, count)) for count in (1, PROCESSES)}
        ways += [Way(f"tap, {count} process{'es' * (count > 1)}", *found) for count, found in started.items()]
        ways.append(Way("relay", *stack.enter_context(process(relay, port, folder))))
        for _ in range(ROUNDS):
            for way in ways:
                rate = wrk(f"{scheme}://{HOST}:{way.port}/items?q=1")
                if rate is None:
                    print("wrk is not installed: nothing to compare with (Debian: apt-get install wrk)")
                    return False
                way.rates.append(rate)
        print(f"{name}, {CONNECTIONS} connections, best of {ROUNDS} rounds each; the tap must reach {wanted}:")
        for way in ways:
            print(way.told(max(direct.rates)))
    return True


def main() -> None:
    """Measures and prints."""
    print(f"machine: {os.uname().machine}, {os.cpu_count()} cores, Python {sys.version.split()[0]}")
    with served() as port:
        if not measure("plain", "http", port, None, PLAIN):
            return
    with tempfile.TemporaryDirectory() as folder, process(serve_tls, folder) as (port, _):
        measure("intercepted TLS", "https", port, folder, TLS)


if __name__ == "__main__":
    main()
