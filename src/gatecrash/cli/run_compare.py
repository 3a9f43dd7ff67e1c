"""`gatecrash run compare`: two runs beside each other."""

import click

from gatecrash.cli.api import Api, segment
from gatecrash.cli.options import json_option, with_api
from gatecrash.cli.output import document, say, table
from gatecrash.cli.shape import Command
from gatecrash.cli.vuln import FOUND_COLUMNS, once
from gatecrash.core.reports.plural import plural
from gatecrash.core.reports.report import by_code

# What the service calls it → what people call it.
KINDS = {"new": "new", "persisting": "persisting", "fixed": "fixed", "not_tested": "not tested"}


@click.command(
    "compare",
    cls=Command,
    epilog="""
    gatecrash run compare tr_4b77aa tr_9f2c41
    gatecrash run compare tr_4b77aa tr_9f2c41 --json | jq '.new[].code'
    """,
)
@click.argument("run_id", metavar="RUN")
@click.argument("other_id", metavar="EARLIER-RUN")
@json_option
@with_api
def compare(api: Api, run_id: str, other_id: str, as_json: bool) -> None:
    """Compare a test run with an earlier one: which vulnerabilities are new, persisting, fixed or not tested.

    Fixed means that its endpoint was tested again for its type, to the end, and it was not found; whatever else was not
    found again is not tested.
    """
    body = api.get(f"/v1/test_run/{segment(run_id)}/compare/{segment(other_id)}")
    if as_json:
        document(body)
        return
    rows = [(word, *row) for name, word in KINDS.items() for row in once(body[name])]
    table(("change", *FOUND_COLUMNS), rows, empty="Neither run found anything.")
    say("; ".join(plural(len(by_code(body[name])), f"is {word}", f"are {word}") for name, word in KINDS.items()) + ".")
