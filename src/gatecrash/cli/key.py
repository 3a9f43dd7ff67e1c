"""`gatecrash key`: the keys that seal secrets at rest (decisions 2)."""

import click

from gatecrash.cli.installation import on_installation
from gatecrash.cli.output import say, warn
from gatecrash.cli.shape import Group
from gatecrash.core.reports.plural import plural


@click.group(
    cls=Group,
    epilog="""
    gatecrash key rotate
    gatecrash key reseal
    """,
)
def command() -> None:
    """Care for the encryption keys of this installation."""


@command.command("rotate", epilog="gatecrash key rotate")
@on_installation
def rotate() -> None:
    """Put a fresh key before the others: new secrets are sealed with it, older ones stay readable.

    Running processes use it after their next start; then `gatecrash key reseal` seals the older ones with it, too.
    """
    from django.conf import settings
    from django.db import transaction

    from gatecrash.control import keys
    from gatecrash.control.accounts import audit

    with transaction.atomic():
        audit.record_for_all("key.rotate")
        keys.rotate(settings.DATA_DIR, settings.KEY_DIR)
    say(f"A fresh key is in {keys.ring_file(settings.DATA_DIR, settings.KEY_DIR)}. Restart the service to use it.")
    say("Then `gatecrash key reseal` seals what is stored with it.")


@command.command("reseal", epilog="gatecrash key reseal")
@on_installation
def reseal() -> None:
    """Seal everything that is stored with the first key: baselines, evidence, auth profiles, second factors.

    Restart the service before, after a rotation: a process that does not know the new key could not read what it seals.
    It may be stopped and called again at any time. Ends with 1 where something cannot be opened.
    """
    from django.conf import settings

    from gatecrash.control import keys
    from gatecrash.control.resealing import reseal as all_of_it

    done, unopened = all_of_it()
    say(f"{plural(done, 'value')} sealed anew.")
    if unopened:
        warn(f"{plural(unopened, 'value')} cannot be opened: a key is missing, or they were changed. Keep every key.")
        raise SystemExit(1)
    path = keys.ring_file(settings.DATA_DIR, settings.KEY_DIR)
    say(f"The keys after the first in {path} open nothing any more, once every process knows the first.")
