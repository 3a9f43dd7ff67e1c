"""A run that is over, to be repeated."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.control.testruns.conftest import act, create, http, new_node, node, show
from tests.control.testruns.driving import Act, Create, recorded, stopped

from gatecrash.control import wall
from gatecrash.control.schedules import services
from gatecrash.control.schedules.models import Schedule
from gatecrash.fakes.fake_node import FakeNode

__all__ = ["act", "create", "http", "new_node", "node", "show"]


@pytest.fixture
def over(node: FakeNode, create: Create, act: Act) -> str:
    """The identifier of a run that ended, with settings of its own."""
    settings = {"policy_id": "quick", "rps": 7, "tags": ["nightly"], "target_url": "http://127.0.0.1:9"}
    run_id = str(create(name="first", **settings)["id"])
    recorded(node, run_id, 2)
    stopped(node, act, run_id)
    act(run_id, "interrupt")
    return run_id


@pytest.fixture
def make(client_id: str, over: str) -> Callable[..., Schedule]:
    """Make a schedule that repeats the run."""

    def made(**fields: Any) -> Schedule:
        wanted = {"name": "nightly", "test_run_id": over, "rhythm": "daily", "hour": 3, "enabled": True, **fields}
        with wall.client(client_id):
            return services.create(wanted)

    return made
