from collections.abc import Callable

import pytest
from tests.control.notifications.conftest import TOLD
from tests.webhook_receiver import Receiver

from gatecrash.control import news, wall
from gatecrash.control.notifications import hearing, queries
from gatecrash.control.notifications.models import Delivery, Webhook

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_only_the_own_clients_are_seen_by_name(
    client_id: str, other_id: str, register: Callable[..., Webhook], receiver: Receiver
) -> None:
    b, a = register(receiver.url, name="b"), register(receiver.url, name="a")
    theirs = register(receiver.url, client=other_id)
    with wall.client(client_id):
        assert list(queries.rows()) == [a, b]
        assert queries.find(a.id) == a
        assert queries.find(theirs.id) is None
        assert queries.find("no identifier") is None


def test_what_waits_is_counted_by_webhook_and_the_newest_is_first(
    client_id: str, register: Callable[..., Webhook], receiver: Receiver
) -> None:
    one, other = register(receiver.url), register(receiver.url, events=[news.ENDPOINT_STATUS])
    with wall.client(client_id):
        for kind in (news.RUN_ENDED, news.RUN_ENDED, news.ENDPOINT_STATUS):
            hearing.hear(kind, lambda: TOLD)
        assert queries.waiting([one.id, other.id]) == {one.id: 3, other.id: 1}
        Delivery.objects.filter(webhook=other).update(state="delivered")
        assert queries.waiting([one.id, other.id]) == {one.id: 3}
        kinds = [row.kind for row in queries.deliveries(one.id)]
    assert kinds == [news.ENDPOINT_STATUS, news.RUN_ENDED, news.RUN_ENDED]
