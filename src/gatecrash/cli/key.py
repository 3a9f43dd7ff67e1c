"""`gatecrash key`: the keys that seal secrets at rest (decisions 2)."""

import click

from gatecrash.cli.installation import on_installation
from gatecrash.cli.output import say
from gatecrash.cli.shape import Group


@click.group(cls=Group, epilog="gatecrash key rotate")
def command() -> None:
    """Care for the encryption keys of this installation."""


@command.command("rotate", epilog="gatecrash key rotate")
@on_installation
def rotate() -> None:
    """Put a fresh key before the others: new secrets are sealed with it, older ones stay readable.

    Running processes use it after their next start.
    """
    from django.conf import settings

    from gatecrash.control import keys

    keys.rotate(settings.DATA_DIR, settings.KEY_DIR)
    say(f"A fresh key is in {keys.ring_file(settings.DATA_DIR, settings.KEY_DIR)}. Restart the service to use it.")
