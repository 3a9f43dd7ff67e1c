"""Every filter and every order over the same endpoints, and cursors that neither repeat nor leave out."""

import random
from typing import Any

import pytest
from django.db import connection
from tests.control.inventory.traffic import HOST, NOW, count, observe

from gatecrash.control import wall
from gatecrash.control.inventory import marks, queries
from gatecrash.control.inventory.filters import SORT_KEYS, Filters, InvalidCursor, InvalidSort, Sort, reads_through
from gatecrash.control.inventory.models import Endpoint
from gatecrash.control.inventory.shares import ALL
from gatecrash.wire.counts import ParameterCount

pytestmark = [pytest.mark.database, pytest.mark.django_db]

LONG = "/" + "x" * 240
MONTH_AGO = NOW - 20 * 86400


@pytest.fixture
def observed(client_id: str) -> str:
    """Endpoints that differ in all that can be asked for."""
    basic = (ParameterCount("basic", ("header", "AUTHORIZATION"), 10, 10),)
    old = count("/old", valid=0, at=MONTH_AGO)
    observe(client_id, old, at=MONTH_AGO)
    observe(
        client_id,
        count("/partial", method="POST"),
        count("/consistent", valid=10, parameters=basic, host="Other.example"),
        count("/missing", valid=0),
        count("/100%_sure", valid=0, protocol="graphql", operation="query Teas"),
        count(f"{LONG}/b", requests=2, valid=2),
        count(f"{LONG}/a", requests=1, valid=1),
    )
    with wall.client(client_id):
        # As the roll of the window leaves it.
        Endpoint.objects.filter(path="/old").update(requests=0, status=0)
        Endpoint.objects.filter(path="/partial").update(changed_at=NOW - 5, document=1)
        Endpoint.objects.filter(path="/missing").update(document=2)
    return client_id


def found(client_id: str, at: int = NOW, **wanted: Any) -> set[str]:
    with wall.client(client_id):
        page = queries.list_endpoints(Filters(**wanted), limit=1000, at=at)
    assert page.total == len(page.objects)
    return {one["path"].replace("x" * 240, "…") for one in page.objects}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"status": "consistent"}, {"/consistent", "/…/a", "/…/b"}),
        ({"status": "partial"}, {"/partial"}),
        ({"status": "missing"}, {"/missing", "/100%_sure"}),
        ({"status": "no_traffic"}, {"/old"}),
        ({"type": "basic"}, {"/consistent"}),
        ({"type": "bearer"}, {"/partial", "/…/a", "/…/b"}),
        ({"type": "scram"}, set()),
        ({"type": "none"}, {"/missing", "/100%_sure"}),
        ({"host": "OTHER.example"}, {"/consistent"}),
        ({"method": "post"}, {"/partial"}),
        ({"protocol": "graphql"}, {"/100%_sure"}),
        ({"path": "SING"}, {"/missing"}),
        ({"path": "teas"}, {"/100%_sure"}),
        ({"path": "100%_s"}, {"/100%_sure"}),
        ({"path": "%_%"}, set()),
        ({"path": "\\"}, set()),
        ({"seen_since": NOW}, {"/partial", "/consistent", "/missing", "/100%_sure", "/…/a", "/…/b"}),
        ({"seen_since": NOW + 1}, set()),
        ({"badge": "new", "host": HOST}, {"/partial", "/missing", "/100%_sure", "/…/a", "/…/b"}),
        ({"badge": "changed"}, {"/partial"}),
        ({"badge": "unused"}, {"/old"}),
        ({"document": "documented"}, {"/partial"}),
        ({"document": "shadow"}, {"/missing"}),
        ({"document": "unused"}, set()),
        ({"status": "missing", "path": "/m", "protocol": "rest"}, {"/missing"}),
    ],
)
def test_each_filter_leaves_what_it_says(observed: str, wanted: dict[str, Any], expected: set[str]) -> None:
    assert found(observed, **wanted) == expected


def test_a_documented_endpoint_without_traffic_is_unused(observed: str) -> None:
    with wall.client(observed):
        Endpoint.objects.filter(path="/old").update(document=1)
    assert found(observed, document="unused") == {"/old"}
    assert found(observed, document="documented") == {"/partial"}


def test_a_public_endpoint_leaves_the_alarms_and_nothing_else(observed: str) -> None:
    with wall.client(observed):
        endpoint = Endpoint.objects.get(path="/missing")
        marks.mark_public(endpoint.public_id, "a price list", "shop", None)
    assert found(observed, status="missing") == found(observed, type="none") == {"/100%_sure"}
    assert found(observed, status="missing", public="any") == {"/missing", "/100%_sure"}
    assert found(observed, public="only") == {"/missing"}
    assert "/missing" in found(observed)
    assert "/missing" not in found(observed, public="without")


ORDERS = [None, *SORT_KEYS, *(f"-{key}" for key in SORT_KEYS), "-host,-path", "host,-path,method", "-status,-coverage"]


@pytest.mark.parametrize("sort", ORDERS)
def test_pages_by_cursor_are_the_whole_list_in_its_order(observed: str, sort: str | None) -> None:
    with wall.client(observed):
        whole = [one["id"] for one in queries.list_endpoints(Filters(), limit=100, sort=sort, at=NOW).objects]
        walked, cursor = [], None
        for _ in range(len(whole) + 1):
            page = queries.list_endpoints(Filters(), limit=2, sort=sort, cursor=cursor, at=NOW)
            assert page.total == len(whole)
            walked += [one["id"] for one in page.objects]
            cursor = page.next_cursor
            if cursor is None:
                break
    assert walked == whole
    assert len(set(whole)) == 7


