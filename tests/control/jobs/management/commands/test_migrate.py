import pytest
from django.core.management import call_command, get_commands

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_our_command_stands_before_djangos_and_migrates_behind_the_wall() -> None:
    assert get_commands()["migrate"] == "gatecrash.control.jobs"
    call_command("migrate", verbosity=0)


def test_no_migration_is_missing() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
