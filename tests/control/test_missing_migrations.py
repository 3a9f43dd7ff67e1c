import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from gatecrash.control.missing_migrations import later_migrations, missing_migrations, on_disk

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_what_is_on_disk_is_what_django_would_load() -> None:
    assert set(on_disk()) == set(MigrationExecutor(connection).loader.disk_migrations)


def test_nothing_is_missing_until_a_migration_was_not_applied() -> None:
    assert missing_migrations() == []
    last = [one for one in on_disk() if one[0] == "testruns"][-1]
    MigrationRecorder(connection).record_unapplied(*last)
    assert missing_migrations() == [last]


def test_a_migration_that_only_a_later_version_knows_is_named_and_others_are_left_to_their_apps() -> None:
    assert later_migrations() == []
    for app in ("testruns", "axes", "an_app_that_is_gone"):
        MigrationRecorder(connection).record_applied(app, "0999_later")
    assert later_migrations() == [("testruns", "0999_later")]
