import pytest
from django.core.management import call_command, get_commands

from gatecrash.control import wall
from gatecrash.control.accounts import services
from gatecrash.control.accounts.models import ApiToken
from gatecrash.control.api.roles import Role

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]


def test_our_command_stands_before_djangos_and_empties_tables_behind_the_wall(client_id: str) -> None:
    with wall.client(client_id):
        services.create_token("t", Role.ADMIN)
    assert get_commands()["flush"] == "gatecrash.control.jobs"
    call_command("flush", interactive=False, verbosity=0)
    with wall.system("a test"):
        assert ApiToken.objects.count() == 0
