"""A webhook's sealed part opens for its own row alone, and nothing of it is shown."""

import pytest
from tests.webhook_receiver import Receiver

from gatecrash.control import wall
from gatecrash.control.notifications import mapping
from gatecrash.control.notifications.mapping import Sealed
from gatecrash.control.notifications.models import Delivery, Webhook
from gatecrash.control.vault import CannotOpen


def test_a_sealed_part_opens_for_its_own_row_alone(client_id: str, webhook: Webhook) -> None:
    with wall.client(client_id):
        assert mapping.unseal(webhook).secret.startswith("whsec_")
        webhook.id = "wh_other"
        with pytest.raises(CannotOpen):
            mapping.unseal(webhook)


def test_no_secret_and_no_more_than_the_origin_is_shown(client_id: str, webhook: Webhook, receiver: Receiver) -> None:
    with wall.client(client_id):
        shown, secret = mapping.shown(webhook, 3), mapping.unseal(webhook).secret
    assert (shown["origin"], shown["waiting"]) == (f"http://127.0.0.1:{receiver.port}", 3)
    assert secret not in repr(shown)
    assert "hook?team" not in repr(shown)


@pytest.mark.parametrize(("state", "next_at"), [("waiting", 7), ("delivered", None), ("given_up", None)])
def test_only_what_waits_has_a_next_time(state: str, next_at: int | None) -> None:
    row = Delivery(id="dlv_1", event_id="evt_1", kind="webhook.test", state=state, next_at=7.9, created_at=1)
    assert mapping.shown_delivery(row)["next_at"] == next_at


def test_the_previous_secret_signs_until_its_time_is_over() -> None:
    sealed = Sealed("u", "new", "old", 10.0)
    assert [sealed.keys(9.9), sealed.keys(10.0), Sealed("u", "new").keys(0.0)] == [["new", "old"], ["new"], ["new"]]
