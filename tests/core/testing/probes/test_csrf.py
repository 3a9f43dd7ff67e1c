"""The probe csrf, driven against the range's places over a real port."""

import pytest
from tests.cases.case import Case
from tests.core.testing.driving import credentials_of, drive, record
from tests.core.testing.probes.at_range import cases, run_case, told_all

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probes.csrf import PROBE
from gatecrash.core.testing.verdict import Inconclusive, Outcome

CASES = cases("csrf")
FOUND = [case for case in CASES if case.kind == "Found"]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    assert case.expected == told_all(run_case(case.request, PROBE))


def test_a_finding_shows_its_proof():
    found = [run.verdict for run in run_case(FOUND[0].request, PROBE) if run.verdict.outcome is Outcome.VULNERABLE]
    assert found
    for verdict in found:
        assert (verdict.type, verdict.title) == ("csrf", PROBE.entry.title)
        assert set(verdict.cwe) <= set(PROBE.entry.cwe)
        assert 1 <= verdict.threat <= 100
        assert len(verdict.proof.verified_by) > 50
        assert verdict.proof.test.response is not None


def test_a_limiter_makes_it_inconclusive_at_once():
    request = FOUND[0].request
    (check, *_) = plan(
        record(lambda _: Response(200, (), b"fine"), request), THOROUGH, credentials_of(FOUND[0].request), (PROBE,)
    )
    run = drive(check, lambda _: Response(429))
    assert (run.verdict.reason, len(run.sent)) == (Inconclusive.RATE_LIMITED, 1)


def test_a_target_that_is_gone_makes_it_inconclusive():
    def gone(_: Request) -> Response:
        raise ConnectionError

    (check, *_) = plan(
        record(lambda _: Response(200, (), b"fine"), FOUND[0].request),
        THOROUGH,
        credentials_of(FOUND[0].request),
        (PROBE,),
    )
    assert drive(check, gone).verdict.reason is Inconclusive.CONNECTION
