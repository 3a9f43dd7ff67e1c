"""The probe auth_section, driven as single callers to whom a page of the section is refused, at an application that is a function."""

import msgspec
import orjson
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import credentials_of, record
from tests.core.testing.probes.as_tenants import drive_as, told

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_section import PROBE

CASES = [case for case in cases_of("probes") if case.file == "auth_section"]
TOKEN = (b"Authorization", b"Bearer 7be05a9f31cc4d68")
NAMES = ("tea", "vera", "dirk")


def people(*roles: str) -> list[dict[str, str]]:
    return [
        {"login": name, "email": f"{name}@a.example", "role": role} for name, role in zip(NAMES, roles, strict=True)
    ]


PEOPLE = people("observer", "observer", "director")
FLAGS = [{"id": at, "email": f"{name}@a.example", "is_staff": name == "dirk"} for at, name in enumerate(NAMES)]
PAGES: dict[str, object] = {
    "/staff/members": FLAGS,
    "/director/astronomers": PEOPLE,
    "/api/curation/growers": people("observer", "observer", "curator"),
    "/office/users": PEOPLE,
    "/office/contacts": PEOPLE,
    "/office/phones": [{"login": name, "phone": f"0160 {at}"} for at, name in enumerate(NAMES)],
    "/office/halls": [{"hall": 4, "seats": 12}],
    "/crew/members": PEOPLE,
    "/doctors/all": people("surgeon", "oculist", "dentist"),
    "/files/all": [{**each, "medical": f"ill {at}"} for at, each in enumerate(PEOPLE)],
    "/open/director/astronomers": PEOPLE,
    "/open/director/hours": {"hours": 12},
    "/broken/director/astronomers": PEOPLE,
    "/public/director/astronomers": PEOPLE,
    "/directors/director/all": people("observer", "director", "director"),
}
REFUSALS = {
    "/staff/wages": "staff only",
    "/director/hours": "for the director",
    "/api/curation/stock": "not for you",
    "/office/statistics": "harbour office only",
    "/crew/billing": "crew owners only",
    "/doctors/rota": "doctors only",
    "/public/director/hours": "for the director",
    "/anything/director/hours": "for the director",
    "/directors/director/hours": "for the director's own",
}


def observatory(request: Request) -> Response:
    path = request.path.decode()
    if request.first(b"Authorization") is None and not path.startswith("/public/"):
        return answered(401, {"error": "sign in"})
    if path in REFUSALS:
        return answered(403, {"error": REFUSALS[path]})
    if path.startswith("/broken/") and path.endswith("/hours"):
        return answered(500, {"error": "out of order"})
    page = PEOPLE if path.startswith("/anything/") else PAGES.get(path)
    return answered(404, {"error": "no such page"}) if page is None else answered(200, page)


def answered(status: int, content: object) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"),), orjson.dumps(content))


def called(role: str) -> Identity:
    """A caller whom no list names; nothing is known of somebody's role."""
    return Identity("recorded 1", 0, () if role == "somebody" else (f"is={role}",))


def checks_of(case: Request, *others: Identity, rank: int = 0):
    own = msgspec.structs.replace(called((case.first(b"Caller") or b"observer").decode()), rank=rank)
    barred = case.first(b"Barred")
    request = msgspec.structs.replace(case, headers=(TOKEN,))
    return plan(
        record(observatory, request), DEFAULT, credentials_of(request), (PROBE,), identities=(own, *others),
        barred=(barred,) if barred else (),
    )  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    runs = [drive_as(check, observatory) for check in checks_of(case.request)]
    assert case.expected == (tuple(map(told, runs)) or ("not asked",))


def test_a_finding_says_whose_section_it_is_and_what_is_refused():
    (check,) = checks_of(CASES[0].request)
    verdict = drive_as(check, observatory).verdict
    assert (verdict.type, verdict.cwe, verdict.threat) == ("auth", (285,), 75)
    assert "'director'" in verdict.proof.verified_by
    assert "/director/hours" in verdict.proof.verified_by


def test_where_somebody_is_lower_he_is_asked_as_instead():
    assert checks_of(CASES[0].request, Identity("ben"), rank=10) == []


def test_nothing_is_asked_where_nothing_beside_it_was_refused():
    assert checks_of(Request("GET", b"/director/astronomers", host="a")) == []


def test_a_safe_page_costs_one_request():
    (case,) = (each for each in CASES if each.title == "the page beside it is open now")
    (check,) = checks_of(case.request)
    assert check.forecast == len(drive_as(check, observatory).sent) == 1
