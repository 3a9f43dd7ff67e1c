"""A schedule that is due begins one run, or says why none, and pauses itself when that goes on."""

from collections.abc import Callable, Iterator

import pytest
from tests.control.testruns.driving import Act, Create

from gatecrash.control import news, wall
from gatecrash.control.accounts.models import AuditEntry
from gatecrash.control.clock import now
from gatecrash.control.nodes.models import Node
from gatecrash.control.schedules import running
from gatecrash.control.schedules.models import Schedule
from gatecrash.control.testruns import services as testruns
from gatecrash.control.testruns.models import TestRun
from gatecrash.fakes.fake_node import FakeNode

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def inside(client_id: str) -> Iterator[None]:
    with wall.client(client_id):
        yield


@pytest.fixture
def row(make: Callable[..., Schedule], node: FakeNode) -> Schedule:
    node.beat()
    return make()


def due(row: Schedule) -> Schedule:
    """Let it be due, and do it."""
    at = now()
    Schedule.objects.filter(id=row.id).update(next_at=at)
    running.run_due(row.id, at)
    row.refresh_from_db()
    return row


def runs() -> list[TestRun]:
    return list(TestRun.objects.order_by("created_at", "id"))


def test_a_run_like_the_first_is_begun_over_its_record_once(row: Schedule, over: str, node: FakeNode) -> None:
    running.run_due(row.id, now())
    assert len(runs()) == 1, "it is not due"
    row = due(row)
    running.run_due(row.id, now())
    first, second = TestRun.objects.get(id=over), TestRun.objects.get(id=row.last_run_id)
    assert len(runs()) == 2
    assert (second.name, second.state, second.is_copy) == ("nightly", "cloning", True)
    for name in ("record_id", "policy_id", "rps", "target_url", "node_id", "skip_duplicated_baselines"):
        assert getattr(second, name) == getattr(first, name), name
    assert second.tags == ["nightly", "scheduled"]
    assert (row.last_skip, row.failures) == ("", 0)
    assert row.next_at > now()
    entry = AuditEntry.objects.get(action="schedule.run")
    assert (entry.actor, entry.detail["test_run_id"]) == ("system", second.id)


def test_nothing_that_is_at_work_is_interrupted(row: Schedule, act: Act, create: Create, node: FakeNode) -> None:
    mine = due(row).last_run_id
    row = due(row)
    assert (row.last_skip, row.last_run_id, row.failures) == (running.STILL_RUNNING, mine, 0)
    act(mine, "interrupt")
    node.beat()
    node.beat()
    another = create(name="by hand")["id"]
    assert "another run" in due(row).last_skip
    assert TestRun.objects.get(id=another).interrupt_reason is None
    assert len(runs()) == 3


def test_what_the_service_slept_through_is_left_out(row: Schedule) -> None:
    for late, begun in ((running.LATE_SECONDS + 1, 1), (running.LATE_SECONDS, 2)):
        at = now()
        Schedule.objects.update(next_at=at - late)
        running.run_due(row.id, at)
        row.refresh_from_db()
        assert len(runs()) == begun
        assert ("was down" in row.last_skip) == (begun == 1)
        assert (row.failures, row.next_at > at) == (0, True)


@pytest.mark.parametrize("gone", ["test_record_id", "policy_id", "auth_profile_id", "node_id"])
def test_what_is_gone_is_told(row: Schedule, gone: str) -> None:
    Schedule.objects.update(order={**row.order, gone: "gone_1"})
    row = due(row)
    assert row.last_skip == running._GONE[gone]
    assert row.failures == 1
    assert len(runs()) == 1
    assert AuditEntry.objects.get(action="schedule.skip").detail["reason"] == row.last_skip


def test_a_deleted_record_is_told(row: Schedule) -> None:
    testruns.delete_record(row.order["test_record_id"])
    assert due(row).last_skip == running._GONE["test_record_id"]


def test_a_silent_node_is_told_and_after_five_times_it_pauses_and_says_so(
    row: Schedule, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[news.News] = []
    monkeypatch.setattr(news, "_hearers", [lambda _kind, about: told.extend(one for one in [about()] if one)])
    Node.objects.update(last_seen=1.0)
    for _ in range(running.MOST_FAILURES):
        assert row.enabled
        row = due(row)
    assert "silent" in row.last_skip
    assert not row.enabled
    assert row.paused.startswith("5 times in a row it came to nothing. Its test node")
    assert [one.data["schedule_id"] for one in told] == [row.id]
    assert AuditEntry.objects.filter(action="schedule.pause").count() == 1
    due(row)
    assert len(told) == 1


@pytest.mark.parametrize(
    ("columns", "failures"),
    [
        ({"state": "interrupted", "interrupt_reason": "node_lost"}, 3),
        ({"state": "passed", "technical": 2}, 3),
        ({"state": "passed", "technical": 2, "passed": 1}, 0),
        ({"state": "failed", "failed": 1}, 0),
        ({"state": "interrupted", "interrupt_reason": "requested"}, 0),
        ({"state": "paused"}, 2),
    ],
)
def test_a_run_that_could_test_nothing_counts_when_the_next_is_due(
    row: Schedule, columns: dict[str, object], failures: int
) -> None:
    row = due(row)
    TestRun.objects.filter(id=row.last_run_id).update(recording=False, draining=False, **columns)
    Schedule.objects.update(failures=2)
    assert due(row).failures == failures


def test_a_run_is_judged_once(row: Schedule) -> None:
    row = due(row)
    TestRun.objects.filter(id=row.last_run_id).update(state="interrupted", interrupt_reason="node_lost", draining=False)
    Node.objects.update(last_seen=1.0)
    assert [due(row).failures for _ in range(2)] == [2, 3]
