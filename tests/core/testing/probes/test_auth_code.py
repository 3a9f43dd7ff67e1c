"""The probe auth_code, driven against confirmations that ask for their code, and others that do not."""

import re
from urllib.parse import parse_qsl

import msgspec
import orjson
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import credentials_of, drive, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_code import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "auth_code"]
CODE = "482913"
ABSENT = object()


class Counter:
    """Confirms what needs a code; how it looks at it, the beginning of the path says."""

    def __init__(self) -> None:
        self.done, self.made, self.wrong = False, 0, 0
        self.payments: dict[str, bool] = {}

    def __call__(self, request: Request) -> Response:
        kind, rest = request.path.decode().split("/", 2)[1:]
        sent = fields_of(request)
        held = next((sent[name] for name in ("code", "otp", "verificationCode") if name in sent), ABSENT)
        if held not in (ABSENT, None, "", CODE):
            self.wrong += 1
        if rest == "payments":
            self.made += 1
            self.payments[str(900 + self.made)] = False
            return answer({"id": 900 + self.made, "state": "waiting"}, 201)
        payment = re.fullmatch(r"payments/(\d+)/confirm", rest)
        if payment:
            return self._payment(kind, payment[1], held)
        was_done, good = self.done, self._is_good(kind, held)
        if not good and not (kind == "already" and was_done):
            if kind == "sent-anew" and held is ABSENT:
                return answer({"status": "a code was sent to you", "length": "six"})
            if kind == "told":
                return Response(200, ((b"Content-Type", b"text/html"),), b"<p>The code is wrong</p>")
            return answer({"error": "wrong code"}, 401)
        if kind == "once" and was_done:
            return answer({"error": "nothing to confirm"}, 400)
        self.done = True
        if "login" in rest:
            return answer({"token": f"9d41{self.wrong}a7be0c55f12", "status": "signed in"})
        return answer({"status": "confirmed", "phone": "0711-22"})

    def _payment(self, kind: str, number: str, held: object) -> Response:
        """A payment that is confirmed stays so, whatever is sent."""
        if number not in self.payments:
            return answer({"error": "no payment"}, 404)
        if not self.payments[number] and not self._is_good(kind, held):
            return answer({"error": "wrong code"}, 422)
        self.payments[number] = True
        return answer({"id": int(number), "state": "confirmed"})

    def _is_good(self, kind: str, held: object) -> bool:
        beside = {"left-out": (ABSENT,), "once": (ABSENT,), "empty": ("",), "null": (None,)}.get(kind, ())
        return held == CODE or held in beside


def fields_of(request: Request) -> dict[str, object]:
    return orjson.loads(request.body) if request.body[:1] == b"{" else dict(parse_qsl(request.body.decode(), True))


def answer(document: object, status: int = 200) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"),), orjson.dumps(document))


def checks_of(request: Request, counter: Counter, makers=()):
    return plan(record(counter, request), DEFAULT, credentials_of(request), (PROBE,), makers=makers)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    counter = Counter()
    (check,) = checks_of(case.request, counter)
    counter.wrong = 0
    run = drive(check, counter)
    assert f"{run.verdict.outcome} {run.verdict.detail}".startswith(case.expected[0])
    # Where the code is asked for, nobody tries a wrong one.
    assert counter.wrong <= 1
    if case.expected == ("safe",) and "/asked/" in case.request.path.decode():
        assert (counter.wrong, len(run.sent)) == (0, check.forecast)


def paid(kind: str) -> tuple[Counter, Request, tuple]:
    """A payment that was made and confirmed while it was recorded."""
    counter, pages = Counter(), Pages()
    headers = ((b"Authorization", b"Bearer 4f1d2c93ab8870e6"), (b"Content-Type", b"application/json"))
    made = Request("POST", f"/{kind}/payments".encode(), headers, b'{"to": 7, "amount": 2}')
    pages.meet(record(counter, made).exchange, visited=False)
    number = 900 + counter.made
    confirmed = Request("POST", f"/{kind}/payments/{number}/confirm".encode(), headers, b'{"code": "482913"}')
    return counter, confirmed, pages.makers_of(confirmed)


@pytest.mark.parametrize(("kind", "outcome"), [("left-out", Outcome.VULNERABLE), ("asked", Outcome.SAFE)])
def test_what_is_confirmed_for_good_is_made_anew(kind: str, outcome: Outcome):
    counter, confirmed, makers = paid(kind)
    (check,) = checks_of(confirmed, counter, makers)
    run = drive(check, counter)
    assert run.verdict.outcome is outcome
    assert counter.made >= 2


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (b"/left-out/coupons/validate", b'{"code": "482913"}'),
        (b"/left-out/payments", b'{"code": "482913"}'),
        (b"/left-out/profile", b'{"name": "Ann", "otp": "482913"}'),
        (b"/left-out/address/verify", b'{"code": "DE"}'),
        (b"/left-out/phone/verify", b'{"phone": "0711"}'),
        (b"/left-out/two/verify", b'{"code": "482913", "otp": "482913"}'),
        (b"/left-out/otp", b'{"code": "482913"}'),
    ],
)
def test_what_is_not_surely_a_confirmation_by_a_code_is_left_alone(path: bytes, body: bytes):
    request = msgspec.structs.replace(CASES[0].request, target=path, body=body)
    assert checks_of(request, Counter()) == []
