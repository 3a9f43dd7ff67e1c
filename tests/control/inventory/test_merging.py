"""An endpoint that becomes part of another: nothing counted is lost, its identifier redirects, new counts follow."""

from typing import Any

import pytest
from tests.control.inventory.test_services import assert_rollup_is_the_sum
from tests.control.inventory.traffic import BEARER, HOST, NOW, count, number, observe, shown

from gatecrash.control import wall
from gatecrash.control.inventory import bulk, marks, merging, queries
from gatecrash.control.inventory.models import Endpoint, EndpointAlias, PublicMark, StatusChange
from gatecrash.wire.counts import NoteCount, ParameterCount, WithoutCount

pytestmark = [pytest.mark.database, pytest.mark.django_db]

TARGET = ("rest", "GET", HOST, "/users/{user_id}", "")


def merge(client_id: str, path: str, *, decided: bool = False) -> str:
    """Merge the endpoint of a path into the target; its old identifier."""
    with wall.client(client_id):
        old = Endpoint.objects.get(path=path)
        merging.merge(old.number, TARGET, NOW, decided=decided)
    return str(old.public_id)


def read(client_id: str, endpoint_id: str) -> dict[str, Any]:
    with wall.client(client_id):
        found = queries.read_endpoint(endpoint_id, at=NOW)
    assert found is not None
    return found


def test_counts_parameters_clients_weaknesses_and_sights_move(client_id: str) -> None:
    note = NoteCount("basic_without_tls", BEARER, 2, NOW - 60, NOW)
    basic = ParameterCount("basic", BEARER, 5, 5)
    observe(
        client_id,
        count("/users/ann", parameters=(basic,), valid=5, without=(WithoutCount("curl", 2, 5, NOW, NOW),)),
        count("/users/ann", at=NOW - 7200, refused=3, notes=(note,)),
        count("/users/{user_id}", without=(WithoutCount("curl", 2, 1, NOW - 5, NOW),), notes=(note,)),
    )
    old = merge(client_id, "/users/ann")
    assert set(shown(client_id)) == {"/users/{user_id}"}
    found = read(client_id, old)
    assert found["redirected_from"] == old
    assert (found["requests"], found["authenticated"], found["refused"]) == (30, 13, 3)
    assert found["types"] == ["basic", "bearer"]
    assert {one["type"]: one["valid"] for one in found["parameters"]} == {"basic": 5, "bearer": 8}
    assert (found["first_seen"], found["last_seen"]) == (NOW - 7200, NOW)
    assert [hour["requests"] for hour in found["series"][-3:]] == [10, 0, 20]
    assert (found["without"]["requests"], found["without"]["since"]) == (6, NOW - 5)
    assert [(one["kind"], one["requests"]) for one in found["notes"]] == [("basic_without_tls", 4)]
    assert_rollup_is_the_sum(client_id)


def test_a_target_that_is_not_there_is_made(client_id: str) -> None:
    observe(client_id, count("/users/ann"))
    old = merge(client_id, "/users/ann")
    found = read(client_id, old)
    assert (found["path"], found["requests"], found["status"]) == ("/users/{user_id}", 10, "partial")
    assert found["id"] != old


def test_counts_under_the_old_name_go_to_the_target(client_id: str) -> None:
    observe(client_id, count("/users/ann"))
    old = merge(client_id, "/users/ann")
    observe(client_id, count("/users/ann"))
    assert read(client_id, old)["requests"] == 20
    assert set(shown(client_id)) == {"/users/{user_id}"}


def test_an_identifier_redirects_through_two_merges(client_id: str) -> None:
    observe(client_id, count("/users/ann"), count("/users/{user_id}"))
    first = merge(client_id, "/users/ann")
    with wall.client(client_id):
        second = Endpoint.objects.get(path="/users/{user_id}")
        merging.merge(second.number, ("rest", "GET", HOST, "/{anything}", ""), NOW, decided=True)
    for old in (first, second.public_id):
        found = read(client_id, old)
        assert (found["path"], found["redirected_from"], found["requests"]) == ("/{anything}", old, 20)


def test_merged_twice_or_into_itself_it_is_merged_once(client_id: str) -> None:
    observe(client_id, count("/users/ann"), count("/users/{user_id}"))
    with wall.client(client_id):
        gone = number(client_id, "/users/ann")
        for _ in range(2):
            merging.merge(gone, TARGET, NOW, decided=False)
        merging.merge(number(client_id, "/users/{user_id}"), TARGET, NOW, decided=False)
        assert EndpointAlias.objects.count() == 1
    assert shown(client_id)["/users/{user_id}"]["requests"] == 20


def test_removed_nothing_of_it_stays(client_id: str) -> None:
    without, note = WithoutCount("curl", 2, 1, NOW, NOW), NoteCount("jwt_alg_none", BEARER, 1, NOW, NOW)
    observe(client_id, count("/gone", valid=0), count("/stays"))
    observe(client_id, count("/gone", without=(without,), notes=(note,)), count("/stays", without=(without,)))
    with wall.client(client_id):
        endpoint = Endpoint.objects.get(path="/gone")
        marks.mark_public(endpoint.public_id, "r", "o", None)
        merging.remove([endpoint.number], NOW)
        assert not PublicMark.objects.exists()
        assert not StatusChange.objects.exists()
        for table in bulk.OF_ENDPOINT:
            left = {row[0] for row in bulk_rows(client_id, table)}
            assert left <= {number(client_id, "/stays")}, table
    assert set(shown(client_id)) == {"/stays"}
    assert_rollup_is_the_sum(client_id)


def bulk_rows(client_id: str, table: str) -> list[tuple[Any, ...]]:
    from gatecrash.control.bulk_sql import select

    return select(f"SELECT endpoint FROM {table} WHERE client_id = %s", [client_id])
