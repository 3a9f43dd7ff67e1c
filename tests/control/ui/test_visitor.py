"""Who looks at a page: a user in the chosen client, or in the first; never in one that is not theirs."""

from collections.abc import Callable

import pytest
from tests.control.browsing import Person

from gatecrash.control import wall
from gatecrash.control.accounts import services
from gatecrash.control.accounts.models import Membership
from gatecrash.control.api.roles import Role
from gatecrash.control.ui.visitor import find

pytestmark = pytest.mark.django_db  # every statement of a page runs on PostgreSQL in test_page.py


@pytest.mark.parametrize(
    ("role", "rights"),
    [("admin", (True, True, True)), ("analyst", (True, True, False)), ("viewer", (False, False, False))],
)
def test_a_role_has_its_rights(
    client_id: str, person: Callable[..., Person], role: str, rights: tuple[bool, bool, bool]
) -> None:
    who = find(person(role).user, None)
    assert who is not None
    assert (who.may_run, who.may_edit, who.may_admin) == rights
    assert (who.caller.client_id, who.caller.role, who.client.id) == (client_id, Role(role), client_id)


def test_the_chosen_client_is_looked_at_where_the_user_is_a_member(
    client_id: str, other_id: str, person: Callable[..., Person]
) -> None:
    user = person("viewer").user
    stranger = services.create_client("A stranger's").id
    with wall.client(other_id):
        services.add_member(user, Role.ADMIN)
    chosen = find(user, other_id)
    assert chosen is not None
    assert (chosen.client.id, chosen.role) == (other_id, Role.ADMIN)
    assert {client.id for client in chosen.clients} == {client_id, other_id}
    for wanted in (None, stranger, "cl_none"):
        who = find(user, wanted)
        assert who is not None
        assert who.client.id == client_id, "the first by name"


def test_who_is_a_member_of_no_client_sees_none(client_id: str, person: Callable[..., Person]) -> None:
    someone = person("viewer")
    with wall.client(client_id):
        Membership.objects.all().delete()
    assert find(someone.user, client_id) is None
    answer = someone.get("/inventory/")
    assert (answer.status_code, client_id in answer.content.decode()) == (403, False)
