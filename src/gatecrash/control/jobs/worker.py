"""The worker: takes due jobs one after the other until it is told to stop.

It asks four times a second, so a job that a person waits for (cloning) begins within 0.25 seconds; an idle question is
one indexed read. On SIGTERM it finishes the job in hand and stops; the job of a killed worker is taken by another when
its lease ends.
"""

import logging
import signal
import threading
import time

from django.db import DatabaseError, close_old_connections

from gatecrash.control import wall
from gatecrash.control.api import metrics
from gatecrash.control.jobs import services
from gatecrash.control.jobs.models import Job
from gatecrash.control.jobs.registry import Handler, handlers

log = logging.getLogger(__name__)

IDLE_SECONDS = 0.25
# Threads for what waits for others' machines, and how often each looks; nobody waits for what they do.
OUTWARD_THREADS = 2
OUTWARD_IDLE_SECONDS = 1.0
# A thread that is still waiting for somebody then is left behind: what it does is taken up again when its lease ends.
OUTWARD_END_SECONDS = 2.0
DATABASE_AWAY_SECONDS = 2.0
# So far the clock may move against the machine's own time: a machine that slept, or whose clock was set, shows more.
JUMP_SECONDS = 5.0

_began = 0.0  # one for the process: each of its workers loses the same database


def working_since() -> float:
    """UNIX seconds since which this process's worker has worked, reached its database and had a clock that ran on; 0 where none is
    running.
    """
    return _began


def _begin(at: float) -> None:
    global _began
    _began = at


def _clock_offset() -> float:
    """How far the clock is ahead of the machine's own time, which stands still while the machine sleeps."""
    return time.time() - time.monotonic()


class Worker:
    """One worker; run it in a process or a thread of its own."""

    def __init__(self, known: dict[str, Handler] | None = None, idle: float = IDLE_SECONDS) -> None:
        """Take the jobs that this worker does, all of them by default. idle: seconds between two looks for nothing."""
        self._handlers = handlers() if known is None else known
        self._idle = idle
        self._stopping = threading.Event()

    def stop(self) -> None:
        """Finish the job in hand, then return from `run`."""
        self._stopping.set()

    def run(self) -> None:
        """Work until stopped. A database that is away is waited for."""
        services.ensure_periodic(self._handlers.values())
        _begin(time.time())
        offset = _clock_offset()
        while not self._stopping.is_set():
            if abs(_clock_offset() - offset) > JUMP_SECONDS:
                offset = _clock_offset()
                _begin(time.time())
            try:
                idle = 0.0 if self.step() else self._idle
            except DatabaseError:
                log.exception("the worker cannot reach its jobs; it tries again")
                idle = DATABASE_AWAY_SECONDS
                _begin(time.time())
            close_old_connections()
            self._stopping.wait(idle)
        _begin(0.0)

    def step(self) -> bool:
        """Do one due job; False where there is none."""
        job = services.lease(self._handlers, time.time())
        if job is None:
            return False
        self._do(job)
        return True

    def drain(self, most: int = 1000) -> int:
        """Do due jobs until none is left, `most` at the utmost; for tests and for a shutdown in order."""
        return next((done for done in range(most) if not self.step()), most)

    def _do(self, job: Job) -> None:
        context = wall.client(job.client_id) if job.client_id else wall.system(f"job {job.name}")
        try:
            with context:
                self._handlers[job.name].work(job.key)
        except Exception as error:
            log.exception("job %s failed", job.name)
            metrics.JOBS.add(name=job.name, outcome="failed")
            services.fail(job, time.time(), error)
        else:
            metrics.JOBS.add(name=job.name, outcome="done")
            services.finish(job, time.time())


def run_until_signal() -> None:
    """Run a worker in the main thread until SIGTERM or SIGINT, and beside it those for the jobs that lead outward."""
    known = handlers()
    worker = Worker({name: one for name, one in known.items() if not one.outward})
    outward = {name: one for name, one in known.items() if one.outward}
    others = [Worker(outward, OUTWARD_IDLE_SECONDS) for _ in range(OUTWARD_THREADS)]
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: worker.stop())
    threads = [threading.Thread(target=one.run, daemon=True, name="outward") for one in others]
    for thread in threads:
        thread.start()
    log.info("worker started")
    worker.run()
    for one in others:
        one.stop()
    until = time.monotonic() + OUTWARD_END_SECONDS
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
    log.info("worker stopped")
