"""The probe info_members, driven as two tenants against lists of those who belong to a place."""

import json

import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import Run, credentials_of, record
from tests.core.testing.probes.as_tenants import runs_as, signed_in
from tests.range.tenants_rosters import ROSTER
from tests.range.tenants_store import SIGNED

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probes.info_members import PROBE
from gatecrash.core.testing.verdict import Outcome

ALL = "/tenants-rosters/accounts-of-all"
CASES = [case for case in cases_of("probes") if case.file == "info_members"]


def runs(request: Request, *, alone: bool = False) -> list[Run]:
    """What this probe asks; the policy looks for hidden parameters beside it."""
    return [run for run in runs_as(request, PROBE, alone=alone) if run.check.probe.name == PROBE.name]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    found = runs(signed_in(case.request))
    assert case.expected == (found[0].verdict.outcome.value if found else "not asked",)


def test_a_finding_is_what_the_other_is_shown_of_the_caller():
    (run,) = runs(ROSTER(ALL))
    assert (run.verdict.type, run.verdict.cwe, run.verdict.outcome) == ("info", (359, 213), Outcome.VULNERABLE)
    assert run.verdict.proof.test.request.first(b"Authorization").decode() == SIGNED["ben"]
    assert "'iban'" in run.verdict.proof.verified_by
    assert len(run.sent) == 3


def test_nothing_is_asked_alone():
    assert runs(ROSTER(ALL), alone=True) == []


def test_whoever_stands_above_the_other_may_be_meant_to_know():
    entries = [{"name": each, "iban": f"GB{number}"} for number, each in enumerate(("olga", "ben", "eva"))]
    told = Response(200, ((b"Content-Type", b"application/json"),), json.dumps(entries).encode())
    baseline = record(lambda _: told, ROSTER(ALL))
    for rank, asks in ((0, True), (10, False)):
        known = (Identity("olga", rank, ("olga",)), Identity("ben", 0, ("ben",)))
        checks = plan(baseline, THOROUGH, credentials_of(baseline.request), (PROBE,), identities=known)
        assert any(each.probe.name == PROBE.name for each in checks) is asks
