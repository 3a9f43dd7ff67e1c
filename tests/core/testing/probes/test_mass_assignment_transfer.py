"""The probe mass_assignment_transfer, driven against banks that look at amounts in several ways."""

import msgspec
import orjson
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import credentials_of, drive, record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes.mass_assignment_transfer import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "mass_assignment_transfer"]
TOKEN = (b"Authorization", b"Bearer 4b1f07a2de9c")


class Bank:
    """Two accounts, of the sender and of whom he names; the beginning of the path says how it looks at an amount."""

    def __init__(self) -> None:
        self.own, self.other = 100.0, 40.0
        self.least = self.other

    def __call__(self, request: Request) -> Response:
        kind = request.path.decode().split("/")[1]
        if request.method == "GET":
            return answer(200, {"name": "ann", "balance": self.own})
        amount = orjson.loads(request.body).get("amount", 1)
        if kind == "refusing" and amount <= 0:
            return answer(422, {"error": "amount must be above zero"})
        moved = {"absolute": abs(amount), "ignoring": max(0, amount), "fee": amount + 1}.get(kind, amount)
        self.own -= -1.5 if kind == "earning" else moved
        self.other += max(0, moved) if kind == "earning" else moved
        self.least = min(self.least, self.other)
        return answer(201, {} if kind in ("silent", "mute") else {"balance": self.own})


def answer(status: int, document: object) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"),), orjson.dumps(document))


def checks_of(asked: Request, bank: Bank, policy=THOROUGH):
    request = msgspec.structs.replace(asked, headers=(*asked.headers, TOKEN))
    pages, page = Pages(), Request("GET", b"/silent/me", (TOKEN,), host=request.host)
    if b"/silent/" in request.path:
        pages.add(Exchange(page, bank(page)))
    return plan(record(Bank(), request), policy, credentials_of(request), (PROBE,), pages=pages.beside(request))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    bank = Bank()
    runs = [drive(check, bank) for check in checks_of(case.request, bank)]
    assert case.expected == (tuple(run.verdict.outcome.value for run in runs) or ("not asked",))
    assert bank.least == 40, "nobody ever has less than before"


def test_nothing_of_it_is_left_in_any_account():
    bank = Bank()
    (check,) = checks_of(CASES[0].request, bank)
    run = drive(check, bank)
    assert (bank.own, bank.other) == (100, 40)
    assert len(run.sent) == 4
    assert (run.verdict.cwe, run.verdict.threat, run.verdict.detail) == ((1284, 840), 88, "amount = -2.5 (before: 2.5)")
    assert "the balance of the sender was 97.5, 100.0, 97.5, 100.0" in run.verdict.proof.verified_by


def test_what_is_refused_costs_two_requests_and_only_the_thorough_policy_asks():
    (case,) = (each for each in CASES if each.title == "what is below zero is refused")
    bank = Bank()
    (check,) = checks_of(case.request, bank)
    assert check.forecast == len(drive(check, bank).sent) == 2
    assert checks_of(case.request, bank, DEFAULT) == []


def test_what_something_else_moves_meanwhile_is_tried_again():
    class Busy(Bank):
        """Another client pays once, and then is done."""

        def __call__(self, request: Request) -> Response:
            self.asked = getattr(self, "asked", 0) + 1
            self.own -= 7 if self.asked == 2 else 0
            return super().__call__(request)

    bank = Busy()
    (check,) = checks_of(CASES[0].request, bank)
    run = drive(check, bank)
    assert run.verdict.outcome is Outcome.VULNERABLE
    assert (bank.own, bank.other, len(run.sent)) == (93, 40, 6)
