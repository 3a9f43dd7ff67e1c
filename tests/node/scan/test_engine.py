"""The engine asks in the order of care, reports every baseline, and stops at once when it is told to."""

import asyncio
import itertools
from typing import cast

import msgspec
import pytest
from tests.node.loop import run, until

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.pacing.passes import MANY_LEFT, Pass, turns
from gatecrash.core.testing.pacing.waiting import HEADERS_LEFT
from gatecrash.core.testing.policy import DEFAULT, THOROUGH, Policy
from gatecrash.core.testing.profiles.profile import AuthProfile, Placed, ProfileIdentity
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.core.testing.selection.replay import replayable
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.scan.captures.deleted_things import DeletedThings
from gatecrash.node.scan.engine import Engine, Known
from gatecrash.node.scan.ledger import Facts, Ledger
from gatecrash.node.scan.outgoing import Way
from gatecrash.node.scan.planned import Planner
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.trial import Trial
from gatecrash.wire.session import RunOrder

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
REFUSED = b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"
ISSUED = b"HTTP/1.1 302 Found\r\nLocation: /\r\nSet-Cookie: sid=fresh0session00\r\nContent-Length: 0\r\n\r\n"
RECOGNISER = compile_recogniser()
HOSTS = AllowedHosts()


def engine(
    port: int, *asked: tuple[str, bytes], rps: int | None = None, policy: Policy = DEFAULT, headers: Headers = ()
) -> tuple[Engine, Ledger]:
    exchanges = [
        Exchange(Request(method, target, headers, b"", "http", "127.0.0.1", port), Response(200, body=b"ok"))
        for method, target in asked
    ]
    facts = Facts(id="tr_1", record_id="rec_1", name="n", policy_id="default", created_at=1, updated_at=1.0)
    ledger = Ledger(facts, Planner(policy, RECOGNISER).plan(exchanges), 1.0)
    order = RunOrder(
        run_id="tr_1", generation=1, record_id="rec_1", recording=False, sending=True, policy=policy, rps=rps,
        marker_key=b"k" * 32,
    )  # fmt: skip
    return Engine(ledger, order, RECOGNISER, Way(HOSTS), workers=4), ledger


@run
async def test_safe_methods_first_in_each_pass_and_what_destroys_last() -> None:
    async with RawServer().answering(OK) as target:
        made, ledger = engine(target.port, ("DELETE", b"/a?q=1"), ("POST", b"/b?q=1"), ("GET", b"/c?q=1"))
        await made.run()
        methods = [request.partition(b" ")[0] for request in target.received]
        turns = [each for each, _ in itertools.groupby(methods)]
        assert turns == [*([b"GET", b"POST"] * 3), b"DELETE"], (
            "what adds goes by turns with what reads, in three passes"
        )
        shown = ledger.shown_run(made.tally.recent(), 2.0)
        assert shown["sended_requests_count"] == len(target.received) == made.tally.sent == made.tally.answered
        assert shown["baseline_check_all_terminated_count"] == 3
        assert all(b"X-Gatecrash-Marker: 2.tr_1." in request for request in target.received)


@run
async def test_headers_wait_until_the_rest_is_asked_of_all_that_destroys_nothing() -> None:
    thorough = msgspec.structs.replace(THOROUGH, types=("crlf",))
    browser = ((b"User-Agent", b"Browser/7"),)
    async with RawServer().answering(OK) as target:
        asked = (("DELETE", b"/a?q=1"), ("POST", b"/b?q=1"), ("GET", b"/c?q=1"))
        made, ledger = engine(target.port, *asked, policy=thorough, headers=browser)
        await made.run()
        received = [(each.partition(b" ")[0], b"\r\nUser-Agent: Browser/7\r\n" in each) for each in target.received]
    assert [each for each, _ in itertools.groupby(received)][:2] == [(b"GET", True), (b"POST", True)]
    strange = [place for place, (_, intact) in enumerate(received) if not intact]
    deleting = received.index((b"DELETE", True))
    parts = [[method for method, _ in received[first:last]] for first, last in ((0, deleting), (deleting, None))]
    assert strange[0] < deleting
    assert len(set(parts[0])) == 2
    assert set(parts[1]) == {b"DELETE"}, "what destroys is last, and whole"
    later = [method for method, _ in received[strange[0] : deleting]]
    assert later == sorted(later), "safe methods are first again"
    shown = ledger.shown_run(made.tally.recent(), 2.0)
    assert (shown["baseline_check_all_terminated_count"], shown["planing_requests_count"]) == (3, 0)
    assert shown["sended_requests_count"] == len(received)


