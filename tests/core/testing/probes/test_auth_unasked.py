"""The probe auth_unasked, driven against lists of people that are told to everybody, and others that may be."""

import json

import msgspec
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import drive, record

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.declared import Declared
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_unasked import PROBE
from gatecrash.core.testing.profiles.planning import limited
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "auth_unasked"]
ACCOUNTS = [
    {"name": "Ann Marsh", "email": "ann@post.example", "iban": "DE89370400440532013000"},
    {"name": "Bert Holm", "email": "bert@post.example", "iban": "DE75512108001245126199"},
]
BORN = [{**one, "iban": None, "birth_date": f"198{place}-03-0{place + 1}"} for place, one in enumerate(ACCOUNTS)]
OPEN = {
    "/export": {"customers": ACCOUNTS},
    "/v1/patients": BORN,
    "/shared": {"customers": ACCOUNTS},
    "/clubs": ACCOUNTS,
    "/authors": BORN,
    "/references": {"customers": [{"name": one["name"], "email": one["email"]} for one in ACCOUNTS]},
    "/masked": {"customers": [{**one, "iban": "DE**************" + one["iban"][-4:]} for one in ACCOUNTS]},
    "/customers/1": {"customers": ACCOUNTS[:1]},
    "/customers/public-profiles": {"customers": ACCOUNTS},
    "/members": {"members": ACCOUNTS},
    "/dump": {"accounts": [{"username": one["name"], "password": f"pw-{one['iban'][-4:]}"} for one in ACCOUNTS]},
    "/suggestions": {"passwords": ["blue-horse-7", "red-cow-9"]},
}


def api(request: Request) -> Response:
    path = request.path.decode()
    if path.startswith("/anything/") or (path == "/guarded" and request.first(b"Cookie")):
        return answered({"customers": ACCOUNTS})
    if path not in OPEN:
        return Response(401 if path == "/guarded" else 404)
    return answered(OPEN[path], ((b"Cache-Control", b"public, max-age=60"),) if path == "/shared" else ())


def answered(body: object, headers: tuple[tuple[bytes, bytes], ...] = ()) -> Response:
    return Response(200, ((b"Content-Type", b"application/json"), *headers), json.dumps(body).encode())


def checks_of(request: Request, **more):
    return plan(record(api, request), DEFAULT, more.pop("credentials", ()), (PROBE,), **more)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    checks = checks_of(case.request)
    if case.expected == ("nothing is asked",):
        assert checks == []
        return
    run = drive(checks[0], api)
    assert case.expected == (run.verdict.outcome.value,)
    assert len(run.sent) <= checks[0].forecast


def test_a_finding_names_the_field_and_was_asked_for_by_nobody():
    run = drive(checks_of(Request("GET", b"/export", ((b"Cookie", b"theme=dark"),)))[0], api)
    assert (run.verdict.threat, run.verdict.cwe) == (80, (306,))
    assert run.verdict.proof is not None
    assert "'iban' of several people" in run.verdict.proof.verified_by
    assert run.verdict.proof.test.request.first(b"Cookie") is None


@pytest.mark.parametrize(("path", "told"), [(b"/dump", True), (b"/export", False)])
def test_of_what_a_description_calls_public_the_passwords_of_several_are_nobodys_to_read(path: bytes, *, told: bool):
    request = Request("GET", path, ((b"X-API-Key", b"9aB3dE7g"),))
    public = limited(DEFAULT, (), public=True)
    checks = plan(record(api, request), public, (Point(("header", "X-API-KEY")),), (PROBE,))
    assert [drive(check, api).verdict.outcome for check in checks] == [Outcome.VULNERABLE] * told


def test_other_requests_are_judged_by_others():
    request = Request("GET", b"/export")
    key = Point(("header", "X-API-KEY"))
    assert checks_of(msgspec.structs.replace(request, headers=((b"X-API-Key", b"9aB3dE7g"),)), credentials=(key,)) == []
    assert checks_of(request, declared=Declared(True, (Request("GET", b"/guarded"),))) == []
    assert checks_of(msgspec.structs.replace(request, method="POST")) == []


@pytest.mark.parametrize(
    ("body", "judged"),
    [
        (b'{"query": "{ users { username password } }"}', True),
        (b'{"query": "mutation { listUsers { username password } }"}', False),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "users.list", "params": {}}', True),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "users.export", "params": {}}', False),
    ],
)
def test_what_only_reads_by_what_it_is_called_is_judged_likewise(body: bytes, *, judged: bool):
    request = Request("POST", b"/api", ((b"Content-Type", b"application/json"),), body)

    def application(asked: Request) -> Response:
        is_known = asked.path == b"/api" and asked.body == body
        return answered({"result": OPEN["/dump"]["accounts"]}) if is_known else Response(404)

    checks = plan(record(application, request), DEFAULT, (), (PROBE,))
    assert [drive(check, application).verdict.outcome for check in checks] == [Outcome.VULNERABLE] * judged
