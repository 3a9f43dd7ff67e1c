"""One baseline tried with probes of our own at a real server: what tests of trials share."""

import asyncio
import math
from collections.abc import Callable
from typing import Any

import msgspec

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.probes import auth
from gatecrash.core.testing.verdict import Inconclusive, Outcome, Proof, Verdict, inconclusive, safe
from gatecrash.node.session import Lifeline
from gatecrash.node.test.connections.destinations import Destinations
from gatecrash.node.test.connections.sender import Sender
from gatecrash.node.test.connections.traffic import Tally, Traffic
from gatecrash.node.test.health.patience import Patience
from gatecrash.node.test.trial import Trial
from gatecrash.wire.session import RunOrder
from gatecrash.wire.work import Result

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
SIGNED_IN: Headers = ((b"Authorization", b"Bearer 5f1c9f2ab0e94d"),)
LATER = "later"
"""A probe of this name is put off; `between` looks at the trial before that is resumed."""
Judge = Callable[[Situation, Any], Verdict]


def probe(type_: str, judge: Judge, *, asks: int = 1, name: str = "") -> Probe:
    """A probe that asks the baseline's own request a few times and then judges."""

    def dialogue(situation: Situation) -> Dialogue:
        answer = None
        for _ in range(asks):
            answer = yield TestRequest(situation.baseline.request, "control")
        return judge(situation, answer)

    return Probe(
        type=type_,
        entry=auth.ENTRY,
        name=name,
        whole=True,
        applies=lambda _: True,
        forecast=lambda _: asks,
        run=dialogue,
    )


def passes(situation: Situation, _answer: Any) -> Verdict:
    return safe("auth", situation.point)


def finds(situation: Situation, answer: Any) -> Verdict:
    return Verdict(
        outcome=Outcome.VULNERABLE, type="sqli", threat=9, proof=Proof(test=answer.exchange, verified_by=".")
    )


def undecided(reason: Inconclusive) -> Judge:
    return lambda situation, _: inconclusive("xss", situation.point, reason, "seen")


def breaks(_situation: Situation, _answer: Any) -> Verdict:
    """What a bug in a probe does."""
    raise RuntimeError("Bearer secret-in-the-text")


async def tried(
    server_port: int,
    probes: list[Probe],
    *,
    allowed: bool = True,
    headers: Headers = (),
    patience: float = 10.0,
    posted: bytes = b"",
    path: bytes = b"/",
    recorded: int = 200,
    answered: Headers = (),
    between: Callable[[Trial, list[Result]], None] = lambda _trial, _told: None,
    **policy: Any,
) -> tuple[Result, list[Result], Trial]:
    order = RunOrder(
        run_id="tr_1",
        generation=1,
        record_id="r",
        recording=False,
        sending=True,
        policy=msgspec.structs.replace(DEFAULT, **policy),
    )
    lifeline = Lifeline(math.inf)
    lifeline.heard(asyncio.get_running_loop().time())
    sender = Sender(Destinations(lambda *_: None if allowed else "no", lambda *_: None))
    method = "POST" if posted else "GET"
    request = Request(method, path, ((b"Host", b"x"), *headers), posted, "http", "127.0.0.1", server_port)
    baseline = Baseline("bl_1", Exchange(request, Response(recorded, answered, b"ok")))
    traffic = Traffic(order, sender, lifeline, Tally(1))
    traffic.patience = Patience(sender.reaches, patience)
    trial = Trial(baseline, order, traffic, compile_recogniser(), probes)
    told: list[Result] = []
    result = await trial.run(told.append, lambda check: check.probe.name == LATER)
    if trial.put_off:
        between(trial, told)
        result = await trial.resume(told.append)
    await sender.close()
    return result, told, trial


def banning(after: int, seconds: float) -> Callable[..., Any]:
    """A server that answers so many requests, then refuses all for so long, and answers again for good.

    One that bans each time may ban again what is asked for the last time, where the machine is slow enough.
    """
    state = {"left": after, "until": float("inf")}
    clock = asyncio.get_running_loop().time

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.readuntil(b"\r\n\r\n"):
            state["left"] -= 1
            if state["left"] == -1:
                state["until"] = clock() + seconds
            banned = state["left"] < 0 and clock() < state["until"]
            writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 7\r\n\r\nblocked" if banned else OK)

    return talk
