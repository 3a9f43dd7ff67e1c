"""What the dashboard shows: numbers that agree with the lists they lead to."""

from collections.abc import Callable

import pytest
from tests.control.inventory.traffic import NOW, count, observe
from tests.control.ui.conftest import Estate

from gatecrash.control import wall
from gatecrash.control.inventory import marks, queries
from gatecrash.control.inventory.filters import Filters
from gatecrash.control.inventory.models import Endpoint
from gatecrash.control.ui.reads.overview import ROWS, endpoint_statuses, finding_classes, overview

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_statuses_are_counted_as_the_filters_count_them(client_id: str, other_id: str) -> None:
    observe(client_id, count("/a", valid=0), count("/b", valid=0), count("/c"), count("/d", valid=10))
    observe(other_id, count("/a", valid=0))
    with wall.client(client_id):
        Endpoint.objects.filter(path="/b").update(status=-1)  # before its first count
        found = endpoint_statuses(NOW)
        assert found == {"missing": 1, "partial": 1, "consistent": 1, "no_traffic": 1, "public": 0}
        assert overview(7)["endpoints"] == 4
        for status in ("missing", "partial", "consistent"):
            assert queries.list_endpoints(Filters(status=status), limit=1, at=NOW).total == found[status]


def test_the_busiest_unprotected_come_first_and_public_ones_not_at_all(client_id: str) -> None:
    observe(client_id, *(count(f"/open{place}", requests=place + 1, valid=0) for place in range(ROWS + 3)))
    with wall.client(client_id):
        busiest = Endpoint.objects.get(path=f"/open{ROWS + 2}")
        marks.mark_public(busiest.public_id, "r", "o", None)
        shown = [one["path"] for one in overview(7)["unprotected"]]
    assert shown == [f"/open{place}" for place in range(ROWS + 1, 1, -1)]


def test_what_is_public_on_purpose_is_counted_apart_as_the_filter_leaves_it_out(client_id: str) -> None:
    observe(client_id, count("/open", valid=0), count("/alarm", valid=0), count("/half"))
    with wall.client(client_id):
        for path in ("/open", "/half"):
            marks.mark_public(Endpoint.objects.get(path=path).public_id, "r", "o", None)
        found = endpoint_statuses(NOW)
        assert found == {"missing": 1, "partial": 1, "consistent": 0, "no_traffic": 0, "public": 1}
        assert queries.list_endpoints(Filters(status="missing"), limit=1, at=NOW).total == found["missing"]
        assert (
            queries.list_endpoints(Filters(status="missing", public="only"), limit=1, at=NOW).total == found["public"]
        )


def test_classes_are_counted_by_code(client_id: str, other_id: str, estate: Callable[[str], Estate]) -> None:
    estate(client_id)
    with wall.client(client_id):
        assert finding_classes() == [{"title": "SQL injection", "type": "sqli", "codes": 1, "threat": 90}]
        assert [run["name"] for run in overview(7)["runs"]] == ["the run of the estate"]
    with wall.client(other_id):
        assert finding_classes() == []
