"""`python -m gatecrash.control.backup.staged`: a restored database, still aside, gets this version's shape.

In a process of its own, whose environment names that database and scratch folders: the one in use is never opened. Its
argument is a JSON object, what the audit log is to tell of the restore. Prints one JSON document: `unknown`, the migrations
that this version does not have, and `migrated`, how many were applied.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from gatecrash.core.errors import UserError


class NewerSchema(UserError):
    """A backup was made by a later version."""


class NotMigrated(UserError):
    """A restored database cannot be brought to this version's shape."""


def main() -> None:
    """Look for what is unknown; where nothing is, migrate, and note the restore in the audit log."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "gatecrash.control.settings"
    import django
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    django.setup()
    from gatecrash.control.accounts import audit
    from gatecrash.control.missing_migrations import missing_migrations

    executor = MigrationExecutor(connection)
    applied = executor.loader.applied_migrations
    unknown = sorted(".".join(one) for one in applied if one not in executor.loader.disk_migrations)
    plan = [] if unknown else executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not unknown and missing_migrations():  # there may be a name to note only: of several folded into one
        call_command("migrate", verbosity=0)
    if not unknown:
        audit.record_for_all("backup.restore", **json.loads(sys.argv[1]))
    connection.close()
    print(json.dumps({"unknown": unknown, "migrated": len(plan)}))


def bring_up_to_date(database_url: str, scratch: Path, told: Mapping[str, str]) -> int:
    """Migrate the database at that address, which nobody uses yet; how many migrations it lacked.

    told: what its audit log tells of the restore.

    Raises NewerSchema where this version is too old for it, NotMigrated where it fails.
    """
    ours = {name: value for name, value in os.environ.items() if not name.startswith("GATECRASH_")}
    environment = {
        **ours,
        "GATECRASH_DATABASE_URL": database_url,
        "GATECRASH_DATA_DIR": str(scratch / "data"),
        "GATECRASH_KEY_DIR": str(scratch / "keys"),
        "GATECRASH_POOL_SIZE": "0",
        "GATECRASH_LOG_LEVEL": "WARNING",
    }
    command = [sys.executable, "-m", "gatecrash.control.backup.staged", json.dumps(dict(told))]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own arguments
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise NotMigrated(f"The restored database cannot be brought to this version's shape: {reason}")
    found = json.loads(done.stdout)
    if found["unknown"]:
        raise NewerSchema(
            f"The backup was made by a later version: this one does not know its migration {found['unknown'][0]}. "
            "Restore it with the version that made it, or a later one."
        )
    return int(found["migrated"])


if __name__ == "__main__":
    main()
