"""Where no more names are shown below a parent, an endpoint beside them tells so."""

import pytest
from tests.control.inventory.traffic import HOST, count, observe

from gatecrash.control import wall
from gatecrash.control.inventory import decisions
from gatecrash.control.inventory.crowded import Crowded, crowded
from gatecrash.core.inventory.templates import MOST_CHILDREN

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def names(client_id: str, number: int) -> None:
    observe(
        client_id, *(count(f"/shops/s{chr(97 + place)}/items") for place in range(number)), count("/shops/{shop_id}")
    )


def test_the_parent_of_as_many_names_as_leave_a_node_is_named(client_id: str) -> None:
    names(client_id, MOST_CHILDREN - 1)
    with wall.client(client_id):
        assert crowded(HOST, "/shops/{shop_id}/items") == Crowded("/shops", "/shops/{shop_id}")
        for other in ("/shops/sa/items", "/shops/sa/{item_id}", "/{shop_id}", "/SHOPS/{shop_id}"):
            assert crowded(HOST, other) is None, other
        assert crowded("other.example", "/shops/{shop_id}") is None


def test_one_name_less_leaves_room_and_so_does_a_split(client_id: str) -> None:
    names(client_id, MOST_CHILDREN - 2)
    with wall.client(client_id):
        assert crowded(HOST, "/shops/{shop_id}") is None
    names(client_id, MOST_CHILDREN - 1)
    with wall.client(client_id):
        decisions.add_rule("split", "", "/shops/{shop_id}")
        assert crowded(HOST, "/shops/{shop_id}") is None
