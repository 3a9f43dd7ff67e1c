"""A run asks its target what lets a recorded sender in and what the record lacks, before it tests; with a profile little of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import msgspec
import pytest
from tests.node.loop import run, until
from tests.node.test.test_runner import order, running

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.auth.sessions import LearnedCookie, State
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.reports.notes import RENAMED
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.profiles.profile import RECORDED, AuthProfile, Holder, Placed, ProfileIdentity
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.fakes.control_plane import ControlPlane
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.scan.outgoing import Way, traffic_of
from gatecrash.node.test.beforehand import first_questions
from gatecrash.node.test.beforehand.first_questions import FirstQuestions
from gatecrash.node.test.connections.traffic import Tally
from gatecrash.wire.session import RunOrder

WAY = Way(AllowedHosts())
CLUB = Point(("header", "COOKIE", "cookie", "club"))


class Guarded(RawServer):
    """Lets in who brings these bytes, and everybody to what is open."""

    def __init__(self, wanted: bytes) -> None:
        super().__init__(self._talking)
        self._wanted = wanted

    async def _talking(self, reader: Any, writer: Any) -> None:
        while raw := await self.read_request(reader):
            good = self._wanted in raw or raw.startswith(b"GET /open")
            status, body = (b"200 OK", b"what is there") if good else (b"401 No", b"")
            writer.write(b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s" % (status, len(body), body))


def visited(port: int, target: bytes, *headers: tuple[bytes, bytes], status: int = 200) -> Exchange:
    request = Request("GET", target, ((b"Host", b"x"), *headers), host="127.0.0.1", port=port)
    return Exchange(request, Response(status, body=b"what is there" if status == 200 else b""))


@asynccontextmanager
async def questions(wanted: RunOrder | None = None) -> AsyncIterator[FirstQuestions]:
    wanted = wanted or order()
    async with traffic_of(wanted, WAY, Tally(1)) as traffic:
        yield FirstQuestions(wanted, traffic, compile_recogniser)


@run
async def test_a_cookie_that_lets_in_is_a_credential_from_then_on() -> None:
    async with Guarded(b"club=9f2c77ab") as target, questions() as asking:
        mine = visited(target.port, b"/mine", (b"Cookie", b"club=9f2c77ab; theme=darkish"))
        assert asking.recognise(mine.request) == ()
        assert await asking.ask([visited(target.port, b"/open", *mine.request.headers[1:]), mine]) != []
        assert [(one.point, one.valid) for one in asking.recognise(mine.request)] == [(CLUB, True)]
        assert asking.let_in == (LearnedCookie(f"127.0.0.1:{target.port}", "club", State.UNPROVEN, likely=True),)
        elsewhere = msgspec.structs.replace(mine.request, host="other.test")
        assert asking.recognise(elsewhere) == (), "it is that host's alone"


@run
async def test_so_is_a_header_which_is_no_session_of_a_host() -> None:
    async with Guarded(b"X-Club-Pass: k3y-of-ann") as target, questions() as asking:
        mine = visited(target.port, b"/mine", (b"X-Club-Pass", b"k3y-of-ann"))
        await asking.ask([mine])
        assert [one.point for one in asking.recognise(mine.request)] == [("header", "X-CLUB-PASS")]
        assert (asking.let_in, asking.headers) == ((), ("X-CLUB-PASS",))


@run
async def test_what_an_earlier_lease_has_found_counts_at_once_and_is_told_no_more() -> None:
    async with questions(order(credential_headers=("X-CLUB-PASS",))) as asking:
        mine = visited(1, b"/mine", (b"X-Club-Pass", b"k3y-of-ann"))
        assert [(one.point, one.valid) for one in asking.recognise(mine.request)] == [(("header", "X-CLUB-PASS"), True)]
        assert (asking.headers, asking.notes) == ((), ())


@run
async def test_where_the_records_users_sign_in_again_what_else_lets_in_is_asked_for() -> None:
    async with Guarded(b"X-Club-Pass: k3y-of-ann") as target:
        profile = AuthProfile(id=RECORDED, name="r", identities=(ProfileIdentity(name="recorded 1"),))
        async with questions(order(profile=profile)) as asking:
            await asking.ask([visited(target.port, b"/mine", (b"X-Club-Pass", b"k3y-of-ann"))])
            assert asking.headers == ("X-CLUB-PASS",)


def called(port: int, method: bytes, rest: bytes, result: bytes) -> Exchange:
    headers = ((b"Host", b"x"), (b"Content-Type", b"application/json"))
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "%s", %s}' % (method, rest)
    answer = Response(200, body=b'{"jsonrpc": "2.0", "id": 1, "result": %s}' % result)
    return Exchange(Request("POST", b"/rpc", headers, body, host="127.0.0.1", port=port), answer)


@run
async def test_so_is_a_member_of_calls_which_a_login_in_an_earlier_part_gave() -> None:
    async with Guarded(b'"auth": "0424bd59b807674191e7d77572075f33"') as target, questions() as asking:
        login = called(
            target.port,
            b"user.login",
            b'"params": {"user": "a", "password": "b"}',
            b'"0424bd59b807674191e7d77572075f33"',
        )
        mine = called(target.port, b"tool.get", b'"params": {}, "auth": "0424bd59b807674191e7d77572075f33"', b"[]")
        await asking.ask([login])
        await asking.ask([mine])
        assert [one.point for one in asking.recognise(mine.request)] == [("post", "json_doc", "json_obj", "auth")]
        assert (asking.let_in, asking.headers) == ((), ())


@run
async def test_a_cookie_is_told_of_the_host_at_which_it_was_recorded() -> None:
    async with AsyncExitStack() as stack:
        target = await stack.enter_async_context(Guarded(b"club=9f2c77ab"))
        asking = await stack.enter_async_context(questions(order(target_url=f"http://127.0.0.1:{target.port}")))
        (aimed,) = await asking.ask([visited(80, b"/mine", (b"Cookie", b"club=9f2c77ab"))])
        assert aimed.request.port == target.port
        assert [cookie.host for cookie in asking.let_in] == ["127.0.0.1"]


@run
async def test_an_answer_from_a_browsers_cache_is_asked_for() -> None:
    async with Guarded(b"GET") as target, questions() as asking:
        (filled,) = await asking.ask([visited(target.port, b"/list", status=304)])
        assert filled.response is not None
        assert (filled.response.status, filled.response.body) == (200, b"what is there")


@run
async def test_nothing_is_asked_twice_nor_with_an_auth_profile_nor_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Guarded(b"nothing at all") as target:
        cookie = (b"Cookie", b"club=9f2c77ab")
        async with questions() as asking:
            for _ in range(2):
                await asking.ask([visited(target.port, b"/open", cookie)])
        assert len(target.received) == 1
        profile = AuthProfile(id="prof_1", name="p", identities=(ProfileIdentity(name="ann"),))
        async with questions(order(profile=profile)) as asking:
            assert len(await asking.ask([visited(target.port, b"/list", cookie, status=304)])) == 1
        assert len(target.received) == 1
        monkeypatch.setattr(first_questions, "MOST_ASKED", 3)
        async with questions() as asking:
            await asking.ask([visited(target.port, b"/open/%d" % number, cookie) for number in range(9)])
        assert len(target.received) == 4


@run
async def test_with_an_auth_profile_its_identities_are_asked_who_they_are() -> None:
    async with Guarded(b"GET") as target:
        own = (b"Authorization", b"Bearer recorded-of-somebody")
        identities = tuple(
            ProfileIdentity(name=name, rank=1, values=(Placed(("header", "X-KEY"), f"of-{name}"),))
            for name in ("ann", "ben")
        )
        profile = AuthProfile(id="prof_1", name="p", identities=identities)
        async with questions(order(profile=profile)) as asking:
            await asking.ask([visited(target.port, b"/me", own), visited(target.port, b"/list", own)])
        assert [b"of-ann" in target.received[0], b"of-ben" in target.received[1]] == [True, True]
        assert len(target.received) == 2
        assert not any(b"recorded-of-somebody" in each for each in target.received)


@run
async def test_a_target_that_does_not_answer_is_asked_once() -> None:
    async def closing(reader: Any, _writer: Any) -> None:
        await target.read_request(reader)

    async with RawServer(closing) as target, questions() as asking:
        cookie = (b"Cookie", b"club=9f2c77ab")
        pages = [visited(target.port, b"/p/%d" % number, cookie, status=304) for number in range(4)]
        assert await asking.ask(pages) == pages
        assert len({raw.partition(b"\r\n")[0] for raw in target.received}) == 1
        assert asking.let_in == ()


class Shop(RawServer):
    """Tells each of two tokens who he is, and everybody of one order, which whoever orders gets."""

    def __init__(self) -> None:
        super().__init__(self._talking)

    async def _talking(self, reader: Any, writer: Any) -> None:
        while raw := await self.read_request(reader):
            target = raw.split(b" ")[1]
            told = {b"/me": b'{"email": "%s@x.test"}' % (b"ann" if ANN in raw else b"ben"), b"/orders/7": b'{"id": 7}'}
            body = told.get(b"/orders/7" if raw.startswith(b"POST /orders ") else target, b"")
            head = b"HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            found = 201 if raw.startswith(b"POST ") else 200
            writer.write(head % (found if body else 404, len(body)) + body)


ANN, BEN = b"Bearer 3f9a1c7be2d04c11", b"Bearer 91d04fe6aa37b802"


def shown(port: int, target: bytes, token: bytes, body: bytes, status: int = 200) -> Exchange:
    request = Request("GET", target, ((b"Host", b"x"), (b"Authorization", token)), host="127.0.0.1", port=port)
    return Exchange(request, Response(status, ((b"Content-Type", b"application/json"),), body))


@run
async def test_an_object_that_is_not_there_is_tested_as_one_that_another_answer_names() -> None:
    async with Shop() as target, questions() as asking:
        lost = shown(target.port, b"/orders/99999", ANN, b"", 404)
        await asking.ask([lost])
        assert asking.as_tested(Baseline("bl_1", lost)).exchange == lost
        await asking.ask([shown(target.port, b"/orders", ANN, b'[{"id": 7}]')])
        tested = asking.as_tested(Baseline("bl_1", lost))
        assert (tested.id, tested.request.target, tested.response and tested.response.status) == (
            "bl_1",
            b"/orders/7",
            200,
        )
        assert [raw.split(b" ")[1] for raw in target.received] == [b"/orders/7"]


@run
async def test_an_object_that_the_record_deletes_is_made_anew() -> None:
    async with Shop() as target, questions() as asking:
        read = shown(target.port, b"/orders/3", ANN, b'{"id": 3}')
        made, gone = (
            msgspec.structs.replace(there, request=msgspec.structs.replace(there.request, method=method))
            for method, there in (("POST", shown(target.port, b"/orders", ANN, b'{"id": 3}')), ("DELETE", read))
        )
        known = await asking.ask([made, read])
        assert [each.request.target for each in known] == [b"/orders", b"/orders/3"]
        (known_gone,) = await asking.ask([gone])
        tested = [asking.as_tested(Baseline("bl_1", each)).request.target for each in (made, read, gone)]
        assert tested == [b"/orders", b"/orders/7", b"/orders/7"]
        assert known_gone.request.target == b"/orders/7"
        assert "1 (/orders/7) is made anew" in asking.notes[0]
        assert [raw.split(b" ")[:2] for raw in target.received] == [
            [b"GET", b"/orders/3"],
            [b"POST", b"/orders"],
            [b"GET", b"/orders/7"],
        ]


@run
async def test_with_an_auth_profile_it_is_made_anew_by_its_identity_and_by_nobody_for_an_unknown_user() -> None:
    identities = tuple(
        ProfileIdentity(name=name, values=(Placed(("header", "AUTHORIZATION"), f"Bearer of-{name}-now"),))
        for name in ("cat", "ann")
    )
    held = Holder("ann", (Placed(("header", "AUTHORIZATION"), ANN.decode()),))
    profile = AuthProfile(id="prof_1", name="p", identities=identities, holders=(held,))
    for sender, made_by in ((ANN, [b"of-ann-now"]), (BEN, [])):
        async with Shop() as target, questions(order(profile=profile)) as asking:
            read = shown(target.port, b"/orders/3", sender, b'{"id": 3}')
            made, gone = (
                msgspec.structs.replace(there, request=msgspec.structs.replace(there.request, method=method))
                for method, there in (("POST", shown(target.port, b"/orders", sender, b'{"id": 3}')), ("DELETE", read))
            )
            known = await asking.ask([made, read, gone])
            new = b"/orders/7" if made_by else b"/orders/3"
            assert [each.request.target for each in known] == [b"/orders", new, new]
            assert asking.as_tested(Baseline("bl_1", read)).request.target == new
            assert bool(asking.notes) == bool(made_by)
            sent = [raw for raw in target.received if raw.startswith(b"POST ")]
            assert [raw.partition(b"Authorization: Bearer ")[2].partition(b"\r")[0] for raw in sent] == made_by


@run
async def test_with_an_auth_profile_what_has_another_identifier_now_is_tested_by_that() -> None:
    now, held = ((Placed(("header", "AUTHORIZATION"), value),) for value in ("Bearer of-ann-now", ANN.decode()))
    profile = AuthProfile(
        id="prof_1",
        name="p",
        identities=(ProfileIdentity(name="ann", values=now), ProfileIdentity(name="ben", values=held)),
        holders=(Holder("ann", held),),
    )
    old, new = "0b7d3c52-6a3e-4f0f-9d55-6c1e1a2b7f10", "b4f0e1d2-93c5-4a77-a0d1-2e3f4a5b6c7d"

    async def talking(reader: Any, writer: Any) -> None:
        while raw := await target.read_request(reader):
            body = b'[{"id": "%s"}]' % (new if b"of-ann-now" in raw else old).encode()
            kind = b"Content-Type: application/json"
            writer.write(b"HTTP/1.1 200 OK\r\n%s\r\nContent-Length: %d\r\n\r\n%s" % (kind, len(body), body))

    target = RawServer(talking)
    async with target, questions(order(profile=profile)) as asking:
        listed = shown(target.port, b"/orders", ANN, b'[{"id": "%s"}]' % old.encode())
        read, others = (shown(target.port, b"/orders/" + old.encode(), each, b'{"paid": 4}') for each in (ANN, BEN))
        known = await asking.ask([listed, read, others])
        gone, there = (b"/orders/" + each.encode() for each in (old, new))
        assert [each.request.target for each in known] == [b"/orders", there, gone]
        assert asking.as_tested(Baseline("bl_1", read)).request.target == there
        assert asking.notes == (RENAMED,)


@run
async def test_of_identical_requests_the_one_with_most_cookies_is_tested_unless_each_is_wanted() -> None:
    async with Guarded(b"GET") as target:
        first = visited(target.port, b"/", (b"Authorization", ANN))
        later = visited(target.port, b"/", (b"Authorization", ANN), (b"Cookie", b"theme=dark"))
        async with questions() as asking:
            await asking.ask([first, later])
            assert asking.as_tested(Baseline("bl_1", first)) == Baseline("bl_1", later)
            assert asking.as_tested(Baseline("bl_2", later)) == Baseline("bl_2", later)
        async with questions(order(each_identical=True)) as asking:
            await asking.ask([first, later])
            assert asking.as_tested(Baseline("bl_1", first)) == Baseline("bl_1", first)


@run
async def test_each_sender_is_asked_what_only_others_asked_and_told_of_where_they_were_recorded() -> None:
    async with AsyncExitStack() as stack:
        target = await stack.enter_async_context(Shop())
        asking = await stack.enter_async_context(questions(order(target_url=f"http://127.0.0.1:{target.port}")))
        await asking.ask(
            [shown(80, b"/me", ANN, b'{"email": "ann@x.test"}'), shown(80, b"/orders/7", BEN, b'{"id": 7}')]
        )
        (answered,) = await asking.compare()
        assert (answered.request.port, answered.request.first(b"Authorization")) == (80, BEN)
        assert answered.response is not None
        assert b"ben@x.test" in answered.response.body
        profile = AuthProfile(id="prof_1", name="p", identities=(ProfileIdentity(name="ann"),))
        asking = await stack.enter_async_context(questions(order(profile=profile)))
        await asking.ask(
            [shown(80, b"/me", ANN, b'{"email": "ann@x.test"}'), shown(80, b"/orders/7", BEN, b'{"id": 7}')]
        )
        assert await asking.compare() == ()


@run
async def test_a_run_that_is_stopped_while_it_asks_ends_at_once_and_has_begun_nothing() -> None:
    async def silent(reader: Any, _writer: Any) -> None:
        await target.read_request(reader)
        await asyncio.Event().wait()

    async with ControlPlane() as control, RawServer(silent) as target, running(control) as runner:
        mine = visited(target.port, b"/mine", (b"Cookie", b"club=9f2c77ab"))
        control.baselines["tr_1"] = {"bl_1": Baseline("bl_1", mine)}
        runner.obey([order()])
        await until(lambda: len(target.received) == 1)
        await runner.close()
        assert not runner.busy
        progress = runner.progress(order(), recording=False, unsent=0)
        assert (progress.sent, progress.remaining, control.finals) == (1, (), {})
