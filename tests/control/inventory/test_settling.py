"""After counts changed: statuses and types fit the sums, and a change between two statuses is history."""

import pytest
from tests.control.inventory.traffic import BEARER, NOW, count, number, observe, shown

from gatecrash.control import wall
from gatecrash.control.bulk_sql import execute
from gatecrash.control.inventory import settling
from gatecrash.control.inventory.mapping import TYPE_BITS
from gatecrash.control.inventory.models import Endpoint, StatusChange
from gatecrash.wire.counts import ParameterCount

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def changes(client_id: str) -> list[tuple[int, int, int]]:
    with wall.client(client_id):
        return list(StatusChange.objects.order_by("number").values_list("at", "before", "after"))


def test_a_status_follows_its_sums_and_each_change_is_kept(client_id: str) -> None:
    observe(client_id, count(requests=19, valid=19))
    assert shown(client_id)["/a"]["status"] == "consistent"
    assert changes(client_id) == []
    observe(client_id, count(requests=1, valid=0), at=NOW + 1)
    assert shown(client_id)["/a"]["status"] == "consistent", "95% to the point"
    observe(client_id, count(requests=1, valid=0), at=NOW + 2)
    assert shown(client_id)["/a"]["status"] == "partial"
    assert changes(client_id) == [(NOW + 2, 3, 2)]
    with wall.client(client_id):
        assert Endpoint.objects.get().changed_at == NOW + 2


def test_settling_what_fits_changes_nothing(client_id: str) -> None:
    observe(client_id, count())
    with wall.client(client_id):
        before = Endpoint.objects.values().get()
        for touched in (None, [before["number"]], [], range(settling._NAMED + 1)):
            settling.settle(touched, NOW + 9)
        assert Endpoint.objects.values().get() == before
    assert changes(client_id) == []


@pytest.mark.parametrize("many", [False, True])
def test_only_the_touched_endpoints_are_settled_unless_they_are_very_many(client_id: str, many: bool) -> None:
    observe(client_id, count("/a"), count("/b"))
    with wall.client(client_id):
        execute("UPDATE inventory_endpoint SET authenticated = 0 WHERE client_id = %s", [client_id])
        touched = {number(client_id, "/a"), *(range(-settling._NAMED, 0) if many else ())}
        settling.settle(touched, NOW)
    statuses = {path: one["status"] for path, one in shown(client_id).items()}
    with wall.client(client_id):
        stored = dict(Endpoint.objects.values_list("path", "status"))
    assert statuses == {"/a": "missing", "/b": "missing"}
    assert stored == {"/a": 1, "/b": 1 if many else 2}


def test_traffic_that_ends_is_history_and_no_changed_badge(client_id: str) -> None:
    observe(client_id, count())
    with wall.client(client_id):
        execute("UPDATE inventory_endpoint SET requests = 0, authenticated = 0 WHERE client_id = %s", [client_id])
        settling.settle(None, NOW + 5)
        assert Endpoint.objects.get().changed_at == 0
    assert changes(client_id) == [(NOW + 5, 2, 0)]


def test_types_are_added_with_counts_and_a_new_one_is_a_change(client_id: str) -> None:
    observe(client_id, count())
    with wall.client(client_id):
        one = number(client_id, "/a")
        settling.widen_types({one: TYPE_BITS["bearer"]}, NOW + 3)
        assert Endpoint.objects.get().changed_at == 0, "it was there"
        settling.widen_types({one: TYPE_BITS["basic"] | TYPE_BITS["bearer"]}, NOW + 4)
        assert Endpoint.objects.get().changed_at == NOW + 4
    assert shown(client_id)["/a"]["types"] == ["basic", "bearer"]


def test_types_that_no_parameter_has_any_more_go(client_id: str) -> None:
    basic = ParameterCount("basic", BEARER, 4, 4)
    observe(client_id, count(parameters=(basic, ParameterCount("bearer", BEARER, 4, 4))), count("/b"))
    with wall.client(client_id):
        one = number(client_id, "/a")
        execute("UPDATE rollup_parameter SET valid = 0 WHERE client_id = %s AND endpoint = %s", [client_id, one])
        settling.narrow_types({one})
    assert {path: found["types"] for path, found in shown(client_id).items()} == {"/a": [], "/b": ["bearer"]}


def test_another_clients_endpoints_are_not_settled(client_id: str, other_id: str) -> None:
    observe(other_id, count())
    with wall.client(other_id):
        execute("UPDATE inventory_endpoint SET authenticated = 0 WHERE client_id = %s", [other_id])
    with wall.client(client_id):
        settling.settle(None, NOW)
    assert changes(other_id) == []
