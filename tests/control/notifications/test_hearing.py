"""What happens becomes a delivery for each webhook of the client that wants it, and no other."""

import json
from collections.abc import Callable

import pytest
from django.db import transaction
from tests.control.notifications.conftest import TOLD, deliveries
from tests.webhook_receiver import Receiver

from gatecrash.control import news, wall
from gatecrash.control.notifications import hearing
from gatecrash.control.notifications.models import Delivery, Webhook

pytestmark = [pytest.mark.database, pytest.mark.django_db]
Register = Callable[..., Webhook]


def told() -> news.News:
    return TOLD


def test_each_webhook_that_wants_it_gets_the_same_event(
    client_id: str, other_id: str, register: Register, receiver: Receiver
) -> None:
    first, second = register(receiver.url), register(receiver.url, events=[news.RUN_ENDED])
    register(receiver.url, events=[news.ENDPOINT_STATUS])
    register(receiver.url, enabled=False)
    register(receiver.url, client=other_id)
    with wall.client(client_id):
        news.tell(news.RUN_ENDED, told)
    made = deliveries(client_id)
    assert {row.webhook_id for row in made} == {first.id, second.id}
    assert len({row.event_id for row in made}) == 1
    assert len({row.body for row in made}) == 1
    assert deliveries(other_id) == []


def test_the_body_says_who_what_when_and_where_to_look(client_id: str, webhook: Webhook, settings: object) -> None:
    settings.PUBLIC_URL = "https://gatecrash.example.com"  # type: ignore[attr-defined]
    with wall.client(client_id):
        hearing.hear(news.RUN_ENDED, told)
    [row] = deliveries(client_id)
    document = json.loads(row.body)
    assert document.pop("at") == row.created_at
    assert document == {
        "version": 1,
        "id": row.event_id,
        "type": "test_run.ended",
        "client": {"id": client_id, "name": "First"},
        "text": "It happened.",
        "url": "https://gatecrash.example.com/runs/tr_1/",
        "data": {"what": "ünicode"},
    }


def test_a_link_begins_where_the_pages_are(settings: object) -> None:
    settings.PUBLIC_URL, settings.OWN_ADDRESSES = "", ["http://127.0.0.1:8000", "http://127.0.0.1:8080"]  # type: ignore[attr-defined]
    assert hearing.link("/runs/") == "http://127.0.0.1:8000/runs/"
    settings.OWN_ADDRESSES = []  # type: ignore[attr-defined]
    assert hearing.link("/runs/") == "/runs/"


def test_nothing_is_asked_where_nobody_listens_and_nothing_kept_where_it_is_nothing(
    client_id: str, register: Register, receiver: Receiver
) -> None:
    asked: list[int] = []

    def about() -> None:
        asked.append(1)

    with wall.client(client_id):
        hearing.hear(news.RUN_ENDED, about)
        assert asked == []
        register(receiver.url)
        hearing.hear(news.RUN_ENDED, about)
    assert asked == [1]
    assert deliveries(client_id) == []


def test_what_is_rolled_back_is_not_told(client_id: str, webhook: Webhook) -> None:
    with wall.client(client_id), transaction.atomic():
        hearing.hear(news.RUN_ENDED, told)
        transaction.set_rollback(True)
    assert deliveries(client_id) == []


def test_in_no_clients_context_nobody_is_told(webhook: Webhook) -> None:
    with wall.system("a test"), pytest.raises(wall.TenantWallError):
        hearing.hear(news.RUN_ENDED, told)


def test_what_is_too_much_is_counted_and_not_kept(
    client_id: str, webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hearing, "MOST_WAITING", 2)
    with wall.client(client_id):
        for _ in range(5):
            hearing.hear(news.RUN_ENDED, told)
        assert Webhook.objects.get().dropped == 3
        assert Delivery.objects.count() == 2
