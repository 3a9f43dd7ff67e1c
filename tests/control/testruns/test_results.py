"""What came of baselines: findings always, counts once and from the lease that holds."""

from tests.control.testruns.driving import Create, Show, recorded

from gatecrash.core.testing.verdict import NOTHING_FITS
from gatecrash.fakes.fake_node import FakeNode, vulnerable
from gatecrash.wire.work import Result


def test_results_of_an_old_lease_keep_their_findings_and_lose_their_counts(
    node: FakeNode, create: Create, show: Show
) -> None:
    run = create()
    (item,) = (node.beat(), node.record(run["id"], 1))[1]
    node.hand_over(run["id"])
    node.claim(run["id"], 1)
    node.die()
    node.come_back()
    node.beat()
    late = Result(baseline_id=item.id, final=True, status="failed", verdicts=(vulnerable(item),), sent=50)
    assert node.report(run["id"], late, generation=1).stale is True
    shown = show(run["id"])
    assert (len(shown["vulns"]), shown["sended_requests_count"]) == (1, 0)
    assert (shown["baseline_check_fail_count"], shown["baseline_check_waiting_count"]) == (0, 1)
    node.claim(run["id"], 1)
    node.finish(run["id"], "passed")
    assert show(run["id"])["baseline_check_fail_count"] == 1


def test_repeated_messages_change_nothing(node: FakeNode, create: Create, show: Show) -> None:
    run = create()
    node.beat()
    items = node.record(run["id"], 2)
    node.hand_over(run["id"])
    node.record(run["id"], baselines=items)
    assert set(node.hand_over(run["id"]).stored) == {item.id for item in items}
    node.claim(run["id"], 1)
    held = next(iter(node.held[run["id"]].values())).baseline
    result = Result(baseline_id=held.id, final=True, status="failed", verdicts=(vulnerable(held),), sent=9)
    node.report(run["id"], result)
    once = show(run["id"])
    node.report(run["id"], result)
    again = show(run["id"])
    assert {**once, "updated_at": 0} == {**again, "updated_at": 0}
    assert (once["baseline_count"], once["sended_requests_count"], len(once["vulns"])) == (2, 9, 1)


def test_stop_on_first_fail_ends_the_run_and_interrupts_the_others(node: FakeNode, create: Create, show: Show) -> None:
    run = create(stop_on_first_fail=True)
    recorded(node, run["id"], 3)
    node.claim(run["id"], 2)
    node.find(run["id"])
    shown = show(run["id"])
    assert (shown["state"], shown["baseline_check_fail_count"], shown["baseline_check_interrupted_count"]) == (
        "failed",
        1,
        2,
    )
    assert shown["recording"] is False


def test_a_baseline_that_no_check_fits_passes_and_is_counted_apart(node: FakeNode, create: Create, show: Show) -> None:
    run = create()
    recorded(node, run["id"], 2)
    node.claim(run["id"], 2)
    results = [
        Result(baseline_id=name, final=True, status="passed", detail=detail)
        for name, detail in zip(node.held[run["id"]], (NOTHING_FITS, ""), strict=True)
    ]
    for _ in range(2):
        node.report(run["id"], *results)
    shown = show(run["id"])
    assert (shown["baseline_check_passed_count"], shown["baseline_untested_count"]) == (2, 1)
