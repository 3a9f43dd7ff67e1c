"""The probe auth_password_change, driven against accounts that ask for the old password, and others that do not."""

from urllib.parse import parse_qsl

import msgspec
import orjson
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import credentials_of, drive, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_password_change import PROBE
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "auth_password_change"]
PASSWORD = "Sesame-77"


class Accounts:
    """One account whose password is known; how its changes are guarded, the beginning of the path says.

    Below `led` the form is shown again after each change, with what came of it, once; below `silent` with nothing.
    """

    def __init__(self) -> None:
        self.password, self.changes, self.flash = PASSWORD, 0, b""

    def __call__(self, request: Request) -> Response:
        kind, how, *_ = request.path.decode().split("/")[1:]
        if kind not in ("led", "silent"):
            return self.answer(request)
        if request.method == "GET":
            said, self.flash = self.flash, b""
            return Response(200, ((b"Content-Type", b"text/html"),), b"<h1>Your account</h1><p>" + said + b"</p>")
        inner = msgspec.structs.replace(request, target=request.target[len(kind) + 1 :])
        answer = self.answer(inner)
        if answer.status == 401:
            return Response(302, ((b"Location", b"/login"),))
        self.flash = answer.body if kind == "led" else b""
        return Response(302, ((b"Location", f"/{kind}/{how}/account".encode()),))

    def answer(self, request: Request) -> Response:
        kind, sent = request.path.decode().split("/")[1], fields_of(request)
        if kind != "open" and (not request.first(b"Cookie") or (kind == "ending" and self.changes)):
            return Response(401)
        old = next((value for name, value in sent.items() if name in ("old", "current", "current_password")), None)
        again = sent.get("again", sent.get("repeat"))
        new = sent.get("new", sent.get("new_password"))
        wrong = {"asked": old != self.password, "optional": old not in (None, self.password)}.get(kind, False)
        if kind != "alike" and (wrong or (again is not None and again != new)):
            return Response(400, body=b"The passwords do not fit")
        self.password, self.changes = new, self.changes + 1
        return Response(200, ((b"Content-Type", b"text/plain"),), b"Your password was changed")


def reads_where_it_is_led(case: Case) -> bool:
    return case.request.path.startswith((b"/led/", b"/silent/"))


def fields_of(request: Request) -> dict[str, str]:
    if request.body[:1] == b"{":
        return orjson.loads(request.body)
    return dict(parse_qsl((request.body or request.query or b"").decode()))


def checks_of(request: Request, accounts: Accounts):
    return plan(record(accounts, request), DEFAULT, credentials_of(request), (PROBE,))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    accounts = Accounts()
    (check,) = checks_of(case.request, accounts)
    run = drive(check, accounts)
    assert f"{run.verdict.outcome} {run.verdict.detail}".startswith(case.expected[0])
    assert accounts.password == PASSWORD
    if run.verdict.outcome is Outcome.SAFE and not reads_where_it_is_led(case):
        assert len(run.sent) <= check.forecast


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (b"/unasked/reset-password", b"new=Sesame-77&again=Sesame-77"),
        (b"/unasked/register", b"password=Sesame-77&password_confirm=Sesame-77"),
        (b"/unasked/admin/users/7/password", b"new=Sesame-77"),
        (b"/unasked/account/password", b"new=Sesame-77&code=551177"),
        (b"/unasked/account/password", b"new=Sesame-77&email=ann@club.test"),
        (b"/unasked/account/password", b"bio=Hello"),
        (b"/unasked/vault/open", b"password=Sesame-77"),
        (b"/unasked/account/password", b"secret_password=abc-1&new_password=Sesame-77"),
    ],
)
def test_what_is_not_surely_a_change_of_ones_own_password_is_left_alone(path: bytes, body: bytes):
    request = msgspec.structs.replace(CASES[0].request, target=path, body=body)
    assert checks_of(request, Accounts()) == []


def test_a_change_that_failed_when_it_was_recorded_is_left_alone():
    recorded = record(Accounts(), CASES[0].request)
    failed = Response(200, ((b"Content-Type", b"text/html"),), b"<p>Your password was not changed.</p>")
    baseline = msgspec.structs.replace(recorded, exchange=msgspec.structs.replace(recorded.exchange, response=failed))
    assert plan(baseline, DEFAULT, credentials_of(CASES[0].request), (PROBE,)) == []
    assert plan(recorded, DEFAULT, credentials_of(CASES[0].request), (PROBE,)) != []


def test_a_control_that_was_answered_otherwise_by_chance_is_asked_again():
    accounts, chances = Accounts(), [Response(200, body=b"Offers of the day")]

    def application(request: Request) -> Response:
        return chances.pop() if not request.first(b"Cookie") and chances else accounts(request)

    cookie, form = (
        (b"Cookie", b"session-token=3f9a0c77de114b02"),
        (b"Content-Type", b"application/x-www-form-urlencoded"),
    )
    asked = Request("POST", b"/open/account/password", (cookie, form), f"new={PASSWORD}".encode())
    (check,) = checks_of(asked, accounts)
    assert drive(check, application).verdict.outcome is Outcome.SAFE
    assert not chances
