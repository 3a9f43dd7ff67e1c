"""The installation on this machine, opened in this process: for administration that needs no running service.

Django is set up at most once and only here, after the environment says which installation is meant.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from gatecrash.core.errors import GatecrashError


class Unopened(click.ClickException):
    """The installation cannot be opened."""

    exit_code = 3


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
    except (GatecrashError, ImproperlyConfigured, OSError) as error:
        raise Unopened(f"The installation cannot be opened: {error}") from error
    except Error as error:
        raise Unopened(
            f"The database refused: {error}. Is it there, and migrated (gatecrash db migrate)? `gatecrash check` looks."
        ) from error
    finally:
        connections.close_all()


def run_management(*arguments: str) -> int:
    """Run one of the service's management commands in this process; its exit code."""
    from django.core.management import CommandError, call_command

    try:
        call_command(*arguments)
    except CommandError as error:
        raise Unopened(str(error)) from error
    return 0
