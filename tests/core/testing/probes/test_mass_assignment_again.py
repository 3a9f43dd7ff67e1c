"""The probe mass_assignment_again, driven against shops that give a credit once, or each time."""

import msgspec
import orjson
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import credentials_of, drive, record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes.mass_assignment_again import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "mass_assignment_again"]
TOKEN = (b"Authorization", b"Bearer 4b1f07a2de9c")


class Shop:
    """Gives five for a code; the beginning of the path says what it does the next time."""

    def __init__(self) -> None:
        self.credit, self.times = 20, 0

    def __call__(self, request: Request) -> Response:
        kind = request.path.decode().split("/")[1]
        if request.method == "GET":
            return answer(200, {"name": "ann", "credit": self.credit})
        self.times += 1
        if kind == "once" and self.times > 1:
            return answer(409, {"error": "used already"})
        self.credit += {"idle": 0, "falling": max(0, 5 - self.times)}.get(kind, 5)
        if kind == "paper":
            return Response(200, ((b"Content-Type", b"text/html"),), b"<p>Balance: %d</p>" % self.credit)
        if kind in ("stacking", "same"):
            return answer(200, {"total": 80, "discount": 5 * (self.times if kind == "stacking" else 1)})
        return answer(200, {} if kind in ("silent", "mute") else {"credit": self.credit})


def answer(status: int, document: object) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"),), orjson.dumps(document))


def checks_of(asked: Request, shop: Shop, policy=THOROUGH):
    request = msgspec.structs.replace(asked, headers=(*asked.headers, TOKEN))
    pages, page = Pages(), Request("GET", b"/silent/me", (TOKEN,), host=request.host)
    if b"/silent/" in request.path:
        pages.add(Exchange(page, shop(page)))
    return plan(record(shop, request), policy, credentials_of(request), (PROBE,), pages=pages.beside(request))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    shop = Shop()
    runs = [drive(check, shop) for check in checks_of(case.request, shop)]
    assert case.expected == (tuple(run.verdict.outcome.value for run in runs) or ("not asked",))


def test_what_each_time_gave_is_told():
    shop = Shop()
    (check,) = checks_of(CASES[0].request, shop)
    run = drive(check, shop)
    assert (run.verdict.cwe, run.verdict.threat, run.verdict.detail) == ((837, 840), 75, "5 more each time")
    assert "its sender had 30, 35, 40" in run.verdict.proof.verified_by
    assert len(run.sent) == 3


def test_what_is_refused_costs_one_request_and_only_the_thorough_policy_asks():
    (case,) = (each for each in CASES if each.title == "the second time is refused")
    shop = Shop()
    (check,) = checks_of(case.request, shop)
    assert check.forecast == len(drive(check, shop).sent) == 1
    assert checks_of(case.request, shop, DEFAULT) == []


def test_what_something_else_moves_meanwhile_is_tried_again():
    class Busy(Shop):
        """Another client pays once, and then is done."""

        def __call__(self, request: Request) -> Response:
            self.credit -= 7 if self.times == 3 else 0
            return super().__call__(request)

    shop = Busy()
    (check,) = checks_of(CASES[0].request, shop)
    run = drive(check, shop)
    assert run.verdict.outcome is Outcome.VULNERABLE
    assert len(run.sent) == 6
