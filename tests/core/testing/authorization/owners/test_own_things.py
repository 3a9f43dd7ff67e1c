"""What is told of somebody by his number is his alone where a list of what each keeps for himself says so."""

import pytest
from tests.core.testing.authorization.owners.test_owner_evidence import run
from tests.range.place import answer
from tests.range.tenants_store import asked, caller, unauthorized

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.verdict import Outcome

BOAT = {"number": 4411, "boat": "Red Canoe", "jetty": "north", "until": "2026-05-02"}
RAFT = {"number": 4412, "boat": "Old Raft", "jetty": "south", "until": "2026-05-09"}
NUMBERS = {"ann": 7, "bob": 8}


class Harbour:
    """Anybody signed in reads a history by its owner's number. checked: others get their own. shared: the list shows all to all.
    empty: the others' list is.
    """

    def __init__(self, *, checked: bool = False, shared: bool = False, empty: bool = False) -> None:
        self.checked, self.shared, self.empty = checked, shared, empty

    def __call__(self, request: Request) -> Response:
        name = caller(request)
        if not name:
            return unauthorized()
        if request.path.startswith((b"/bookings", b"/posts")):
            if self.empty and name != "ann":
                return answer([])
            own = [BOAT] if name == "ann" else [RAFT]
            return answer(
                {"user_id": NUMBERS.get(name, 8), "jetty_master": 7, "rows": [BOAT, RAFT] if self.shared else own}
            )
        whose = (request.query or b"").removeprefix(b"user_id=")
        if self.checked and name != "ann":
            return answer({"user_id": 8, "rows": [RAFT]})
        return answer({"rows": {b"7": [BOAT], b"8": [RAFT]}.get(whose, [])})


@pytest.mark.parametrize(
    ("harbour", "page", "view", "outcome"),
    [
        (Harbour(), "/bookings", "history", Outcome.VULNERABLE),
        (Harbour(checked=True), "/bookings", "history", Outcome.SAFE),
        (Harbour(shared=True), "/bookings", "history", Outcome.SAFE),
        (Harbour(empty=True), "/bookings", "history", Outcome.SAFE),
        (Harbour(), "/posts", "history", Outcome.SAFE),
        (Harbour(), "/bookings", "calendar", Outcome.SAFE),
        (Harbour(), "/bookings?mine=1", "history", Outcome.SAFE),
    ],
    ids=[
        "his alone",
        "checked",
        "one list for all",
        "nothing of the other's",
        "for readers",
        "plans that all see",
        "a part of a list",
    ],
)
def test_a_list_of_what_each_keeps_says_whose_it_is(harbour, page, view, outcome, monkeypatch):
    monkeypatch.setattr(
        "gatecrash.core.testing.authorization.owners.owner_evidence.holder_values", lambda situation: frozenset({"7"})
    )
    told = run(asked(f"/{view}?user_id=7")(""), page, application=harbour)
    assert told.verdict.outcome is outcome
    if outcome is Outcome.VULNERABLE:
        assert "/bookings shows each caller his own" in told.verdict.proof.verified_by
