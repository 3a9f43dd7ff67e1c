"""A test run's report: everything known of it, read once and written in the wanted format."""

import time

from gatecrash import __version__
from gatecrash.control.findings import queries as findings
from gatecrash.control.testruns import queries
from gatecrash.control.testruns.mapping import shown_run, to_run
from gatecrash.control.testruns.models import TestRun
from gatecrash.core.reports.report import Report

_PAGE = 1000


def report(row: TestRun) -> Report:
    """The run as it is now; of a run that goes on, what is known so far."""
    count = to_run(row).baseline_count
    baselines = [one for start in range(0, count, _PAGE) for one in queries.baselines(row, _PAGE, start)]
    rows = findings.vulnerabilities(row.id, None, None).order_by("-threat", "found_at", "id")
    return Report(
        run=shown_run(row, time.time()),
        vulnerabilities=list(findings.all_with_evidence(list(rows))),
        baselines=baselines,
        version=__version__,
    )
