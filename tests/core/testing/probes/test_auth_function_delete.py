"""The probe auth_function_delete, driven as a keeper and a borrower against tools and accounts whose making was recorded before."""

import itertools

import orjson
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import Run, credentials_of, record
from tests.core.testing.probes.as_tenants import drive_as, told
from tests.range.tenants_store import OPAQUE

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.objects.makers import Makers
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes import auth_function_delete, idor_delete
from gatecrash.core.testing.verdict import Outcome

KEEPER, BORROWER = OPAQUE["ida"].encode(), OPAQUE["ann"].encode()
JSON = (b"Content-Type", b"application/json")
CASES = [case for case in cases_of("probes") if case.file == "auth_function_delete"]
KNOWN = (Identity("ida", 9), Identity("ann", 1))


class Depot:
    """Tools that a keeper makes; the first part of an address says who else makes, reads and deletes them."""

    def __init__(self) -> None:
        self.numbers = itertools.count(102)
        self.kept = {"101"}
        self.gone: list[str] = []

    def __call__(self, request: Request) -> Response:
        _, place, _, *more = request.path.decode().split("/")
        who = request.first(b"Authorization")
        if who not in (KEEPER, BORROWER) and (place != "anybody-at-all" or request.method != "DELETE"):
            return Response(401)
        if request.method == "POST":
            return self._make(place, is_keeper=who == KEEPER)
        if not more:
            return answered([{"id": int(each)} for each in sorted(self.kept)] if place != "unread" else [])
        if more[0] not in self.kept or (place == "unread" and request.method == "GET"):
            return Response(404)
        if request.method == "DELETE" and who == BORROWER and place in ("guarded", "back-office"):
            return Response(403)
        if request.method == "DELETE":
            self.kept.remove(more[0])
            self.gone.append(more[0])
        return answered({"id": int(more[0])})

    def _make(self, place: str, *, is_keeper: bool) -> Response:
        if not is_keeper and place not in ("everybody-makes", "admin", "back-office"):
            return Response(403 if place != "wants-more" else 422)
        number = str(next(self.numbers))
        self.kept.add(number)
        return answered({"id": int(number)}, 201)


def answered(content: object, status: int = 200) -> Response:
    return Response(status, (JSON,), orjson.dumps(content))


def asked(method: str, path: str, body: bytes = b"") -> Request:
    headers = ((b"Authorization", KEEPER), *((JSON,) if body else ()))
    return Request(method, path.encode(), headers=headers, body=body, host="a")


def runs_at(place: str, probe=auth_function_delete.PROBE, known=KNOWN) -> tuple[Depot, list[Run]]:
    depot, makers = Depot(), Makers()
    made = asked("POST", f"/{place}/tools", b'{"name": "drill"}')
    makers.see(Exchange(made, depot(made)))
    request = asked("DELETE", f"/{place}/tools/102")
    baseline = record(depot, request)
    checks = plan(baseline, DEFAULT, credentials_of(request), (probe,), identities=known, makers=makers.of(request))
    return depot, [drive_as(check, depot) for check in checks]


def test_a_finding_is_broken_authorization_and_touches_nothing_that_was_there():
    depot, (run,) = runs_at("anybody-signed-in")
    assert (run.verdict.type, run.verdict.cwe, run.verdict.threat) == ("auth", (285,), 88)
    assert "/anybody-signed-in/tools, which makes such objects, refuses 'ann'" in run.verdict.proof.verified_by
    assert depot.kept == {"101"}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    depot, runs = runs_at(case.request.path.decode().split("/")[1])
    assert case.expected == tuple(map(told, runs))
    assert (depot.kept, "101" in depot.gone) == ({"101"}, False)


def test_where_nobody_is_lower_nothing_is_asked():
    assert runs_at("guarded", known=(Identity("ida", 1), Identity("ann", 1)))[1] == []


def test_what_is_told_here_is_no_object_of_another_user():
    _, (run,) = runs_at("anybody-signed-in", idor_delete.PROBE)
    assert run.verdict.outcome is Outcome.SAFE
    assert [each.request.method for each in run.sent] == ["POST"]


def test_what_stands_below_the_word_for_those_who_manage_is_told_here_alone():
    depot, (run,) = runs_at("admin")
    assert "its path says by 'admin' who it is for" in run.verdict.proof.verified_by
    _, (other,) = runs_at("admin", idor_delete.PROBE)
    assert (other.verdict.outcome, other.sent, depot.kept) == (Outcome.SAFE, [], {"101"})