@pytest.mark.parametrize(
    ("policy", "words"),
    [(msgspec.structs.replace(THOROUGH, types=("crlf",)), HEADERS_LEFT), (THOROUGH, MANY_LEFT), (DEFAULT, MANY_LEFT)],
)
def test_what_ends_while_checks_wait_has_not_passed_and_says_what_was_left(
    monkeypatch: pytest.MonkeyPatch, policy: Policy, words: str
) -> None:
    async def left(_baseline: Baseline, _traffic: Traffic, _up_to: Pass) -> None:
        """Never made."""

    async def ended() -> Ledger:
        async with RawServer().answering(OK) as target:
            browser = ((b"User-Agent", b"Browser/7"),)
            made, ledger = engine(target.port, ("GET", b"/c?q=1"), policy=policy, headers=browser)
            monkeypatch.setattr(made, "_resume", left)
            await made.run()
        return ledger

    ledger = asyncio.run(ended())
    (one,) = ledger.shown_baselines(RECOGNISER)
    assert (one["status"], one["detail"]) == ("interrupted", words)
    assert ledger.run.state == "interrupted"


@run
async def test_identities_of_a_profile_are_asked_who_they_are_before_anything_is_tested() -> None:
    async with RawServer().answering(OK) as target:
        made, _ = engine(target.port, ("POST", b"/b"), ("GET", b"/me"))
        identities = tuple(
            ProfileIdentity(name=name, values=(Placed(("header", "X-KEY"), f"of-{name}"),)) for name in ("ann", "ben")
        )
        made._order = msgspec.structs.replace(
            made._order, profile=AuthProfile(id="prof_1", name="p", identities=identities)
        )
        await made.run()
        assert [each.startswith(b"GET /me ") for each in target.received[:2]] == [True, True]
        assert [b"of-ann" in target.received[0], b"of-ben" in target.received[1]] == [True, True]


@run
async def test_what_the_capture_deleted_is_made_anew_by_who_is_signed_in() -> None:
    there: set[bytes] = set()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while request := await target.read_request(reader):
            made, path = request.startswith(b"POST /loads "), request.split(b" ")[1]
            there.update([b"/loads/41"] if made else [])
            status = 401 if b"of-ann" not in request else 201 if made else 200 if path in there else 404
            body = b'{"id": 41}'
            head = b"HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            writer.write(head % (status, len(body)) + body)

    async with RawServer(talk) as target:
        kind = (b"Content-Type", b"application/json")
        answer = Response(200, (kind,), b'{"id": 10}')
        begin, read, gone = (
            Exchange(Request(method, path, (), b"", "http", "127.0.0.1", target.port), answer)
            for method, path in (("POST", b"/loads"), ("GET", b"/loads/10"), ("DELETE", b"/loads/10"))
        )
        made, ledger = engine(target.port)
        ann = ProfileIdentity(name="ann", values=(Placed(("header", "X-KEY"), "of-ann"),))
        profile = AuthProfile(id="prof_1", name="p", identities=(ann,))
        deleted = DeletedThings(())
        recorded = [replayable(each) for each in (begin, read, gone)]
        for each in recorded:
            deleted.see(each)
        planned = Planner(DEFAULT, RECOGNISER, profile=profile).plan(recorded)
        ledger = Ledger(ledger.facts, planned, 1.0)
        order = msgspec.structs.replace(made._order, profile=profile, policy=msgspec.structs.replace(DEFAULT, types=()))
        await Engine(ledger, order, RECOGNISER, Way(HOSTS), known=Known(deleted=deleted)).run()
    targets = [one.baseline.request.target for one in ledger.tested.values()]
    assert targets == [b"/loads", b"/loads/41", b"/loads/41"]
    assert "1 (/loads/41) is made anew" in ledger.facts.notes[0]
    assert all(b"of-ann" in request for request in target.received)


@run
async def test_cancelled_it_interrupts_the_run_and_sends_no_more() -> None:
    async with RawServer().answering(OK) as target:
        made, ledger = engine(target.port, ("GET", b"/a?q=1"), ("GET", b"/b?q=1"), rps=20)
        task = asyncio.ensure_future(made.run())
        await until(lambda: bool(target.received))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert ledger.run.state == "interrupted"
        sent = len(target.received)
        await asyncio.sleep(0)
        assert len(target.received) == sent


@run
async def test_broken_off_it_puts_back_what_a_test_wrote() -> None:
    recorded = b"PUT /settings?theme=dark HTTP"
    async with RawServer().answering(OK) as target:
        made, _ = engine(target.port, ("PUT", b"/settings?theme=dark"), rps=20)
        task = asyncio.ensure_future(made.run())
        await until(lambda: bool(target.received) and not target.received[-1].startswith(recorded))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert target.received[-1].startswith(recorded)


