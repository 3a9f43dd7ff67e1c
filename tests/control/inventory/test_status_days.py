"""Endpoints by status at the end of each day: what entered and what left, counted back from the present."""

import random
from typing import Any

import pytest
from tests.control.inventory.traffic import NOW, count, number, observe

from gatecrash.control import wall
from gatecrash.control.inventory import decisions, merging, retention, services, settling, status_days
from gatecrash.control.inventory.models import Endpoint, StatusDay

pytestmark = [pytest.mark.database, pytest.mark.django_db]
DAY = 86400
MIDNIGHT = NOW // DAY * DAY


def days(client_id: str, wanted: int, at: int = NOW) -> list[tuple[int, int, int]]:
    """Missing, partial and consistent endpoints, the oldest day first."""
    with wall.client(client_id):
        found = status_days.days(wanted, at)
    assert [one["day"] for one in found] == [(at // DAY - back) * DAY for back in range(wanted - 1, -1, -1)]
    return [(one["missing"], one["partial"], one["consistent"]) for one in found]


def remove(client_id: str, path: str, at: int) -> None:
    one = number(client_id, path)
    with wall.client(client_id):
        merging.remove([one], at)


def test_an_endpoint_counts_from_the_day_of_its_first_status_to_that_of_its_end(client_id: str) -> None:
    first = NOW - 3 * DAY
    observe(client_id, count("/a", valid=0, at=first), count("/b", valid=10, at=first), at=first)
    observe(client_id, count("/a", valid=5, at=NOW - DAY), at=NOW - DAY)
    remove(client_id, "/b", NOW)
    assert days(client_id, 5) == [(0, 0, 0), (1, 0, 1), (1, 0, 1), (0, 1, 1), (0, 1, 0)]
    assert days(client_id, 1) == [(0, 1, 0)]


def test_the_midnight_of_utc_parts_two_days(client_id: str) -> None:
    observe(client_id, count("/a", at=MIDNIGHT - 1), at=MIDNIGHT - 1)
    observe(client_id, count("/b", at=MIDNIGHT), at=MIDNIGHT)
    assert days(client_id, 2) == [(0, 1, 0), (0, 2, 0)]


def test_what_changes_back_on_the_same_day_leaves_no_trace(client_id: str) -> None:
    observe(client_id, count("/a", valid=10, at=NOW - DAY), at=NOW - DAY)
    with wall.client(client_id):
        for authenticated in (0, 10):
            Endpoint.objects.update(authenticated=authenticated)
            settling.settle(None, NOW)
    assert days(client_id, 2) == [(0, 0, 1), (0, 0, 1)]


def test_traffic_that_ends_leaves_the_counts_and_a_merged_endpoint_counts_once(client_id: str) -> None:
    observe(client_id, count("/a"), count("/b"), count("/c"))
    with wall.client(client_id):
        merging.merge(number(client_id, "/b"), ("rest", "GET", "api.example.com", "/a", ""), NOW, decided=False)
    assert days(client_id, 1) == [(0, 2, 0)]
    later = NOW + 8 * DAY
    with wall.client(client_id):
        services.roll_window(at=later)
    assert days(client_id, 9, later)[0] == (0, 2, 0)
    assert days(client_id, 9, later)[-1] == (0, 0, 0)


def test_a_change_of_how_shares_are_read_is_counted_on_its_day(client_id: str) -> None:
    observe(client_id, count("/a", requests=10, valid=5, refused=5))
    assert days(client_id, 1) == [(0, 1, 0)]
    with wall.client(client_id):
        decisions.change_settings(leave_refused_out=True)
        assert status_days.days(1, NOW)[0]["consistent"] == 1


def test_days_agree_with_what_was_there_whatever_happens(client_id: str) -> None:
    """Forty random days, each compared with the endpoints' own rows at its end."""
    chance, seen, alive = random.Random(7), [], 0
    for back in range(39, -1, -1):
        at = NOW - back * DAY
        observe(
            client_id,
            *(count(f"/{chance.randrange(12)}", valid=chance.choice((0, 4, 10)), at=at) for _ in range(3)),
            at=at,
        )
        with wall.client(client_id):
            services.roll_window(at=at)
            there = list(Endpoint.objects.values_list("path", flat=True))
            if chance.random() < 0.3:
                merging.remove([number(client_id, chance.choice(there))], at)
            statuses = list(Endpoint.objects.values_list("status", flat=True))
        alive = max(alive, len(statuses))
        seen.append(tuple(statuses.count(status) for status in status_days.COUNTED))
    assert alive > 5
    assert days(client_id, 40) == seen


def test_old_days_go_and_no_other_clients_are_seen(client_id: str, other_id: str) -> None:
    old = NOW - (status_days.MOST_DAYS + 1) * DAY
    observe(client_id, count("/a", at=NOW), at=NOW)
    observe(other_id, count("/b", valid=0, at=NOW), at=NOW)
    with wall.client(client_id):
        StatusDay.objects.create(day=old // DAY, status=1, entered=3)
        retention.forget(NOW)
        assert list(StatusDay.objects.values_list("day", "status", "entered")) == [(NOW // DAY, 2, 1)]
    assert days(client_id, 1) == [(0, 1, 0)]
    assert days(other_id, 1) == [(1, 0, 0)]


def test_a_clock_that_went_back_spoils_no_day(client_id: str) -> None:
    observe(client_id, count("/a", at=NOW), at=NOW)
    assert days(client_id, 2, NOW - DAY) == [(0, 0, 0), (0, 1, 0)]


def test_what_only_a_document_tells_of_is_in_no_count(client_id: str) -> None:
    made: dict[str, Any] = {
        "public_id": "ep_x",
        "protocol": "rest",
        "method": "GET",
        "host": "h",
        "path": "/",
        "digest": "d",
    }
    with wall.client(client_id):
        Endpoint.objects.create(**made, last_seen=0, undetected_node="")
        settling.settle(None, NOW)
        assert not StatusDay.objects.exists()
    assert days(client_id, 1) == [(0, 0, 0)]
