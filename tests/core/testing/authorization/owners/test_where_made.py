"""A leaf that hangs on a tree of its owner's, and is deleted at an address of its own."""

import json
from random import Random

import pytest
from tests.core.testing.driving import answer_of, credentials_of, record
from tests.core.testing.probes.as_tenants import OPAQUE, dressed, identities

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.makers import Makers
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor_delete import PROBE
from gatecrash.core.testing.verdict import Outcome, Verdict

JSON = (b"Content-Type", b"application/json")


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
