"""`gatecrash check`: verifies an installation, one finding a line, and says what is wrong and how to mend it."""

import os
import platform
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from gatecrash import __version__
from gatecrash.cli.installation import Unopened, opened
from gatecrash.cli.options import json_option, with_service
from gatecrash.cli.output import document, table
from gatecrash.cli.settings import Settings, Unusable, data_dir
from gatecrash.cli.shape import Command
from gatecrash.core.errors import UserError
from gatecrash.core.reports.plural import plural

# Bytes. A spool holds up to 2 GiB, an ordinary run some megabytes.
NO_ROOM = 10 * 10**6
LITTLE_ROOM = 100 * 10**6


@dataclass(frozen=True)
class Check:
    """One thing looked at. state: `ok`, `warning` or `wrong`. detail: what was found, and the way out."""

    name: str
    state: str
    detail: str


@click.command(cls=Command, epilog="gatecrash check --json")
@click.option("--data-dir", "folder", metavar="DIR", help="Data directory. [env: GATECRASH_DATA_DIR]")
@click.option("--database-url", metavar="URL", help="Database. [env: GATECRASH_DATABASE_URL]")
@click.option("--offline", is_flag=True, help="Leave out the running service.")
@json_option
@with_service
def command(
    service: Callable[[], Settings], folder: str | None, database_url: str | None, offline: bool, as_json: bool
) -> None:
    """Verify an installation: directory, keys, database, and the running service with its token.

    Ends with 1 where something is wrong; warnings do not count.
    """
    os.environ.setdefault("GATECRASH_LOG_LEVEL", "WARNING")
    checks = [_program(), *_installation(folder, database_url)]
    if not offline:
        checks += _service(service)
    if as_json:
        document({"ok": all(one.state != "wrong" for one in checks), "checks": [asdict(one) for one in checks]})
    else:
        table(("state", "what", "found"), ((one.state, one.name, one.detail) for one in checks), empty="")
    sys.exit(1 if any(one.state == "wrong" for one in checks) else 0)


def _program() -> Check:
    return Check("program", "ok", f"gatecrash {__version__} on Python {platform.python_version()}")


def _installation(folder: str | None, database_url: str | None) -> Iterator[Check]:
    path = Path(folder).expanduser() if folder else data_dir()
    if not path.is_dir():
        yield Check(
            "data directory", "wrong", f"{path} is missing; `gatecrash up` makes it, or name another with --data-dir"
        )
        return
    loose = stat.S_IMODE(path.stat().st_mode) & 0o077
    yield Check(
        "data directory",
        "warning" if loose else "ok",
        f"{path} can be read by other users; run: chmod 700 {path}" if loose else str(path),
    )
    yield room(shutil.disk_usage(path).free)
    try:
        with opened(folder, database_url):
            yield from _inside()
    except (Unopened, UserError) as error:
        yield Check("installation", "wrong", str(error.message if isinstance(error, Unopened) else error))
    except OSError as error:  # a full disk: the lines before this one say so
        yield Check("installation", "wrong", f"cannot be opened: {error.strerror or error}")


def room(free: int) -> Check:
    """The state of a disk with so many free bytes. Where it is full nothing is recorded."""
    detail = f"{free // 10**6:,} MB free on the disk of the data directory"
    state = "wrong" if free < NO_ROOM else "warning" if free < LITTLE_ROOM else "ok"
    return Check("room", state, detail if state == "ok" else f"{detail}: make room, or nothing is recorded")


def _inside() -> Iterator[Check]:
    from django.conf import settings
    from django.db import connection

    from gatecrash.control.missing_migrations import later_migrations, missing_migrations

    yield Check("keys", "ok", f"{len(settings.VAULT_KEYS)} for secrets at rest")
    with connection.cursor() as cursor:
        cursor.execute("SELECT sqlite_version()" if connection.vendor == "sqlite" else "SHOW server_version")
        version = cursor.fetchone()[0]
    yield Check("database", "ok", f"{connection.vendor} {version} answers")
    if later := later_migrations():
        yield Check(
            "migrations", "wrong", f"{'.'.join(later[0])} is of a later version; run that version, or restore a backup"
        )
        return
    missing = len(missing_migrations())
    if missing:
        yield Check("migrations", "wrong", f"{missing} missing; run: gatecrash db migrate")
        return
    yield Check("migrations", "ok", "all there")
    yield _clients()


def _clients() -> Check:
    from gatecrash.control.accounts.models import Client

    count = Client.objects.count()
    if not count:
        return Check(
            "clients", "warning", "there is none; `gatecrash up` makes the first, or gatecrash client create NAME"
        )
    return Check("clients", "ok", str(count))


def _service(service: Callable[[], Settings]) -> Iterator[Check]:
    from gatecrash.cli.api import Api, Refused, Unreachable
    from gatecrash.cli.tree.readiness import answers_ready

    try:
        settings = service()
    except Unusable as error:
        yield Check("settings", "wrong", str(error))
        return
    if not answers_ready(settings.api):
        yield Check(
            "service",
            "wrong",
            f"{settings.api} does not say that it is ready; start it with `gatecrash up`, or see its log",
        )
        return
    yield Check("service", "ok", f"{settings.api} is ready")
    try:
        with Api(settings) as api:
            runs = api.get("/v1/test_run", limit=1)
    except (Refused, Unreachable) as error:
        yield Check("token", "wrong", error.message)
        return
    yield Check("token", "ok", f"accepted; {plural(runs['total'], 'test run')}")
