"""What the worker does for runs when no message comes: cloning, timeouts, silent nodes, purging."""

import time

import pytest
from tests.control.calling import Api
from tests.control.testruns.driving import Act, Create, Show, recorded, stopped
from tests.control.testruns.test_surveying import asked, jwt

from gatecrash.control import wall
from gatecrash.control.jobs.worker import Worker
from gatecrash.control.nodes.models import Node
from gatecrash.control.testruns import baseline_rows, planning, work
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.control.testruns.results import MOST_LISTENING
from gatecrash.core.testing.health.refused_sessions import REFUSED_ALONE, REFUSED_NOW
from gatecrash.fakes.fake_node import FakeNode, vulnerable
from gatecrash.wire.work import Result


def age(seconds: float) -> None:
    """Let everything have happened so many seconds earlier."""
    with wall.system("let time pass"):
        for node in Node.objects.all():
            Node.objects.filter(id=node.id).update(last_seen=node.last_seen and node.last_seen - seconds)
        for record in TestRecord.objects.all():
            stopped = record.stopped_at and record.stopped_at - seconds
            TestRecord.objects.filter(id=record.id).update(heard_at=record.heard_at - seconds, stopped_at=stopped)
        for run in TestRun.objects.all():
            TestRun.objects.filter(id=run.id).update(created_at=run.created_at - int(seconds))


def watch() -> None:
    with wall.system("job watch_runs"):
        work.watch_runs("")


def test_an_idle_recording_is_stopped_by_its_timeout_and_not_before(node: FakeNode, create: Create, show: Show) -> None:
    run = create(inactivity_timeout=300)
    recorded(node, run["id"], 1)
    age(290)
    watch()
    assert show(run["id"])["recording"] is True
    age(20)
    node.beat()
    watch()
    assert (show(run["id"])["recording"], show(run["id"])["state"]) == (False, "running")


def test_a_node_that_is_gone_while_it_drains_is_waited_for_ten_seconds(
    api: Api, node: FakeNode, create: Create, show: Show, act: Act
) -> None:
    run = create()
    recorded(node, run["id"], 1)
    act(run["id"], "stop")
    watch()
    assert api.get(f"/v1/test_record/{run['test_record_id']}")[1]["ready_for_cloning"] is False
    age(11)
    watch()
    assert api.get(f"/v1/test_record/{run['test_record_id']}")[1]["ready_for_cloning"] is True
    assert show(run["id"])["state"] == "running"


def test_a_stopped_run_with_nothing_to_test_ends_when_its_node_is_gone(
    node: FakeNode, create: Create, show: Show, act: Act
) -> None:
    run = create()
    node.beat()
    act(run["id"], "stop")
    assert show(run["id"])["state"] == "running"
    age(11)
    watch()
    assert show(run["id"])["state"] == "passed"


