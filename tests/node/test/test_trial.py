"""One baseline's trial: what becomes of verdicts, of a target that goes, and of a probe that breaks."""

import asyncio
import logging
from typing import Any

import msgspec
import pytest
from tests.node.loop import run, run_without_waiting
from tests.node.test.answering import Application, get, traffic
from tests.node.test.restarting import Restarting
from tests.node.test.trying import LATER, OK, SIGNED_IN, Judge, breaks, finds, passes, probe, tried, undecided

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.probes import auth
from gatecrash.core.testing.verdict import Inconclusive, Outcome, Verdict, is_untested, safe
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.test.health.casualties import MOST_TRIES
from gatecrash.node.test.trial import MOST_DIALOGUES, Trial
from gatecrash.node.test.wording import LETHAL
from gatecrash.wire.session import RunOrder
from gatecrash.wire.work import Result


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
async def test_a_page_that_was_not_there_is_told_as_untested_and_not_as_a_failed_connection() -> None:
    async with RawServer().answering(OK) as server:
        result, _, _ = await tried(server.port, [probe("auth", undecided(Inconclusive.NO_CONTROL))], recorded=404)
    assert is_untested(result.status, result.detail), result
    assert "answered 404" in result.detail, "that no check fits would be untrue"
    assert result.verdicts == (), "nothing that is undecided is counted"


@run
async def test_what_a_dialogue_proves_besides_its_verdict_is_told_too() -> None:
    def finds_two(situation: Situation, answer: Any) -> Verdict:
        situation.memory.besides.append(msgspec.structs.replace(finds(situation, answer), type="info"))
        return finds(situation, answer)

    async with RawServer().answering(OK) as server:
        _, told, _ = await tried(server.port, [probe("auth", finds_two), probe("auth", passes)])
        assert [each.verdicts[0].type for each in told] == ["sqli", "info"]


@run
async def test_a_broken_probe_is_logged_with_its_place_and_without_its_text(caplog: pytest.LogCaptureFixture) -> None:
    async with RawServer().answering(OK) as server:
        result, _, _ = await tried(server.port, [probe("auth", breaks)])
    [record] = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert "trying.py" in str(vars(record)["where"])
    assert "secret" not in str(vars(record)) + result.detail
    assert "RuntimeError" in result.detail


@run
async def test_a_target_that_is_gone_is_given_up_soon() -> None:
    async with RawServer().answering(OK) as server:
        port = server.port
    result, _, _ = await tried(port, [probe("auth", passes, asks=50) for _ in range(20)], patience=0.2)
    assert (result.status, result.reason, result.detail) == (
        "error",
        "connection_failed",
        "the target refuses connections",
    )
    assert result.sent <= MOST_DIALOGUES


@run
async def test_a_target_that_restarts_costs_the_baseline_nothing() -> None:
    """The check that was cut off is begun anew; one that had its verdict keeps it and is told once."""
    shop = Restarting(cuts=2)
    port = await shop.start()
    probes = [probe("sqli", finds), *[probe("auth", passes, asks=4)] * 3]
    trying = asyncio.ensure_future(tried(port, probes))
    result, told, _ = await trying
    await shop.stop()
    assert (result.status, len(told), shop.cut) == ("failed", 1, 2), result
    assert result.verdicts == told[0].verdicts


@run
async def test_a_target_that_stays_away_names_the_check_under_which_it_went() -> None:
    shop = Restarting(cuts=1, stays_away=True)
    port = await shop.start()
    result, _, _ = await tried(port, [probe("sqli", passes, asks=9)], patience=0.2)
    assert (result.status, result.reason, result.detail) == (
        "error",
        "connection_failed",
        "the target refuses connections; it went away under sqli at the request",
    )


@run
async def test_what_was_found_before_the_target_went_says_that_other_checks_were_not_made() -> None:
    shop = Restarting(cuts=1, stays_away=True)
    port = await shop.start()
    result, _, _ = await tried(port, [probe("sqli", finds), probe("xss", passes, asks=9)], patience=0.2)
    assert result.status == "failed"
    assert result.detail == "connection_failed: the target refuses connections; it went away under xss at the request"
    assert [(each.type, each.outcome) for each in result.verdicts] == [
        ("sqli", Outcome.VULNERABLE),
        ("xss", Outcome.INCONCLUSIVE),
    ]


@run
async def test_a_check_that_ends_the_target_each_time_is_left_out() -> None:
    shop = Restarting(cuts=100)
    port = await shop.start()
    result, _, _ = await tried(port, [probe("auth", passes, asks=9)])
    await shop.stop()
    assert (result.status, result.reason) == ("error", "connection_failed"), result
    assert LETHAL in result.detail
    assert shop.cut == 1 + MOST_TRIES


