"""Pages of webhooks: registered by a form, its secret shown once, and what was sent told as it comes."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.control.browsing import Person
from tests.control.notifications.conftest import EVENTS, send_all
from tests.webhook_receiver import Receiver

from gatecrash.control import wall
from gatecrash.control.notifications import queries, services
from gatecrash.control.notifications.mapping import unseal
from gatecrash.control.notifications.models import Webhook

pytestmark = pytest.mark.django_db
Sign = Callable[..., Person]


def form(receiver: Receiver, **fields: Any) -> dict[str, Any]:
    return {"name": "team chat", "url": receiver.url, "events": ["test_run.ended"], "enabled": "on", **fields}


def the_row(client_id: str) -> Webhook:
    with wall.client(client_id):
        row: Webhook = queries.rows().get()
        return row


def test_a_form_registers_and_shows_the_secret_once(person: Sign, client_id: str, receiver: Receiver) -> None:
    somebody = person("analyst")
    made = somebody.post("/webhooks/new/", **form(receiver)).content.decode()
    row = the_row(client_id)
    with wall.client(client_id):
        secret = unseal(row).secret
    assert secret in made
    for path in ("/webhooks/", f"/webhooks/{row.id}/", f"/webhooks/{row.id}/change/"):
        text = somebody.text(path)
        assert row.origin in text
        assert secret not in text
        assert "hook?team" not in text


@pytest.mark.parametrize(
    ("fault", "field", "told"),
    [
        ({"name": ""}, "name", "Fill this in."),
        ({"url": ""}, "url", "An address is needed"),
        ({"url": "http://10.0.0.1/"}, "url", "GATECRASH_WEBHOOK_HOSTS"),
        ({"events": []}, "events", "Choose one at least."),
    ],
)
def test_a_fault_is_told_at_its_field_and_what_was_typed_stays(
    person: Sign, client_id: str, receiver: Receiver, fault: dict[str, Any], field: str, told: str
) -> None:
    answer = person("analyst").post("/webhooks/new/", **form(receiver, **fault))
    text = answer.content.decode()
    assert answer.status_code == 400
    assert "Nothing was done yet." in text
    assert told in text
    assert f'id="{field}-error"' in text
    if field != "name":
        assert 'value="team chat"' in text
    with wall.client(client_id):
        assert not queries.rows().exists()


def test_too_many_are_refused_in_the_form(
    person: Sign, webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MOST", 1)
    answer = person("analyst").post("/webhooks/new/", **form(receiver))
    assert answer.status_code == 400
    assert "Must be at most 1." in answer.content.decode()


def test_a_change_without_an_address_keeps_it(
    person: Sign, client_id: str, webhook: Webhook, receiver: Receiver
) -> None:
    somebody = person("analyst")
    path = f"/webhooks/{webhook.id}/change/"
    assert all(f'value="{event}" checked' in somebody.text(path) for event in EVENTS)
    fields = {"name": "renamed", "events": ["endpoint.status"], "url": ""}
    assert somebody.post(path, **fields).headers["Location"] == f"/webhooks/{webhook.id}/"
    row = the_row(client_id)
    with wall.client(client_id):
        assert unseal(row).url == receiver.url
    assert (row.name, row.events, row.enabled) == ("renamed", ["endpoint.status"], False)
    assert "It is off" in somebody.text(f"/webhooks/{webhook.id}/")
    assert "turn it on first" in somebody.http.post(f"/webhooks/{webhook.id}/test/", follow=True).content.decode()
    assert somebody.post(path, **{**fields, "url": "http://169.254.169.254/"}).status_code == 400


def test_a_test_is_followed_until_its_answer_is_there(person: Sign, webhook: Webhook, receiver: Receiver) -> None:
    somebody, path = person("analyst"), f"/webhooks/{webhook.id}/"
    assert "Nothing was sent yet" in somebody.text(path)
    assert somebody.post(f"{path}test/").status_code == 302
    waiting = somebody.text(path)
    assert "Waiting" in waiting
    assert f'hx-get="{path}?page=1"' in waiting
    receiver.answers = [500, 204]
    send_all()
    assert "It answered 500." in somebody.text(path)
    assert "Failing" in somebody.text("/webhooks/")
    assert somebody.post(f"{path}test/").status_code == 302
    send_all()
    live = somebody.get(f"{path}?page=1", headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in live
    assert "Delivered" in live
    assert "Delivers" in somebody.text("/webhooks/")


def test_a_secret_is_replaced_and_a_webhook_deleted(person: Sign, client_id: str, webhook: Webhook) -> None:
    somebody = person("analyst")
    shown = somebody.post(f"/webhooks/{webhook.id}/secret/").content.decode()
    with wall.client(client_id):
        assert unseal(the_row(client_id)).secret in shown
    assert somebody.post(f"/webhooks/{webhook.id}/delete/").status_code == 302
    assert "No webhook yet" in somebody.text("/webhooks/")


def test_a_viewer_has_no_buttons_and_sees_what_was_not_kept(person: Sign, client_id: str, webhook: Webhook) -> None:
    with wall.client(client_id):
        Webhook.objects.update(dropped=3)
    text = person("viewer").text(f"/webhooks/{webhook.id}/")
    assert "3 messages not kept" in text
    assert "Send a test" not in text
    assert "New webhook" not in person("viewer", email="v2@example.com").text("/webhooks/")
