"""A retest is a run over the one baseline, for the one type and point."""

from collections.abc import Callable

import pytest
from tests.control.calling import Api

from gatecrash.control import wall
from gatecrash.control.jobs.worker import Worker
from gatecrash.control.testruns.models import TestRun
from gatecrash.control.testruns.planning import policy_of
from gatecrash.core.point import Point, PointPattern
from gatecrash.fakes.fake_node import FakeNode


@pytest.fixture
def run(node: FakeNode, create: Callable[..., dict]) -> dict:
    """A run over three baselines, of which the second has a finding."""
    made = create()
    node.beat()
    node.record(made["id"], 3)
    node.hand_over(made["id"])
    node.claim(made["id"], 3)
    node.finish(made["id"], "failed")
    return made


def test_only_the_one_baseline_is_copied(
    api: Api, client_id: str, node: FakeNode, run: dict, show: Callable[[str], dict]
) -> None:
    api.post(f"/v1/test_run/{run['id']}/action/stop", {})
    node.beat()
    node.beat()
    vulnerability = api.get("/v1/vulns")[1]["objects"][0]
    status, made = api.post(f"/v1/vulns/{vulnerability['id']}/retest", {})
    assert status == 200, made
    assert made["state"] == "cloning"
    assert made["tags"] == ["retest", vulnerability["code"]]
    Worker().drain()
    shown = show(made["id"])
    assert (shown["state"], shown["baseline_count"]) == ("running", 1)
    copied = api.get(f"/v1/test_run/{made['id']}/baselines")[1]["objects"]
    assert [one["id"] for one in copied] == [vulnerability["baseline_id"]]
    with wall.client(client_id):
        policy = policy_of(TestRun.objects.get(id=made["id"]))
    assert policy.types == (vulnerability["type"],)
    (pattern,) = policy.include
    assert PointPattern.parse(pattern).matches(Point(vulnerability["point"][0]))


def test_a_record_that_is_gone_cannot_be_retested(api: Api, node: FakeNode, run: dict) -> None:
    vulnerability = api.get("/v1/vulns")[1]["objects"][0]
    status, body = api.post(f"/v1/vulns/{vulnerability['id']}/retest", {})
    assert (status, body["test_record_id"]["error"]) == (400, "not_ready_for_cloning")
    assert api.post("/v1/vulns/vuln_none/retest", {})[0] == 404