@run
async def test_the_other_checks_are_made_at_a_target_that_one_check_ends_each_time() -> None:
    """Each of them is under way when the target goes away, some more than once."""
    shop = Restarting(cuts=100, lethal=b"/lethal")
    port = await shop.start()

    def kills(situation: Situation) -> Dialogue:
        for _ in range(3):
            yield TestRequest(situation.baseline.request, "control")
        yield TestRequest(msgspec.structs.replace(situation.baseline.request, target=b"/lethal"))
        return safe("xss", situation.point)

    lethal = msgspec.structs.replace(probe("xss", passes), run=kills)
    result, told, trial = await tried(port, [lethal, *[probe("sqli", finds, asks=n) for n in (20, 3, 4, 30)]])
    await shop.stop()
    assert (result.status, len(told), shop.cut) == ("failed", 4, 1 + MOST_TRIES), result
    assert result.detail == f"xss at the request: {LETHAL}"
    assert trial.remaining == 0


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
        result, told, _ = await tried(server.port, [probe("auth", passes, asks=4)], headers=SIGNED_IN)
        assert result.authenticated == (1, 2), "well before the tests, refused within them"
        assert (result.status, result.reason, told) == ("error", "auth_failed", [])
        assert [verdict.reason for verdict in result.verdicts] == [Inconclusive.SESSION]


@run
async def test_a_session_that_dies_without_a_refusal_in_between_is_noticed_behind_the_tests() -> None:
    refused = b"HTTP/1.1 401 X\r\nContent-Length: 0\r\n\r\n"
    async with RawServer().answering(OK, OK, refused) as server:
        result, _, _ = await tried(server.port, [probe("auth", passes)], headers=SIGNED_IN)
        assert (result.status, result.reason, result.authenticated) == ("error", "auth_failed", (2, 3))


@run
async def test_findings_stay_where_the_session_is_lost_behind_them() -> None:
    refused = b"HTTP/1.1 401 X\r\nContent-Length: 0\r\n\r\n"
    async with RawServer().answering(OK, OK, refused) as server:
        result, told, _ = await tried(server.port, [probe("auth", finds)], headers=SIGNED_IN)
        assert (result.status, len(told)) == ("failed", 1)
        assert result.detail.startswith("auth_failed: ")


@run
async def test_without_credentials_there_is_no_session_to_ask_for() -> None:
    async with RawServer().answering(OK) as server:
        result, _, _ = await tried(server.port, [probe("auth", passes)])
        assert (result.sent, result.authenticated) == (1, (0, 0))


TO_LOGIN = b"HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n"
COOKIE = (b"Cookie", b"PHPSESSID=71354a2dfb0ab172a69d7032b7af19dc")


@pytest.mark.parametrize(("answer", "status"), [(TO_LOGIN, "error"), (OK, "passed")])
@run
async def test_a_baseline_that_is_refused_now_never_passes_though_nothing_known_as_a_credential_let_it_in(
    answer: bytes, status: str
) -> None:
    """The session of many applications is a cookie that visitors have before they sign in."""
    async with RawServer().answering(answer) as server:
        result, _, _ = await tried(
            server.port, [probe("auth", passes), probe("xss", undecided(Inconclusive.SESSION))], headers=(COOKIE,)
        )
        assert (result.status, result.reason) == (status, "auth_failed" if status == "error" else None)


REFUSED = b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno"
FORM = (b"Content-Type", b"application/x-www-form-urlencoded")


@pytest.mark.parametrize(
    ("path", "headers", "status"), [(b"/login", (FORM,), "passed"), (b"/orders", (FORM, *SIGNED_IN), "error")]
)
@run
async def test_a_login_that_refuses_every_other_word_was_tested_and_a_lost_right_was_not(
    path: bytes, headers: Headers, status: str
) -> None:
    """Who carries no credentials cannot lose them: the 401 is the login's own answer to another password."""

    def dialogue(situation: Situation) -> Dialogue:
        for _ in range(4):
            yield TestRequest(situation.baseline.request)
        return safe("sqli", situation.point)

    asking = Probe(type="sqli", entry=auth.ENTRY, applies=lambda _: True, forecast=lambda _: 4, run=dialogue)
    async with RawServer().answering(REFUSED) as server:
        result, _, _ = await tried(server.port, [asking], headers=headers, posted=b"name=ann", path=path)
        assert result.status == status, result.detail


