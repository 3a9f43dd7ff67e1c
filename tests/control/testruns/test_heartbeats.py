"""Progress in, orders out."""

import pytest
from tests.control.calling import Api
from tests.control.testruns.driving import Act, Create, Show, recorded

from gatecrash.control.testruns import queries
from gatecrash.fakes.fake_node import FakeNode


def test_progress_is_shown_as_the_node_reports_it(node: FakeNode, create: Create, show: Show) -> None:
    run = create()
    recorded(node, run["id"], 1)
    node.claim(run["id"], 1)
    node.send(run["id"], 3)
    node.beat()
    shown = show(run["id"])
    assert (shown["sended_requests_count"], shown["planing_requests_count"]) == (3, 5)


def test_the_record_is_not_ready_before_the_node_handed_over_its_last_baseline(
    api: Api, node: FakeNode, create: Create, show: Show, act: Act, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "DRAIN_SECONDS", 0.1)
    run = create()
    recorded(node, run["id"], 1)
    node.record(run["id"], 2)
    assert act(run["id"], "stop")["recording"] is False
    copy = {"name": "copy", "test_record_id": run["test_record_id"]}
    refused = {"test_record_id": {"error": "not_ready_for_cloning", "value": run["test_record_id"]}}
    assert api.post("/v1/test_run", copy) == (400, refused)
    node.beat()
    node.beat()
    assert api.post("/v1/test_run", copy) == (400, refused)
    node.hand_over(run["id"])
    assert show(run["id"])["baseline_count"] == 3
    node.beat()
    status, body = api.post("/v1/test_run", copy)
    assert (status, body["state"]) == (200, "cloning")
