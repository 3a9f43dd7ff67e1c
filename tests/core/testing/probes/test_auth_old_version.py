"""The probe auth_old_version, driven as one caller at an application that is a function."""

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
from gatecrash.core.testing.probes.auth_old_version import PROBE

CASES = [case for case in cases_of("probes") if case.file == "auth_old_version"]
TOKEN = (b"Authorization", b"Bearer 7be05a9f31cc4d68")
NAMES = ("tea", "vera", "dirk")
PEOPLE = [{"id": at, "name": name, "phone": f"0160 77{at}"} for at, name in enumerate(NAMES)]
BARE = [{"id": at, "name": name} for at, name in enumerate(NAMES)]
PAGES: dict[str, tuple[int, object]] = {
    "/v1/members": (200, PEOPLE),
    "/v2/members": (200, {"members": BARE}),
    "/v1/payroll": (200, [{"name": name, "salary": 2000 + at} for at, name in enumerate(NAMES)]),
    "/v2/payroll": (403, {"error": "for the office"}),
    "/v1/contacts": (200, PEOPLE),
    "/v2/contacts": (200, {"contacts": [*PEOPLE, {"id": 9, "name": "ida", "phone": "0160 99"}]}),
    "/v1/guests": (200, PEOPLE),
    "/v2/guests": (200, [{"id": 41, "name": "another"}, {"id": 42, "name": "others"}]),
    "/v1/helpers": (200, PEOPLE),
    "/v2/helpers": (401, {"error": "sign in"}),
    "/any/v2/members": (200, {"members": BARE}),
    "/v1/halls": (200, [{"hall": 4, "seats": 12}]),
    "/v2/halls": (200, []),
    "/v1/members/7": (200, PEOPLE[0]),
    "/v2/members/7": (200, BARE[0]),
}


def club(request: Request) -> Response:
    path = request.path.decode()
    status, page = PAGES.get(path, (404, {"error": "no such page"}))
    if status == 404 and path.startswith("/any/"):
        status, page = 200, PEOPLE
    if request.first(b"Authorization") is None:
        status, page = 401, {"error": "sign in"}
    return Response(status, ((b"Content-Type", b"application/json"),), orjson.dumps(page))


def checks_of(asked: Request):
    known = ("is=manager",) if asked.first(b"Caller") else ()
    own = Identity("recorded 1", 10 if known else 0, known)
    request = msgspec.structs.replace(asked, headers=(TOKEN,))
    newer = (request.target.replace(b"/v1/", b"/v2/"),)
    return plan(
        record(club, request), DEFAULT, credentials_of(request), (PROBE,), identities=(own,), newer=newer
    )  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    runs = [drive_as(check, club) for check in checks_of(case.request)]
    assert case.expected == (tuple(map(told, runs)) or ("not asked",))


def test_a_finding_says_what_is_told_and_which_version_keeps_it():
    (check,) = checks_of(CASES[0].request)
    verdict = drive_as(check, club).verdict
    assert (verdict.type, verdict.cwe, verdict.threat) == ("auth", (213, 1059), 65)
    assert "'phone' of several people" in verdict.proof.verified_by
    assert "/v2/members, the newer version, names the same people" in verdict.proof.verified_by


def test_a_safe_page_costs_one_request():
    (case,) = (each for each in CASES if each.title == "the newer version tells as much")
    (check,) = checks_of(case.request)
    assert check.forecast == len(drive_as(check, club).sent) == 1
