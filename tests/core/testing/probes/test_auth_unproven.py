"""The probe auth_unproven, driven against a desk that sets passwords for who brings a proof, or a name."""

import msgspec
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.desk_of_accounts import Desk, checks_of, posted
from tests.core.testing.driving import drive

from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_unproven import PROBE
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "auth_unproven"]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    desk = Desk()
    (check,) = checks_of(case.request, desk, PROBE)
    anns = desk.passwords["ann@example.org"]
    run = drive(check, desk)
    assert f"{run.verdict.outcome} {run.verdict.detail}" == case.expected[0]
    assert desk.passwords["ann@example.org"] == anns, "nobody else's password is set"


def test_a_sound_one_is_asked_little():
    desk = Desk()
    (check,) = checks_of(
        posted("/code/reset", email="ann@example.org", code="482913", password="quiet-river-8"), desk, PROBE
    )
    assert len(drive(check, desk).sent) <= PROBE.forecast(check.planned)


@pytest.mark.parametrize("beside", [(), ("register",), ("login",)])
def test_nothing_is_asked_where_no_account_of_our_own_can_be_had(beside: tuple[str, ...]):
    request = posted("/nothing/forgot", email="ann@example.org", new_password="quiet-river-8")
    assert checks_of(request, Desk(), PROBE, beside=beside) == []


def test_no_credentials_of_the_record_go_along():
    desk = Desk()
    request = posted("/nothing/password", email="ann@example.org", password="quiet-river-8")
    signed = msgspec.structs.replace(
        request, headers=(*request.headers, (b"Authorization", b"Bearer tok-ann-0123456789"))
    )
    (check,) = checks_of(signed, desk, PROBE)
    run = drive(check, desk)
    assert run.verdict.outcome is Outcome.VULNERABLE
    assert not any(each.request.first(b"Authorization") for each in run.sent)


def test_no_account_is_made_where_the_policy_leaves_out_what_makes_something():
    request = msgspec.structs.replace(
        posted("/nothing/password", email="ann@example.org", password="quiet-river-8"), method="PUT"
    )
    reading = msgspec.structs.replace(DEFAULT, methods_excluded=("POST",))
    assert len(checks_of(request, Desk(), PROBE)) == 1
    assert checks_of(request, Desk(), PROBE, policy=reading) == []
