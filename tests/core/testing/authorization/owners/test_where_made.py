"""A leaf that hangs on a tree of its owner's, and is deleted at an address of its own."""

import json
from itertools import count
from random import Random

import pytest
from tests.core.testing.driving import answer_of, credentials_of, record
from tests.core.testing.probes.as_tenants import OPAQUE, dressed, drive_as, identities

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.makers import Makers
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor_delete import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome, Verdict

JSON = (b"Content-Type", b"application/json")
OLD_BILL = 90110


class Trees:
    """Trees of ann and of ben. walled: whether a tree is shown to its owner alone. guarded: whether leaves are deleted by him alone."""

    def __init__(self, *, walled: bool, guarded: bool) -> None:
        self.leaves: list[int] = []
        self.walled, self.guarded = walled, guarded
        self.next = 70551

    def __call__(self, request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in OPAQUE.items() if each == token), "")
        if not caller:
            return Response(401)
        kind, number, *more = [*request.path.decode().strip("/").split("/"), "", ""]
        if kind == "leaves":
            return self.leaf(request, int(number or 0), caller)
        if self.walled and caller != "ann":
            return Response(404)
        if request.method == "POST":
            self.next += 11
            self.leaves.append(self.next)
            return shown(leaf(self.next), 201)
        return shown([leaf(each) for each in self.leaves] if more[0] else {"id": int(number), "title": "Oak"})

    def leaf(self, request: Request, number: int, caller: str) -> Response:
        if number not in self.leaves:
            return Response(404)
        if request.method == "DELETE" and (caller == "ann" or not self.guarded):
            self.leaves.remove(number)
        elif request.method == "DELETE":
            return Response(403)
        return shown(leaf(number))


def leaf(number: int) -> dict[str, object]:
    return {"id": number, "text": "turned yellow", "tree_id": 81133}


def shown(document: object, status: int = 200) -> Response:
    return Response(status, (JSON,), json.dumps(document).encode())


def verdict(trees: Trees) -> Verdict:
    token = (b"Authorization", OPAQUE["ann"].encode())
    made = record(trees, Request("POST", b"/trees/81133/leaves", (JSON, token), b'{"text": "turned yellow"}', host="a"))
    makers = Makers()
    makers.see(made.exchange)
    request = Request("DELETE", b"/leaves/%d" % trees.next, (token,), host="a")
    (check,) = plan(
        record(lambda _: Response(204), request), DEFAULT, credentials_of(request), (PROBE,),
        identities=identities(request), makers=makers.of(request),
    )  # fmt: skip
    dialogue = check.probe.run(check.situation(Random(1)))
    try:
        asked = next(dialogue)
        while True:
            asked = dialogue.send(answer_of(trees, dressed(asked, request)))
    except StopIteration as end:
        found: Verdict = end.value
        return found


@pytest.mark.parametrize(
    ("walled", "guarded", "outcome"),
    [(True, False, Outcome.VULNERABLE), (True, True, Outcome.SAFE), (False, False, Outcome.SAFE)],
    ids=["deleted by anybody", "deleted by its owner", "on a tree that all look after"],
)
def test_what_hangs_on_a_thing_is_whoevers_the_list_there_is_for(walled: bool, guarded: bool, outcome: Outcome) -> None:
    found = verdict(Trees(walled=walled, guarded=guarded))
    assert found.outcome is outcome, found.detail
    if outcome is Outcome.VULNERABLE:
        assert "/trees/81133/leaves, where it was made" in found.proof.verified_by


@pytest.mark.parametrize("shown", [True, False], ids=["by its number", "in the list"])
@pytest.mark.parametrize("guarded", [False, True])
def test_what_was_made_is_read_where_it_was_made(guarded: bool, shown: bool) -> None:
    """No page of the record shows what the recorded request deleted: it was made and deleted at once."""
    bills, numbers = {OLD_BILL: "ann"}, count(OLD_BILL + 1)

    def office(request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in OPAQUE.items() if each == token), "")
        last = request.path.decode().rpartition("/")[2]
        if not caller:
            return Response(401)
        if last == "delete":
            asked = [each for each in json.loads(request.body)["ids"] if bills.get(each) and not guarded]
            asked += [each for each in json.loads(request.body)["ids"] if guarded and bills.get(each) == caller]
            return told({"deleted": len([bills.pop(each) for each in asked])})
        if request.method == "POST":
            number = next(numbers)
            bills[number] = caller
            return told({"id": number, "text": "paper"}, 201)
        if last == "bills":
            return told([{"id": number} for number, whose in bills.items() if whose == caller])
        found = bills.get(int(last)) == caller and shown
        return told({"id": int(last), "text": "paper"}) if found else told({"error": "no such bill"}, 404)

    def told(document: object, status: int = 200) -> Response:
        return Response(status, (JSON,), json.dumps(document).encode())

    def posted(path: bytes, body: bytes) -> Request:
        return Request("POST", path, (JSON, (b"Authorization", OPAQUE["ann"].encode())), body, host="a")

    pages = Pages()
    pages.meet(record(office, posted(b"/bills", b'{"text": "paper"}')).exchange, visited=False)
    request = posted(b"/bills/delete", b'{"ids": [90111]}')
    (check,) = plan(
        record(office, request), DEFAULT, credentials_of(request), (PROBE,),
        identities=identities(request), pages=pages.beside(request), makers=pages.makers_of(request),
    )  # fmt: skip
    verdict = drive_as(check, office).verdict
    assert verdict.outcome is (Outcome.SAFE if guarded else Outcome.VULNERABLE)
    assert bills == {OLD_BILL: "ann"}