@run
async def test_a_host_that_is_not_allowed_costs_its_baseline_an_error_and_no_request() -> None:
    made, ledger = engine(80, ("GET", b"/a?q=1"))
    made._way = Way(AllowedHosts("elsewhere.example"))
    await made.run()
    (one,) = ledger.shown_baselines(RECOGNISER)
    assert (one["status"], one["reason"], one["sent"]) == ("error", "connection_failed", 0)
    assert (made.tally.sent, made.tally.answered) == (0, 0)


@run
async def test_a_worker_begins_what_writes_elsewhere_before_what_would_wait_for_its_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, ledger = engine(80, ("PUT", b"/a"), ("PATCH", b"/a"), ("PUT", b"/b"))
    made._workers = 2
    begun: list[str] = []

    async def tested(baseline: Baseline, _traffic: Traffic, _up_to: Pass) -> None:
        begun.append(f"{baseline.request.method} {baseline.request.path.decode()}")
        await asyncio.sleep(0)

    monkeypatch.setattr(made, "_test", tested)
    first = turns(one.baseline for one in ledger.tested.values())[0]
    await made._turn(first, None)
    assert begun == ["PUT /a", "PUT /b", "PATCH /a"]
    assert len(ledger.tested) == 3


@pytest.mark.parametrize(("method", "expected"), [("GET", ["/a", "/b", "/a", "/b"]), ("PUT", [])])
@run
async def test_while_the_last_page_is_asked_others_that_read_are_asked_further(
    monkeypatch: pytest.MonkeyPatch, method: str, expected: list[str]
) -> None:
    made, ledger = engine(80, (method, b"/a"), (method, b"/b"), (method, b"/slow"))
    made._workers = 2
    further: list[tuple[str, Pass]] = []
    steps = 0

    async def tested(baseline: Baseline, _traffic: Traffic, _up_to: Pass) -> None:
        nonlocal steps
        made._trials[baseline.id] = cast("Trial", None)
        while baseline.request.path == b"/slow" and steps < 50:
            steps += 1
            await asyncio.sleep(0)

    async def resumed(baseline: Baseline, _traffic: Traffic, up_to: Pass) -> None:
        further.append((baseline.request.path.decode(), up_to))
        await asyncio.sleep(0)
        if up_to == Pass.DEAR:
            del made._trials[baseline.id]

    monkeypatch.setattr(made, "_test", tested)
    monkeypatch.setattr(made, "_resume", resumed)
    first = turns(one.baseline for one in ledger.tested.values())[0]
    await made._turn(first, None)
    assert [path for path, _ in further] == expected
    assert [up_to for _, up_to in further] == sorted(up_to for _, up_to in further), "one pass after the other"


@run
async def test_a_baseline_whose_session_ends_is_tested_anew_when_its_user_has_signed_in_again() -> None:
    """The recorded session serves four requests, as one does that runs out; the login gives another for good."""
    left = 4

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal left
        while request := await target.read_request(reader):
            left -= b"sid=recorded" in request
            good = b"sid=fresh" in request or (b"sid=recorded" in request and left >= 0)
            writer.write(ISSUED if request.startswith(b"POST /login") else OK if good else REFUSED)

    async with RawServer(talk) as target:
        form = (b"Content-Type", b"application/x-www-form-urlencoded")
        cookie = (b"Cookie", b"sid=recorded0session")
        place = ("http", "127.0.0.1", target.port)
        login = Request("POST", b"/login", (form,), b"user=ann&password=sesame", *place)
        page = Request("GET", b"/orders?q=tea", (cookie,), b"", *place)
        issued = Response(302, ((b"Location", b"/"), (b"Set-Cookie", b"sid=recorded0session")))
        planner = Planner(DEFAULT, RECOGNISER)
        planned = planner.plan([Exchange(login, issued), Exchange(page, Response(200, body=b"ok"))])
        facts = Facts(id="tr_1", record_id="rec_1", name="n", policy_id="default", created_at=1, updated_at=1.0)
        ledger = Ledger(facts, planned, 1.0)
        order = RunOrder(
            run_id="tr_1", generation=1, record_id="rec_1", recording=False, sending=True, policy=DEFAULT,
            profile=planner.profile,
        )  # fmt: skip
        await Engine(ledger, order, RECOGNISER, Way(HOSTS), known=Known(again=planner.signed_in_again)).run()
    shown = {one["method"]: one for one in ledger.shown_baselines(RECOGNISER)}
    assert shown["GET"]["status"] != "error", shown["GET"]
    assert ledger.run.state not in ("running", "interrupted")