@pytest.mark.parametrize(
    ("path", "headers", "put_back"),
    [(b"/me", SIGNED_IN, True), (b"/me", (), False), (b"/settings", SIGNED_IN, True), (b"/settings", (), True)],
)
@run
async def test_what_its_sender_signs_in_with_and_settings_are_put_back_behind_the_tests(
    path: bytes, headers: Headers, put_back: bool
) -> None:
    """Settings also where nobody has to sign in."""

    def dialogue(situation: Situation) -> Dialogue:
        yield TestRequest(rewrite(situation.baseline.request, Point.of("post", "form_urlencoded", "email"), b"payload"))
        return safe("sqli", situation.point)

    asking = Probe(
        type="sqli", entry=auth.ENTRY, whole=True, applies=lambda _: True, forecast=lambda _: 1, run=dialogue
    )
    kind = (b"Content-Type", b"application/x-www-form-urlencoded")
    posted = b"mail=x&email=ann%40a.example"
    async with RawServer().answering(OK) as server:
        await tried(server.port, [asking], headers=(*headers, kind), posted=posted, path=path)
        tested = [one.endswith(b"email=payload") for one in server.received]
        assert tested.count(True) == 1
        assert (server.received[tested.index(True) + 1 :] != []) is put_back
        assert not put_back or server.received[-1].endswith(posted)


@pytest.mark.parametrize("undisturbed", [True, False])
@run
async def test_nothing_else_is_asked_while_a_probe_reads_back_what_a_safe_method_wrote(*, undisturbed: bool) -> None:
    inside: list[int] = []
    most = [0]

    def dialogue(situation: Situation) -> Dialogue:
        inside.append(1)
        most[0] = max(most[0], len(inside))
        yield TestRequest(situation.baseline.request, "control")
        inside.pop()
        return safe("auth", situation.point)

    asking = msgspec.structs.replace(probe("auth", passes), run=dialogue)
    async with RawServer().answering(OK) as server:
        await tried(server.port, [asking] * 5 + [msgspec.structs.replace(asking, undisturbed=undisturbed)])
    assert (most[0] == 1) is undisturbed


@pytest.mark.parametrize(
    ("first", "later", "status", "reason"),
    [
        (passes, passes, "passed", None),
        (finds, passes, "failed", None),
        (passes, finds, "failed", None),
        (breaks, passes, "error", "internal_exception"),
        (passes, undecided(Inconclusive.BLOCKED), "passed", None),
    ],
)
@run
async def test_what_is_put_off_is_made_later_and_the_result_is_of_both(
    first: Judge, later: Judge, status: str, reason: str | None
) -> None:
    def between(trial: Trial, told: list[Result]) -> None:
        assert trial.remaining == 3, "what waits is still expected"
        assert len(told) == (first is finds), "what was found is told before the rest is made"

    async with RawServer().answering(OK) as server:
        probes = [probe("auth", later, asks=3, name=LATER), probe("auth", first)]
        result, _, trial = await tried(server.port, probes, between=between)
        assert (result.status, result.reason, result.sent) == (status, reason, len(server.received)), result
    assert (trial.remaining, trial.put_off) == (0, [])


@run
async def test_what_waits_is_not_made_where_the_target_is_gone_and_the_baseline_never_passes() -> None:
    async def vanish(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.close()

    async with RawServer(vanish) as server:
        probes = [probe("auth", passes, asks=30), probe("auth", passes, name=LATER)]
        result, _, trial = await tried(server.port, probes, patience=0.0)
    assert (result.status, result.reason) == ("error", "connection_failed")
    assert (trial.remaining, trial.put_off) == (0, [])


@run_without_waiting
async def test_a_request_is_sent_behind_its_pause() -> None:
    came: list[float] = []

    def says(_: Request) -> Response:
        came.append(asyncio.get_running_loop().time())
        return Response(200)

    def pauses(situation: Situation) -> Dialogue:
        yield TestRequest(situation.baseline.request)
        yield TestRequest(situation.baseline.request, pause=30.0)
        return safe("auth", situation.point)

    order = RunOrder(run_id="tr_1", generation=1, record_id="r", recording=False, sending=True, policy=DEFAULT)
    asking = msgspec.structs.replace(probe("auth", passes), run=pauses)
    baseline, way = Baseline("a", Exchange(get(), Response(200))), traffic(Application(says))
    result = await Trial(baseline, order, way, compile_recogniser(), [asking]).run(lambda _: None)
    assert result.status == "passed"
    assert came[-1] - came[-2] >= 30.0
