"""The probe auth_claimed, driven against a club's pages that believe what the caller says of his rights, and others that do not."""

import json
from base64 import b64decode, b64encode
from http.cookies import SimpleCookie
from itertools import count
from urllib.parse import parse_qsl

import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import credentials_of, drive, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT, QUICK
from gatecrash.core.testing.probes.auth_claimed import PROBE
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "auth_claimed"]
PEOPLE = [
    {"name": "ann", "role": "member", "admin": False, "email": "ann@club.test"},
    {"name": "bert", "role": "member", "admin": False, "email": "bert@club.test"},
    {"name": "olga", "role": "admin", "admin": True, "email": "olga@club.test"},
]
ORDERS = [{"id": 1, "user_id": 9}, {"id": 2, "user_id": 4}, {"id": 3, "user_id": 4}]


class Club:
    """Answers by what stands first in the path; counts its answers for those that come by turns."""

    def __init__(self) -> None:
        self._turn = count()

    def __call__(self, request: Request) -> Response:
        cookies = {name: each.value for name, each in SimpleCookie((request.first(b"Cookie") or b"").decode()).items()}
        query = dict(parse_qsl((request.query or b"").decode()))
        answer = getattr(self, "_" + request.path.decode().split("/")[1].replace("-", "_"))
        return answer(cookies, query, request)

    def _cookie(self, cookies, *_):
        return page("Income 20311, expenses 18877") if cookies.get("role") == "admin" else Response(403)

    def _encoded(self, cookies, *_):
        told = json.loads(b64decode(cookies["profile"]))
        return page("North gate 4471, safe 90122" if told["admin"] else "Sorry, administrators only")

    def _handed_out(self, cookies, *_):
        told = json.loads(b64decode(cookies.get("standing", ""))) if "standing" in cookies else {}
        if told.get("staff"):
            return page("North gate 4471, safe 90122")
        return Response(403, ((b"Set-Cookie", b"standing=" + b64encode(b'{"name":"guest","staff":false}')),))

    def _handed_out_and_not_read(self, *_):
        return Response(403, ((b"Set-Cookie", b"rank=member"),))

    def _paired(self, cookies, *_):
        told = b64decode(cookies["who"]).decode().partition("|role:")[2]
        return page("North gate 4471, safe 90122") if told == "admin" else Response(302, ((b"Location", b"/login"),))

    def _locked(self, _cookies, query, _request):
        return page("Safe code 90-12-22" if query.get("admin") == "1" else "This page is locked. Ask the office.")

    def _officers(self, cookies, *_):
        return page("Combination 90-12-22") if cookies["role"] == "Officer" else Response(403)

    def _sent_home(self, cookies, *_):
        return page("Income 20311") if cookies["is_admin"] == "yes" else Response(302, ((b"Location", b"/"),))

    def _header(self, _cookies, _query, request):
        return document({"mail": "smtp"}) if request.first(b"X-User-Role") == b"ROLE_ADMIN" else Response(403)

    def _members(self, _cookies, query, _request):
        fields = ("name", "email") if query["admin"] == "1" else ("name",)
        return document([{field: each[field] for field in fields} for each in PEOPLE])

    def _orders(self, _cookies, query, _request):
        return document([each for each in ORDERS if query["role"] == "admin" or each["user_id"] == 4])

    def _hidden(self, _cookies, query, _request):
        return page("Keys: 4471") if query.get("isAdmin") == "true" else Response(403)

    def _believed(self, _cookies, _query, request):
        return page("Keys: 4471") if request.first(b"X-Role") == b"admin" else Response(403)

    def _looked_up(self, *_):
        return Response(403)

    def _filtered(self, _cookies, query, _request):
        return document([each for each in PEOPLE if each["role"] == query["role"]])

    def _by_flag(self, _cookies, query, _request):
        return document([each for each in PEOPLE if each["admin"] is (query["is_admin"] == "true")])

    def _anything(self, _cookies, query, _request):
        return document([each for each in ORDERS if query["role"] != "member" or each["user_id"] == 4])

    def _menu(self, cookies, *_):
        return page("Tides and news" + (" <a href=/admin>Manage</a>" if cookies["role"] == "admin" else ""))

    def _turns(self, *_):
        return Response(403) if next(self._turn) % 2 == 0 else page("Income 20311, expenses 18877")

    def _own_word(self, cookies, *_):
        return page("Income 20311") if cookies["role"] == "captain" else Response(403)


def page(text: str) -> Response:
    return Response(200, ((b"Content-Type", b"text/html"),), f"<h1>Club</h1><p>{text}</p>".encode())


def document(value: object) -> Response:
    return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(value).encode())


def check_of(request: Request, club: Club, policy=DEFAULT):
    (check,) = plan(record(club, request), policy, credentials_of(request), (PROBE,))
    return check


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    club = Club()
    check = check_of(case.request, club)
    run = drive(check, club)
    assert case.expected == (" ".join([run.verdict.outcome.value, *map(str, run.verdict.cwe)]),)
    if case.request.path.split(b"/")[1] in (b"looked-up", b"menu"):
        assert len(run.sent) == check.forecast


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("case", [case for case in CASES if case.kind == "Not found"], ids=str)
def test_no_twin_is_claimed_with_other_random_values(case: Case, seed: int):
    club = Club()
    assert drive(check_of(case.request, club), club, seed + 10).verdict.outcome is Outcome.SAFE


def test_the_proof_names_what_was_claimed_and_shows_the_answer_to_it():
    club = Club()
    run = drive(check_of(CASES[0].request, club), club)
    assert run.verdict.point == ("header", "COOKIE", "cookie", "role")
    assert "role = 'admin' in the place of 'member'" in run.verdict.proof.verified_by
    assert run.verdict.proof.test.response.status == 200


@pytest.mark.parametrize(
    ("method", "target", "cookie"),
    [
        ("POST", b"/cookie/ledger", b"role=member"),
        ("GET", b"/cookie/ledger", b"sid=3f9a0c77de114b02"),
        ("GET", b"/menu", b"role=admin"),
    ],
    ids=["changes something", "nothing is claimed", "all is claimed"],
)
def test_the_quick_policy_asks_nothing_else(method: str, target: bytes, cookie: bytes):
    request = Request(method, target, ((b"Cookie", cookie),))
    assert plan(record(Club(), request), QUICK, (), (PROBE,)) == []
