"""The whole engine, verdicts included, against wrk and against the bare sender: one server, 50 connections at most.

As `gatecrash scan` runs it: many recorded requests, the default policy with all its probes, a ledger in place of a
service. The server wants a token and answers in JSON, so every verdict is reached and every one is "safe". The same with
dialogues that only send tells what is the engine's own: sessions, pace, markers, counts, and the trial around it all.
"""

import asyncio
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from urllib.parse import quote

import msgspec
import uvloop

from bench.sender import CONNECTIONS, ROUNDS, SECONDS, Small, served, wrk
from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request
from gatecrash.core.points import rewrite as points
from gatecrash.core.testing.policy import DEFAULT, Policy
from gatecrash.core.testing.probe import Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.probes import sqli
from gatecrash.core.testing.registry import REGISTRY
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.core.testing.verdict import safe
from gatecrash.node.scan.engine import GENERATION, Engine
from gatecrash.node.scan.ledger import Facts, Ledger
from gatecrash.node.scan.outgoing import Way
from gatecrash.node.scan.planned import Planner
from gatecrash.node.test.connections.destinations import Destinations
from gatecrash.node.test.connections.sender import Sender
from gatecrash.wire.session import RunOrder

BASELINES = 80
WORKERS = 10
QUESTIONS = 25
TOKEN = "Bearer 0123456789abcdef0123456789"
RATIO, COST = 0.2, 2.0


class Shop(Small):
    """The small application behind a token."""

    REFUSED = b'HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nContent-Length: 24\r\n\r\n{"error":"unauthorized"}'
    ABSENT = (
        b'HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 21\r\n\r\n{"error":"not found"}'
    )

    def on_message_complete(self) -> None:
        if self.headers.get("authorization") != TOKEN:
            self.transport.write(self.REFUSED)
        elif self.url.partition(b"?")[0] != b"/items":
            self.transport.write(self.ABSENT)
        else:
            super().on_message_complete()


def request(port: int, number: int) -> Request:
    """One of many recorded requests; no two are alike."""
    target = f"/items?q={quote(f'item {number}')}&page={number}&sort=name"
    headers = (
        (b"Host", b"127.0.0.1:%d" % port),
        (b"User-Agent", b"bench/1.0"),
        (b"Accept", b"application/json"),
        (b"Authorization", TOKEN.encode()),
    )
    return Request("GET", target.encode(), headers, b"", "http", "127.0.0.1", port)


async def record(port: int) -> list[Exchange]:
    """The requests with what they are answered."""
    sender = Sender(Destinations(lambda *_: None, lambda *_: None))
    exchanges = [(await sender.send(request(port, number))).exchange for number in range(BASELINES)]
    await sender.close()
    assert all(each.response is not None and each.response.status == 200 for each in exchanges)
    return exchanges


def prepared(
    exchanges: list[Exchange], policy: Policy = DEFAULT, probes: Iterable[Probe] = REGISTRY
) -> tuple[Engine, Ledger]:
    """An engine as the scan makes it."""
    recogniser = compile_recogniser()
    facts = Facts(id="tr_bench", record_id="rec_bench", name="bench", policy_id=policy.id, created_at=1, updated_at=1.0)
    planner = Planner(policy, recogniser)
    ledger = Ledger(facts, planner.plan(exchanges), time.time())
    order = RunOrder(
        run_id="tr_bench",
        generation=GENERATION,
        record_id="rec_bench",
        recording=False,
        sending=True,
        policy=policy,
        profile=planner.profile,
        marker_key=b"k" * 32,
    )
    return Engine(ledger, order, recogniser, Way(AllowedHosts()), workers=WORKERS, probes=probes), ledger


def only_sending(situation: Situation) -> Dialogue:
    """A dialogue that asks and judges nothing, each time with a value of its own."""
    for number in range(QUESTIONS):
        target = b"/items?q=%d&page=%s" % (number, situation.baseline.id.encode())
        yield TestRequest(msgspec.structs.replace(situation.baseline.request, target=target))
    return safe("sqli", situation.point)


async def tested(exchanges: list[Exchange], probes: Iterable[Probe]) -> tuple[float, float]:
    """Requests per second of the engine, and its CPU seconds per request; planning is counted in neither."""
    engine, ledger = prepared(exchanges, DEFAULT, probes)
    cpu, begun = time.process_time(), time.perf_counter()
    await engine.run()
    took, used = time.perf_counter() - begun, time.process_time() - cpu
    run = ledger.run
    assert run.state == "passed", (run.state, [one.detail for one in ledger.tested.values()][:3])
    return engine.tally.sent / took, used / engine.tally.sent


async def sent(port: int, seconds: float) -> float:
    """The bare sender's CPU seconds per request with the same requests."""
    sender = Sender(Destinations(lambda *_: None, lambda *_: None), connections=CONNECTIONS)
    requests = [request(port, number) for number in range(BASELINES)]
    await sender.send(requests[0])
    end, count, cpu = time.perf_counter() + seconds, 0, time.process_time()

    async def work(first: int) -> None:
        nonlocal count
        number = first
        while time.perf_counter() < end:
            # Each a new value, as tests are: nothing that was sent before may be remembered.
            fresh = msgspec.structs.replace(requests[number % BASELINES], target=b"/items?q=%d" % number)
            assert not (await sender.send(fresh)).failure
            count += 1
            number += CONNECTIONS

    await asyncio.gather(*(work(first) for first in range(CONNECTIONS)))
    used = time.process_time() - cpu
    await sender.close()
    return used / count


@contextmanager
def with_token() -> Iterator[str]:
    """A script with which wrk sends the token too."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(f'wrk.headers["Authorization"] = "{TOKEN}"\n')
        script.flush()
        yield script.name


def main() -> None:
    """Measures and prints: all sides in turns, the best round of each, since other programs disturb single ones."""
    references: list[float] = []
    rates: list[float] = []
    costs: list[float] = []
    bare: list[float] = []
    around: list[float] = []
    sending = (msgspec.structs.replace(sqli.PROBE, run=only_sending),)
    with (
        with_token() as script,
        served(Shop) as port,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        exchanges = runner.run(record(port))
        for _ in range(ROUNDS):
            reference = wrk(f"http://127.0.0.1:{port}/items?q=item%201", script=script)
            references += [] if reference is None else [reference]
            bare.append(runner.run(sent(port, SECONDS)))
            rate, cost = runner.run(tested(exchanges, REGISTRY))
            rates.append(rate)
            costs.append(cost)
            around.append(runner.run(tested(exchanges, sending))[1])
    built = "pure" if (points.__file__ or "").endswith(".py") else "compiled"
    print(
        f"{BASELINES} requests tested by the default policy, {WORKERS} at once, best of {ROUNDS} rounds each ({built}):"
    )
    print(f"  engine {max(rates):,.0f} requests/s, {min(costs) * 1e6:.0f} µs of CPU each")
    print(f"  around {min(around) * 1e6:.0f} µs of CPU each with dialogues that only send")
    print(f"  sender {min(bare) * 1e6:.0f} µs of CPU each")
    print(f"  cost   {min(costs) / min(bare):.2f} times the bare sender's (at most {COST:.0f})")
    if references:
        print(f"  wrk    {max(references):,.0f} requests/s, {CONNECTIONS} connections")
        print(f"  ratio  {max(rates) / max(references):.2f} (must reach {RATIO})")
    else:
        print("  wrk is not installed: no ratio (Debian: apt-get install wrk)")


if __name__ == "__main__":
    main()
