"""What nodes are told."""

from collections.abc import Callable

from gatecrash.control import wall
from gatecrash.control.accounts.models import Client
from gatecrash.control.accounts.services import change_client
from gatecrash.control.testruns import orders
from gatecrash.fakes.fake_node import FakeNode


def test_a_run_s_wishes_reach_the_node(node: FakeNode, create: Callable[..., dict]) -> None:
    run = create(
        rps=9,
        rps_per_baseline=3,
        stop_on_first_fail=True,
        policy_id="quick",
        target_url="http://other:81/",
        skip_duplicated_baselines=False,
    )
    (order,) = node.beat().runs
    assert (order.rps, order.rps_per_baseline, order.stop_on_first_fail) == (9, 3, True)
    assert (order.policy.id, order.target_url, order.record_id) == ("quick", "http://other:81", run["test_record_id"])
    assert (order.recording, order.sending, order.each_identical) == (True, True, True)


def test_one_switch_stops_all_tests_of_a_client(
    client_id: str, node: FakeNode, create: Callable[..., dict], show: Callable[[str], dict]
) -> None:
    run = create()
    node.beat()
    node.record(run["id"], 1)
    node.hand_over(run["id"])
    with wall.client(client_id):
        change_client(Client.objects.get(id=client_id), tests_stopped=True)
    (order,) = node.beat().runs
    assert (order.sending, order.each_identical) == (False, False)
    assert node.claim(run["id"], 1).baselines == ()
    assert show(run["id"])["state"] == "running"


def test_keys_of_markers_differ_between_runs() -> None:
    assert orders.marker_key("tr_1") != orders.marker_key("tr_2")
    assert orders.marker_key("tr_1") == orders.marker_key("tr_1")
