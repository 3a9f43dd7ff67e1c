"""The dashboard of a new installation leads from step to step, until traffic was seen and tested."""

import time
from collections.abc import Callable

import pytest
from tests.control.browsing import Person
from tests.control.calling import Api
from tests.control.inventory.traffic import count, observe

from gatecrash.control import wall
from gatecrash.control.nodes.models import Node
from gatecrash.control.testruns.models import TestRun
from gatecrash.control.ui.reads.first_steps import first_steps, proxy_of
from gatecrash.fakes.fake_node import FakeNode

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def steps(api: Api, *, connected: bool = True, endpoints: int = 0) -> dict[str, bool]:
    with wall.client(api.client_id):
        return {one["name"]: one["done"] for one in first_steps([{"connected": connected}], endpoints)}


def test_each_step_is_told_as_it_is(api: Api, node: FakeNode, create: Callable[..., dict]) -> None:
    todo = {"node": True, "traffic": False, "run": False, "users": False}
    assert steps(api) == todo
    assert steps(api, connected=False) == todo | {"node": False}
    assert steps(api, endpoints=3) == todo | {"traffic": True}
    run = create()
    with wall.client(api.client_id):
        TestRun.objects.filter(id=run["id"]).update(user_count=2)
    assert steps(api) == todo | {"users": True}, "a run that goes on is no result"
    with wall.client(api.client_id):
        TestRun.objects.filter(id=run["id"]).update(state="passed")
    assert steps(api)["run"] is True
    assert steps(api, endpoints=3) == {}


def test_the_dashboard_shows_them_with_the_proxy_that_listens(
    client_id: str, api: Api, node: FakeNode, person: Callable[..., Person]
) -> None:
    with wall.client(client_id):
        Node.objects.update(proxy_address="127.0.0.1:26107")
    viewer, analyst = person("viewer"), person("analyst")
    text = viewer.text("/")
    assert "First steps" in text
    assert "curl --proxy http://127.0.0.1:26107 " in text
    assert "/records/import/" not in text, "a viewer may not"
    assert "/records/import/" in analyst.text("/")
    now = int(time.time())
    observe(client_id, count("/shelves", valid=0, at=now), at=now)
    with wall.client(client_id):
        TestRun.objects.filter(id=api.post("/v1/test_run", {"name": "a"})[1]["id"]).update(state="failed")
    assert "First steps" not in viewer.text("/")


def test_only_a_proxy_that_is_there_is_named() -> None:
    silent = {"connected": False, "proxy_address": "127.0.0.1:1"}
    none = {"connected": True, "proxy_address": None}
    there = {"connected": True, "proxy_address": "127.0.0.1:2"}
    assert proxy_of([silent, none]) == ""
    assert proxy_of([silent, none, there]) == "127.0.0.1:2"
