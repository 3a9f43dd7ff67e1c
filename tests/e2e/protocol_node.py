"""A node reduced to its protocol: every message is sent when a test says so, over real HTTP, and its answer is looked at."""

import secrets
import time
from collections.abc import Iterable
from typing import TypeVar

import httpx
import msgspec
from tests.plain_http import PLAIN

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.verdict import Outcome, Proof, Verdict
from gatecrash.wire.codec import CONTENT_TYPE, decode, encode
from gatecrash.wire.counts import Added, Counts, EndpointCount, ParameterCount
from gatecrash.wire.session import Heartbeat, Hello, Orders, RunOrder, RunProgress, Welcome
from gatecrash.wire.work import (
    Accepted,
    Acquaint,
    Acquainted,
    Claim,
    Describe,
    Described,
    Recorded,
    Result,
    Results,
    Stored,
    Work,
)

Message = TypeVar("Message", bound=msgspec.Struct)
HOST = "shop.example"


class ProtocolNode:
    """One start of a node: it has said hello."""

    def __init__(self, api: str, token: str, name: str = "protocol-node", spool: str = "spool-1") -> None:
        self.http = httpx.Client(base_url=api, headers={"X-Service-API-Token": token}, **PLAIN)
        hello = Hello(name=name, kind="native", version="0.24.0", spool=spool)
        self.spool = spool
        self.batches = 0
        self.welcome = self.tell("hello", hello, Welcome)

    def tell(self, where: str, message: msgspec.Struct, expected: type[Message]) -> Message:
        """Send one message; what is not answered with 200 is an error."""
        response = self.http.post(f"/v1/node/{where}", content=encode(message), headers={"Content-Type": CONTENT_TYPE})
        assert response.status_code == 200, f"{where}: {response.status_code} {response.content[:500]!r}"
        return decode(response.content, expected)

    def beat(self, *runs: RunProgress) -> Orders:
        """A heartbeat."""
        node, session = self.welcome.node_id, self.welcome.session
        return self.tell("heartbeat", Heartbeat(node, session, time.time(), self.welcome.config.version, runs), Orders)

    def order(self, run_id: str) -> RunOrder:
        """What is wanted of a run now."""
        return next(order for order in self.beat().runs if order.run_id == run_id)

    def record(self, order: RunOrder, baselines: Iterable[Baseline]) -> Stored:
        """Hand over baselines."""
        node, session = self.welcome.node_id, self.welcome.session
        message = Recorded(node, session, order.run_id, order.record_id, tuple(baselines))
        return self.tell("baselines", message, Stored)

    def finish_recording(self, order: RunOrder) -> Orders:
        """Say that nothing more will come."""
        return self.beat(RunProgress(order.run_id, order.generation, recording=False, unsent_baselines=0))

    def claim(self, order: RunOrder, count: int, holding: tuple[str, ...] = ()) -> Work:
        """Take baselines to test."""
        node, session = self.welcome.node_id, self.welcome.session
        return self.tell("claim", Claim(node, session, order.run_id, order.generation, count, holding), Work)

    def describe(self, order: RunOrder) -> Described:
        """Ask for what its record describes and nobody has sent yet."""
        node, session = self.welcome.node_id, self.welcome.session
        return self.tell("describe", Describe(node, session, order.run_id, order.generation), Described)

    def acquaint(self, order: RunOrder) -> Acquainted:
        """Ask for what its record holds."""
        node, session = self.welcome.node_id, self.welcome.session
        return self.tell("acquaint", Acquaint(node, session, order.run_id, order.generation), Acquainted)

    def results(self, order: RunOrder, results: Iterable[Result]) -> Accepted:
        """Say what came of them."""
        node, session = self.welcome.node_id, self.welcome.session
        return self.tell("results", Results(node, session, order.run_id, order.generation, tuple(results)), Accepted)

    def count(self, host: str) -> Added:
        """Hand over a batch of traffic counts."""
        now = int(time.time())
        parameter = ParameterCount("bearer", ("header", "AUTHORIZATION"), 20, 19)
        seen = EndpointCount(now // 3600, "rest", "GET", host, "/items", 20, 19, 0, now, now, (parameter,), ((2, 20),))
        self.batches += 1
        node, session = self.welcome.node_id, self.welcome.session
        return self.tell("counts", Counts(node, session, self.spool, self.batches, (seen,)), Added)

    def close(self) -> None:
        """Fall silent."""
        self.http.close()


def baseline(number: int) -> Baseline:
    """A recorded exchange, unlike any other number's."""
    request = Request(
        "GET", b"/items?q=%d" % number, ((b"Host", HOST.encode()), (b"X-Token", b"0123456789")), host=HOST
    )
    response = Response(200, ((b"Content-Type", b"application/json"),), b'{"items": []}', b"OK")
    return Baseline(f"bl_{secrets.token_hex(13)}", Exchange(request, response, time.time(), 0.01))


def passed(baseline_id: str) -> Result:
    """Nothing found."""
    return Result(baseline_id=baseline_id, final=True, status="passed", sent=7)


def failed(found: Baseline) -> Result:
    """A finding, with its proof."""
    proof = Proof(test=found.exchange, control=found.exchange, verified_by="The answer names the database.")
    verdict = Verdict(
        outcome=Outcome.VULNERABLE, type="sqli", point=("get", "q"), threat=90, cwe=(89,), title="SQL", proof=proof
    )
    return Result(baseline_id=found.id, final=True, status="failed", verdicts=(verdict,), sent=9)


def errored(baseline_id: str) -> Result:
    """The target was not reached."""
    return Result(baseline_id=baseline_id, final=True, status="error", reason="connection_failed", sent=1)
