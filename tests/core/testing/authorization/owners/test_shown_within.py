"""What only the thing above it shows is somebody's by what its entry there says."""

import json

import pytest
from tests.core.testing.driving import credentials_of, record
from tests.core.testing.probes.as_tenants import drive_as, identities
from tests.range.tenants_store import PEOPLE, SIGNED

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor_delete import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

JSON = (b"Content-Type", b"application/json")
TOKEN = (b"Authorization", SIGNED["ann"].encode())


class Board:
    """Posts with remarks, which only their post shows. deletes: who may delete one; said: whether it says whose it is.

    open_: whether everybody reads the post.
    """

    def __init__(self, deletes: str, *, said: bool = True, open_: bool = True, writer: str = "ann") -> None:
        self.deletes, self.said, self.open, self.writer = deletes, said, open_, writer
        self.remarks = {"31": "ben"}
        self.number = 40

    def __call__(self, request: Request) -> Response:
        sent, place = (request.first(b"Authorization") or b"").decode(), request.path.decode()
        caller = next((name for name, each in SIGNED.items() if each == sent), "")
        if not caller:
            return Response(401)
        if request.method == "POST":
            self.number += 1
            self.remarks[str(self.number)] = caller
        elif request.method == "DELETE":
            number = place.rpartition("/")[2]
            may = {"owner": self.remarks.get(number), "writer": self.writer}.get(self.deletes, caller)
            if number not in self.remarks or caller not in (may, self.remarks[number]):
                return Response(403 if number in self.remarks else 404)
            del self.remarks[number]
            return Response(204)
        elif place != "/posts/5500417" or not (self.open or caller == self.writer):
            return Response(404)
        shown = [
            {"id": number, "text": "a"} | ({"user": _mail(name)} if self.said else {})
            for number, name in self.remarks.items()
        ]
        return self._told({"id": 5500417, "user": _mail(self.writer), "remarks": shown})

    @staticmethod
    def _told(body: object) -> Response:
        return Response(200, (JSON,), json.dumps(body).encode())


def _mail(name: str) -> dict[str, object]:
    return {"email": PEOPLE[name]["email"]}


@pytest.mark.parametrize(
    ("board", "outcome"),
    [
        (Board("anybody"), Outcome.VULNERABLE),
        (Board("anybody", said=False, open_=False), Outcome.VULNERABLE),
        (Board("anybody", said=False), Outcome.SAFE),
        (Board("owner"), Outcome.SAFE),
        (Board("writer", writer="ben"), Outcome.SAFE),
    ],
    ids=["anybody", "of a post that he may not read", "nobody says whose", "its owner", "the post's writer"],
)
def test_the_entry_says_whose_it_is_and_no_other_entry_nor_the_thing_above(board: Board, outcome: Outcome) -> None:
    pages, request = Pages(), Request("DELETE", b"/remarks/41", (TOKEN,), host="a")
    for method, path in (("POST", b"/posts/5500417/remarks"), ("GET", b"/posts/5500417")):
        headers, body = ((JSON, TOKEN), b'{"text": "a"}') if method == "POST" else ((TOKEN,), b"")
        pages.meet(record(board, Request(method, path, headers, body, host="a")).exchange, visited=False)
    (check,) = plan(
        record(lambda _: Response(204), request), DEFAULT, credentials_of(request), (PROBE,),
        identities=identities(request), pages=pages.beside(request), makers=pages.makers_of(request),
    )  # fmt: skip
    assert drive_as(check, board).verdict.outcome is outcome
    assert {"31", "41"} <= board.remarks.keys(), "what was there before stays"
    assert set(PEOPLE) >= set(board.remarks.values())
