import pytest
from django.db import connection

from gatecrash.control import wall
from gatecrash.control.accounts.erasure import erase
from gatecrash.control.inventory.models import AuthParameter

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_every_table_behind_the_wall_is_emptied_of_the_client(client_id: str, other_id: str) -> None:
    for one in (client_id, other_id):
        with wall.client(one):
            AuthParameter.objects.create(id=f"ap_{one}", point=["get", "a"], digest="d", created_at=1)
    erase(client_id)
    with wall.system("a test"), connection.cursor() as cursor:
        for table in wall.tables():
            cursor.execute(f'SELECT COUNT(*) FROM "{table}" WHERE client_id = %s', [client_id])
            assert cursor.fetchone()[0] == 0, table
        assert list(AuthParameter.objects.values_list("client_id", flat=True)) == [other_id]
