"""What a record makes and deletes again is made anew, and what names it is tested with the new one."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.node.scan.captures.deleted_things import MOST_MADE, DeletedThings

JSON = ((b"Content-Type", b"application/json"),)
ANN = ((b"Host", b"a.example"), (b"Authorization", b"Bearer 3f9a1c7be2"))


def answer(told: Any, status: int = 200) -> Response:
    return Response(status, JSON, b"" if told is None else json.dumps(told).encode())


def did(method: str, target: str, told: Any = None, status: int = 200, sent: Any = None) -> Exchange:
    body = b"" if sent is None else json.dumps(sent).encode()
    more = (*JSON, (b"Content-Length", b"%d" % len(body))) if body else ()
    return Exchange(Request(method, target.encode(), (*ANN, *more), body, host="a.example"), answer(told, status))


MADE = did("POST", "/loads", {"id": 10, "name": "Ulm"}, 201, sent={"name": "Ulm"})
READ = did("GET", "/loads/10", {"id": 10, "city": "Ulm"})
CHANGED = did("PUT", "/loads/10", {"id": 10, "city": "Bonn"}, sent={"city": "Bonn"})
BID = did("POST", "/loads/10/bids", {"id": 3, "eur": 5}, 201, sent={"eur": 5})
BID_READ = did("GET", "/loads/10/bids/3", {"id": 3, "eur": 5})
GONE = did("DELETE", "/loads/10", None, 204)


class Target:
    """Has loads with bids, none at first; counts both from a number on."""

    def __init__(self, number: int = 41, *, unique: bool = False) -> None:
        self.sent: list[tuple[str, str]] = []
        self.there: set[str] = set()
        self._number = number
        self._unique = unique

    async def send(self, request: Request) -> Answer:
        path = request.path.decode()
        self.sent.append((request.method, path))
        return Answer(Exchange(request, self._answer(request, path)))

    def _answer(self, request: Request, path: str) -> Response:
        above = path.rpartition("/")[0]
        if request.method == "POST":
            if path.count("/") > 1 and above not in self.there:
                return answer({"error": "no such load"}, 404)
            if self._unique and b'"Ulm"' in request.body:
                return answer({"error": "taken"}, 409)
            new, self._number = self._number, self._number + 1
            self.there.add(f"{path}/{new}")
            return answer({"id": new, **json.loads(request.body)}, 201)
        last = path.rpartition("/")[2]
        return answer({"id": int(last), "now": 1}) if path in self.there else answer({"error": "no such load"}, 404)


def made(
    target: Target, *exchanges: Exchange, excluded: tuple[str, ...] = ()
) -> tuple[DeletedThings, list[tuple[str, bytes, bytes]]]:
    """And what is tested of these, in their order: method, target and answer."""
    deleted = DeletedThings(excluded)
    for each in exchanges:
        deleted.see(each)
    asyncio.run(deleted.make(target.send))
    tested = [deleted.in_place_of(each) or each for each in exchanges]
    return deleted, [
        (each.request.method, each.request.target, each.response.body) for each in tested if each.response is not None
    ]


def targets(tested: list[tuple[str, bytes, bytes]]) -> list[bytes]:
    return [target for _, target, _ in tested]


@pytest.mark.parametrize(
    ("status", "told"),
    [(200, {"name": "Ulm"}), (201, {"name": "Ulm", "items": ["tea"]}), (201, {"name": "Ulm", "note": "ring twice"})],
)
def test_what_is_shown_again_was_there_before_and_is_not_tested(status: int, told: dict[str, Any]) -> None:
    target, cart = Target(), answer({"id": 41, **told}, status)

    async def send(request: Request) -> Answer:
        found = Answer(Exchange(request, cart))
        return found if request.method == "POST" else await target.send(request)

    deleted = DeletedThings(())
    empty = did("POST", "/loads", {"id": 10, "name": "Ulm", "note": "", "items": []}, 201, sent={"name": "Ulm"})
    for each in (empty, READ, GONE):
        deleted.see(each)
    assert asyncio.run(deleted.make(send)) == 0
    assert deleted.in_place_of(GONE) is None


def test_what_names_it_is_tested_with_the_new_one() -> None:
    target = Target()
    deleted, tested = made(target, MADE, READ, CHANGED, GONE)
    assert target.sent == [("GET", "/loads/10"), ("POST", "/loads"), ("GET", "/loads/41")]
    assert [(method, place, json.loads(told or b"null")) for method, place, told in tested] == [
        ("POST", b"/loads", {"id": 41, "name": "Ulm"}),
        ("GET", b"/loads/41", {"id": 41, "now": 1}),
        ("PUT", b"/loads/41", {"id": 41, "city": "Bonn"}),
        ("DELETE", b"/loads/41", None),
    ]
    assert "1 (/loads/41) is made anew" in deleted.notes[0]


def test_what_stood_in_it_is_made_in_the_new_one() -> None:
    target = Target()
    _, tested = made(target, MADE, BID, BID_READ, GONE)
    assert targets(tested) == [b"/loads", b"/loads/41/bids", b"/loads/41/bids/42", b"/loads/41"]


def test_a_number_that_is_given_again_leaves_the_requests_as_they_are() -> None:
    target = Target(10)
    deleted, tested = made(target, MADE, READ, GONE)
    assert targets(tested) == [b"/loads", b"/loads/10", b"/loads/10"]
    assert target.there == {"/loads/10"}
    assert deleted.notes


def test_what_is_taken_already_gets_another_name() -> None:
    _, tested = made(Target(unique=True), MADE, READ, GONE)
    assert targets(tested) == [b"/loads", b"/loads/41", b"/loads/41"]


def test_what_is_made_and_deleted_several_times_is_made_once() -> None:
    target = Target()
    _, tested = made(target, MADE, READ, GONE, MADE, READ, GONE)
    assert targets(tested) == [b"/loads", b"/loads/41", b"/loads/41"] * 2
    assert target.there == {"/loads/41"}


def test_the_same_number_of_somebody_else_is_another_thing() -> None:
    ben = (ANN[0], (b"Authorization", b"Bearer 91d04fe6aa"))
    others = [
        msgspec.structs.replace(
            each,
            request=msgspec.structs.replace(each.request, headers=(*ben, *each.request.headers[len(ANN) :])),
        )
        for each in (MADE, READ, GONE)
    ]
    target = Target(10)
    _, tested = made(target, MADE, READ, GONE, *others)
    assert targets(tested) == [b"/loads", b"/loads/10", b"/loads/10", b"/loads", b"/loads/11", b"/loads/11"]


def test_an_object_with_its_number_but_another_code_is_another_thing() -> None:
    begun = did("POST", "/loads", {"id": 10, "code": "LW471bac"}, 201, sent={"name": "Ulm"})
    tracked = did("GET", "/track/LW471bac", {"code": "LW471bac"})
    for there, is_made in ((b"/track/LW471bac", False), (b"/track/LW900abc", True)):

        async def send(request: Request, there: bytes = there) -> Answer:
            if request.method == "POST":
                return Answer(Exchange(request, answer({"id": 12, "code": "LW12cafe"}, 201)))
            known = request.target in (there, b"/loads/10", b"/loads/12")
            told = answer({"id": 10, "code": "LW471bac"}) if known else answer({"error": "no such load"}, 404)
            return Answer(Exchange(request, told))

        deleted = DeletedThings(())
        for each in (begun, READ, tracked, GONE):
            deleted.see(each)
        assert asyncio.run(deleted.make(send)) == int(is_made)
        assert (deleted.in_place_of(READ) is not None) == is_made


def test_the_answer_that_nothing_is_there_stays() -> None:
    missing = did("GET", "/loads/10", {"error": "no such load"}, 404)
    assert targets(made(Target(), MADE, READ, GONE, missing)[1])[-1] == b"/loads/10"


def test_no_more_than_so_many() -> None:
    target = Target()
    several = [
        each
        for number in range(10, 40)
        for each in (
            did("POST", "/loads", {"id": number}, 201, sent={"city": f"c{number}"}),
            did("PUT", f"/loads/{number}", {"id": number}, sent={"city": "Bonn"}),
            did("DELETE", f"/loads/{number}", None, 204),
        )
    ]
    made(target, *several)
    assert len(target.there) == MOST_MADE


def test_what_stays_is_said() -> None:
    deleted, _ = made(Target(), MADE, READ, GONE, excluded=("delete",))
    assert "1 (/loads/41) is left at the target" in deleted.notes[0]


@pytest.mark.parametrize(
    "exchanges",
    [
        [MADE, READ, did("DELETE", "/loads/10", {"error": "no"}, 403)],
        [MADE, READ],
        [MADE, GONE],
        [did("GET", "/loads", [{"id": 10}]), MADE, READ, GONE],
        [did("POST", "/loads/search", {"id": 10}, sent={"city": "Ulm"}), READ, GONE],
        [did("POST", "/payments", {"id": 10}, 201, sent={"eur": 5}), did("DELETE", "/payments/10", None, 204)],
    ],
    ids=["not deleted", "stays", "not used", "made elsewhere", "a search", "pays"],
)
def test_nothing_is_sent(exchanges: list[Exchange]) -> None:
    target = Target()
    _, tested = made(target, *exchanges)
    assert target.sent == []
    assert targets(tested) == [each.request.target for each in exchanges]


def test_a_method_that_is_not_tested_makes_nothing() -> None:
    target = Target()
    made(target, MADE, READ, GONE, excluded=("POST",))
    assert target.sent == []


def test_what_is_only_hidden_is_there() -> None:
    target = Target()
    target.there.add("/loads/10")
    deleted, tested = made(target, MADE, READ, GONE)
    assert target.sent == [("GET", "/loads/10")]
    assert targets(tested) == [b"/loads", b"/loads/10", b"/loads/10"]
    assert deleted.notes == ()


def refused(_: Request) -> Answer:
    return Answer(Exchange(_, answer({"error": "sign in"}, 401)))


def gone(request: Request) -> Answer:
    return Answer(Exchange(request), "refused")


@pytest.mark.parametrize("say", [refused, gone])
def test_what_cannot_be_made_is_tested_as_it_was(say: Callable[[Request], Answer]) -> None:
    deleted = DeletedThings(())
    for each in (MADE, CHANGED, GONE):
        deleted.see(each)

    async def send(request: Request) -> Answer:
        return say(request)

    assert asyncio.run(deleted.make(send)) == 0
    assert [deleted.in_place_of(each) for each in (MADE, CHANGED, GONE)] == [None, None, None]
