"""The probe auth_declared, driven against operations that check what their description asks for, and some that do not."""

import json
from itertools import count

import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import drive, record
from tests.core.testing.probes.told import told

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.declared import Declared
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_declared import PROBE
from gatecrash.core.testing.verdict import Inconclusive, Outcome

CASES = [case for case in cases_of("probes") if case.file == "auth_declared"]
MEMBERS = [{"id": 1, "full_name": "Ann Marsh", "email": "ann@post.example", "phone": "+44 20 7946 0123"}]
OPEN = {
    "/members": MEMBERS,
    "/guarded/shelves": [{"id": 1, "place": "left"}, {"id": 2, "place": "right"}],
    "/lockers/1": {"id": 1, "customer_email": "ann@post.example", "pin": "4821"},
    "/products": [{"id": 1, "name": "tea", "price": 3.5}],
    "/glazes": [{"id": 1, "name": "celadon", "booked": False}],
    "/guarded/health": {"status": "ok", "database": "ok"},
    "/password/forgot": {"message": "If the address is known, a mail is on its way."},
    "/hooks/payments": {"received": True},
    "/clubs": [{"id": 1, "name": "Fell club", "contact": "Kari Nes"}],
    "/sizes": [{"id": "S", "width": 30}, {"id": "L", "width": 60}],
}


def api(request: Request) -> Response:
    path = request.path.decode()
    if path.startswith("/anything/"):
        return answered(200, MEMBERS)
    if path == "/deliveries":
        return answered(201, {"id": 7, **json.loads(request.body)})
    if path == "/workshops/4/signups":
        return answered(201, {"id": 12, "state": "to be confirmed"})
    if path.startswith(("/guarded/bookings", "/guarded/orders", "/clubs/1/members")):
        return answered(401, {"error": "unauthorized"})
    return answered(200, OPEN[path]) if path in OPEN else answered(404, {"error": "not found"})


def answered(status: int, body: object) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"),), json.dumps(body).encode())


def declared_by(request: Request) -> Declared:
    beside = request.first(b"Beside")
    return Declared(request.first(b"Described") == b"operation", (Request("GET", beside),) if beside else ())


def checks_of(request: Request, application=api, declared: Declared | None = None, credentials=()):
    return plan(record(application, request), DEFAULT, credentials, (PROBE,), declared=declared or declared_by(request))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    (check,) = checks_of(case.request)
    run = drive(check, api)
    assert case.expected == (told(run).strip(),)
    assert len(run.sent) <= check.forecast
    assert all(asked.identity is None and not asked.request.first(b"Authorization") for asked in run.sent)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("case", [case for case in CASES if case.kind == "Not found"], ids=str)
def test_no_twin_is_claimed_with_other_random_values(case: Case, seed: int):
    (check,) = checks_of(case.request)
    assert drive(check, api, seed + 10).verdict.outcome is Outcome.SAFE


def test_nothing_is_asked_where_nothing_was_refused():
    (check,) = checks_of(Request("GET", b"/members"))
    run = drive(check, api)
    assert (run.verdict.outcome, run.sent, check.forecast) == (Outcome.SAFE, [], 0)


def test_what_has_credentials_is_judged_by_auth_and_what_deletes_is_not_repeated():
    declared = Declared(True, (Request("GET", b"/guarded/bookings"),))
    request = Request("GET", b"/members", ((b"Authorization", b"Bearer 9aB3dE7gH1jK5mN8"),))
    assert checks_of(request, declared=declared, credentials=(Point(("header", "AUTHORIZATION")),)) == []
    assert checks_of(Request("DELETE", b"/members"), declared=declared) == []
    assert plan(record(api, Request("GET", b"/members")), DEFAULT, (), (PROBE,)) == [], "no description"


def test_a_finding_weighs_by_what_the_operation_does_and_names_what_is_refused():
    read, change = (
        next(case for case in CASES if case.request.target == target) for target in (b"/members", b"/deliveries")
    )
    verdicts = [drive(checks_of(case.request)[0], api).verdict for case in (read, change)]
    assert [(verdict.threat, verdict.cwe) for verdict in verdicts] == [(80, (306,)), (90, (306,))]
    assert verdicts[0].proof is not None
    assert "GET /guarded/bookings" in verdicts[0].proof.verified_by


def test_an_answer_that_is_refused_the_next_time_is_no_finding():
    turns = count()

    def once(request: Request) -> Response:
        return api(request) if request.path != b"/deliveries" or not next(turns) else answered(401, {"error": "no"})

    case = next(case for case in CASES if case.request.target == b"/deliveries")
    (check,) = checks_of(case.request, once)
    verdict = drive(check, once).verdict
    assert (verdict.outcome, verdict.reason) == (Outcome.INCONCLUSIVE, Inconclusive.UNSTABLE)
