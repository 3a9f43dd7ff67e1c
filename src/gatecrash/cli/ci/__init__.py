"""`gatecrash ci`: recording, testing and reporting inside a pipeline, steered by environment variables."""

import click

from gatecrash.cli.ci.record import record
from gatecrash.cli.ci.report import report
from gatecrash.cli.ci.test import test
from gatecrash.cli.shape import Group


@click.group(
    cls=Group,
    epilog="""
    gatecrash ci record          # then run the test suite through 127.0.0.1:8080
    gatecrash ci test            # TEST_RECORD_ID or TEST_RECORD_NAME says what is tested
    gatecrash ci report          # TEST_RUN_ID says which run; files go to REPORT_DIR
    """,
)
def command() -> None:
    """Record, test and report in a pipeline, with a node of its own that lives as long as the step.

    Settings are environment variables: GATECRASH_API and GATECRASH_TOKEN (a token of role ci) for all of them, the
    others with each command. What a later step needs is printed on standard output as NAME=value lines. Ends with 0
    when all is well and with 1 when it is not, for an empty record or an untested run too; 2 is a wrong setting, 3 a
    service that was not reached, 4 one that refused, 130 an interruption: none of these may pass a build.
    """


for _step in (record, test, report):
    command.add_command(_step)
