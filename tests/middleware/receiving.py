"""A real collector in a thread of its own, for services that run in this one."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from gatecrash.core.message import Exchange
from gatecrash.node.observe.collector import Collector, CollectorSettings
from gatecrash.node.observe.observations import Observations


class Received:
    """What came. address: where to send it."""

    def __init__(self) -> None:
        self.address = ""
        self.exchanges: list[Exchange] = []

    def wait(self, count: int) -> list[Exchange]:
        """So many exchanges; fails where they do not come."""
        deadline = time.monotonic() + 60
        while len(self.exchanges) < count:
            assert time.monotonic() < deadline, f"{len(self.exchanges)} of {count} came"
            time.sleep(0.01)
        return self.exchanges


@contextmanager
def collector(port: int = 0, key: str | None = None) -> Iterator[Received]:
    received, ready = Received(), threading.Event()
    loop = asyncio.new_event_loop()

    async def work() -> None:
        running = Collector(CollectorSettings(port=port, key=key), Observations())
        await running.start()
        received.address = f"http://{running.address}"
        ready.set()
        try:
            while True:
                received.exchanges += [one.exchange for one in await running.observations.take()]
        finally:
            await running.close()

    def run() -> None:
        try:
            loop.run_until_complete(task)
        except asyncio.CancelledError:
            loop.close()

    task = loop.create_task(work())
    thread = threading.Thread(target=run)
    thread.start()
    assert ready.wait(60)
    try:
        yield received
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join(10)


def visited(client: httpx.Client, item: str, received: Received) -> list[Exchange]:
    """Use every route of a small shop; what the collector received of it, in order."""
    assert client.get(item, headers={"Authorization": "Bearer abc"}).status_code == 200
    assert client.get("/deny").status_code == 401
    assert client.post("/echo", content=b"small").text == "smallsmall"
    assert client.post("/echo", content=b"x" * 100).text == "x" * 200
    assert client.get("/fail").status_code == 500
    # A note is put when its answer is sent, and the client may have asked for the next by then.
    exchanges = sorted(received.wait(5), key=lambda one: one.started)
    assert [(one.request.method, one.request.target, one.response and one.response.status) for one in exchanges] == [
        ("GET", item.encode(), 200),
        ("GET", b"/deny", 401),
        ("POST", b"/echo", 200),
        ("POST", b"/echo", 200),
        ("GET", b"/fail", 500),
    ]
    return exchanges
