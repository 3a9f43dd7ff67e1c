"""Endpoints that lost their guard are told, those that are public on purpose and those that gained one are not."""

import pytest
from tests.control.inventory.traffic import NOW, count, number, observe

from gatecrash.control import news, wall
from gatecrash.control.inventory import telling
from gatecrash.control.inventory.models import Endpoint

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[news.News]:
    """What was told."""
    heard: list[news.News] = []

    def hear(kind: str, about: news.About) -> None:
        if kind == news.ENDPOINT_STATUS and (one := about()) is not None:
            heard.append(one)

    monkeypatch.setattr(news, "_hearers", [hear])
    return heard


def test_a_new_open_endpoint_and_one_that_lost_its_guard_are_told(client_id: str, told: list[news.News]) -> None:
    observe(client_id, count("/guarded", requests=20, valid=20))
    assert told == []
    observe(client_id, count("/open", requests=5, valid=0))
    observe(client_id, count("/guarded", requests=20, valid=0))
    observe(client_id, count("/guarded", requests=1, valid=0), count("/open", requests=1, valid=0))
    assert [one.data["total"] for one in told] == [1, 1]
    shown = [(one["path"], one["before"], one["status"]) for each in told for one in each.data["endpoints"]]
    assert shown == [("/open", None, "missing"), ("/guarded", "consistent", "partial")]
    assert told[1].text == "Authentication is now partial at GET api.example.com/guarded."
    with wall.client(client_id):
        assert told[1].path == f"/inventory/{Endpoint.objects.get(path='/guarded').public_id}/"


def test_one_that_gains_its_guard_is_not(client_id: str, told: list[news.News]) -> None:
    observe(client_id, count("/a", requests=1, valid=0))
    observe(client_id, count("/a", requests=999, valid=999))
    assert len(told) == 1


def test_what_is_public_on_purpose_is_not(client_id: str, told: list[news.News]) -> None:
    observe(client_id, count("/a", requests=20, valid=20), count("/b", requests=20, valid=20))
    with wall.client(client_id):
        Endpoint.objects.filter(path="/a").update(public_until=NOW + 1)
    observe(client_id, count("/a", requests=50, valid=0), count("/b", requests=50, valid=0))
    assert [one["path"] for each in told for one in each.data["endpoints"]] == ["/b"]
    with wall.client(client_id):
        moved = [(number(client_id, "/a"), 3, 1)]
        assert telling.less_guarded(moved, NOW) is None
        assert telling.less_guarded(moved, NOW + 1) is not None


def test_very_many_are_told_at_once_and_counted(client_id: str, told: list[news.News]) -> None:
    observe(client_id, *(count(f"/p{place}", requests=3, valid=0) for place in range(telling.MOST + 30)))
    [one] = told
    assert (one.data["total"], len(one.data["endpoints"])) == (telling.MOST + 30, telling.MOST)
    assert one.text == f"Authentication is now missing or partial at {telling.MOST + 30} endpoints."
    assert one.path == "/inventory/"
