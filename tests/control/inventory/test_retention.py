"""30 days unseen and an endpoint goes; documented ones, histories' newest entries and running marks stay."""

import pytest
from tests.control.inventory.traffic import NOW, count, number, observe, shown

from gatecrash.control import wall
from gatecrash.control.inventory import marks, retention
from gatecrash.control.inventory.models import Endpoint, PublicMark, StatusChange

pytestmark = [pytest.mark.database, pytest.mark.django_db]
MONTH = 30 * 86400


def forget(client_id: str, at: int) -> set[str]:
    with wall.client(client_id):
        retention.forget(at)
    return set(shown(client_id, at=at))


def test_an_endpoint_goes_with_the_second_after_its_30_days(client_id: str) -> None:
    observe(client_id, count("/old"), count("/young", at=NOW + 5), at=NOW + 5)
    assert forget(client_id, NOW + MONTH) == {"/old", "/young"}
    assert forget(client_id, NOW + MONTH + 1) == {"/young"}


def test_very_many_go_in_chunks(client_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "CHUNK", 3)
    observe(client_id, *(count(f"/old{place}") for place in range(10)))
    assert forget(client_id, NOW + MONTH + 1) == set()


def test_seen_again_it_is_new_again(client_id: str) -> None:
    observe(client_id, count())
    first = shown(client_id)["/a"]["id"]
    forget(client_id, NOW + MONTH + 1)
    later = NOW + MONTH + 60
    observe(client_id, count(at=later), at=later)
    found = shown(client_id, at=later)["/a"]
    assert (found["first_seen"], found["requests"], found["badges"]) == (later, 10, ["new"])
    assert found["id"] != first


def test_what_a_document_tells_of_stays_as_unused(client_id: str) -> None:
    observe(client_id, count())
    with wall.client(client_id):
        Endpoint.objects.update(document=1)
    assert forget(client_id, NOW + MONTH + 1) == {"/a"}


def test_only_the_newest_entries_of_each_history_are_kept(client_id: str) -> None:
    observe(client_id, count("/a"), count("/b"))
    with wall.client(client_id):
        for path, entries in (("/a", retention.HISTORY_KEPT + 7), ("/b", 3)):
            one = number(client_id, path)
            for place in range(entries):
                StatusChange.objects.create(endpoint_number=one, at=NOW + place, before=1, after=2)
    forget(client_id, NOW)
    with wall.client(client_id):
        kept = StatusChange.objects.filter(endpoint_number=number(client_id, "/a")).order_by("number")
        assert (len(kept), kept[0].at) == (retention.HISTORY_KEPT, NOW + 7)
        assert StatusChange.objects.filter(endpoint_number=number(client_id, "/b")).count() == 3


def test_marks_end_with_their_time(client_id: str) -> None:
    observe(client_id, count("/a", valid=0), count("/b", valid=0))
    with wall.client(client_id):
        for path, until in (("/a", NOW + 10), ("/b", None)):
            marks.mark_public(Endpoint.objects.get(path=path).public_id, "r", "o", until)
    forget(client_id, NOW + 10)
    with wall.client(client_id):
        assert list(PublicMark.objects.values_list("endpoint_number", flat=True)) == [number(client_id, "/b")]
        assert Endpoint.objects.get(path="/a").public_until == 0


def test_only_the_current_clients_endpoints_go(client_id: str, other_id: str) -> None:
    observe(client_id, count())
    observe(other_id, count())
    forget(client_id, NOW + MONTH + 1)
    assert set(shown(other_id)) == {"/a"}
