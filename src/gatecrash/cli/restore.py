"""`gatecrash restore`: an installation from its backup, whole or not at all."""

from pathlib import Path

import click

from gatecrash.cli.installation import choose
from gatecrash.cli.interruption import term_interrupts
from gatecrash.cli.output import document, facts, moment, say, warn
from gatecrash.cli.shape import Command
from gatecrash.cli.steps import Steps
from gatecrash.cli.tree.lock import DataLock
from gatecrash.cli.up import prepare_folder
from gatecrash.core.reports.plural import plural


@click.command(
    cls=Command,
    epilog="""
    gatecrash restore gatecrash-2026-05-01.tar.gz --data-dir /srv/gatecrash
    gatecrash restore --verify gatecrash-2026-05-01.tar.gz
    """,
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Restore over a database that is not empty; the old one is kept aside.")
@click.option("--verify", is_flag=True, help="Only check the file, and tell what is in it.")
@click.option("--json", "as_json", is_flag=True, help="With --verify: one JSON document on standard output.")
@click.option("--data-dir", metavar="DIR", help="Data directory. [env: GATECRASH_DATA_DIR]")
@click.option("--database-url", metavar="URL", help="Database. [env: GATECRASH_DATABASE_URL]")
def command(
    file: Path, replace: bool, verify: bool, as_json: bool, data_dir: str | None, database_url: str | None
) -> None:
    """Restore the installation in FILE; the service must be stopped.

    Everything is checked first. The database is filled and migrated beside the one in use, and takes its place in
    one step: where anything fails, the installation is as it was.
    """
    from gatecrash.control import places
    from gatecrash.control.backup import restoring

    if as_json and not verify:
        raise click.UsageError("--json belongs to --verify.")
    choose(data_dir, database_url)
    if verify:
        _tell(file, as_json)
        return
    folder = prepare_folder(places.data_dir())
    lock = DataLock(folder)
    lock.acquire()
    try:
        with term_interrupts(), Steps() as steps:
            restored = restoring.restore(
                file,
                data_dir=folder,
                key_dir=places.key_dir(),
                database_url=places.database_url(),
                replace=replace,
                progress=steps,
            )
    finally:
        lock.release()
    say(f"Restored the backup of {moment(restored.manifest.made_at)}.", colour="green")
    if restored.migrated:
        say(f"It was of an earlier version: {plural(restored.migrated, 'migration')} applied.")
    if restored.aside:
        say(f"The database that was here is now {restored.aside}; remove it when you no longer need it.")
    if restored.missing:
        warn(
            f"this machine lacks {plural(len(restored.missing), 'key')} of the backup ({', '.join(restored.missing)}). Without "
            "it, recorded requests, evidence, auth profiles and second factors cannot be opened. Append the lines of the "
            f"original's key file (keys-{restored.manifest.installation}) to {restored.ring}, or set GATECRASH_KEYS."
        )
    if not restored.manifest.with_keys:
        say("API tokens are valid as they were then; `gatecrash token create` makes a new one where yours is lost.")


def _tell(file: Path, as_json: bool) -> None:
    from gatecrash.control.backup.restoring import verify

    with term_interrupts(), Steps() as steps:
        found = verify(file, steps)
    if as_json:
        document(found.document())
        return
    facts(
        [
            ("made", moment(found.made_at)),
            ("by", f"gatecrash {found.program}"),
            ("database", f"{found.kind} {found.server}"),
            ("schema", found.migrations[-1] if found.migrations else None),
            ("keys", "in it" if found.with_keys else "not in it"),
            *((one.name, f"{one.size} bytes") for one in found.files),
        ]
    )
    say(f"{file} is whole.", colour="green")
