"""Bookings that somebody makes, reads and cancels, for tests of what is done to the objects of others."""

import json
from random import Random

from tests.range.tenants_store import BY_TOKEN, called

from gatecrash.core.message import Request, Response

JSON = (b"Content-Type", b"application/json")
OLD = "7"
# Requests after which a job of the service moves what was made: nobody's action and the read after it, then the other's.
_MOVED_AFTER = 5
_WITHOUT_LISTS = ("owned-unlisted", "written-unlisted", "unread")
_WITHOUT_PAGES = ("write-only", "write-only-owners", "unread")
# Where all may read and close, and each object names somebody.
_NAMING = {
    "owned-unlisted": "owner",
    "written-unlisted": "created_by",
    "owned-board": "owner",
    "written-board": "created_by",
}
_OF_ALL = ("a-teams", "owned-board", "written-board")


class Bookings:
    """Bookings of several tenants. The first part of an address says who may read and who may cancel one."""

    def __init__(self) -> None:
        self.random = Random(5)
        self.kept = {OLD: {"id": OLD, "desk": 4, "state": "open"}}
        self.owners = {OLD: "ann"}
        self.asked: dict[str, int] = {}
        self.acted: list[str] = []

    def __call__(self, request: Request) -> Response:
        _, place, _, *more = request.path.decode().split("/")
        token = (request.first(b"Authorization") or b"").decode()
        caller = BY_TOKEN.get(token, "")
        if not caller and not (place == "anybody-at-all" and len(more) > 1):
            return Response(401)
        if not more:
            return self._made(place, caller) if request.method == "POST" else self._list(place, caller)
        if more[0] not in self.kept:
            return Response(404)
        if request.method == "DELETE":
            del self.kept[more[0]]
            return Response(204)
        self._move(place, more[0])
        return self._acted(place, caller, more[0]) if len(more) > 1 else self._one(place, caller, more[0])

    def _made(self, place: str, caller: str) -> Response:
        number = str(self.random.randint(10**5, 10**6))
        self.kept[number] = {"id": number, "desk": 4, "state": "open", "asked_at": "-", "asked_by": "nobody"}
        self.kept[number] |= {"open": 1, "views": 0, "due": "2026-12-24"}
        self.owners[number] = caller
        if place in _NAMING:
            self.kept[number] |= {_NAMING[place]: called(caller)[1]}
        return self._told(self.kept[number], 201)

    def _move(self, place: str, number: str) -> None:
        self.asked[number] = self.asked.get(number, 0) + 1
        if place == "moves-by-itself" and self.asked[number] >= _MOVED_AFTER:
            self.kept[number] |= {"state": "cancelled"}

    def _acted(self, place: str, caller: str, number: str) -> Response:
        self.acted.append(number)
        may = caller == self.owners[number] or place in (
            "anybodys",
            "in-numbers",
            "longer",
            "read-by-all",
            "gone",
            "a-teams",
            "anybody-at-all",
            "write-only",
            "unread",
            *_NAMING,
        )
        if place == "notes-it-down":
            self.kept[number] |= {"asked_at": "2026-12-10", "asked_by": caller}
        if may and place == "gone":
            del self.kept[number]
        elif may and place == "in-numbers":
            self.kept[number] |= {"open": 0}
        elif may and place == "longer":
            self.kept[number] |= {"due": f"2027-01-{10 + len(self.acted)}"}
        elif may:
            self.kept[number] |= {"state": "cancelled"}
        elif place == "counts-views":
            self.kept[number] |= {"views": 1}
        return Response(404) if place == "owners-only" and not may else self._told({"done": True})

    def _one(self, place: str, caller: str, number: str) -> Response:
        reads = caller == self.owners[number] or place in ("read-by-all", *_OF_ALL, *_NAMING)
        if place == "in-numbers" and reads:  # an envelope, as many APIs have one
            return self._told({"data": self.kept[number], "meta": {"request": f"{self.random.getrandbits(32):x}7"}})
        return self._told(self.kept[number]) if reads and place not in _WITHOUT_PAGES else Response(404)

    def _list(self, place: str, caller: str) -> Response:
        if place in _WITHOUT_LISTS:
            return Response(405)
        own = [kept for number, kept in self.kept.items() if self.owners[number] == caller or place in _OF_ALL]
        return self._told(own)

    def _told(self, document: object, status: int = 200) -> Response:
        return Response(status, (JSON,), json.dumps(document).encode())
