"""One endpoint's hours, history, clients without credentials and weaknesses, over the window to the hour."""

import pytest
from tests.control.inventory.traffic import BEARER, HOUR, NOW, count, number, observe

from gatecrash.control import wall
from gatecrash.control.inventory import details, marks
from gatecrash.control.inventory.models import Endpoint, StatusChange
from gatecrash.wire.counts import NoteCount, WithoutCount

pytestmark = [pytest.mark.database, pytest.mark.django_db]
FIRST = HOUR - details.WINDOW_HOURS + 1


def test_the_series_has_each_of_the_168_hours(client_id: str) -> None:
    oldest = FIRST * 3600
    observe(client_id, count(requests=3, valid=1, refused=2, at=oldest), count(requests=5, valid=5))
    with wall.client(client_id):
        hours = details.series(number(client_id, "/a"), NOW)
    assert [one["hour"] for one in hours] == [hour * 3600 for hour in range(FIRST, HOUR + 1)]
    assert hours[0] == {"hour": oldest, "requests": 3, "authenticated": 1, "refused": 2}
    assert hours[-1] == {"hour": HOUR * 3600, "requests": 5, "authenticated": 5, "refused": 0}
    assert sum(one["requests"] for one in hours) == 8


def test_hours_before_the_window_are_in_nothing(client_id: str) -> None:
    then = (FIRST - 1) * 3600
    observe(client_id, count(at=then, without=(WithoutCount("curl", 2, 6, then, then),)), at=then)
    with wall.client(client_id):
        one = number(client_id, "/a")
        assert sum(hour["requests"] for hour in details.series(one, NOW)) == 0
        assert details.without(one, NOW) == {
            "requests": 0,
            "since": None,
            "last_seen": None,
            "statuses": {"1xx": 0, "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0, "unknown": 0},
            "clients": [],
        }


def test_who_is_without_is_told_by_client_with_since_and_answers(client_id: str) -> None:
    observe(client_id, count(without=(WithoutCount("curl", 2, 4, NOW - 50, NOW), WithoutCount("curl", 4, 1, NOW, NOW))))
    observe(client_id, count(at=NOW - 7200, without=(WithoutCount("chrome", 2, 9, NOW - 7200, NOW - 7000),)))
    with wall.client(client_id):
        found = details.without(number(client_id, "/a"), NOW)
    assert (found["requests"], found["since"], found["last_seen"]) == (14, NOW - 7200, NOW)
    assert (found["statuses"]["2xx"], found["statuses"]["4xx"]) == (13, 1)
    assert [(one["family"], one["requests"], one["since"]) for one in found["clients"]] == [
        ("chrome", 9, NOW - 7200),
        ("curl", 5, NOW - 50),
    ]


def test_the_history_is_the_newest_first_and_bounded(client_id: str) -> None:
    observe(client_id, count(requests=10, valid=0))
    with wall.client(client_id):
        one = number(client_id, "/a")
        assert details.history(one) == [], "the first status is no change"
    observe(client_id, count(requests=1, valid=1), at=NOW + 60)
    with wall.client(client_id):
        assert details.history(one) == [{"at": NOW + 60, "from": "missing", "to": "partial"}]
        for place in range(details.HISTORY_SHOWN + 5):
            StatusChange.objects.create(endpoint_number=one, at=NOW + 100 + place, before=2, after=0)
        shown = details.history(one)
    assert len(shown) == details.HISTORY_SHOWN
    assert shown[0] == {"at": NOW + 100 + details.HISTORY_SHOWN + 4, "from": "partial", "to": None}


def test_everything_comes_together_with_the_mark_that_holds(client_id: str) -> None:
    observe(client_id, count(notes=(NoteCount("jwt_alg_none", BEARER, 2, NOW, NOW),)))
    with wall.client(client_id):
        endpoint = Endpoint.objects.get()
        marks.mark_public(endpoint.public_id, "a price list", "shop", NOW + 100)
        found = details.details(endpoint.number, NOW)
        assert set(found) == {"series", "history", "without", "notes", "public_mark"}
        assert [one["kind"] for one in found["notes"]] == ["jwt_alg_none"]
        assert found["public_mark"]["owner"] == "shop"
        assert details.details(endpoint.number, NOW + 100)["public_mark"] is None, "from its second on it has expired"


def test_another_clients_endpoint_has_nothing_to_show(client_id: str, other_id: str) -> None:
    observe(client_id, count())
    one = number(client_id, "/a")
    with wall.client(other_id):
        assert sum(hour["requests"] for hour in details.series(one, NOW)) == 0
        assert details.notes(one) == details.history(one) == []
