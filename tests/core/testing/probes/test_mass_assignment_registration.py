"""The probe mass_assignment_registration, driven against registrations of which one sort keeps whatever it is sent."""

from base64 import b64encode
from urllib.parse import parse_qsl

import msgspec
import orjson
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import drive, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probes.mass_assignment_registration import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "mass_assignment_registration"]
JSON = (b"Content-Type", b"application/json")
HOST = (b"Host", b"club.test")
FIELDS = ("username", "email", "password")
DEFAULTS = {"is_admin": False, "credits": 10}


class Club:
    """Accounts in memory; what a registration keeps, the beginning of the path says."""

    def __init__(self) -> None:
        self.accounts: dict[str, dict[str, object]] = {}

    def __call__(self, request: Request) -> Response:
        if request.first(b"Host") is None:
            return Response(400)  # RFC 9112, section 3.2
        kind, what = request.path.decode().strip("/").split("/")
        if what == "me":
            return self._me(kind, request)
        if what == "news":
            return answer({"news": ["The boats are painted."]})
        sent = dict(parse_qsl(request.body.decode())) if b"=" in request.body else orjson.loads(request.body)
        if what in ("register", "members"):
            return self._registered(kind, sent)
        account = next((each for each in self.accounts.values() if sent["name"] in each.values()), None)
        if account is None or account["password"] != sent["password"]:
            return Response(401)
        token = b64encode(str(account["username"]).encode() + b"-of-the-club").decode()
        if kind == "cookies":
            return Response(204, ((b"Set-Cookie", b"sid=" + token.encode()),))
        return answer({"token": token})

    def _registered(self, kind: str, sent: dict[str, object]) -> Response:
        if sent["username"] in self.accounts:
            return Response(409)
        unknown = sent.keys() - {*FIELDS, *DEFAULTS}
        if kind == "strict" and sent.keys() - {*FIELDS}:
            return Response(400)
        if kind == "named" and unknown:
            return Response(400)
        taken = {"sound": FIELDS, "welcome": FIELDS, "later": FIELDS, "repeated": FIELDS}.get(
            kind, (*FIELDS, *DEFAULTS)
        )
        kept = {name: sent[name] for name in sent if name in taken or kind in ("anything", "told")}
        joins = {"credits": 10 + 30 * len(self.accounts)} if kind == "welcome" else {}
        self.accounts[str(sent["username"])] = {**DEFAULTS, **kept, **joins}
        repeated = {**DEFAULTS, **{name: sent[name] for name in sent if name != "password"}}
        return answer(repeated if kind in ("told", "repeated") else {"message": "welcome"}, 201)

    def _me(self, kind: str, request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").removeprefix(b"Bearer ")
        token = token or (request.first(b"Cookie") or b"").removeprefix(b"sid=")
        named = [each for name, each in self.accounts.items() if b64encode(name.encode() + b"-of-the-club") == token]
        if not named or (kind == "later" and named[0]["username"] != "ann"):
            return Response(401)
        return answer({"data": {name: value for name, value in named[0].items() if name != "password"}})


def answer(document: object, status: int = 200) -> Response:
    return Response(status, (JSON,), orjson.dumps(document))


def checks_of(request: Request, club: Club, *, login: bytes = b"/login", page: bytes = b"/me"):
    request = msgspec.structs.replace(request, headers=(HOST, *request.headers))
    known, baseline = Pages(), record(club, request)
    kind = b"/" + request.path.split(b"/")[1]
    named = next(name for name in ("email", "username") if name.encode() in request.body)
    sent = dict(parse_qsl(request.body.decode())) if b"=" in request.body else orjson.loads(request.body)
    body = orjson.dumps({"name": sent[named], "password": sent["password"]})
    entered = record(
        club, msgspec.structs.replace(request, target=kind + login, headers=(HOST, JSON), body=body)
    ).exchange
    token = b64encode(sent["username"].encode() + b"-of-the-club")
    shown = Request(
        "GET",
        kind + page,
        (
            HOST,
            (b"Authorization", b"Bearer " + token),
        ),
        b"",
        request.scheme,
        request.host,
    )
    shown = msgspec.structs.replace(shown, port=request.port)
    for each in (baseline.exchange, entered, record(club, shown).exchange):
        known.meet(each, visited=False)
    return plan(baseline, THOROUGH, (), (PROBE,), pages=known.beside(request), makers=known.makers_of(request))


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_case(case: Case, seed: int):
    club = Club()
    (check,) = checks_of(case.request, club)
    run = drive(check, club, seed)
    assert case.expected == (run.verdict.outcome.value,)
    if run.verdict.outcome is Outcome.SAFE:
        assert len(run.sent) <= check.forecast + 14


def test_a_finding_names_what_was_taken_and_nobody_else_is_touched():
    club = Club()
    (check,) = checks_of(CASES[0].request, club)
    before = dict(club.accounts["ann"])
    verdict = drive(check, club).verdict
    assert "is_admin = True (of others: False)" in verdict.detail
    assert (verdict.type, verdict.cwe, verdict.title) == (
        "mass_assignment",
        (915,),
        "Mass assignment at the registration",
    )
    assert club.accounts["ann"] == before


def test_what_its_answer_has_told_is_not_asked_for_again():
    (request,) = [case.request for case in CASES if b"/told/" in case.request.path]
    (check,) = checks_of(request, Club())
    check.memory.told.add(("mass_assignment", request.origin, "/told/register"))
    run = drive(check, Club())
    assert (run.verdict.outcome, run.sent) == (Outcome.SAFE, [])


def test_without_a_login_or_a_page_about_oneself_nothing_is_asked():
    request = CASES[0].request
    assert checks_of(request, Club(), login=b"/knock") == [] == checks_of(request, Club(), page=b"/news")


def test_what_is_no_registration_has_no_logins():
    known, request = Pages(), CASES[0].request
    request = msgspec.structs.replace(request, headers=(HOST, *request.headers))
    known.meet(record(Club(), request).exchange, visited=False)
    assert known.makers_of(msgspec.structs.replace(request, target=b"/sound/notes")) == ()


@pytest.mark.parametrize(
    ("defaults", "outcome"),
    [({"role": "rower"}, Outcome.VULNERABLE), ({"boat": "skiff"}, Outcome.SAFE), ({"role": ""}, Outcome.SAFE)],
    ids=["a role of the club's own words", "no right", "none is given"],
)
def test_the_role_that_who_registers_is_given_is_the_ordinary_one(defaults, outcome, monkeypatch):
    monkeypatch.setattr(f"{__name__}.DEFAULTS", defaults)
    club = Club()
    request = Request("POST", b"/anything/register", (JSON,), orjson.dumps(ANN))
    (check,) = checks_of(request, club)
    assert drive(check, club).verdict.outcome is outcome


ANN = {"username": "ann", "email": "ann@club.test", "password": "Sesame-77"}


def test_an_account_that_a_visitor_posts_to_all_of_them_is_a_registration():
    request = CASES[0].request
    kind = request.path.split(b"/")[1]
    request = msgspec.structs.replace(request, target=b"/" + kind + b"/members")
    club = Club()
    (check,) = checks_of(request, club)
    assert drive(check, club).verdict.outcome is Outcome.VULNERABLE
    headers = (*request.headers, (b"Authorization", b"Bearer of-the-office"))
    assert checks_of(msgspec.structs.replace(request, headers=headers), Club()) == []
