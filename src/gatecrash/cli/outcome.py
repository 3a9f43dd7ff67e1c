"""What a test run's end means for a pipeline: the exit code, and every reason not to trust a silence.

"Nothing was found" is good news only where something was tested, by checks that could decide.
"""

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from gatecrash.cli.output import say
from gatecrash.core.reports.left_out import remarks
from gatecrash.core.reports.plural import plural
from gatecrash.core.reports.report import by_code, grouped, nothing_fitted

ENDED = frozenset({"passed", "failed", "interrupted"})
# What --allow may let through; vulnerabilities and interruptions never.
TOLERABLE = ("technical", "inconclusive", "untested")


@dataclass(frozen=True)
class Outcome:
    """exit_code: 0 or 1. statements: what a person should be told, the gravest first."""

    exit_code: int
    statements: tuple[str, ...]


def judge(
    run: Mapping[str, Any],
    allow: Collection[str] = (),
    suppressed: Collection[str] = (),
    shown: Sequence[Mapping[str, Any]] = (),
) -> Outcome:
    """The outcome of an ended run. run: the run object. allow: out of TOLERABLE. suppressed: codes that fail no pipeline.
    shown: the findings as the API shows them, which tells how many causes they have.

    A suppression changes this outcome and never the run's state (decisions 3): a run that found nothing else is `failed`
    and ends well.
    """
    faults: list[str] = []
    tolerated: list[str] = []

    def fault(kind: str, statement: str) -> None:
        (tolerated if kind in allow else faults).append(statement)

    vulns = run.get("vulns") or ()
    known = [one for one in vulns if one.get("code") in suppressed]
    found = [one for one in vulns if one.get("code") not in suppressed]
    if found or (run["state"] == "failed" and not known):
        fault("", f"VULNERABLE: {counted(found)} found{_with_causes(shown, suppressed)}.")
    if known:
        tolerated.append(_suppressed(known))
        if run.get("stop_on_first_fail") and not found and run.get("baseline_check_interrupted_count"):
            # The run ended where it would have gone on; an exit code of 0 would vouch for what was never looked at.
            fault("untested", _cut_short(run))
    if run["state"] == "interrupted":
        fault("", f"INTERRUPTED: {run.get('interrupt_reason') or 'no reason known'}; what was not tested is not sound.")
    technical = run.get("baseline_check_tech_fail_count") or 0
    if technical:
        fault(
            "technical",
            f"NOT TESTED: checks of {plural(technical, 'baseline request')} failed for technical reasons, or none could decide.",
        )
    inconclusive = run.get("inconclusive_count") or 0
    if inconclusive:
        fault("inconclusive", f"UNDECIDED: {plural(inconclusive, 'check')} could not decide, which counts neither way.")
    if not tested(run) and run["state"] != "interrupted":
        fault("untested", f"NOTHING WAS TESTED: {_why_untested(run)}")
    elif unfit := nothing_fitted(run):
        tolerated.append(
            f"NOTE: no check of the policy fits {plural(unfit, 'baseline request')}, or nothing is there to test."
        )
    if faults:
        return Outcome(1, (*faults, *tolerated))
    looked_at = plural(tested(run), "baseline request")
    return Outcome(0, (*tolerated, f"Passed: {looked_at} tested, nothing {'else ' if known else ''}found."))


def conclude(run: Mapping[str, Any], outcome: Outcome) -> NoReturn:
    """Say what the run's end means, and what it could not find by its settings; end with the outcome's exit code."""
    for statement in outcome.statements:
        say(statement, colour="red" if outcome.exit_code else "green")
    for remark in remarks(run):
        say(f"NOTE: {remark}")
    if run.get("baseline_check_tech_fail_count"):
        say(f"  gatecrash run report {run['id']} --format txt    tells why each was not tested")
    sys.exit(outcome.exit_code)


def tested(run: Mapping[str, Any]) -> int:
    """How many baseline requests were really looked at, by one check at least."""
    checked = int(run.get("baseline_check_passed_count") or 0) + int(run.get("baseline_check_fail_count") or 0)
    return checked - nothing_fitted(run)


def counted(found: Sequence[Mapping[str, Any]]) -> str:
    """How many vulnerabilities they are, and how many findings where that is more: `2 vulnerabilities (6 findings)`."""
    told = plural(number := len(by_code(found)), "vulnerability", "vulnerabilities")
    return f"{told} ({len(found)} findings)" if len(found) > number else told


def _with_causes(shown: Sequence[Mapping[str, Any]], suppressed: Collection[str]) -> str:
    """How many causes they have, where that is less: one weak secret is found wherever its tokens are taken."""
    found = [one for one in shown if one["code"] not in suppressed]
    causes = len(grouped(found))
    if causes == len(by_code(found)):
        return ""
    endpoints = plural(len({one["endpoint"] for one in found}), "endpoint")
    return f": {plural(causes, 'cause')} at {endpoints}"


def _suppressed(known: Sequence[Mapping[str, Any]]) -> str:
    codes = ", ".join(sorted({str(one["code"]) for one in known}))
    return f"SUPPRESSED: {counted(known)} of {codes}, which fail no pipeline."


def _cut_short(run: Mapping[str, Any]) -> str:
    left = plural(int(run["baseline_check_interrupted_count"]), "baseline request")
    return f"CUT SHORT: the run stopped at its first vulnerability, which is suppressed; {left} went untested."


def _why_untested(run: Mapping[str, Any]) -> str:
    recorded, skipped = run.get("baseline_count") or 0, run.get("baseline_skipped_count") or 0
    if not recorded:
        return "no baseline request was recorded. Did the traffic go through the node's proxy while the run recorded?"
    if skipped == recorded:
        return f"all {recorded} baseline requests were skipped as duplicates or by their extension."
    if nothing_fitted(run) == recorded - skipped:
        return f"no check of the policy fits {plural(nothing_fitted(run), 'baseline request')}, or nothing is there to test."
    return f"none of {plural(recorded, 'baseline request')} could be checked."
