"""The worker finds what is due, once for each webhook, and an ended run, a finding and an open endpoint are told."""

from collections.abc import Callable

import pytest
from tests.control.calling import Api
from tests.control.inventory.traffic import count, observe
from tests.control.notifications.conftest import TOLD, send_all
from tests.control.testruns.driving import Create, recorded, stopped
from tests.webhook_receiver import Receiver

from gatecrash.control import news, wall
from gatecrash.control.jobs import services as jobs
from gatecrash.control.jobs.models import Job
from gatecrash.control.jobs.registry import handlers
from gatecrash.control.jobs.worker import Worker
from gatecrash.control.notifications import hearing, work
from gatecrash.control.notifications.models import Delivery, Webhook
from gatecrash.fakes.fake_node import FakeNode

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def find() -> list[tuple[str, str]]:
    with wall.system("job find_deliveries"):
        work.find_deliveries("")
    return sorted(Job.objects.filter(name=work.DELIVER).values_list("client_id", "key"))


def happen(client_id: str) -> None:
    with wall.client(client_id):
        hearing.hear(news.RUN_ENDED, lambda: TOLD)


def test_each_webhook_that_is_due_is_asked_for_once(
    client_id: str, other_id: str, register: Callable[..., Webhook], receiver: Receiver
) -> None:
    mine, theirs, off, resting = (
        register(receiver.url),
        register(receiver.url, client=other_id),
        register(receiver.url),
        register(receiver.url),
    )
    assert find() == []
    for client in (client_id, other_id):
        happen(client)
        happen(client)
    with wall.client(client_id):
        Webhook.objects.filter(id=off.id).update(enabled=False)
        Webhook.objects.filter(id=resting.id).update(resting_until=9e9)
    wanted = sorted([(client_id, mine.id), (other_id, theirs.id)])
    assert find() == find() == wanted
    assert list(Job.objects.values_list("wanted", flat=True)) == [1, 1]
    Worker().drain()
    assert len(receiver.came) == 4
    assert find() == []


def test_what_waits_for_others_machines_is_done_apart() -> None:
    assert [name for name, one in handlers().items() if one.outward] == [work.DELIVER]


def test_a_worker_that_is_killed_midway_loses_nothing(client_id: str, webhook: Webhook, receiver: Receiver) -> None:
    """Its lease ends by time; the next worker sends what was not noted as sent, under the same identifier."""
    happen(client_id)
    find()
    known = handlers()
    begun = float(Job.objects.get(name=work.DELIVER).run_at) + 1
    only = {work.DELIVER: known[work.DELIVER]}
    held = jobs.lease(only, begun)
    assert held is not None
    assert jobs.lease(only, begun + known[work.DELIVER].lease - 1) is None
    again = jobs.lease(only, begun + known[work.DELIVER].lease)
    assert again is not None
    with wall.client(client_id):
        work.deliver(again.key)
        assert Delivery.objects.get().state == "delivered"


def test_what_is_long_over_is_forgotten_for_every_client(
    client_id: str, other_id: str, register: Callable[..., Webhook], receiver: Receiver
) -> None:
    for client in (client_id, other_id):
        register(receiver.url, client=client)
        happen(client)
        with wall.client(client):
            Delivery.objects.update(state="delivered", created_at=1)
    with wall.system("job tidy_deliveries"):
        work.tidy_deliveries("")
        assert Delivery.objects.count() == 0


def test_what_a_team_waits_for_is_told(
    client_id: str, api: Api, webhook: Webhook, receiver: Receiver, node: FakeNode, create: Create
) -> None:
    observe(client_id, count("/open", requests=5, valid=0))
    run = create(name="nightly")
    recorded(node, run["id"], 1)
    stopped(node, lambda run_id, what: api.post(f"/v1/test_run/{run_id}/action/{what}", {})[1], run["id"])
    node.claim(run["id"])
    node.find(run["id"])
    node.finish(run["id"], "failed")
    for _ in range(3):
        node.beat()
        Worker().drain()
    send_all()
    told = {one["type"]: one for one in receiver.documents}
    assert set(told) == {"endpoint.status", "vulnerability.found", "test_run.ended"}
    assert told["test_run.ended"]["data"]["state"] == "failed"
    assert told["vulnerability.found"]["data"]["code"] == "S0001"
    assert told["endpoint.status"]["data"]["endpoints"][0]["status"] == "missing"
    assert len(receiver.came) == 3
