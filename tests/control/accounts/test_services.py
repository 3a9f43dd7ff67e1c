import pytest

from gatecrash.control import wall
from gatecrash.control.accounts import services, tokens
from gatecrash.control.accounts.models import ApiToken, Client, Membership, User
from gatecrash.control.api.roles import Role
from gatecrash.control.inventory import services as inventory
from gatecrash.control.inventory.models import AuthParameter
from gatecrash.core.point import Point
from gatecrash.wire.counts import Counts, EndpointCount

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_deleting_a_client_takes_all_its_rows_and_no_others(client_id: str, other_id: str) -> None:
    count = EndpointCount(500_000, "rest", "GET", "h", "/a", 1, 0, None, 1, 1)
    for one in (client_id, other_id):
        with wall.client(one):
            services.create_token("t", Role.ADMIN)
            services.add_member(services.create_user(f"{one}@example.com"), Role.ADMIN)
            inventory.add_auth_parameter(Point.of("get", "a"), None)
        inventory.apply_counts(one, "node_1", Counts("node_1", "s", "p", 1, (count,)), at=500_000 * 3600)
    with wall.client(other_id):
        services.delete_client(Client.objects.get(id=client_id))
    from django.db import connection

    with wall.system("a test"), connection.cursor() as cursor:
        for table in wall.tables():
            cursor.execute(f'SELECT COUNT(*) FROM "{table}" WHERE client_id = %s', [client_id])
            assert cursor.fetchone()[0] == 0, table
    with wall.client(other_id):
        assert AuthParameter.objects.count() == 1
    assert list(Client.objects.values_list("id", flat=True)) == [other_id]


def test_a_user_goes_when_the_last_client_lets_go_of_it(client_id: str, other_id: str) -> None:
    user = services.create_user("One@Example.com ")
    assert user.email == "one@example.com"
    members = {}
    for one in (client_id, other_id):
        with wall.client(one):
            members[one] = services.add_member(user, Role.VIEWER)
    with wall.client(client_id):
        services.remove_member(members[client_id])
    assert User.objects.filter(id=user.id).exists()
    with wall.client(other_id):
        services.remove_member(members[other_id])
        assert not Membership.objects.exists()
    assert not User.objects.filter(id=user.id).exists()


def test_an_owner_stays_without_any_client(client_id: str) -> None:
    user = services.create_user("o@example.com", is_owner=True)
    with wall.client(client_id):
        services.remove_member(services.add_member(user, Role.ADMIN))
    assert User.objects.filter(id=user.id).exists()


def test_the_text_of_a_token_is_not_stored(client_id: str) -> None:
    with wall.client(client_id):
        row, text = services.create_token("t", Role.CI)
        assert text not in str(ApiToken.objects.values().get(id=row.id))
        assert row.digest == tokens.digest(text)
        assert row.digest != tokens.digest(text + "x")


def test_revoking_twice_keeps_the_first_time(client_id: str) -> None:
    with wall.client(client_id):
        row, _ = services.create_token("t", Role.CI)
        first = services.revoke_token(row).revoked_at
        ApiToken.objects.filter(id=row.id).update(revoked_at=5)
        assert services.revoke_token(row).revoked_at == 5
        assert first is not None
