"""The probe for scripts that go to an address within the page's own, driven against places of the range."""

import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import drive, record
from tests.range import scripts
from tests.range.place import respond

from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.redir_dom import PROBE
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "redir_dom"]
assert scripts


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    (check,) = plan(record(respond, case.request), DEFAULT, (), (PROBE,))
    run = drive(check, respond)
    assert case.expected == (run.verdict.outcome.value,)
    if run.verdict.outcome is Outcome.SAFE:
        assert len(run.sent) == check.forecast
    else:
        assert "no check on the way" in run.verdict.proof.verified_by
