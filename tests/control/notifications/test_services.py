"""Changes to webhooks: sealed, limited, and noted in the audit log without anything secret."""

import json
from collections.abc import Callable

import pytest
from tests.control.notifications.conftest import EVENTS, TOLD, deliveries
from tests.webhook_receiver import Receiver

from gatecrash.control import news, wall
from gatecrash.control.accounts.models import AuditEntry
from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.notifications import hearing, services
from gatecrash.control.notifications.mapping import unseal
from gatecrash.control.notifications.models import Webhook

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def inside(client_id: str):
    with wall.client(client_id):
        yield


def test_address_and_secret_are_sealed_and_in_no_log(webhook: Webhook, receiver: Receiver) -> None:
    _, secret = services.replace_secret(webhook)
    row = Webhook.objects.get()
    assert unseal(row).url == receiver.url
    assert (row.origin, unseal(row).secret) == (f"http://127.0.0.1:{receiver.port}", secret)
    assert b"hook" not in bytes(row.sealed)
    services.send_test(row)
    services.delete(row)
    entries = [(entry.action, entry.detail) for entry in AuditEntry.objects.order_by("number")]
    assert [action for action, _ in entries if action.startswith("webhook.")] == [
        "webhook.create",
        "webhook.replace_secret",
        "webhook.test",
        "webhook.delete",
    ]
    written = json.dumps(entries)
    assert secret not in written
    assert "hook?team" not in written


def test_a_new_secret_keeps_the_one_before_for_a_day(webhook: Webhook) -> None:
    first = unseal(webhook).secret
    row, second = services.replace_secret(webhook)
    sealed = unseal(row)
    assert sealed.keys(0.0) == [second, first]
    assert sealed.keys(sealed.previous_until) == [second]
    row, third = services.replace_secret(row)
    assert unseal(row).keys(0.0) == [third, second]


def test_a_change_keeps_what_is_not_named_and_wakes_what_rests(webhook: Webhook) -> None:
    Webhook.objects.update(resting_until=9e9)
    row = services.change(webhook, {"url": "http://127.0.0.1:9/other", "name": "new"})
    assert (row.name, row.origin, row.events, row.resting_until) == ("new", "http://127.0.0.1:9", EVENTS, 0.0)
    assert unseal(row).url == "http://127.0.0.1:9/other"
    assert unseal(row).secret == unseal(webhook).secret
    assert services.change(row, {"enabled": False}).enabled is False


def test_there_are_at_most_so_many(
    register: Callable[..., Webhook], receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MOST", 2)
    register(receiver.url)
    register(receiver.url)
    with pytest.raises(FieldErrors) as refused:
        register(receiver.url)
    assert refused.value.problems["name"]["max"] == 2


def test_a_deleted_one_takes_its_deliveries_along_once(
    client_id: str, webhook: Webhook, register: Callable[..., Webhook], receiver: Receiver
) -> None:
    other = register(receiver.url)
    hearing.hear(news.RUN_ENDED, lambda: TOLD)
    assert services.delete(webhook)
    assert not services.delete(webhook)
    assert [row.webhook_id for row in deliveries(client_id)] == [other.id]


def test_a_test_goes_to_one_alone_and_to_none_that_is_off(
    client_id: str, webhook: Webhook, register: Callable[..., Webhook], receiver: Receiver
) -> None:
    register(receiver.url)
    services.send_test(webhook)
    [row] = deliveries(client_id)
    assert (row.webhook_id, row.kind) == (webhook.id, "webhook.test")
    assert json.loads(row.body)["url"].endswith(f"/webhooks/{webhook.id}/")
    with pytest.raises(FieldErrors):
        services.send_test(services.change(webhook, {"enabled": False}))
    assert len(deliveries(client_id)) == 1
