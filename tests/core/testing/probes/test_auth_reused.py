"""The probe auth_reused, driven against a desk that exchanges refresh tokens."""

from hashlib import sha256

import orjson
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import credentials_of, drive, record

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_reused import PROBE
from gatecrash.core.testing.surroundings.pages import Pages

CASES = [case for case in cases_of("probes") if case.file == "auth_reused"]
JSON = ((b"Content-Type", b"application/json"),)
RECORDED = "recorded-0123456789abcdef"


def answer(document: object, status: int = 200) -> Response:
    return Response(status, JSON, orjson.dumps(document))


class Desk:
    """good: the access tokens. live, used: the refresh tokens, with the session of each. exchanged: those that were sent."""

    def __init__(self) -> None:
        self.drawn = 0
        self.good: set[str] = set()
        self.live = {RECORDED: 0}
        self.used: dict[str, int] = {}
        self.exchanged: list[str] = []

    def __call__(self, request: Request) -> Response:
        kind, rest = request.path.decode().split("/", 2)[1:]
        if rest == "me":
            token = (request.first(b"Authorization") or b"").removeprefix(b"Bearer ").decode()
            is_good = token in self.good
            return answer({"id": 7, "email": "ann@example.org"}) if is_good else answer({"error": "sign in"}, 401)
        if rest == "login":
            told = self._given(self.drawn + 1)
            return answer({"access_token": told["access_token"]} if kind == "bare" else told)
        token = orjson.loads(request.body)["refresh_token"]
        self.exchanged.append(token)
        session = self.live.get(token, self.used.get(token) if kind == "kept" else None)
        if session is None:
            if kind == "watched" and token in self.used:
                self.live = {each: of for each, of in self.live.items() if of != self.used[token]}
            return answer({"error": "unknown"}, 401)
        self.used[token] = session
        self.live.pop(token, None)
        return answer(self._given(session))

    def _given(self, session: int) -> dict[str, str]:
        self.drawn += 1
        access, refresh = (sha256(f"{kind}{self.drawn}".encode()).hexdigest()[:32] for kind in "ar")
        self.good.add(access)
        self.live[refresh] = session
        return {"access_token": access, "refresh_token": refresh}


def checks_of(request: Request, desk: Desk, *, signed_in: bool = True) -> list[Check]:
    """Those of an exchange, in a run that shows a login and a page about oneself."""
    pages, kind = Pages(), request.path.decode().split("/")[1]

    def sent(method: str, path: str, headers: Headers, body: bytes = b"") -> Response:
        asked = Request(method, path.encode(), headers, body, request.scheme, request.host, request.port)
        response = desk(asked)
        pages.meet(Exchange(asked, response), visited=False)
        return response

    if signed_in:
        told = orjson.loads(
            sent("POST", f"/{kind}/login", JSON, b'{"email": "ann@example.org", "password": "k1"}').body
        )
        sent("GET", f"/{kind}/me", ((b"Authorization", b"Bearer " + told["access_token"].encode()),))
    baseline = record(desk, request)
    return plan(
        baseline,
        DEFAULT,
        credentials_of(request),
        (PROBE,),
        pages=pages.beside(request),
        makers=pages.makers_of(request),
    )


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    desk = Desk()
    (check,) = checks_of(case.request, desk)
    run = drive(check, desk)
    assert f"{run.verdict.outcome} {run.verdict.detail}" == case.expected[0]
    assert desk.exchanged.count(RECORDED) == 1, "no recorded session is touched"


def test_nothing_is_asked_without_a_login():
    assert checks_of(CASES[0].request, Desk(), signed_in=False) == []


def test_the_second_time_comes_when_no_server_that_allows_for_lost_answers_takes_a_used_token():
    desk = Desk()
    (check,) = checks_of(CASES[0].request, desk)
    pauses = [asked.pause for asked in drive(check, desk).sent if asked.pause]
    assert pauses[0] < 10 < 30 < pauses[1]
