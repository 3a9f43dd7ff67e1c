import pytest

from gatecrash.control import wall
from gatecrash.control.inventory import endpoints
from gatecrash.control.inventory.models import Endpoint, EndpointParameter
from gatecrash.wire.counts import EndpointCount

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def count(path: str, seen: int = 5) -> EndpointCount:
    return EndpointCount(1, "rest", "GET", "h", path, 1, 0, None, seen, seen)


def test_an_endpoint_is_made_at_first_sight_and_found_afterwards(client_id: str, other_id: str) -> None:
    with wall.client(client_id):
        first = endpoints.take([count("/a"), count("/b")], undetected_node="")
        again = endpoints.take([count("/b", 9), count("/c")], undetected_node="node_1")
        assert first["rest", "GET", "h", "/b"] == again["rest", "GET", "h", "/b"]
        rows = {row.path: row for row in Endpoint.objects.all()}
        assert sorted(rows) == ["/a", "/b", "/c"]
        assert (rows["/b"].first_seen, rows["/b"].last_seen, rows["/b"].undetected_node) == (5, 9, "node_1")
        assert len({row.public_id for row in rows.values()}) == 3
    with wall.client(other_id):
        assert endpoints.take([], undetected_node="") == {}
        theirs = endpoints.take([count("/a")], undetected_node="")
        assert set(theirs.values()).isdisjoint(first.values())


def test_a_parameter_is_the_same_by_endpoint_type_and_point(client_id: str) -> None:
    names = [(1, "bearer", ("header", "A")), (1, "basic", ("header", "A")), (2, "bearer", ("header", "A"))]
    with wall.client(client_id):
        numbers = endpoints.take_parameters(names + names)
        assert len(set(numbers.values())) == 3
        assert endpoints.take_parameters(names) == numbers
        assert EndpointParameter.objects.get(number=numbers[names[1]]).point == ["header", "A"]
        assert endpoints.take_parameters([]) == {}
