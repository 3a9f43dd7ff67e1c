"""`gatecrash backup`: one consistent archive of an installation, while the service runs."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gatecrash.cli.installation import on_installation
from gatecrash.cli.interruption import term_interrupts
from gatecrash.cli.output import say, warn
from gatecrash.cli.shape import Command
from gatecrash.cli.steps import Steps
from gatecrash.cli.written import refuse_unwritable
from gatecrash.core.errors import UserError

if TYPE_CHECKING:
    from gatecrash.control.backup.manifest import Manifest


@click.command(
    cls=Command,
    epilog="""
    gatecrash backup gatecrash-2026-05-01.tar.gz
    gatecrash backup --with-keys /safe/gatecrash.tar.gz
    """,
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--with-keys", is_flag=True, help="Put the keys and tokens in, too: the file alone then opens everything."
)
@click.option("--overwrite", is_flag=True, help="Replace FILE where it exists.")
@on_installation
def command(file: Path, with_keys: bool, overwrite: bool) -> None:
    """Write the whole installation into FILE, as it is at one moment; the service may run meanwhile.

    Without --with-keys the file holds no key: recorded requests, evidence, auth profiles and second factors in it can
    be opened only where the keys are too.
    """
    from django.conf import settings

    from gatecrash.control import keys
    from gatecrash.control.backup.making import make

    refuse_unwritable(file)
    if file.exists() and not file.is_file():
        raise UserError(f"{file} is no file that could be replaced; choose another name.")
    if file.exists() and not overwrite:
        raise UserError(f"{file} exists already; choose another name, or replace it with --overwrite.")
    with term_interrupts(), Steps() as steps:
        made = make(
            file,
            data_dir=settings.DATA_DIR,
            key_dir=settings.KEY_DIR,
            database=settings.DATABASES["default"],
            with_keys=with_keys,
            progress=steps,
        )
    _noted(made)
    say(f"{file}: {file.stat().st_size} bytes, everything of this installation's {made.kind} database.", colour="green")
    if with_keys:
        warn("the file holds the keys and tokens: whoever has it can open everything. Keep it as you keep a password.")
        return
    where = (
        "GATECRASH_KEYS" if os.environ.get("GATECRASH_KEYS") else keys.ring_file(settings.DATA_DIR, settings.KEY_DIR)
    )
    say(
        "The keys are NOT in it, and without them the vault cannot be opened: recorded requests, evidence, auth profiles "
        f"and second factors would be lost. Keep a copy of {where} in another place, or use --with-keys."
    )


def _noted(made: "Manifest") -> None:
    """Write it into the audit log, in which this backup itself is not. The file is there, whatever becomes of that."""
    from django.db import Error, transaction

    from gatecrash.control.accounts import audit

    try:
        with transaction.atomic():
            audit.record_for_all("backup.make", program=made.program, with_keys=made.with_keys)
    except Error as error:  # an earlier schema, a full disk: when a backup is wanted most
        warn(f"the backup is not in the audit log: {str(error).strip()}.")
