"""Which migrations the database lacks, and which it has from a later version, by their names alone.

Django's own answer loads every migration and builds the graph of them all: a fifth of what the preparation of a service
costs, and asked again by whoever watches it.
"""

from functools import cache
from pathlib import Path
from pkgutil import iter_modules

from django.apps import apps
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder


def missing_migrations() -> list[tuple[str, str]]:
    """App and name of each. Raises DatabaseError where the database does not answer."""
    applied = MigrationRecorder(connection).applied_migrations()
    return [one for one in on_disk() if one not in applied]


def later_migrations() -> list[tuple[str, str]]:
    """App and name of each that only a later version knows; of our own apps, for others fold theirs together at times."""
    own = {app.label for app in apps.get_app_configs() if app.name.startswith("gatecrash.")}
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(one for one in applied if one[0] in own and one not in on_disk())


@cache
def on_disk() -> tuple[tuple[str, str], ...]:
    """All of this version: the modules that Django would load."""
    return tuple(
        (app.label, module.name)
        for app in apps.get_app_configs()
        for module in iter_modules([str(Path(app.path) / "migrations")])
        if not module.ispkg and module.name[0] not in "_~"
    )
