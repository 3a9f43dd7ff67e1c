"""A run knows all of its record before its first test, what is recorded meanwhile soon after, and goes on where nobody tells."""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from tests.node.loop import run
from tests.node.test.beforehand.test_first_questions import ANN, BEN, Guarded, Shop
from tests.node.test.beforehand.test_first_questions import shown as stated
from tests.node.test.test_runner import order

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.auth.sessions import LearnedCookie, State
from gatecrash.core.errors import PeerError
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.profiles.profile import RECORDED, AuthProfile, ProfileIdentity
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.node.scan.outgoing import Way, traffic_of
from gatecrash.node.session import Session
from gatecrash.node.test.beforehand import acquaintance
from gatecrash.node.test.beforehand.acquaintance import Acquaintance
from gatecrash.node.test.beforehand.first_questions import FirstQuestions
from gatecrash.node.test.connections.traffic import Tally, Traffic
from gatecrash.node.test.lease import Lease
from gatecrash.wire.session import Config, Welcome
from gatecrash.wire.work import Acquaint, Acquainted

HOSTS = AllowedHosts(("x",))
LOCAL = AllowedHosts()
LIST = Exchange(
    Request("GET", b"/orders", ((b"Host", b"x"), (b"Authorization", b"Bearer 0123456789abcdef")), b"", "http", "x", 80),
    Response(200, ((b"Content-Type", b"application/json"),), b'[{"id": "7f3a-22"}]'),
)
OPEN = msgspec.structs.replace(LIST, request=msgspec.structs.replace(LIST.request, target=b"/open", headers=()))
ONE = msgspec.structs.replace(LIST.request, target=b"/orders/7f3a-22")
USER = ProfileIdentity(name="recorded 1")


class Teller:
    """A control plane that tells these in turn; an error is raised."""

    def __init__(self, *told: Acquainted | PeerError) -> None:
        self.told = list(told)
        self.asked: list[int] = []
        self.let_in: list[tuple[LearnedCookie, ...]] = []
        self.answered: list[Sequence[Exchange]] = []
        self.notes: list[Sequence[str]] = []
        self.headers: list[Sequence[str]] = []

    async def call(self, _path: str, message: Acquaint, _expected: Any, _patience: float = 0.0) -> Any:
        self.asked.append(message.after)
        self.let_in.append(message.let_in)
        self.answered.append(message.answered)
        self.notes.append(message.notes)
        self.headers.append(message.headers)
        told = self.told.pop(0)
        if isinstance(told, PeerError):
            raise told
        return told


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acquaintance, "AGAIN_SECONDS", 0.0)


def acquainting(teller: Teller, traffic: Traffic) -> Acquaintance:
    session = Session()
    session.set(Welcome("node_1", "cl_1", "s", Config(0)))
    questions = FirstQuestions(order(), traffic, compile_recogniser)
    return Acquaintance(order(), Lease(order(), teller, session), traffic, questions)


def shown(traffic: Traffic) -> Sequence[bytes]:
    return [page.request.target for page in traffic.pages.beside(ONE)]


@run
async def test_what_the_record_holds_is_known_to_its_end_and_asked_for_no_more() -> None:
    async with traffic_of(order(), Way(HOSTS), Tally(1)) as traffic:
        teller = Teller(Acquainted((OPEN,), 1, more=True), Acquainted((LIST,), 2))
        known = acquainting(teller, traffic)
        await known.make()
        assert set(shown(traffic)) == {b"/orders", b"/open"}
        assert traffic.pages.is_visited(OPEN.request), "nobody's credentials came with it"
        assert not traffic.pages.is_visited(LIST.request)
        await known.make()
        assert teller.asked == [0, 1]


@pytest.mark.parametrize(
    ("profile", "counts"),
    [
        (AuthProfile(id=RECORDED, name="Recorded logins", identities=(USER,)), True),
        (AuthProfile(id=RECORDED, name="Recorded logins", identities=(USER,), bare=True), False),
        (AuthProfile(id="prof_1", name="Shop", identities=(USER,)), False),
    ],
    ids=["users of the record who sign in again", "saved without credentials", "users who are written down"],
)
def test_whose_requests_came_without_credentials_is_a_visitor(profile: AuthProfile, counts: bool) -> None:
    async def asked() -> None:
        async with traffic_of(msgspec.structs.replace(order(), profile=profile), Way(HOSTS), Tally(1)) as traffic:
            await acquainting(Teller(Acquainted((OPEN,), 1)), traffic).make()
            assert traffic.pages.is_visited(OPEN.request) is counts

    asyncio.run(asked())


@run
async def test_while_a_record_grows_it_is_asked_for_again() -> None:
    async with traffic_of(order(), Way(HOSTS), Tally(1)) as traffic:
        teller = Teller(Acquainted((), 0, open=True), Acquainted((LIST,), 1))
        known = acquainting(teller, traffic)
        await known.make()
        assert (teller.asked, shown(traffic)) == ([0], [])
        await known.make()
        assert (teller.asked, shown(traffic)) == ([0, 0], [b"/orders"])


@run
async def test_a_control_plane_that_does_not_tell_is_asked_a_few_times_and_nothing_breaks() -> None:
    async with traffic_of(order(), Way(HOSTS), Tally(1)) as traffic:
        teller = Teller(*(PeerError("404") for _ in range(acquaintance.MOST_FAILURES)))
        known = acquainting(teller, traffic)
        for _ in range(acquaintance.MOST_FAILURES + 2):
            await known.make()
        assert len(teller.asked) == acquaintance.MOST_FAILURES


