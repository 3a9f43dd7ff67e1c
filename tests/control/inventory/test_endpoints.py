import pytest

from gatecrash.control import wall
from gatecrash.control.inventory import endpoints, mapping
from gatecrash.control.inventory.mapping import Name
from gatecrash.control.inventory.models import CredentialKind, Endpoint, EndpointAlias

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def name(path: str, operation: str = "") -> Name:
    return ("rest", "GET", "h", path, operation)


def test_an_endpoint_is_made_at_first_sight_and_found_afterwards(client_id: str, other_id: str) -> None:
    with wall.client(client_id):
        first = endpoints.take([name("/a"), name("/b")])
        again = endpoints.take([name("/b"), name("/c")])
        assert first[name("/b")] == again[name("/b")]
        rows = {row.path: row for row in Endpoint.objects.all()}
        assert sorted(rows) == ["/a", "/b", "/c"]
        assert len({row.public_id for row in rows.values()}) == 3
    with wall.client(other_id):
        assert endpoints.take([]) == {}
        theirs = endpoints.take([name("/a")])
        assert set(theirs.values()).isdisjoint(first.values())


def test_operations_within_one_path_are_endpoints_of_their_own(client_id: str) -> None:
    with wall.client(client_id):
        found = endpoints.take([name("/graphql"), name("/graphql", "query A"), name("/graphql", "query B")])
        assert len(set(found.values())) == 3
        assert sorted(row.operation for row in Endpoint.objects.all()) == ["", "query A", "query B"]


def test_a_name_that_became_part_of_another_endpoint_counts_there(client_id: str) -> None:
    with wall.client(client_id):
        target = endpoints.take([name("/users/{id}")])[name("/users/{id}")]
        digest = mapping.name_digest(name("/users/me"))
        EndpointAlias.objects.create(public_id="ep_old", digest=digest, path="/users/me", target=target, created_at=1)
        assert endpoints.take([name("/users/me")]) == {name("/users/me"): target}
        assert Endpoint.objects.count() == 1


def test_a_credential_is_the_same_by_type_and_point_on_every_endpoint(client_id: str) -> None:
    names = [("bearer", ("header", "A")), ("basic", ("header", "A")), ("bearer", ("header", "B"))]
    with wall.client(client_id):
        numbers = endpoints.take_credentials(names)
        assert len(set(numbers.values())) == 3
        assert endpoints.take_credentials(names) == numbers
        assert CredentialKind.objects.get(number=numbers[names[1]]).point == ["header", "A"]
        assert endpoints.take_credentials([]) == {}
