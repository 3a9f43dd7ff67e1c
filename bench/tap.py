"""The recording tap against direct requests, plain and through intercepted TLS: the same server, load and machine.

The tap runs in a process of its own and copies every exchange; its observers take and drop them. In TLS both hops have
their own: wrk to the tap, the tap to the server. wrk knows no proxy, so its connections enter where CONNECT would end.

Beside them stands a relay: the same loop and the same two hops, bytes passed on unread. It is the floor under any proxy
in Python here; what the tap takes above it is HTTP, routing and the copies.
"""

import asyncio
import multiprocessing
import os
import ssl
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import cast

import uvloop

from bench.sender import CONNECTIONS, ROUNDS, SECONDS, Bare, served, wrk
from gatecrash.node.observe.connect import Connect
from gatecrash.node.observe.observations import Observations
from gatecrash.node.observe.route import Origin
from gatecrash.node.observe.tap import Interception, Tap, TapSettings
from gatecrash.node.tls.authority import CertificateAuthority
from gatecrash.node.tls.resuming import ResumingContext

HOST = "127.0.0.1"
PLAIN, TLS = 0.18, 0.3


class Tunnelled(Connect):
    """What follows a CONNECT, for a client that sent none."""

    ESTABLISHED = b""


class Entrance(asyncio.Protocol):
    """Takes wrk's connections to the opened tunnel."""

    def __init__(self, tap: Tap, origin: Origin) -> None:
        self.tap = tap
        self.origin = origin

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        client = cast("asyncio.Transport", transport)
        Tunnelled(self.tap, client, self.origin, str(id(self)), b"", eof=False)


def tap(upstream: int, folder: str | None, pipe: Connection) -> None:
    """The tap's process: tells its port, then its number of observations and its CPU seconds when asked.

    folder: of its CA; None measures it plain.
    """

    async def run() -> None:
        observations = Observations()
        origin = Origin("http", HOST, upstream)
        if folder is None:
            running = Tap(TapSettings(port=0, upstream=origin), observations)
            await running.start()
            port = running.port
        else:
            interception = Interception(CertificateAuthority.open(Path(folder)), lambda *_: True)
            running = Tap(TapSettings(port=0, verify_tls=False), observations, interception)
            await running.start()
            server = await asyncio.get_running_loop().create_server(lambda: Entrance(running, origin), HOST, 0)
            port = server.sockets[0].getsockname()[1]
        before = time.process_time()
        pipe.send(port)
        seen = 0
        asyncio.get_running_loop().add_reader(
            pipe.fileno(), lambda: (pipe.recv(), pipe.send((seen, observations.dropped, time.process_time() - before)))
        )
        while True:
            seen += len(await observations.take())

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())


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
        loop.add_reader(pipe.fileno(), lambda: (pipe.recv(), pipe.send(time.process_time() - before)))
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


def measure(name: str, scheme: str, port: int, folder: str | None, wanted: float) -> bool:
    """Both ways in turns, the best round of each, since other programs disturb single ones; False without wrk."""
    direct: list[float] = []
    through: list[float] = []
    floor: list[float] = []
    with process(tap, port, folder) as (proxy, pipe), process(relay, port, folder) as (unread, relayed):
        for _ in range(ROUNDS):
            for rates, to in ((direct, port), (through, proxy), (floor, unread)):
                rate = wrk(f"{scheme}://{HOST}:{to}/items?q=1")
                if rate is None:
                    print("wrk is not installed: nothing to compare with (Debian: apt-get install wrk)")
                    return False
                rates.append(rate)
        pipe.send("how many?")
        seen, dropped, cpu = pipe.recv()
        relayed.send("how much?")
        passed = relayed.recv() / (sum(floor) * SECONDS)
    assert seen + dropped >= max(through), "the tap must have seen what passed"
    print(f"{name}, {CONNECTIONS} connections, best of {ROUNDS} rounds each:")
    print(f"  direct {max(direct):,.0f} requests/s")
    print(f"  tap    {max(through):,.0f} requests/s, {cpu / seen * 1e6:.0f} µs of CPU each")
    print(f"         {seen:,} exchanges copied, {dropped:,} dropped")
    print(
        f"  relay  {max(floor):,.0f} requests/s, {passed * 1e6:.0f} µs of CPU each, {max(floor) / max(direct):.2f} of direct"
    )
    print(f"  ratio  {max(through) / max(direct):.2f} (must reach {wanted})")
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
