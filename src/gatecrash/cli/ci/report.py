"""`gatecrash ci report`: every report of a run as files, and its verdict as the exit code."""

import sys
from pathlib import Path

import click

from gatecrash.cli.api import Api, segment
from gatecrash.cli.ci.variables import Variables
from gatecrash.cli.options import with_api
from gatecrash.cli.outcome import ENDED, conclude, judge
from gatecrash.cli.output import say
from gatecrash.cli.shape import Command
from gatecrash.cli.vuln_triage import shown_in, suppressed_in
from gatecrash.cli.written import save
from gatecrash.core.reports.formats import FORMATS


@click.command("report", cls=Command, epilog="TEST_RUN_ID=tr_9f2c41 REPORT_DIR=reports gatecrash ci report")
@with_api
def report(api: Api) -> None:
    """Write every report of the run TEST_RUN_ID into REPORT_DIR (here, if not set).

    Ends with 0 where the run passed, or found only what is suppressed; else with 1, for a run that has not ended too.
    """
    variables = Variables()
    run_id = variables.required("TEST_RUN_ID", "it says which test run is reported; `gatecrash ci test` prints it")
    run = api.get(f"/v1/test_run/{segment(run_id)}")
    write_reports(api, run_id, variables.folder("REPORT_DIR") or Path())
    if run["state"] not in ENDED:
        say(f"{run_id} is still {run['state']}: the reports hold what is known so far.", colour="red")
        sys.exit(1)
    conclude(run, judge(run, suppressed=suppressed_in(api, run), shown=shown_in(api, run)))


def write_reports(api: Api, run_id: str, folder: Path) -> None:
    """Write `gatecrash-report.*`, one file a format."""
    for name, written in FORMATS.items():
        content = api.download(f"/v1/test_run/{segment(run_id)}/report", format=name)
        save(folder / f"gatecrash-report.{written.suffix}", content)
    say(f"Reports are in {folder.absolute()}.")
