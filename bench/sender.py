"""The bare sender against wrk: the same server, 50 connections, one run after the other on this machine.

The server is a process of its own, so that the sender competes with it for a core as wrk does.
"""

import asyncio
import json
import multiprocessing
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import cast
from urllib.parse import parse_qs

import httptools
import uvloop

from gatecrash.core.message import Request
from gatecrash.node.test.connections.destinations import Destinations
from gatecrash.node.test.connections.sender import Sender

ROUNDS = 4
SECONDS = 2.0
CONNECTIONS = 50


class Bare(asyncio.Protocol):
    """Reads each request with httptools and answers with the same bytes: a server that does nothing."""

    ANSWER = (
        b"HTTP/1.1 200 OK\r\nServer: bench\r\nContent-Type: application/json\r\nContent-Length: 27\r\n"
        b'Cache-Control: no-store\r\nX-Request-Id: 0123456789abcdef\r\n\r\n{"status":"ok","items":[1]}'
    )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.parser = httptools.HttpRequestParser(self)

    def data_received(self, data: bytes) -> None:
        self.parser.feed_data(data)

    def on_message_begin(self) -> None:
        self.headers: dict[str, str] = {}

    def on_url(self, url: bytes) -> None:
        self.url = url

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_message_complete(self) -> None:
        self.transport.write(self.ANSWER)


class Small(Bare):
    """The least that an application does: reads its query, looks something up, answers in JSON."""

    ITEMS = sqlite3.connect(":memory:", check_same_thread=False)
    ITEMS.execute("CREATE TABLE items (name TEXT PRIMARY KEY, price INTEGER)")
    ITEMS.executemany("INSERT INTO items VALUES (?, ?)", [(f"item {number}", number) for number in range(1000)])

    def on_message_complete(self) -> None:
        query = parse_qs(self.url.partition(b"?")[2].decode("latin-1"))
        found = self.ITEMS.execute("SELECT * FROM items WHERE name = ?", query.get("q", [""])).fetchall()
        body = json.dumps({"authorised": "authorization" in self.headers, "items": found}).encode()
        self.transport.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
        )


def serve(pipe: Connection, kind: type[Bare]) -> None:
    """The server's process: tells its port, then serves until it is ended."""

    async def run() -> None:
        server = await asyncio.get_running_loop().create_server(kind, "127.0.0.1", 0, backlog=2048)
        pipe.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())


@contextmanager
def served(kind: type[Bare] = Bare) -> Iterator[int]:
    """A running server's port."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs, kind), daemon=True)
    process.start()
    try:
        yield int(ours.recv())
    finally:
        process.kill()
        process.join()


def wrk(url: str, seconds: float = SECONDS, script: str | None = None) -> float | None:
    """Requests per second that wrk reaches; None where it is not installed."""
    program = shutil.which("wrk")
    if program is None:
        return None
    command = [program, "-t1", f"-c{CONNECTIONS}", f"-d{int(seconds)}s", *(["-s", script] if script else []), url]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r"Requests/sec:\s+([\d.]+)", output)
    assert found is not None, output
    errors = re.search(r"(Socket errors|Non-2xx).*", output)
    if errors is not None:
        print(f"wrk says: {errors[0]}")
    return float(found[1])


async def _send(port: int, seconds: float) -> tuple[float, float]:
    """Requests per second of the sender, and its CPU seconds per 1,000 requests."""
    sender = Sender(Destinations(lambda *_: None, lambda *_: None), connections=CONNECTIONS)
    headers = ((b"Host", b"127.0.0.1"), (b"Accept", b"*/*"), (b"Authorization", b"Bearer 0123456789"))
    request = Request("GET", b"/items?q=%27", headers, b"", "http", "127.0.0.1", port)
    end = time.perf_counter() + seconds
    sent = 0

    async def work() -> None:
        nonlocal sent
        while time.perf_counter() < end:
            answer = await sender.send(request)
            assert not answer.failure, answer.failure
            sent += 1

    await work_once(sender, request)
    cpu, begun = time.process_time(), time.perf_counter()
    await asyncio.gather(*(work() for _ in range(CONNECTIONS)))
    rate = sent / (time.perf_counter() - begun)
    used = (time.process_time() - cpu) / sent * 1000
    await sender.close()
    return rate, used


async def work_once(sender: Sender, request: Request) -> None:
    """One request, so that imports and the first connection are not measured."""
    assert not (await sender.send(request)).failure


def main() -> None:
    """Measures and prints: both sides in turns, the best round of each, since other programs disturb single ones."""
    print(f"machine: {os.uname().machine}, {os.cpu_count()} cores, Python {sys.version.split()[0]}")
    for name, kind, wanted in (
        ("a small application", Small, " (must reach 0.6)"),
        ("a server that does nothing", Bare, ""),
    ):
        rates, costs, references = [], [], []
        with served(kind) as port, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            for _ in range(ROUNDS):
                references.append(wrk(f"http://127.0.0.1:{port}/items?q=%27"))
                rate, cost = runner.run(_send(port, SECONDS))
                rates.append(rate)
                costs.append(cost)
        print(f"{name}, {CONNECTIONS} connections, best of {ROUNDS} rounds each:")
        print(f"  sender {max(rates):,.0f} requests/s, {min(costs) * 1000:.0f} µs of CPU each")
        measured = [each for each in references if each is not None]
        if measured:
            print(f"  wrk    {max(measured):,.0f} requests/s")
            print(f"  ratio  {max(rates) / max(measured):.2f}{wanted}")
        else:
            print("  wrk is not installed: no ratio (Debian: apt-get install wrk)")


if __name__ == "__main__":
    main()
