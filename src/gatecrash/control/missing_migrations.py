"""Which migrations the database lacks, by their names alone.

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


@cache
def on_disk() -> tuple[tuple[str, str], ...]:
    """All of this version: the modules that Django would load."""
    return tuple(
        (app.label, module.name)
        for app in apps.get_app_configs()
        for module in iter_modules([str(Path(app.path) / "migrations")])
        if not module.ispkg and module.name[0] not in "_~"
    )
