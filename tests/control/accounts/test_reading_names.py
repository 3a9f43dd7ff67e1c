"""Who acted, in words: members and tokens of the current client, and nobody else's."""

from collections.abc import Callable

import pytest
from tests.control.browsing import Person

from gatecrash.control import wall
from gatecrash.control.accounts import services
from gatecrash.control.accounts.reading_names import actors_named, named, names_of
from gatecrash.control.api.roles import Role

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_members_by_address_and_tokens_by_name(client_id: str, other_id: str, person: Callable[..., Person]) -> None:
    ours, theirs = person("viewer"), person("viewer", other_id)
    with wall.client(client_id):
        token, _ = services.create_token("nightly", Role.CI)
        told = names_of({ours.user.pk, theirs.user.pk, token.id, "system", ""})
        assert names_of(set()) == {}
    assert told == {ours.user.pk: ours.email, token.id: "nightly"}


def test_an_entry_has_its_actors_name_beside_it(client_id: str) -> None:
    with wall.client(client_id):
        token, _ = services.create_token("nightly", Role.CI)
        entries = named([{"actor": token.id, "at": 1}, {"actor": "system", "at": 2}])
        assert named([]) == []
    assert entries == [
        {"actor": token.id, "actor_name": "nightly", "at": 1},
        {"actor": "system", "actor_name": None, "at": 2},
    ]


def test_an_address_or_a_name_names_the_current_clients_own(
    client_id: str, other_id: str, person: Callable[..., Person]
) -> None:
    ours, theirs = person("viewer"), person("viewer", other_id)
    with wall.client(client_id):
        token, _ = services.create_token("nightly", Role.CI)
        assert actors_named(ours.email.upper()) == {ours.email.upper(), ours.user.pk}
        assert actors_named("nightly") == {"nightly", token.id}
        assert actors_named(theirs.email) == {theirs.email}
