"""`gatecrash db`: the database of this installation."""

import click

from gatecrash.cli.installation import on_installation, run_management
from gatecrash.cli.output import say
from gatecrash.cli.shape import Group


@click.group(cls=Group, epilog="gatecrash db migrate")
def command() -> None:
    """Care for the database."""


@command.command("migrate", epilog="gatecrash db migrate --database-url postgresql://gatecrash@db/gatecrash")
@on_installation
def migrate() -> None:
    """Bring the database to this version's shape; harmless where it is already."""
    run_management("migrate", "--verbosity=0")
    say("The database has the shape of this version.")
