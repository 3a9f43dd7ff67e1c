"""Jobs are leased from rows: once each, taken over when a worker dies, never lost, on both databases."""

import time

import pytest
from django.db import transaction

from gatecrash.control.jobs import services
from gatecrash.control.jobs.models import Job
from gatecrash.control.jobs.registry import Handler

pytestmark = [pytest.mark.database, pytest.mark.django_db]

HANDLERS = {
    "work": Handler("work", lambda _key: None, lease=10),
    "tick": Handler("tick", lambda _key: None, every=60, lease=10),
}


def due() -> Job | None:
    return services.lease(HANDLERS, time.time() + 1)


def test_a_job_asked_for_twice_is_one_job_at_the_earlier_time() -> None:
    now = time.time()
    services.enqueue("work", key="a", run_at=now + 100)
    services.enqueue("work", key="a", run_at=now + 50)
    services.enqueue("work", key="a", run_at=now + 90)
    services.enqueue("work", key="b", run_at=now + 100)
    services.enqueue("work", client_id="cl_1", key="a", run_at=now + 100)
    assert sorted(Job.objects.values_list("client_id", "key", "run_at")) == [
        ("", "a", pytest.approx(now + 50)),
        ("", "b", pytest.approx(now + 100)),
        ("cl_1", "a", pytest.approx(now + 100)),
    ]


def test_only_one_holds_a_job_until_its_lease_ends() -> None:
    services.enqueue("work")
    now = time.time() + 1
    held = services.lease(HANDLERS, now)
    assert held is not None
    assert services.lease(HANDLERS, now + 9.9) is None
    taken_over = services.lease(HANDLERS, now + 10)
    assert taken_over is not None
    services.finish(held, now + 11)
    assert Job.objects.count() == 1, "the first worker's lease was over: its word no longer counts"
    services.finish(taken_over, now + 12)
    assert Job.objects.count() == 0


def test_a_job_that_is_not_due_or_not_known_is_left() -> None:
    later = time.time() + 100
    services.enqueue("work", run_at=later)
    services.enqueue("unknown")
    assert due() is None
    assert Job.objects.get(name="work").run_at == pytest.approx(later)


def test_a_wish_while_the_job_runs_makes_it_run_again() -> None:
    services.enqueue("work")
    held = due()
    assert held is not None
    services.enqueue("work")
    services.finish(held, time.time())
    again = due()
    assert again is not None
    services.finish(again, time.time())
    assert due() is None


def test_a_broken_job_is_tried_again_later_each_time_and_says_why() -> None:
    services.enqueue("work")
    now = time.time() + 1
    waits = []
    for _ in range(4):
        held = services.lease(HANDLERS, now)
        assert held is not None
        services.fail(held, now, ValueError("because\x00"))
        row = Job.objects.get()
        waits.append(row.run_at - now)
        assert (row.last_error, row.lease_until) == ("ValueError: because", 0)
        now = row.run_at
    assert waits == pytest.approx([1, 2, 4, 8], abs=0.01)


def test_a_periodic_job_waits_for_its_next_time_and_exists_once() -> None:
    for _ in range(2):
        services.ensure_periodic(HANDLERS.values())
    assert Job.objects.count() == 1
    held = due()
    assert held is not None
    services.finish(held, 1000.0)
    assert Job.objects.get().run_at == 1060.0


def test_a_changed_period_is_taken_over() -> None:
    services.ensure_periodic(HANDLERS.values())
    services.ensure_periodic([Handler("tick", lambda _key: None, every=5)])
    assert Job.objects.get().every == 5


def test_a_wish_that_is_rolled_back_was_never_made() -> None:
    with transaction.atomic():
        services.enqueue("work")
        transaction.set_rollback(True)
    assert due() is None
