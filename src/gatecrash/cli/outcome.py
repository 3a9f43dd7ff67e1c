"""What a test run's end means for a pipeline: the exit code, and every reason not to trust a silence.

"Nothing was found" is good news only where something was tested, by checks that could decide.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

ENDED = frozenset({"passed", "failed", "interrupted"})
# What --allow may let through; vulnerabilities and interruptions never.
TOLERABLE = ("technical", "inconclusive", "untested")


@dataclass(frozen=True)
class Outcome:
    """exit_code: 0 or 1. statements: what a person should be told, the gravest first."""

    exit_code: int
    statements: tuple[str, ...]


def judge(run: Mapping[str, Any], allow: Collection[str] = ()) -> Outcome:
    """The outcome of an ended run. run: the run object. allow: out of TOLERABLE."""
    faults: list[str] = []
    tolerated: list[str] = []

    def fault(kind: str, statement: str) -> None:
        (tolerated if kind in allow else faults).append(statement)

    found = len(run.get("vulns") or ())
    if found or run["state"] == "failed":
        fault("", f"VULNERABLE: {plural(found, 'vulnerability', 'vulnerabilities')} found.")
    if run["state"] == "interrupted":
        fault("", f"INTERRUPTED: {run.get('interrupt_reason') or 'no reason known'}; what was not tested is not sound.")
    technical = run.get("baseline_check_tech_fail_count") or 0
    if technical:
        fault(
            "technical", f"NOT TESTED: checks of {plural(technical, 'baseline request')} failed for technical reasons."
        )
    inconclusive = run.get("inconclusive_count") or 0
    if inconclusive:
        fault("inconclusive", f"UNDECIDED: {plural(inconclusive, 'check')} could not decide; they count neither way.")
    if not tested(run) and run["state"] != "interrupted":
        fault("untested", f"NOTHING WAS TESTED: {_why_untested(run)}")
    if faults:
        return Outcome(1, (*faults, *tolerated))
    passed = plural(run.get("baseline_check_passed_count") or 0, "baseline request")
    return Outcome(0, (*tolerated, f"Passed: {passed} tested, nothing found."))


def tested(run: Mapping[str, Any]) -> int:
    """How many baseline requests were really looked at."""
    return int(run.get("baseline_check_passed_count") or 0) + int(run.get("baseline_check_fail_count") or 0)


def plural(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def _why_untested(run: Mapping[str, Any]) -> str:
    recorded, skipped = run.get("baseline_count") or 0, run.get("baseline_skipped_count") or 0
    if not recorded:
        return "no baseline request was recorded. Did the traffic go through the node's proxy while the run recorded?"
    if skipped == recorded:
        return f"all {recorded} baseline requests were skipped as duplicates or by their extension."
    return f"none of {plural(recorded, 'baseline request')} could be checked."
