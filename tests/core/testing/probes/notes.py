"""Notes of several tenants, which their owners make, list, read and delete."""

import json
from random import Random

from tests.core.testing.probes.as_tenants import OPAQUE
from tests.range.tenants_store import SIGNED

from gatecrash.core.message import Request, Response

JSON, OLD = (b"Content-Type", b"application/json"), "7"
OWNERS = ("owners-only", "titled-owners-only", "keeps-quiet", "forgets-once")


class Notes:
    """Notes of several tenants. The first part of an address says who may read and who may delete one."""

    def __init__(self) -> None:
        self.random = Random(5)
        self.kept = {OLD: "ann"}
        self.deleted, self.lost = list[str](), False

    def __call__(self, request: Request) -> Response:
        _, place, _, *more = request.path.decode().split("/")
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in OPAQUE.items() if each == token), "")
        if not caller and not (place == "anybody-at-all" and request.method == "DELETE"):
            return Response(401)
        if request.method == "PUT":
            mine = self.kept.get(more[0]) == caller
            return Response(405 if place != "a-teams-notes-of-one" else 200 if mine else 403)
        if request.method == "POST":
            number = json.loads(request.body).get("note_title") or str(self.random.randint(10**5, 10**6))
            self.kept[number] = caller
            return self._told({"note": "added" if place.startswith("titled") else {"id": number}}, 201)
        return self._one(request.method, place, caller, more[0]) if more else self._list(place, caller)

    def _one(self, method: str, place: str, caller: str, number: str) -> Response:
        owner, lost, self.lost = self.kept.get(number), self.lost, False
        reads = (not lost and caller == owner) or place.startswith(("a-teams", "read-by-all"))
        if owner is None or (method == "GET" and (not reads or place == "write-only")):
            return Response(404)
        if method == "DELETE" and (caller == owner or place not in OWNERS):
            self.deleted.append(number)
            del self.kept[number]
        if method == "DELETE":
            self.lost = place == "forgets-once" and caller != owner
            return Response(404 if place in OWNERS[:2] and number in self.kept else 204)
        return self._told({"id": number, "text": "call back"})

    def _list(self, place: str, caller: str) -> Response:
        if place == "write-only":
            return Response(405)
        own = [number for number, owner in self.kept.items() if owner == caller or place.startswith("a-teams")]
        return self._told([{"id": number} for number in own])

    def _told(self, document: object, status: int = 200) -> Response:
        return Response(status, (JSON,), json.dumps(document).encode())


class Office(Notes):
    """Two of a household have one list; somebody else has his own, and deletes whatever he names where nothing guards it.

    listed: whether the list shows the second what he may read and delete.
    """

    def __init__(self, *, guarded: bool, listed: bool = True) -> None:
        super().__init__()
        self.guarded = guarded
        self.listed = listed

    def __call__(self, request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in SIGNED.items() if each == token), "")
        number = request.path.decode().rpartition("/")[2]
        shares = caller in ("ann", "ben")
        if request.method == "POST" and caller:
            number = str(self.random.randint(10**5, 10**6))
            self.kept[number] = "ann"
            return self._told({"note": {"id": number}}, 201)
        if not caller or (not shares and request.method == "GET" and number in self.kept):
            return Response(404 if caller else 401)
        if request.method == "DELETE" and (shares or not self.guarded) and self.kept.pop(number, ""):
            return Response(204)
        if number == "notes":
            lists = shares and (self.listed or caller == "ann")
            return self._told([{"id": each} for each in self.kept] if lists else [])
        return self._told({"id": number, "text": "call back"}) if number in self.kept else Response(404)
