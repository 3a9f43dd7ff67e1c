"""What each caller is told of himself where a header says nothing."""

import msgspec
import pytest
from tests.core.testing.authorization.owners.test_owner_evidence import run
from tests.range.place import answer
from tests.range.tenants_by_default import NAMES, ridden, told
from tests.range.tenants_store import PEOPLE, caller, unauthorized

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.verdict import Outcome

RIDDEN = {"ann": (12, 31, 7), "ben": (55, 18), "eva": (3,), "max": (), "ida": ()}


class Club:
    """believed: whether the header says who is asked for. alike: whether all are told nearly the same. wanted: whether it must be there."""

    def __init__(self, *, believed: bool = True, alike: bool = False, wanted: bool = False) -> None:
        self.believed, self.alike, self.wanted = believed, alike, wanted

    def __call__(self, request: Request) -> Response:
        name, said = caller(request), (request.first(b"X-Reader") or b"").decode()
        if not name:
            return unauthorized()
        if self.wanted and not said:
            return answer({"error": "whose?"}, 400)
        whose = NAMES.get(said, name) if self.believed else name
        if self.alike:
            return answer({"reader": 7 if whose == "ann" else 8, "club": "Quay", "berths": 12, "since": "2011-05-05"})
        return told(whose)


def test_a_header_that_is_believed_tells_another_of_him_whom_it_names():
    found = run(ridden(""), application=Club())
    assert found.verdict.outcome is Outcome.VULNERABLE
    assert "without X-READER the same address tells each caller of himself" in found.verdict.proof.verified_by


@pytest.mark.parametrize(
    "club",
    [Club(believed=False), Club(alike=True), Club(wanted=True)],
    ids=["not believed", "the same of all", "wanted"],
)
def test_else_nothing_is_claimed(club: Club):
    assert run(ridden(""), application=club).verdict.outcome is Outcome.SAFE


class Rides(Club):
    """What each has ridden, which is no secret by its kind, at a header that must be there."""

    def __call__(self, request: Request) -> Response:
        name, said = caller(request), (request.first(b"X-User-Id") or b"").decode()
        if not name:
            return unauthorized()
        if not said:
            return answer({"error": "whose?"}, 400)
        whose = NAMES.get(said, "max") if self.believed else name
        rows = [{"miles": miles, "gained": 2 * miles} for miles in ((12, 31) if self.alike else RIDDEN[whose])]
        return answer([{"rider": PEOPLE[whose]["id"], **row} for row in rows])


@pytest.mark.parametrize(
    ("rides", "outcome"),
    [
        (Rides(), Outcome.VULNERABLE),
        (Rides(alike=True), Outcome.SAFE),
        (Rides(believed=False), Outcome.SAFE),
    ],
    ids=["believed", "the same of all", "not believed"],
)
def test_where_it_must_be_there_each_is_told_of_himself_with_his_own_number(rides: Rides, outcome: Outcome):
    request = ridden("")
    called = msgspec.structs.replace(request, headers=(request.headers[0], (b"X-User-Id", b"7")))
    found = run(called, application=rides)
    assert found.verdict.outcome is outcome
    if outcome is Outcome.VULNERABLE:
        assert "with his own number in X-USER-ID each caller is told of himself" in found.verdict.proof.verified_by