@pytest.mark.parametrize(
    ("silent", "since", "state"), [(11, 5, "running"), (50, 20, "running"), (50, 40, "passed"), (11, 20, "passed")]
)
def test_a_node_that_nobody_could_hear_is_given_time_to_come_back_with_its_last_baselines(
    silent: float, since: float, state: str, node: FakeNode, create: Create, show: Show, act: Act,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """The worker began so many seconds ago, after the service was away; what was heard since and is silent now is gone."""
    run = create()
    node.beat()
    act(run["id"], "stop")
    age(silent)
    monkeypatch.setattr(work, "working_since", lambda: time.time() - since)
    watch()
    assert show(run["id"])["state"] == state


def test_a_run_whose_payloads_may_be_answered_stays_for_as_long_as_the_node_listens(
    node: FakeNode, create: Create, show: Show, act: Act
) -> None:
    run = create()
    recorded(node, run["id"], 1)
    stopped(node, act, run["id"])
    node.claim(run["id"], 1)
    held = next(iter(node.held[run["id"]].values())).baseline
    node.report(run["id"], Result(baseline_id=held.id, final=True, status="passed", listen=30.0))
    watch()
    shown = show(run["id"])
    assert (shown["state"], shown["baseline_check_passed_count"]) == ("running", 1)
    node.report(run["id"], Result(baseline_id=held.id, final=False, verdicts=(vulnerable(held),)))
    assert show(run["id"])["state"] == "running"
    with wall.system("let time pass"):
        TestRun.objects.update(listening_until=TestRun.objects.get().listening_until - 31)
    watch()
    shown = show(run["id"])
    assert (shown["state"], len(shown["vulns"]), shown["baseline_check_fail_count"]) == ("failed", 1, 1)


def test_no_node_holds_a_run_for_ever(node: FakeNode, create: Create, show: Show, act: Act) -> None:
    run = create()
    recorded(node, run["id"], 1)
    stopped(node, act, run["id"])
    node.claim(run["id"], 1)
    held = next(iter(node.held[run["id"]].values())).baseline
    node.report(run["id"], Result(baseline_id=held.id, final=True, status="passed", listen=1e12))
    with wall.system("let time pass"):
        TestRun.objects.update(listening_until=TestRun.objects.get().listening_until - MOST_LISTENING - 1)
    watch()
    assert show(run["id"])["state"] == "passed"


def test_a_silent_node_is_not_ready_for_recording(node: FakeNode, create: Create, show: Show) -> None:
    run = create()
    node.beat()
    node.beat()
    assert show(run["id"])["ready_for_recording"] is True
    age(11)
    watch()
    assert show(run["id"])["ready_for_recording"] is False


def test_a_node_that_is_silent_for_an_hour_is_lost(node: FakeNode, create: Create, show: Show) -> None:
    run = create(inactivity_timeout=86400)
    recorded(node, run["id"], 2)
    age(3590)
    watch()
    assert show(run["id"])["state"] == "running"
    age(20)
    watch()
    lost = show(run["id"])
    assert (lost["state"], lost["interrupt_reason"], lost["baseline_check_interrupted_count"]) == (
        "interrupted",
        "node_lost",
        2,
    )


@pytest.mark.parametrize(("since", "state"), [(20, "paused"), (3500, "paused"), (3700, "interrupted")])
def test_no_node_is_lost_for_the_hours_in_which_nobody_could_hear_it(
    since: float, state: str, node: FakeNode, create: Create, show: Show, act: Act, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker began so many seconds ago, after a night in which the service was off."""
    run = create(inactivity_timeout=86400)
    node.beat()
    act(run["id"], "pause")
    age(30_000)
    monkeypatch.setattr(work, "working_since", lambda: time.time() - since)
    watch()
    assert show(run["id"])["state"] == state


def test_a_run_that_no_node_ever_took_is_lost_too(create: Create, show: Show) -> None:
    run = create(inactivity_timeout=86400)
    age(3700)
    watch()
    assert show(run["id"])["interrupt_reason"] == "node_lost"


def test_a_cloning_that_was_killed_goes_on_where_it_was(
    client_id: str, node: FakeNode, create: Create, show: Show, act: Act, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = create()
    recorded(node, run["id"], 250)
    act(run["id"], "interrupt")
    node.beat()
    node.beat()
    copy = create(name="copy", test_record_id=run["test_record_id"])
    with wall.client(client_id):
        assert work._clone_chunk(copy["id"]) is True
        assert show(copy["id"])["baseline_count"] == work.CHUNK
        with monkeypatch.context() as broken:
            broken.setattr(planning, "checks", _killed)
            with pytest.raises(InterruptedError):
                work.clone(copy["id"])
        assert show(copy["id"])["baseline_count"] == work.CHUNK
        work.clone(copy["id"])
        work.clone(copy["id"])
    done = show(copy["id"])
    assert (done["state"], done["baseline_count"], done["baseline_check_waiting_count"]) == ("running", 250, 250)


def _killed(*_: object) -> None:
    raise InterruptedError


def test_a_copy_skips_the_same_duplicates_as_its_run(
    node: FakeNode, create: Create, show: Show, act: Act, client_id: str
) -> None:
    from gatecrash.fakes.fake_node import baseline

    run = create()
    node.beat()
    node.record(run["id"], baselines=[baseline("/a"), baseline("/b"), baseline("/a"), baseline("/c.png")])
    node.hand_over(run["id"])
    assert show(run["id"])["baseline_skipped_count"] == 1
    act(run["id"], "interrupt")
    node.beat()
    node.beat()
    copy = create(name="copy", test_record_id=run["test_record_id"], file_extensions_to_exclude="png")
    with wall.client(client_id):
        work.clone(copy["id"])
    assert (show(copy["id"])["baseline_skipped_count"], show(copy["id"])["baseline_check_waiting_count"]) == (2, 2)


def test_a_copy_of_which_nothing_is_tested_passes_at_once(
    node: FakeNode, create: Create, show: Show, act: Act, client_id: str
) -> None:
    from gatecrash.fakes.fake_node import baseline

    run = create()
    node.beat()
    node.record(run["id"], baselines=[baseline("/a.png")])
    node.hand_over(run["id"])
    act(run["id"], "interrupt")
    node.beat()
    node.beat()
    copy = create(name="copy", test_record_id=run["test_record_id"], file_extensions_to_exclude="p.g")
    with wall.client(client_id):
        work.clone(copy["id"])
    assert (show(copy["id"])["state"], show(copy["id"])["baseline_skipped_count"]) == ("passed", 1)


def test_a_record_without_a_run_has_the_same_timeouts(api: Api, node: FakeNode) -> None:
    _, record = api.post("/v1/test_record", {"name": "alone", "inactivity_timeout": 300})
    order = node.beat().runs[0]
    assert (order.run_id, order.record_id, order.recording, order.sending) == (record["id"], record["id"], True, False)
    node.record(record["id"], 2)
    node.hand_over(record["id"])
    age(301)
    watch()
    shown = api.get(f"/v1/test_record/{record['id']}")[1]
    assert (shown["recording"], shown["baseline_count"], shown["ready_for_cloning"]) == (False, 2, True)


def test_purging_takes_the_baselines_of_a_deleted_record(
    api: Api, node: FakeNode, create: Create, act: Act, client_id: str
) -> None:
    run = create()
    recorded(node, run["id"], 3)
    act(run["id"], "interrupt")
    node.beat()
    node.beat()
    assert api.delete(f"/v1/test_record/{run['test_record_id']}")[0] == 200
    assert api.get(f"/v1/test_record/{run['test_record_id']}")[0] == 404
    with wall.client(client_id):
        work.purge_record(run["test_record_id"])
        assert baseline_rows.after(run["test_record_id"], 0, 100, 10) == []
    listed = api.get(f"/v1/test_run/{run['id']}/baselines")[1]["objects"]
    assert [item["url"] for item in listed] == [None, None, None]


def test_what_an_identity_was_refused_that_another_had_sent_is_tested_anew_when_that_is_known(
    api: Api, node: FakeNode, create: Create, act: Act, show: Show
) -> None:
    """While it is recorded nobody knows whose a request is, and it is sent as the profile's first identity."""
    document = {
        "name": "Shop",
        "login": [{"path": "/login", "json": {"user": "${user}"}, "take": {"t": {"json": "$.t"}}}],
        "values": [{"point": ["header", "Authorization"], "value": "Bearer ${t}"}],
        "identities": [{"name": name, "variables": {"user": name}} for name in ("alice", "bob")],
    }
    run: str = create(auth_profile_id=api.post("/v1/auth_profile", document)[1]["id"])["id"]
    node.beat()
    baselines = [asked(f"/orders/{number}", jwt("bob")) for number in (1, 2, 3)]
    node.record(run, baselines=[*baselines, asked("/orders/4", jwt("alice")), asked("/orders/5", jwt("bob"))])
    node.hand_over(run)
    why = (REFUSED_NOW, REFUSED_ALONE, "identity 'alice', login[0]: answered 401")
    for _ in baselines:
        (name,) = [one.id for one in node.claim(run, 1).baselines]
        detail = dict(zip([one.id for one in baselines], why, strict=True))[name]
        node.report(run, Result(baseline_id=name, final=True, status="error", reason="auth_failed", detail=detail))
        del node.held[run][name]
    node.claim(run, 1)
    node.finish(run, "passed")
    stopped(node, act, run)
    assert show(run)["baseline_check_tech_fail_count"] == 3
    Worker().drain()
    seen = show(run)
    assert (seen["baseline_check_tech_fail_count"], seen["baseline_check_waiting_count"]) == (1, 3)
    assert seen["baseline_check_passed_count"] == 1, "tests as others were made of it"
    (order,) = node.beat().runs
    assert order.profile is not None
    assert {holder.identity for holder in order.profile.holders} == {"alice", "bob"}
    for _ in range(3):
        assert node.claim(run, 1).belated == (), "whole, and not as other users alone"
        node.finish(run, "passed")
    assert show(run)["baseline_check_passed_count"] == 4
