"""The installation on this machine, opened in this process: for administration that needs no running service.

Django is set up at most once and only here, after the environment says which installation is meant.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from gatecrash.core.errors import GatecrashError, UserError

R = TypeVar("R")


class Unopened(click.ClickException):
    """The installation cannot be opened."""

    exit_code = 3


_WHICH: tuple[Callable[[Any], Any], ...] = (
    click.option("--data-dir", metavar="DIR", help="Data directory. [env: GATECRASH_DATA_DIR]"),
    click.option("--database-url", metavar="URL", help="Database. [env: GATECRASH_DATABASE_URL]"),
)


def on_installation(function: Callable[..., R], *, log_level: str = "WARNING", stays: bool = False) -> Callable[..., R]:
    """Add the options that say which installation is meant, and open it around the command.

    log_level: of what is logged where GATECRASH_LOG_LEVEL does not say; a command's own words are enough for most.
    stays: it runs on and on; the others do with one connection, and hear at once of a database that is not there.
    """

    @wraps(function)
    def command(*args: Any, data_dir: str | None, database_url: str | None, **kwargs: Any) -> R:
        os.environ.setdefault("GATECRASH_LOG_LEVEL", log_level)
        if not stays:
            os.environ.setdefault("GATECRASH_POOL_SIZE", "0")
        with opened(data_dir, database_url):
            return function(*args, **kwargs)

    decorated: Callable[..., R] = command
    for option in reversed(_WHICH):
        decorated = option(decorated)
    return decorated


@contextmanager
def inside(client_id: str | None) -> Iterator[str]:
    """Work inside one client's wall; its identifier.

    Without one: GATECRASH_CLIENT, else the only client. Raises UsageError where that leaves a choice.
    """
    from gatecrash.control import wall
    from gatecrash.control.accounts.models import Client

    known = list(Client.objects.order_by("created_at", "id").values_list("id", flat=True))
    wanted = client_id or os.environ.get("GATECRASH_CLIENT")
    if wanted is not None and wanted not in known:
        raise click.UsageError(f"There is no client {wanted!r}; `gatecrash client list` shows them.")
    if wanted is None and len(known) != 1:
        count = "are several clients" if known else "is no client yet"
        raise click.UsageError(
            f"There {count}; name one with --client, or make one with `gatecrash client create NAME`."
        )
    chosen = wanted or known[0]
    with wall.client(chosen):
        yield chosen


def choose(data_dir: str | Path | None, database_url: str | None) -> None:
    """Say which installation is meant, for this process and those it starts."""
    if data_dir is not None:
        os.environ["GATECRASH_DATA_DIR"] = str(Path(data_dir).expanduser().absolute())
    if database_url is not None:
        os.environ["GATECRASH_DATABASE_URL"] = database_url


@contextmanager
def opened(data_dir: str | Path | None = None, database_url: str | None = None) -> Iterator[None]:
    """Django set up on the installation.

    Raises Unopened where keys, settings or the database do not let us in; its text names the way out.
    """
    choose(data_dir, database_url)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gatecrash.control.settings")
    import django
    from django.core.exceptions import ImproperlyConfigured
    from django.db import Error, connections

    try:
        django.setup()
        yield
    except UserError:
        raise
    except (GatecrashError, ImproperlyConfigured, OSError) as error:
        raise Unopened(f"The installation cannot be opened: {error}") from error
    except Error as error:
        raise Unopened(_refusal(error)) from error
    finally:
        connections.close_all()


def _refusal(error: Exception) -> str:
    """What the database says, and what to look at: the file where it is one, the server where not."""
    from django.db import connection

    from gatecrash.control import database_trouble

    if database_trouble.is_full(error):
        return database_trouble.FULL
    words = f"The database refused: {str(error).strip().rstrip('.?')}."
    if connection.vendor != "sqlite":
        return f"{words} Is it there, and migrated (gatecrash db migrate)? `gatecrash check` looks."
    file = connection.settings_dict["NAME"]
    if "no such table" in words:
        return (
            f"{words} It is the file {file}, which is new or of an earlier version. Is the installation elsewhere? "
            "--data-dir or GATECRASH_DATA_DIR says where, --database-url or GATECRASH_DATABASE_URL for PostgreSQL. "
            "`gatecrash up` makes a new one, `gatecrash db migrate` brings an earlier one to this version."
        )
    return f"{words} It is the file {file}: this user must be able to write it and its folder, and it must be SQLite's."


def run_management(*arguments: str) -> None:
    """Run one of the service's management commands in this process. Raises Unopened where it fails."""
    from django.core.management import CommandError, call_command

    try:
        call_command(*arguments)
    except CommandError as error:
        raise Unopened(str(error)) from error
