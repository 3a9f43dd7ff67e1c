import pytest

from gatecrash.control import wall
from gatecrash.control.accounts import queries, services
from gatecrash.control.api.roles import Role

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_lists_and_finds_keep_to_the_client(client_id: str, other_id: str) -> None:
    user = services.create_user("Ann@example.com")
    with wall.client(client_id):
        services.add_member(user, Role.VIEWER)
        token, _ = services.create_token("t", Role.CI)
    with wall.client(other_id):
        assert list(queries.members()) == []
        assert queries.find_member(user.id) is None
        assert queries.find_token(token.id) is None
        assert all(entry.client_id == other_id for entry in queries.audit_entries())
    with wall.client(client_id):
        assert queries.find_member(user.id).user == user
        assert queries.find_token(token.id) == token
        assert [entry.action for entry in queries.audit_entries()][-1] == "client.create"


def test_a_user_is_found_by_address_without_case() -> None:
    user = services.create_user("Ann@example.com")
    assert queries.find_user_by_email(" ANN@Example.com") == user
    assert queries.find_user_by_email("bob@example.com") is None
