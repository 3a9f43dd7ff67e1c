"""The probe auth_renamed, driven against queries that are refused by their names, by their fields, and now and then."""

import json
import re

import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import drive, record

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes.auth_renamed import PROBE

CASES = [case for case in cases_of("probes") if case.file == "auth_renamed"]
FIELD = "systemHealth"
TOKEN = (b"Authorization", b"Bearer 3f9a0c77de114b02")


class Api:
    """Refuses what its path says."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, request: Request) -> Response:
        self.asked += 1
        head, _, selected = json.loads(request.body)["query"].partition("{")
        operation = [*head.split(), "", ""][1]
        alias = re.findall(r"\w+", selected)[0]
        listed = operation == "Health" or (not operation and alias == FIELD)
        refused = {
            b"/by-operation": listed,
            b"/by-alias": alias == FIELD,
            b"/by-field": True,
            b"/at-times": self.asked % 2 == 1,
            b"/nothing": listed,
            b"/signed-in": listed and request.first(b"Authorization") is None,
        }.get(request.path, False)
        told: object = {"data": {alias: None if request.path == b"/nothing" else {"load": 0.4}}}
        if refused:
            told = {"errors": [{"message": "Operation Not Permitted: " + alias}], "data": None}
        return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(told).encode())


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    api = Api()
    checks = plan(record(api, case.request), DEFAULT, (), (PROBE,))
    if case.expected == ("nothing is asked",):
        assert checks == []
        return
    run = drive(checks[0], api)
    assert case.expected == (run.verdict.outcome.value,)
    assert case.expected != ("safe",) or len(run.sent) <= checks[0].forecast + 2


def test_what_is_kept_from_visitors_alone_is_asked_for_where_all_is():
    body = b'{"query": "query Health { systemHealth { load } }"}'
    request = Request("POST", b"/signed-in", ((b"Content-Type", b"application/json"), TOKEN), body)
    point = Point.of("header", "AUTHORIZATION")
    assert plan(record(Api(), request), DEFAULT, (point,), (PROBE,)) == []
    (check,) = plan(record(Api(), request), THOROUGH, (point,), (PROBE,))
    run = drive(check, Api())
    assert run.verdict.outcome.value == "vulnerable"
    assert (run.verdict.threat, run.verdict.cwe) == (75, (288,))
    assert run.verdict.proof is not None
    assert run.verdict.proof.test.request.first(b"Authorization") is None
