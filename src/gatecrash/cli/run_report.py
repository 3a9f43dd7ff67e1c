"""`gatecrash run report`: a test run written down for a person, a forge or a pipeline."""

import sys
from pathlib import Path

import click

from gatecrash.cli.api import Api, segment
from gatecrash.cli.options import with_api
from gatecrash.cli.output import say
from gatecrash.cli.shape import Command
from gatecrash.cli.written import refuse_unwritable, save
from gatecrash.core.reports.formats import FORMATS


@click.command(
    "report",
    cls=Command,
    epilog="""
    gatecrash run report tr_9f2c41 --format html --output report.html
    gatecrash run report tr_9f2c41 --format sarif > results.sarif
    """,
)
@click.argument("run_id", metavar="RUN")
@click.option("--format", "kind", type=click.Choice(tuple(FORMATS)), default="txt", show_default=True)
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="Where to; standard output without.")
@with_api
def report(api: Api, run_id: str, kind: str, output: Path | None) -> None:
    """Write the report of a test run; of one that goes on, what is known so far."""
    if output is not None:
        refuse_unwritable(output)
    content = api.download(f"/v1/test_run/{segment(run_id)}/report", format=kind)
    if output is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    save(output, content)
    say(f"{output} written.")
