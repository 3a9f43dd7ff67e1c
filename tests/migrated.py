"""Databases with every migration applied and no row: made once a session, copied for each service that tests start.

A migration from nothing takes seconds, and hundreds of services are started; those tests whose claim is the migration
itself ask for an empty database instead.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.postgres import Cluster

SCRATCH = "GATECRASH_TEST_SCRATCH"
POSTGRES = "GATECRASH_TEST_POSTGRES"


def migrated_file(target: Path) -> Path:
    """Put a migrated SQLite database at a path that does not exist yet."""
    with _one_at_a_time() as scratch:
        made = scratch / "migrated.sqlite3"
        if not made.exists():
            fresh = scratch / "migrating.sqlite3"
            _migrate(f"sqlite:///{fresh}")  # its last connection's close moves the write-ahead log into the file
            fresh.rename(made)
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)  # as the service makes its folder
    shutil.copyfile(made, target)
    return target


@contextmanager
def migrated_database(home: Path, kind: str) -> Iterator[str]:
    """The address of a migrated database of that kind, in this folder or on the session's PostgreSQL server."""
    if kind == "sqlite":
        yield f"sqlite:///{migrated_file(home / 'service.sqlite3')}"
        return
    server = os.environ[POSTGRES]
    with _one_at_a_time() as scratch:
        noted = scratch / "migrated.postgresql"
        if not noted.exists():
            noted.write_text(Cluster.create(server, "migrated"))
            _migrate(f"{server}/migrated")
    with Cluster.database(server, template="migrated") as url:
        yield url


@contextmanager
def _one_at_a_time() -> Iterator[Path]:
    """The session's scratch folder, no other test process in here meanwhile."""
    scratch = Path(os.environ[SCRATCH])
    with (scratch / "migrated.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield scratch


def _migrate(url: str) -> None:
    environment = {**os.environ, "GATECRASH_DATABASE_URL": url}
    command = [sys.executable, "-m", "gatecrash.control", "migrate", "--verbosity", "0"]
    subprocess.run(command, env=environment, check=True)  # bounded by the timeout of the test that asks
