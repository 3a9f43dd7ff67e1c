"""What waits is sent until it is taken: waits grow, whoever is away is not asked for each, and after a day it ends."""

import socket
import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from tests.control.notifications.conftest import TOLD, deliveries
from tests.control.notifications.test_signing import documented
from tests.webhook_receiver import Receiver, receiving

from gatecrash.control import news, wall
from gatecrash.control.notifications import delivering, hearing, services
from gatecrash.control.notifications.mapping import unseal
from gatecrash.control.notifications.models import Delivery, Webhook

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def inside(client_id: str):
    with wall.client(client_id):
        yield


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of this app, which a test moves: `clock[0] += 60`."""
    at = [1_800_000_000.0]
    for module in (delivering, hearing, services):
        monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: at[0], monotonic=lambda: 0.0))
    return at


def happen(times: int = 1) -> None:
    for _ in range(times):
        hearing.hear(news.RUN_ENDED, lambda: TOLD)


def test_what_is_sent_is_signed_with_the_secret_that_its_receiver_has(
    clock: list[float], webhook: Webhook, receiver: Receiver
) -> None:
    happen()
    delivering.deliver(webhook.id)
    [(headers, body)] = receiver.came
    assert documented()(headers, body, unseal(webhook).secret, now=clock[0])
    [row] = Delivery.objects.all()
    assert (row.state, row.tries, row.status, row.error, row.body) == ("delivered", 1, 204, "", "")
    assert headers["webhook-id"] == row.event_id
    webhook.refresh_from_db()
    assert (webhook.last_at, webhook.last_status, webhook.last_error) == (int(clock[0]), 204, "")
    delivering.deliver(webhook.id)
    assert len(receiver.came) == 1


def test_while_a_secret_is_replaced_both_sign(clock: list[float], webhook: Webhook, receiver: Receiver) -> None:
    old = unseal(webhook).secret
    _, new = services.replace_secret(webhook)
    for wait, old_holds in ((0, True), (services.OVERLAP_SECONDS + 1, False)):
        clock[0] += wait
        happen()
        delivering.deliver(webhook.id)
        headers, body = receiver.came[-1]
        assert documented()(headers, body, new, now=clock[0])
        assert documented()(headers, body, old, now=clock[0]) == old_holds


def test_a_refusal_is_tried_again_later_each_time_with_the_same_event(
    clock: list[float], webhook: Webhook, receiver: Receiver
) -> None:
    receiver.answers = [500, 400, 302, 200]
    happen()
    waits = []
    for _ in range(4):
        delivering.deliver(webhook.id)
        delivering.deliver(webhook.id)
        row = Delivery.objects.get()
        waits.append(row.next_at - clock[0])
        clock[0] = row.next_at
    assert (row.state, row.tries) == ("delivered", 4)
    assert waits[:3] == list(delivering.WAITS[:3])
    assert len({headers["webhook-id"] for headers, _ in receiver.came}) == 1
    assert len({headers["webhook-timestamp"] for headers, _ in receiver.came}) == 4


def test_one_that_is_refused_does_not_hold_up_the_others(
    clock: list[float], webhook: Webhook, receiver: Receiver
) -> None:
    receiver.answers = [500, 200]
    happen(3)
    delivering.deliver(webhook.id)
    assert [row.state for row in Delivery.objects.order_by("id")] == ["waiting", "delivered", "delivered"]


def test_where_nobody_answers_one_try_stands_for_all_and_they_come_when_somebody_does(
    clock: list[float], register: Callable[..., Webhook]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    webhook = register(f"http://127.0.0.1:{port}/")
    happen(3)
    for tries in (1, 2):
        delivering.deliver(webhook.id)
        delivering.deliver(webhook.id)
        assert [row.tries for row in Delivery.objects.order_by("id")] == [tries, 0, 0]
        webhook.refresh_from_db()
        assert "not reached" in webhook.last_error
        clock[0] = webhook.resting_until
    with receiving(port=port) as receiver:
        delivering.deliver(webhook.id)
        assert [row.state for row in Delivery.objects.all()] == ["delivered"] * 3
        assert len(receiver.came) == 3


def test_a_test_goes_first_and_its_answer_wakes_what_waits(
    clock: list[float], webhook: Webhook, receiver: Receiver
) -> None:
    happen(2)
    Delivery.objects.update(tries=6, next_at=clock[0] + 1800)
    Webhook.objects.update(resting_until=clock[0] + 1800)
    services.send_test(webhook)
    delivering.deliver(webhook.id)
    assert [one["type"] for one in receiver.documents] == ["webhook.test", "test_run.ended", "test_run.ended"]


def test_after_a_day_it_is_given_up(clock: list[float], webhook: Webhook, receiver: Receiver) -> None:
    receiver.answers, begin = [500], clock[0]
    happen()
    while (row := Delivery.objects.get()).state == "waiting":
        clock[0] = max(clock[0], row.next_at)
        delivering.deliver(webhook.id)
    assert (row.state, row.status, row.error, row.body) == ("given_up", 500, "It answered 500.", "")
    assert 23 * 3600 < clock[0] - begin <= 24 * 3600
    assert row.tries == len(receiver.came) < 60


def test_one_that_is_off_is_sent_nothing(clock: list[float], webhook: Webhook, receiver: Receiver) -> None:
    happen()
    services.change(webhook, {"enabled": False})
    delivering.deliver(webhook.id)
    assert receiver.came == []
    services.change(webhook, {"enabled": True})
    delivering.deliver(webhook.id)
    assert len(receiver.came) == 1


def test_where_the_key_is_gone_that_is_told(clock: list[float], webhook: Webhook, receiver: Receiver) -> None:
    Webhook.objects.update(sealed=b"\x01not sealed by any key of ours")
    happen()
    delivering.deliver(webhook.id)
    assert receiver.came == []
    assert "key" in Delivery.objects.get().error


def test_a_round_ends_before_its_lease_does(
    webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    happen(5)
    passed = iter(range(0, 1000, 20))
    slow = SimpleNamespace(time=time.time, monotonic=lambda: float(next(passed)))
    monkeypatch.setattr(delivering, "time", slow)
    delivering.deliver(webhook.id)
    assert len(receiver.came) == 1


def test_what_is_long_over_goes_and_what_waited_at_one_that_is_off_ends(
    clock: list[float], webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, client_id: str
) -> None:
    monkeypatch.setattr(delivering, "MOST_KEPT", 3)
    happen(5)
    delivering.deliver(webhook.id)
    happen()
    newest = [row.id for row in deliveries(client_id)][-4:]
    delivering.tidy(clock[0])
    assert [row.id for row in deliveries(client_id)] == newest
    services.change(webhook, {"enabled": False})
    delivering.tidy(clock[0] + delivering.GIVE_UP_SECONDS + 1)
    assert deliveries(client_id)[-1].state == "given_up"
    delivering.tidy(clock[0] + delivering.KEPT_SECONDS + 1)
    assert deliveries(client_id) == []
