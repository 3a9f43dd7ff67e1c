"""`gatecrash worker`: background work of the service, as many processes as wanted."""

import sys

import click

from gatecrash.cli.shape import Command


@click.command(cls=Command, epilog="gatecrash worker --database-url postgresql://gatecrash@db/gatecrash")
@click.option("--data-dir", metavar="DIR", help="Data directory. [env: GATECRASH_DATA_DIR]")
@click.option("--database-url", metavar="URL", help="Database. [env: GATECRASH_DATABASE_URL]")
def command(data_dir: str | None, database_url: str | None) -> None:
    """Run a background worker: cloning, timeouts, pruning, node loss. `gatecrash up` has one already."""
    from gatecrash.cli.installation import opened, run_management

    with opened(data_dir, database_url):
        sys.exit(run_management("worker"))
