"""The probe auth_second_step, driven against logins of two steps, of which one sort can do without the second."""

import msgspec
import orjson
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import drive, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_second_step import PROBE, wants_more
from gatecrash.core.testing.surroundings.pages import Pages

CASES = [case for case in cases_of("probes") if case.file == "auth_second_step"]
WHOLE = b"whole-5d0c11e7a9b34f20"


class Doors:
    """Logins that hand out something half; what is whole, the beginning of the path says."""

    def __init__(self) -> None:
        self.halves: list[bytes] = []

    def __call__(self, request: Request) -> Response:
        kind = request.path.decode().split("/")[1]
        if request.path.endswith(b"/login"):
            return self._signed_in(kind, request)
        token = (request.first(b"Authorization") or b"").removeprefix(b"Bearer ")
        sent = token or (request.first(b"Cookie") or b"").removeprefix(b"sid=")
        whole = {"half-is-enough": {WHOLE, *self.halves}, "any-cookie": {sent} - {b""}}.get(kind, {WHOLE})
        if kind != "open" and sent not in whole:
            return Response(302, ((b"Location", b"/login"),))
        return answer({"name": "ann", "email": "ann@club.test"})

    def _signed_in(self, kind: str, request: Request) -> Response:
        if kind == "once" and self.halves:
            return Response(400)
        self.halves.append(b"half-%016x" % (77 + len(self.halves)))
        if b"/api/" in request.path:
            return answer({"status": "totp_required", "tmpToken": self.halves[-1].decode()})
        headers = ((b"Location", b"/login/code"), (b"Set-Cookie", b"sid=" + self.halves[-1] + b"; HttpOnly"))
        return Response(302, headers)


def answer(document: object) -> Response:
    return Response(200, ((b"Content-Type", b"application/json"),), orjson.dumps(document))


def checks_of(request: Request, doors: Doors, *paths: bytes):
    known, kind = Pages(), request.path.split(b"/")[1]
    given = (b"Authorization", b"Bearer " + WHOLE) if b"/api/" in request.path else (b"Cookie", b"sid=" + WHOLE)
    for path in paths:
        page = msgspec.structs.replace(request, method="GET", target=b"/" + kind + path, headers=(given,), body=b"")
        known.add(record(doors, page).exchange)
    return plan(record(doors, request), DEFAULT, (), (PROBE,), pages=known.beside(request))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    doors = Doors()
    (check,) = checks_of(case.request, doors, b"/me")
    run = drive(check, doors)
    reason = [run.verdict.reason.value] if run.verdict.reason else []
    assert case.expected == (" ".join([run.verdict.outcome.value, *reason]),)
    assert len(run.sent) <= check.forecast + 2
    assert sum(asked.request.path.endswith(b"/login") for asked in run.sent) == 1


def test_pages_of_the_login_itself_are_for_those_who_are_half_way():
    assert checks_of(CASES[0].request, Doors(), b"/login/code", b"/2fa/qr", b"/session") == []


@pytest.mark.parametrize(
    ("location", "body", "wanted"),
    [
        (b"/login/2fa", {}, True),
        (b"/account/verify?next=/", {}, True),
        (b"/account", {}, False),
        (b"/mfa/setup", {}, False),
        (b"", {"mfa_required": True}, True),
        (b"", {"mfa_required": False, "token": "abc"}, False),
        (b"", {"status": "CODE_REQUIRED"}, True),
        (b"", {"user": {"email_verified": True}}, False),
        (b"", {"token": "abc"}, False),
        (b"", {"token": "9c1d2fa07be4415598ab"}, False),
        (b"", {"access": "Zm9v.8OtpMFA2w-x1_77bc", "user": 7}, False),
        (b"/account;sid=9c1d2fa07be4415598ab", {}, False),
        (b"/login/2fa;sid=9c1d2fa07be4415598ab", {}, True),
        (b"", {"next": "two-factor-authentication-step-2"}, True),
    ],
)
def test_the_answer_to_a_password_says_whether_a_second_step_follows(location, body, wanted):
    sent_on = Response(302, ((b"Location", location),))
    assert wants_more(sent_on if location else answer(body)) is wanted
