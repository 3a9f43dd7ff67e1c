"""Lists in parts are read until one shows what is looked for, and not for ever; what is new there is neither missed nor taken for gone."""

import json

import pytest
from tests.core.testing.driving import answer_of, credentials_of, record
from tests.core.testing.probes.as_tenants import OPAQUE, drive_as, identities
from tests.range.tenants_store import PEOPLE

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.objects.whole_lists import ask_until
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor_delete import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

JSON = (b"Content-Type", b"application/json")
TOKEN = (b"Authorization", OPAQUE["ann"].encode())
MOST_SHOWN = 2
ASKED = Request("GET", b"/notes", (), host="shop.test")


def read(parts: int, wanted: bytes) -> tuple[Exchange, list[bytes]]:
    """What is read of a list of so many parts, of which each shows its number, and which targets were asked for."""

    def respond(request: Request) -> Response:
        part = int((request.query or b"cursor=0").rpartition(b"=")[2])
        more = str(part + 1) if part + 1 < parts else None
        return Response(200, (JSON,), json.dumps({"items": [{"id": f"n{part}"}], "nextCursor": more}).encode())

    dialogue, sent = ask_until(ASKED, lambda shown: wanted in shown.body), list[bytes]()
    try:
        asked = next(dialogue)
        while True:
            sent.append(asked.request.target)
            asked = dialogue.send(answer_of(respond, asked.request))
    except StopIteration as end:
        return end.value, sent


def test_the_part_that_shows_it_is_the_last_that_is_asked_for():
    exchange, sent = read(5, b'"n2"')
    assert sent == [b"/notes", b"/notes?cursor=1", b"/notes?cursor=2"]
    assert exchange.request.target == b"/notes?cursor=2"


def test_a_list_that_does_not_show_it_is_read_to_its_end_and_one_without_an_end_in_part():
    assert len(read(3, b"nowhere")[1]) == 3
    assert len(read(1000, b"nowhere")[1]) < 20


class Desks:
    """Desks that people book; their list shows two, the oldest first, and where it goes on.

    guarded: whether others' are kept from deletion. shared: whether all see one list. shrinks: whether the oldest is given up
    each time that somebody asks for a deletion, as by another of the house.
    """

    def __init__(self, *, guarded: bool, shared: bool, shrinks: bool) -> None:
        self.guarded, self.shared, self.shrinks = guarded, shared, shrinks
        self.kept = {f"d-{30 + each}": ("ann", "ben")[each % 2] for each in range(9)}

    def __call__(self, request: Request) -> Response:
        sent, number = request.first(b"Authorization"), request.path.decode().rpartition("/")[2]
        caller = next((name for name, each in OPAQUE.items() if each.encode() == sent), "")
        if not caller:
            return Response(401)
        if request.method == "POST":
            self.kept[number := f"d-{40 + len(self.kept)}{len(self.kept)}"] = caller
            return Response(201, (JSON,), json.dumps({"id": number}).encode())
        if request.method == "GET":
            return (
                self._list(caller, int((request.query or b"cursor=0").rpartition(b"=")[2]))
                if number == "desks"
                else Response(404)
            )
        if self.shrinks:
            del self.kept[next(each for each, owner in self.kept.items() if owner == "ann")]
        if self.kept.get(number) in ({caller} if self.guarded else PEOPLE):
            del self.kept[number]
            return Response(204)
        return Response(404)

    def _list(self, caller: str, start: int) -> Response:
        own = [each for each, owner in self.kept.items() if self.shared or owner == caller]
        more = str(start + MOST_SHOWN) if start + MOST_SHOWN < len(own) else None
        items = [{"id": each} for each in own[start : start + MOST_SHOWN]]
        return Response(200, (JSON,), json.dumps({"items": items, "nextCursor": more}).encode())


@pytest.mark.parametrize(
    ("guarded", "shared", "shrinks", "wanted"),
    [
        (False, False, False, Outcome.VULNERABLE),
        (True, False, False, Outcome.SAFE),
        (True, False, True, Outcome.SAFE),
        (False, True, False, Outcome.SAFE),
    ],
)
def test_what_is_new_is_read_where_the_list_goes_on(*, guarded: bool, shared: bool, shrinks: bool, wanted: Outcome):
    desks, pages = Desks(guarded=guarded, shared=shared, shrinks=shrinks), Pages()
    request = Request("DELETE", b"/desks/d-499", (TOKEN,), host="a")
    for method in ("POST", "GET"):
        pages.meet(record(desks, Request(method, b"/desks", (TOKEN,), host="a")).exchange, visited=False)
    (check,) = plan(
        record(lambda _: Response(204), request), DEFAULT, credentials_of(request), (PROBE,),
        identities=identities(request), pages=pages.beside(request), makers=pages.makers_of(request),
    )  # fmt: skip
    assert drive_as(check, desks).verdict.outcome is wanted
