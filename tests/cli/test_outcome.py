"""What a run's end means: silence is trusted only where something was tested."""

from typing import Any

import pytest

from gatecrash.cli.outcome import conclude, judge
from gatecrash.core.testing.authorization.tokens.jwt_forging import MISTAKES

PASSED = {"state": "passed", "vulns": [], "baseline_count": 3, "baseline_check_passed_count": 3}


def run(**changes: Any) -> dict[str, Any]:
    return {**PASSED, **changes}


def test_a_run_that_tested_and_found_nothing_passes() -> None:
    assert judge(run()).exit_code == 0
    assert "3 baseline requests tested" in judge(run()).statements[-1]


@pytest.mark.parametrize(
    ("changes", "loud"),
    [
        ({"state": "failed", "vulns": [{}]}, "VULNERABLE: 1 vulnerability"),
        ({"state": "interrupted", "interrupt_reason": "node_lost"}, "INTERRUPTED: node_lost"),
        ({"baseline_check_tech_fail_count": 1}, "NOT TESTED: checks of 1 baseline request failed"),
        ({"inconclusive_count": 2}, "UNDECIDED: 2 checks"),
        ({"baseline_count": 0, "baseline_check_passed_count": 0}, "no baseline request was recorded"),
        ({"baseline_skipped_count": 3, "baseline_check_passed_count": 0}, "all 3 baseline requests were skipped"),
        (
            {"baseline_untested_count": 3},
            "NOTHING WAS TESTED: no check of the policy fits 3 baseline requests, or nothing is there to test.",
        ),
    ],
)
def test_whatever_makes_it_untrustworthy_is_said_and_ends_with_1(changes: dict[str, Any], loud: str) -> None:
    outcome = judge(run(**changes))
    assert outcome.exit_code == 1
    assert loud in " ".join(outcome.statements)


def test_a_part_that_no_check_fits_is_told_and_fails_nothing() -> None:
    outcome = judge(run(baseline_untested_count=1))
    assert outcome.exit_code == 0
    assert outcome.statements[0].startswith("NOTE: no check of the policy fits 1 baseline request")
    assert "2 baseline requests tested" in outcome.statements[-1]


def test_what_was_allowed_is_still_said() -> None:
    outcome = judge(run(inconclusive_count=2), allow=("inconclusive",))
    assert outcome.exit_code == 0
    assert "UNDECIDED" in outcome.statements[0]


def test_vulnerabilities_cannot_be_allowed() -> None:
    allowed = ("technical", "inconclusive", "untested", "")
    assert judge(run(state="failed", vulns=[{}]), allow=allowed[:3]).exit_code == 1


def test_every_reason_is_told_at_once() -> None:
    statements = judge(
        run(state="failed", vulns=[{}, {}], baseline_check_tech_fail_count=1, inconclusive_count=1)
    ).statements
    assert [one.partition(":")[0] for one in statements] == ["VULNERABLE", "NOT TESTED", "UNDECIDED"]


def found(*codes: str, **changes: Any) -> dict[str, Any]:
    return run(state="failed", vulns=[{"code": code} for code in codes], baseline_check_fail_count=1, **changes)


def test_a_run_that_found_only_what_is_suppressed_ends_well_and_says_so() -> None:
    outcome = judge(found("S0001"), suppressed={"S0001"})
    assert outcome.exit_code == 0
    assert outcome.statements == (
        "SUPPRESSED: 1 vulnerability of S0001, which fail no pipeline.",
        "Passed: 4 baseline requests tested, nothing else found.",
    )


def test_findings_of_one_code_are_one_vulnerability() -> None:
    outcome = judge(found("S0001", "S0001", "S0002", "S0003", "S0003"), suppressed={"S0003"})
    assert outcome.statements[0] == "VULNERABLE: 2 vulnerabilities (3 findings) found."
    assert "SUPPRESSED: 1 vulnerability (2 findings) of S0003, which fail no pipeline." in outcome.statements


def test_what_verifies_tokens_for_several_endpoints_is_one_cause_at_all_of_them() -> None:
    weak = MISTAKES[0].title
    shown = [
        {"code": f"S000{number}", "type": "auth", "title": title, "threat": 90, "url": f"http://a/{number}", "point": [],
         "endpoint": f"GET /{number}", "method": "GET"}
        for number, title in enumerate((weak, weak, weak, "Another one"))
    ]  # fmt: skip
    codes = [str(one["code"]) for one in shown]
    told = judge(found(*codes, codes[0]), shown=shown).statements[0]
    assert told == "VULNERABLE: 4 vulnerabilities (5 findings) found: 2 causes at 4 endpoints."
    assert judge(found(*codes), suppressed=codes[:2], shown=shown).statements[0] == (
        "VULNERABLE: 2 vulnerabilities found."
    )


def test_a_suppression_covers_its_own_code_only() -> None:
    outcome = judge(found("S0001", "S0002"), suppressed={"S0001", "S0009"})
    assert outcome.exit_code == 1
    assert outcome.statements[0] == "VULNERABLE: 1 vulnerability found."
    assert judge(found("S0001")).exit_code == 1


def test_a_failed_run_without_a_known_finding_is_never_trusted() -> None:
    assert judge(run(state="failed"), suppressed={"S0001"}).exit_code == 1


def test_a_run_that_stopped_at_a_suppressed_finding_vouches_for_nothing() -> None:
    stopped = found("S0001", stop_on_first_fail=True, baseline_check_interrupted_count=2)
    outcome = judge(stopped, suppressed={"S0001"})
    assert outcome.exit_code == 1
    assert "2 baseline requests went untested" in outcome.statements[0]


def test_what_the_run_could_not_find_by_its_settings_is_said_beside(capsys: pytest.CaptureFixture[str]) -> None:
    ended = run(policy_id="default", types_left_out=["csrf", "cors"], user_count=1)
    with pytest.raises(SystemExit) as end:
        conclude(ended, judge(ended))
    assert end.value.code == 0
    said = capsys.readouterr().err
    assert "NOTE: Not looked for under the policy default: csrf, cors" in said
    assert "NOTE: No second user is known" in said


def test_what_was_not_tested_has_a_way_to_its_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    ended = run(id="tr_1", baseline_check_tech_fail_count=1)
    with pytest.raises(SystemExit):
        conclude(ended, judge(ended))
    assert "gatecrash run report tr_1 --format txt" in capsys.readouterr().err
