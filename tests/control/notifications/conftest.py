"""A receiver on loopback and a webhook that leads to it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.control.testruns.conftest import create, http, new_node, node, show
from tests.webhook_receiver import Receiver, receiving

from gatecrash.control import news, wall
from gatecrash.control.jobs.registry import handlers
from gatecrash.control.jobs.worker import Worker
from gatecrash.control.notifications import services, work
from gatecrash.control.notifications.models import Delivery, Webhook

__all__ = ["create", "http", "new_node", "node", "show"]

EVENTS = [news.ENDPOINT_STATUS, news.SCHEDULE_PAUSED, news.RUN_ENDED, news.VULNERABILITY_FOUND]
TOLD = news.News("It happened.", "/runs/tr_1/", {"what": "ünicode"})


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as one:
        yield one


@pytest.fixture
def register(client_id: str) -> Callable[..., Webhook]:
    """Register a webhook of the first client, or of another: `register(url, client=…)`."""

    def make(url: str, client: str = "", **fields: Any) -> Webhook:
        wanted = {"name": "chat", "url": url, "events": EVENTS, "enabled": True, **fields}
        with wall.client(client or client_id):
            return services.create(wanted)[0]

    return make


@pytest.fixture
def webhook(register: Callable[..., Webhook], receiver: Receiver) -> Webhook:
    return register(receiver.url)


def send_all() -> None:
    """What a worker does within two seconds: find what is due, and send it."""
    with wall.system("job find_deliveries"):
        work.find_deliveries("")
    Worker({work.DELIVER: handlers()[work.DELIVER]}).drain()


def deliveries(client_id: str) -> list[Delivery]:
    """All of a client, the oldest first."""
    with wall.client(client_id):
        return list(Delivery.objects.order_by("id"))
