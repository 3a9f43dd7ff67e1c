"""Baselines come in once, whatever became of their run."""

from collections.abc import Callable

import pytest
from tests.control.calling import Api
from tests.control.testruns.driving import Act, Create, Show

from gatecrash.fakes.fake_node import FakeNode, Refused, baseline


def test_baselines_that_arrive_after_the_end_are_kept(node: FakeNode, create: Create, show: Show, act: Act) -> None:
    run = create()
    node.beat()
    node.record(run["id"], 2)
    act(run["id"], "interrupt")
    node.hand_over(run["id"])
    shown = show(run["id"])
    assert (shown["baseline_count"], shown["baseline_check_interrupted_count"]) == (2, 2)


def test_identical_baselines_and_excluded_extensions_are_recorded_and_never_tested(
    api: Api, node: FakeNode, create: Create, show: Show
) -> None:
    run = create(file_extensions_to_exclude="png|js")
    node.beat()
    paths = ("/a?q=1", "/a?q=1", "/logo.png", "/b")
    node.record(run["id"], baselines=[baseline(path) for path in paths])
    node.hand_over(run["id"])
    shown = show(run["id"])
    assert (shown["baseline_skipped_count"], shown["baseline_check_waiting_count"]) == (2, 2)
    _, listed = api.get(f"/v1/test_run/{run['id']}/baselines")
    assert [(item["status"], item["detail"]) for item in listed["objects"]] == [
        ("waiting", ""),
        ("skipped", "duplicate"),
        ("skipped", "extension"),
        ("waiting", ""),
    ]


def test_duplicates_are_tested_where_the_creator_asks_for_it(node: FakeNode, create: Create, show: Show) -> None:
    run = create(skip_duplicated_baselines=False)
    node.beat()
    node.record(run["id"], baselines=[baseline("/a"), baseline("/a")])
    node.hand_over(run["id"])
    assert show(run["id"])["baseline_check_waiting_count"] == 2


def test_an_old_session_is_refused_and_may_still_hand_over_what_it_recorded(
    node: FakeNode, new_node: Callable[..., FakeNode], create: Create, show: Show
) -> None:
    run = create()
    node.beat()
    node.record(run["id"], 1)
    new_node()
    with pytest.raises(Refused) as refused:
        node.beat()
    assert refused.value.status == 409
    assert node.claim(run["id"]).stale is True
    assert len(node.hand_over(run["id"]).stored) == 1
    assert show(run["id"])["baseline_count"] == 1
