"""Webhooks over the API: registered once with a secret, which no later answer holds."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.control.calling import Api
from tests.control.notifications.conftest import send_all
from tests.webhook_receiver import Receiver

from gatecrash.control.notifications.bodies import DeliveryList, WebhookList, WebhookSecret, WebhookView

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def order(receiver: Receiver, **fields: Any) -> dict[str, Any]:
    return {"name": "chat", "url": receiver.url, "events": ["test_run.ended"], **fields}


def made(api: Api, receiver: Receiver, **fields: Any) -> dict[str, Any]:
    status, body = api.post("/v1/webhook", order(receiver, **fields))
    assert status == 200, body
    return body


def test_the_secret_is_shown_when_it_is_made_and_never_again(api: Api, receiver: Receiver) -> None:
    created = made(api, receiver)
    WebhookSecret.model_validate(created, strict=True)
    path = f"/v1/webhook/{created['id']}"
    replaced = api.post(f"{path}/secret", {})[1]
    WebhookSecret.model_validate(replaced, strict=True)
    assert created["secret"] != replaced["secret"]
    listed, shown = api.get("/v1/webhook")[1], api.get(path)[1]
    WebhookList.model_validate(listed, strict=True)
    WebhookView.model_validate(shown, strict=True)
    changed = api.patch(path, {"name": "renamed", "enabled": False})[1]
    assert (changed["name"], changed["enabled"], changed["events"]) == ("renamed", False, ["test_run.ended"])
    refused = api.patch(path, {"url": "http://10.0.0.1/hook?team=a"})
    answers = [listed, shown, changed, refused, api.post(f"{path}/test", {}), api.delete(path), api.get(path)]
    assert [answer[0] for answer in answers[3:]] == [400, 409, 200, 404]
    assert "whsec_" not in json.dumps(answers)
    assert "hook?team" not in json.dumps(answers)


def test_a_test_is_sent_and_listed(api: Api, receiver: Receiver) -> None:
    created = made(api, receiver)
    path = f"/v1/webhook/{created['id']}"
    assert api.post(f"{path}/test", {})[1]["waiting"] == 1
    send_all()
    listed = api.get(f"{path}/deliveries?limit=5")[1]
    DeliveryList.model_validate(listed, strict=True)
    [row] = listed["objects"]
    assert (row["type"], row["state"], row["status"]) == ("webhook.test", "delivered", 204)
    assert [one["id"] for one in receiver.documents] == [row["event_id"]]
    assert api.get(path)[1]["last_status"] == 204


@pytest.mark.parametrize(("role", "status"), [("admin", 200), ("analyst", 200), ("viewer", 403), ("ci", 403)])
def test_who_may_write(
    client_id: str, api: Api, caller: Callable[..., Api], receiver: Receiver, role: str, status: int
) -> None:
    path = f"/v1/webhook/{made(api, receiver)['id']}"
    one = caller(client_id, role)
    assert [one.get(each)[0] for each in ("/v1/webhook", path, f"{path}/deliveries")] == [200, 200, 200]
    changes = [
        one.post("/v1/webhook", order(receiver))[0],
        one.patch(path, {"name": "new"})[0],
        one.post(f"{path}/test", {})[0],
        one.post(f"{path}/secret", {})[0],
        one.delete(path)[0],
    ]
    assert changes == [status] * 5


def test_another_clients_webhook_is_none(
    api: Api, other_id: str, caller: Callable[..., Api], receiver: Receiver
) -> None:
    path, other = f"/v1/webhook/{made(api, receiver)['id']}", caller(other_id)
    assert [other.get(path)[0], other.get(f"{path}/deliveries")[0], other.patch(path, {"name": "x"})[0]] == [404] * 3
    assert [other.post(f"{path}/{what}", {})[0] for what in ("test", "secret")] == [404, 404]
    assert other.get("/v1/webhook")[1] == {"objects": [], "total": 0}
