"""The worker: contexts, failures, many at once, prompt, and stopped in order."""

import threading
import time

import pytest
from django.db import OperationalError, connection

from gatecrash.control import wall
from gatecrash.control.jobs import services
from gatecrash.control.jobs.models import Job
from gatecrash.control.jobs.registry import Handler
from gatecrash.control.jobs.worker import Worker, working_since

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_a_job_runs_in_its_clients_context_and_a_job_of_none_in_the_systems() -> None:
    seen: list[tuple[str, str | None]] = []
    worker = Worker({"look": Handler("look", lambda key: seen.append((key, wall.current())))})
    services.enqueue("look", client_id="cl_1", key="a")
    services.enqueue("look", key="b")
    assert worker.drain() == 2
    assert seen == [("a", "cl_1"), ("b", None)]
    with pytest.raises(wall.TenantWallError):
        wall.current()


def test_a_broken_job_does_not_stop_the_others(caplog: pytest.LogCaptureFixture) -> None:
    done: list[str] = []

    def break_down(_key: str) -> None:
        raise ValueError("broken")

    worker = Worker({"bad": Handler("bad", break_down), "good": Handler("good", done.append)})
    services.enqueue("bad")
    services.enqueue("good", key="x")
    assert worker.drain() == 2
    assert done == ["x"]
    assert Job.objects.get().name == "bad"
    assert "job bad failed" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_many_workers_do_each_job_once() -> None:
    done: list[str] = []
    for number in range(60):
        services.enqueue("note", key=str(number))

    def work() -> None:
        try:
            Worker({"note": Handler("note", done.append)}).drain()
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert sorted(done, key=int) == [str(number) for number in range(60)]
    assert Job.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_an_urgent_job_is_begun_while_the_worker_idles_and_stop_ends_it() -> None:
    began = threading.Event()
    worker = Worker({"urgent": Handler("urgent", lambda _key: began.set())})

    def work() -> None:
        try:
            worker.run()
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        services.enqueue("urgent")
        assert began.wait(timeout=120)
    finally:
        worker.stop()
        thread.join(timeout=120)
    assert not thread.is_alive()


def test_a_worker_does_the_jobs_that_it_was_given_and_leaves_the_others() -> None:
    done: list[str] = []
    inward, outward = Handler("near", done.append), Handler("far", done.append, outward=True)
    for name in ("near", "far"):
        services.enqueue(name, key=name)
    assert Worker({"near": inward}).drain() == 1
    assert Worker({"far": outward}, idle=1.0).drain() == 1
    assert done == ["near", "far"]


@pytest.mark.django_db(transaction=True)
def test_a_worker_tells_since_when_it_reaches_its_database(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[float] = []
    worker = Worker({}, idle=0.0)

    def step() -> bool:
        told.append(working_since())
        if len(told) == 1:
            monkeypatch.setattr("gatecrash.control.jobs.worker.time.time", lambda: told[0] + 9.0)
            monkeypatch.setattr(worker._stopping, "wait", lambda _: None)
            raise OperationalError("away")
        worker.stop()
        return False

    monkeypatch.setattr(worker, "step", step)
    assert working_since() == 0.0
    worker.run()
    assert told == [told[0], told[0] + 9.0]
    assert working_since() == 0.0, "no worker runs here any more"


@pytest.mark.parametrize(("jump", "begins_anew"), [(7200.0, True), (-7200.0, True), (1.0, False)])
def test_a_worker_whose_machine_slept_or_whose_clock_was_set_works_since_then(
    jump: float, begins_anew: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[float] = []
    worker = Worker({}, idle=0.0)
    clock = time.time

    def step() -> bool:
        told.append(working_since())
        if len(told) == 1:
            monkeypatch.setattr("gatecrash.control.jobs.worker.time.time", lambda: clock() + jump)
        elif len(told) == 3:
            worker.stop()
        return False

    monkeypatch.setattr(worker, "step", step)
    worker.run()
    assert told[1] == told[2], "a jump is noticed once"
    assert (abs(told[1] - told[0]) > 3600) is begins_anew
