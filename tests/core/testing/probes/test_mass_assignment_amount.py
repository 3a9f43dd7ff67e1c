"""The probe mass_assignment_amount, driven against shops that are paid from a balance."""

from urllib.parse import parse_qsl

import msgspec
import orjson
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import credentials_of, drive, record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes.mass_assignment_amount import PROBE
from gatecrash.core.testing.surroundings.pages import Pages

CASES = [case for case in cases_of("probes") if case.file == "mass_assignment_amount"]
PRICE = 4.5
TOKEN = (b"Authorization", b"Bearer 4b1f07a2de9c")


class Shop:
    """Sells one thing; the beginning of the path says how it looks at a quantity."""

    def __init__(self) -> None:
        self.credit = 100.0

    def __call__(self, request: Request) -> Response:
        kind = request.path.decode().split("/")[1]
        if request.method == "GET":
            return answer(200, {"name": "ann", "credit": self.credit})
        sent = orjson.loads(request.body) if request.body[:1] == b"{" else dict(parse_qsl(request.body.decode()))
        count = int(sent.get("quantity", sent.get("qty", 1)))
        if kind == "refusing" and count < 1:
            return answer(422, {"error": "quantity must be above zero"})
        cost = {"absolute": abs(count), "free": max(0, count), "earning": -1}.get(kind, count) * PRICE
        self.credit -= cost
        told = {} if kind in ("silent", "mute") else {"credit": self.credit}
        return answer(201, {"id": 7, "message": "ordered", **told})


def answer(status: int, document: object) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"),), orjson.dumps(document))


def checks_of(asked: Request, shop: Shop, policy=THOROUGH):
    request = msgspec.structs.replace(asked, headers=(*asked.headers, TOKEN))
    pages, page = Pages(), Request("GET", b"/silent/me", (TOKEN,), host=request.host)
    if b"/silent/" in request.path:
        pages.add(Exchange(page, shop(page)))
    known = pages.beside(request)
    return plan(record(shop, request), policy, credentials_of(request), (PROBE,), pages=known)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    shop = Shop()
    runs = [drive(check, shop) for check in checks_of(case.request, shop)]
    assert case.expected == (tuple(run.verdict.outcome.value for run in runs) or ("not asked",))


def test_nothing_of_it_is_left_in_the_account():
    shop = Shop()
    (check,) = checks_of(CASES[0].request, shop)
    before = shop.credit
    run = drive(check, shop)
    assert shop.credit == before
    assert len(run.sent) == 4
    assert (run.verdict.cwe, run.verdict.threat, run.verdict.detail) == ((1284, 840), 75, "quantity = -2 (before: 2)")
    assert "the balance was 100.0, 91.0, 100.0, 91.0" in run.verdict.proof.verified_by


def test_what_is_refused_costs_one_request_and_only_the_thorough_policy_asks():
    (case,) = (each for each in CASES if each.title == "what is below zero is refused")
    shop = Shop()
    (check,) = checks_of(case.request, shop)
    assert check.forecast == len(drive(check, shop).sent) == 1
    assert checks_of(case.request, shop, DEFAULT) == []
