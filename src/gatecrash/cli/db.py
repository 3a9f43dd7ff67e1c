"""`gatecrash db`: the database of this installation."""

import click

from gatecrash.cli.installation import opened, run_management
from gatecrash.cli.output import say
from gatecrash.cli.shape import Group


@click.group(cls=Group, epilog="gatecrash db migrate")
def command() -> None:
    """Care for the database."""


@command.command("migrate", epilog="gatecrash db migrate --database-url postgresql://gatecrash@db/gatecrash")
@click.option("--data-dir", metavar="DIR", help="Data directory. [env: GATECRASH_DATA_DIR]")
@click.option("--database-url", metavar="URL", help="Database. [env: GATECRASH_DATABASE_URL]")
def migrate(data_dir: str | None, database_url: str | None) -> None:
    """Bring the database to this version's shape; harmless where it is already."""
    with opened(data_dir, database_url):
        run_management("migrate", "--verbosity=0")
    say("The database has the shape of this version.")