@run
async def test_nobody_is_asked_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acquaintance, "AGAIN_SECONDS", 10**9)
    async with traffic_of(order(), Way(HOSTS), Tally(1)) as traffic:
        teller = Teller(Acquainted((), 0, open=True))
        known = acquainting(teller, traffic)
        await known.make()
        await known.make()
        assert teller.asked == [0]


@run
async def test_what_was_recorded_a_moment_ago_is_asked_for_before_it_is_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acquaintance, "AGAIN_SECONDS", 10**9)
    async with traffic_of(order(), Way(HOSTS), Tally(1)) as traffic:
        teller = Teller(Acquainted((), 0, open=True), Acquainted((LIST,), 1))
        known = acquainting(teller, traffic)
        await known.make()
        await known.make(now=True)
        assert shown(traffic) == [b"/orders"]


@run
async def test_a_cookie_without_which_the_target_refuses_is_told_to_the_control_plane_at_once() -> None:
    async with Guarded(b"club=9f2c77ab") as target, traffic_of(order(), Way(LOCAL), Tally(1)) as traffic:
        request = Request(
            "GET", b"/mine", ((b"Host", b"x"), (b"Cookie", b"club=9f2c77ab")), host="127.0.0.1", port=target.port
        )
        mine = Exchange(request, Response(200, body=b"mine"))
        teller = Teller(Acquainted((mine,), 1, open=True), Acquainted((), 1, open=True))
        await acquainting(teller, traffic).make()
        cookie = LearnedCookie(f"127.0.0.1:{target.port}", "club", State.UNPROVEN, likely=True)
        assert teller.let_in == [(), (cookie,)]
        assert [len(notes) for notes in teller.notes] == [0, 1]
        assert not traffic.pages.is_visited(request), "its sender had credentials"


@run
async def test_what_senders_are_answered_is_told_while_the_record_grows_and_by_one_process() -> None:
    async with Shop() as target, traffic_of(order(), Way(LOCAL), Tally(1)) as traffic:
        me = stated(target.port, b"/me", ANN, b'{"email": "ann@x.test"}')
        other = stated(target.port, b"/orders/7", BEN, b'{"id": 7}')
        third = stated(target.port, b"/orders", BEN, b"[]")
        grown = Acquainted((), 2, open=True, compared=True)
        teller = Teller(
            Acquainted((me,), 1, open=True), Acquainted((other,), 2, open=True), grown, Acquainted((third,), 3), grown
        )
        known = acquainting(teller, traffic)
        await known.make()
        assert target.received == [], "nobody else came by now"
        await known.make()
        await known.make()
        asked = [
            [(one.request.target, one.request.first(b"Authorization")) for one in told] for told in teller.answered
        ]
        assert asked == [[], [], [(b"/me", BEN)], [], [(b"/orders", ANN)]], "each is asked once"
        before = len(target.received)
        await acquainting(Teller(Acquainted((me, other), 2, compared=True)), traffic).make()
        assert len(target.received) == before == 2


@run
async def test_what_was_not_taken_is_told_again() -> None:
    async with Shop() as target, traffic_of(order(), Way(LOCAL), Tally(1)) as traffic:
        both = (
            stated(target.port, b"/me", ANN, b'{"email": "ann@x.test"}'),
            stated(target.port, b"/orders/7", BEN, b'{"id": 7}'),
        )
        teller = Teller(Acquainted(both, 2), PeerError("500"), Acquainted((), 2, compared=True))
        known = acquainting(teller, traffic)
        await known.make()
        await known.make()
        assert [len(told) for told in teller.answered] == [0, 1, 1]
        assert len(target.received) == 1


@run
async def test_what_was_found_by_asking_is_noted_for_the_reader_of_the_run_once() -> None:
    async with Guarded(b"club=9f2c77ab") as target, traffic_of(order(), Way(LOCAL), Tally(1)) as traffic:
        mine, other = (
            Exchange(
                Request(
                    "GET", path, ((b"Host", b"x"), (b"Cookie", b"club=9f2c77ab")), host="127.0.0.1", port=target.port
                ),
                Response(200, body=b"mine"),
            )
            for path in (b"/mine", b"/other")
        )
        teller = Teller(Acquainted((mine,), 1, open=True), Acquainted((), 1, open=True), Acquainted((other,), 2))
        known = acquainting(teller, traffic)
        await known.make()
        await known.make()
        assert [["club" in note for note in notes] for notes in teller.notes] == [[], [True], []]


@run
async def test_a_header_without_which_the_target_refuses_is_told_once() -> None:
    async with Guarded(b"X-Club-Pass: k3y-of-ann") as target, traffic_of(order(), Way(LOCAL), Tally(1)) as traffic:
        headers = ((b"Host", b"x"), (b"X-Club-Pass", b"k3y-of-ann"))
        mine = Exchange(
            Request("GET", b"/mine", headers, host="127.0.0.1", port=target.port), Response(200, body=b"mine")
        )
        teller = Teller(Acquainted((mine,), 1, open=True), Acquainted((), 1, open=True), Acquainted((), 1))
        known = acquainting(teller, traffic)
        await known.make()
        await known.make()
        assert teller.headers == [(), ("X-CLUB-PASS",), ()]
