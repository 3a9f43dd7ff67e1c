"""One baseline's trial: what becomes of verdicts, of a target that goes, and of a probe that breaks."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from tests.node.loop import run

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.probes import auth
from gatecrash.core.testing.verdict import Inconclusive, Outcome, Proof, Verdict, inconclusive, safe
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.session import Lifeline
from gatecrash.node.test.destinations import Destinations
from gatecrash.node.test.sender import Sender
from gatecrash.node.test.traffic import Tally, Traffic
from gatecrash.node.test.trial import FAILURES_IN_A_ROW, MOST_DIALOGUES, Trial, retargeted
from gatecrash.wire.session import RunOrder
from gatecrash.wire.work import Result

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
Judge = Callable[[Situation, Any], Verdict]


def probe(type_: str, judge: Judge, *, asks: int = 1) -> Probe:
    """A probe that asks the baseline's own request a few times and then judges."""

    def dialogue(situation: Situation) -> Dialogue:
        answer = None
        for _ in range(asks):
            answer = yield TestRequest(situation.baseline.request, "control")
        return judge(situation, answer)

    return Probe(
        type=type_, entry=auth.ENTRY, whole=True, applies=lambda _: True, forecast=lambda _: asks, run=dialogue
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
    server_port: int, probes: list[Probe], *, allowed: bool = True, headers: Headers = (), **policy: Any
) -> tuple[Result, list[Result], Trial]:
    order = RunOrder(
        run_id="tr_1",
        generation=1,
        record_id="r",
        recording=False,
        sending=True,
        policy=msgspec.structs.replace(DEFAULT, **policy),
    )
    lifeline = Lifeline()
    lifeline.heard(asyncio.get_running_loop().time())
    sender = Sender(Destinations(lambda *_: None if allowed else "no", lambda *_: None))
    request = Request("GET", b"/", ((b"Host", b"x"), *headers), b"", "http", "127.0.0.1", server_port)
    baseline = Baseline("bl_1", Exchange(request, Response(200, body=b"ok")))
    trial = Trial(baseline, order, Traffic(order, sender, lifeline, Tally(1)), compile_recogniser(), probes)
    told: list[Result] = []
    result = await trial.run(told.append)
    await sender.close()
    return result, told, trial


@pytest.mark.parametrize(
    ("judges", "status", "reason"),
    [
        ([passes], "passed", None),
        ([passes, undecided(Inconclusive.BLOCKED)], "passed", None),
        ([finds, passes], "failed", None),
        ([undecided(Inconclusive.BLOCKED)], "error", "connection_failed"),
        ([undecided(Inconclusive.UNSTABLE), undecided(Inconclusive.SESSION)], "error", "auth_failed"),
        ([breaks], "error", "internal_exception"),
        ([finds, breaks], "failed", None),
        ([], "passed", None),
    ],
)
@run
async def test_what_verdicts_make_of_a_baseline(judges: list[Judge], status: str, reason: str | None) -> None:
    async with RawServer().answering(OK) as server:
        result, told, trial = await tried(
            server.port, [probe("auth", judge, asks=5 if judge is breaks else 1) for judge in judges]
        )
        assert (result.status, result.reason, result.final) == (status, reason, True), result
        assert [each.final for each in told] == [False] * (finds in judges)
        assert result.sent == len(server.received)
        assert trial.remaining == 0
        if reason == "connection_failed":
            assert result.detail == "blocked: seen"
        if judges[1:] and judges[0] is passes:
            assert result.detail == "xss at the request: blocked", "a baseline that passes says what stayed open"


@run
async def test_a_broken_probe_is_logged_with_its_place_and_without_its_text(caplog: pytest.LogCaptureFixture) -> None:
    async with RawServer().answering(OK) as server:
        result, _, _ = await tried(server.port, [probe("auth", breaks)])
    [record] = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert "test_trial.py" in str(vars(record)["where"])
    assert "secret" not in str(vars(record)) + result.detail
    assert "RuntimeError" in result.detail


@run
async def test_a_target_that_is_gone_is_given_up_soon() -> None:
    async with RawServer().answering(OK) as server:
        port = server.port
    result, _, _ = await tried(port, [probe("auth", passes, asks=50) for _ in range(20)])
    assert (result.status, result.reason, result.detail) == (
        "error",
        "connection_failed",
        "the target refuses connections",
    )
    assert result.sent < FAILURES_IN_A_ROW + MOST_DIALOGUES


@run
async def test_a_host_that_is_not_allowed_is_an_error_that_names_it_and_nothing_is_sent() -> None:
    async with RawServer().answering(OK) as server:
        result, _, _ = await tried(server.port, [probe("auth", passes)], allowed=False)
        assert (result.status, result.reason, result.sent) == ("error", "connection_failed", 0)
        assert "ALLOWED_HOSTS" in result.detail
        assert server.connections == 0


@run
async def test_what_the_budget_does_not_pay_for_is_undecided() -> None:
    async with RawServer().answering(OK) as server:
        probes = [probe("auth", passes, asks=2), probe("auth", passes, asks=2)]
        result, _, _ = await tried(server.port, probes, budget=3)
        assert (result.status, result.sent) == ("passed", 2)
        assert [verdict.reason for verdict in result.verdicts] == [Inconclusive.BUDGET]


@run
async def test_a_policy_that_cannot_be_read_is_invalid_policies() -> None:
    async with RawServer().answering(OK) as server:
        result, _, _ = await tried(server.port, [probe("auth", passes)], include=(("get", "("),))
        assert (result.status, result.reason) == ("error", "invalid_policies")


@run
async def test_answers_are_asked_for_in_a_coding_that_can_be_read() -> None:
    async with RawServer().answering(OK) as server:
        offered = ((b"Accept-Encoding", b"br, gzip, zstd"), (b"If-None-Match", b'"1"'))
        await tried(server.port, [probe("auth", passes)], headers=offered)
        (sent,) = server.received
        assert b"Accept-Encoding: gzip\r\n" in sent
        assert b"If-None-Match" not in sent, "a 304 would leave nothing to compare"


@run
async def test_control_answers_tell_whether_the_credentials_still_work() -> None:
    refused = b"HTTP/1.1 401 X\r\nContent-Length: 0\r\n\r\n"
    async with RawServer().answering(OK, refused) as server:
        result, _, _ = await tried(server.port, [probe("auth", passes, asks=4)])
        assert result.authenticated == (1, 4)


def test_another_target_changes_where_it_goes_and_the_host() -> None:
    request = Request("GET", b"/x", ((b"A", b"1"), (b"hOst", b"old")), b"", "https", "old", 443)
    moved = retargeted(Baseline("bl_1", Exchange(request)), "http://127.0.0.1:5000").request
    assert moved.url == "http://127.0.0.1:5000/x"
    assert moved.headers == ((b"A", b"1"), (b"hOst", b"127.0.0.1:5000"))
