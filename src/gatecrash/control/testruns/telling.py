"""What is told of a run that ended."""

from gatecrash.control.news import News
from gatecrash.control.testruns.models import TestRun
from gatecrash.core.reports.plural import plural

_INTERRUPTIONS = {
    "requested": "somebody interrupted it",
    "another_test_run": "another run was started on the same node",
    "node_lost": "its node was silent for too long",
}


def run_ended(row: TestRun) -> News:
    """How the run ended, as its row has it now. A name may hold anything, so it stands in quotation marks."""
    return News(
        f"The test run “{row.name}” {_ending(row)}.",
        f"/runs/{row.id}/",
        {
            "test_run_id": row.id,
            "name": row.name,
            "state": row.state,
            "interrupt_reason": row.interrupt_reason,
            "vulnerabilities": row.vulnerabilities,
            "baseline_check_passed_count": row.passed,
            "baseline_check_fail_count": row.failed,
            "baseline_check_tech_fail_count": row.technical,
            "inconclusive_count": row.inconclusive_count,
            "test_record_id": row.record_id,
            "policy_id": row.policy_id,
            "tags": row.tags,
            "start_time": int(row.start_time),
            "end_time": None if row.end_time is None else int(row.end_time),
        },
    )


def _ending(row: TestRun) -> str:
    if row.state == "failed":
        return f"failed: {plural(row.vulnerabilities, 'vulnerability', 'vulnerabilities')}"
    if row.state == "interrupted":
        return f"was interrupted: {_INTERRUPTIONS.get(row.interrupt_reason or '', 'nobody knows why')}"
    if not row.passed:
        return "passed, and nothing was tested" if not row.technical else "passed, and nothing could be tested"
    if row.technical:
        return f"passed, but {plural(row.technical, 'baseline request')} could not be tested"
    return "passed: nothing was found"
