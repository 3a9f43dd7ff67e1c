"""`gatecrash worker`: background work of the service, as many processes as wanted."""

from functools import partial

import click

from gatecrash.cli.installation import on_installation, run_management
from gatecrash.cli.shape import Command


@click.command(cls=Command, epilog="gatecrash worker --database-url postgresql://gatecrash@db/gatecrash")
@partial(on_installation, log_level="INFO", stays=True)
def command() -> None:
    """Run a background worker: cloning, timeouts, pruning, node loss. `gatecrash up` has one already."""
    run_management("worker")
