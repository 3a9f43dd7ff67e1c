"""The probe auth_recovery, driven against a desk that resets passwords."""

import itertools
from urllib.parse import parse_qsl

import msgspec
import orjson
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import Run, credentials_of, drive, record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.policy import DEFAULT, THOROUGH, Policy
from gatecrash.core.testing.probes.auth_recovery import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "auth_recovery"]
JSON = ((b"Content-Type", b"application/json"),)
KNOWN = frozenset({"ann", "ann@example.org"})


class Desk:
    """Answers requests for forgotten passwords; what with, the beginning of the path says."""

    def __init__(self) -> None:
        self.drawn = itertools.count(482913, 7919)
        self.set = 0

    def __call__(self, request: Request) -> Response:
        kind, rest = request.path.decode().split("/", 2)[1:]
        if rest == "reset":
            self.set += 1
            return answer({"error": "wrong code"}, 400)
        sent = orjson.loads(request.body) if request.body[:1] == b"{" else dict(parse_qsl(request.body.decode()))
        known = (sent.get("email") or sent.get("username")) in KNOWN
        if kind == "token":
            told = {"debug": {"token": f"9f0c{next(self.drawn)}ab"}} if known else {}
            return answer({"message": "If there is such an account, it was written to.", **told})
        if kind == "otp":
            return answer({"otp": str(next(self.drawn))}) if known else answer({"error": "nobody"}, 404)
        if kind == "kind":
            return answer({"code": 1200, "message": "sent"})
        if kind == "kept":
            return answer({"code": "482913"}) if known else answer({"error": "nobody"}, 404)
        if kind == "none":
            return answer({"message": "sent", "request": next(self.drawn)})
        if not known and kind != "everybody":
            return answer({"error": "nobody has this address"}, 404)
        return answer({"status": "sent", "code": f"{next(self.drawn)}"})


def answer(document: object, status: int = 200) -> Response:
    return Response(status, JSON, orjson.dumps(document))


def checks_of(request: Request, desk: Desk, *bodies: dict[str, str], policy: Policy = DEFAULT) -> list[Check]:
    """Those of a request in a run that holds requests with these bodies as well, all of which were refused."""
    pages = Pages()
    for number, body in enumerate(bodies):
        path = f"/desk/{number}/reset-password".encode()
        set_ = Request("POST", path, JSON, orjson.dumps(body), request.scheme, request.host, request.port)
        pages.meet(Exchange(set_, answer({"error": "wrong code"}, 400)), visited=False)
    makers = pages.makers_of(request)
    return plan(record(desk, request), policy, credentials_of(request), (PROBE,), makers=makers)


SETS = (
    {"email": "ann@example.org", "code": "1", "password": "a"},
    {"reset_token": "1", "new_password": "a", "confirm_password": "a"},
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    desk = Desk()
    (check,) = checks_of(case.request, desk, *SETS)
    run: Run = drive(check, desk)
    assert f"{run.verdict.outcome} {run.verdict.detail}" == case.expected[0]
    assert len(run.sent) <= 4
    assert desk.set == 0, "no password is set"


def asking(kind: str, **headers: str) -> Request:
    more = tuple((name.encode(), value.encode()) for name, value in headers.items())
    return Request("POST", f"/{kind}/forgot".encode(), (*JSON, *more), b'{"email": "ann@example.org"}')


@pytest.mark.parametrize(
    ("kind", "bodies"),
    [
        ("code", ()),
        ("code", ({"token": "1", "code": "2", "password": "a"},)),
        ("code", ({"email": "ann@example.org", "code": "1"},)),
        ("none", SETS),
    ],
    ids=["sets none", "two codes", "without a password", "no code answered"],
)
def test_nothing_is_asked_where_no_other_request_takes_that_code_alone(kind: str, bodies: tuple[dict[str, str], ...]):
    assert checks_of(asking(kind), Desk(), *bodies) == []


def test_what_its_own_name_tells_is_left_to_the_check_of_secrets_where_that_is_made():
    body = {"otp": "1", "password": "a"}
    assert checks_of(asking("otp"), Desk(), body, policy=THOROUGH) == []
    desk = Desk()
    (check,) = checks_of(asking("otp"), desk, body)
    assert drive(check, desk).verdict.outcome is Outcome.VULNERABLE


def test_it_is_asked_for_without_credentials_also_where_a_description_says_that_none_are_needed():
    desk, request = Desk(), asking("code", Authorization="Bearer 4f1d2c93ab8870e6")
    (check,) = checks_of(request, desk, *SETS)
    run = drive(check, desk)
    assert run.verdict.outcome is Outcome.VULNERABLE
    assert all(asked.raw and asked.request.first(b"Authorization") is None for asked in run.sent)
    assert PROBE.of_answers


def test_a_refused_baseline_tells_nothing():
    desk = Desk()
    request = msgspec.structs.replace(asking("code"), body=b'{"email": "nobody@example.org"}')
    assert checks_of(request, desk, *SETS) == []