@pytest.mark.parametrize("sort", [None, "-path", "path", "-host,-path"])
def test_texts_are_ordered_by_their_bytes_however_long_they_are(observed: str, sort: str | None) -> None:
    """On PostgreSQL the order is that of an index over the beginning of each path."""
    names = (sort or "host,path").split(",")
    with wall.client(observed):
        listed = queries.list_endpoints(Filters(), limit=100, sort=sort, at=NOW).objects
    keys = [tuple(one[name.strip("-")].encode() for name in names) for one in listed]
    assert keys == sorted(keys, reverse=names[0].startswith("-"))


def test_what_is_added_or_gone_between_two_pages_moves_no_other(observed: str) -> None:
    with wall.client(observed):
        first = queries.list_endpoints(Filters(), limit=3, at=NOW)
        rest = [one["path"] for one in queries.list_endpoints(Filters(), limit=9, offset=3, at=NOW).objects]
        Endpoint.objects.filter(public_id=first.objects[0]["id"]).delete()
    observe(observed, count("/!first"), count("/zzz", host="zzz.example"))
    with wall.client(observed):
        second = queries.list_endpoints(Filters(), limit=9, cursor=first.next_cursor, at=NOW)
    assert [one["path"] for one in second.objects] == [*rest, "/zzz"]


@pytest.mark.parametrize("sort", ["colour", "-", "host,host", "host,-host", "number", "host;", "host,,path"])
def test_an_order_that_there_is_not_is_refused(sort: str) -> None:
    with pytest.raises(InvalidSort):
        Sort.parse(sort, ALL)


def test_only_a_cursor_of_the_same_list_is_taken(observed: str) -> None:
    with wall.client(observed):
        cursor = queries.list_endpoints(Filters(), limit=1, sort="-requests", at=NOW).next_cursor
        assert cursor
        for sort, given in (("requests", cursor), ("-requests", "é"), ("-requests", cursor[:-4]), ("-requests", "")):
            with pytest.raises(InvalidCursor):
                queries.list_endpoints(Filters(), limit=1, sort=sort, cursor=given, at=NOW)


@pytest.mark.parametrize(
    "sort", ["-requests", "requests,host", "-last_seen", "last_seen", "-coverage,host", "coverage"]
)
def test_the_quick_way_to_an_order_gives_the_same_order(client_id: str, sort: str) -> None:
    """Without a filter PostgreSQL goes by rough measures that stand in indexes, behind one it sorts."""
    draw = random.Random(sort)
    observe(
        client_id,
        *(
            count(f"/{number}", requests=draw.choice([1, 2, 7, 63, 64, 65, 10**6, 10**6 + 1]), valid=draw.randrange(2), at=NOW - draw.randrange(200))
            for number in range(60)
        ),
    )  # fmt: skip
    with wall.client(client_id):
        quick, slow = (
            [one["id"] for one in queries.list_endpoints(wanted, limit=1000, sort=sort, at=NOW).objects]
            for wanted in (Filters(), Filters(path="/"))
        )
    assert len(quick) == 60
    assert quick == slow


@pytest.mark.parametrize("ahead", [3, 12, 5000])
@pytest.mark.parametrize("sort", [None, "-requests", "status"])
def test_a_filter_gives_the_same_pages_however_far_is_looked_ahead(
    observed: str, sort: str | None, ahead: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    observe(observed, *(count(f"/{name}/{number}", at=NOW) for number in range(8) for name in ("few", "many")))
    monkeypatch.setattr(queries, "_AHEAD", ahead)
    with wall.client(observed):
        every = queries.list_endpoints(Filters(), limit=100, sort=sort, at=NOW).objects
        walked, cursor = [], None
        for _ in every:
            page = queries.list_endpoints(Filters(path="/many"), limit=3, sort=sort, cursor=cursor, at=NOW)
            assert page.total == 8
            walked += [one["path"] for one in page.objects]
            cursor = page.next_cursor
            if cursor is None:
                break
    assert walked == [one["path"] for one in every if one["path"].startswith("/many")]


def test_the_table_is_read_through_where_no_index_helps_and_most_of_it_is_the_clients(
    observed: str, other_id: str
) -> None:
    may_be = connection.vendor == "sqlite"  # PostgreSQL knows how many rows a client has, and chooses by itself
    of_no_index: list[dict[str, Any]] = [{"path": "/a"}, {"badge": "unused"}, {"badge": "new"}, {"seen_since": 5}]
    of_one: list[dict[str, Any]] = [{}, {"status": "missing"}, {"path": "/a", "host": HOST}, {"badge": "changed"}]
    with wall.client(observed):
        assert [reads_through(Filters(**wanted)) for wanted in of_no_index] == [may_be] * 4
        assert [reads_through(Filters(**wanted)) for wanted in of_one] == [False] * 4
    observe(other_id, *(count(f"/{number}/x", host=f"h{number}.example") for number in range(40)))
    with wall.client(observed):
        assert not reads_through(Filters(path="/a")), "a fifth of the table at least"
    with wall.client(other_id):
        assert reads_through(Filters(path="/a")) is may_be
