"""Actions take effect on the wire, and a node that hears nobody for ten seconds stops: seen at the target.

That they do within a second is measured by `python -m bench wire`: other work may share the machine of a test.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.e2e.counting_target import CountingTarget
from tests.e2e.tenant import wait_until
from tests.e2e.town import Town, built, tree
from tests.migrated import migrated_file

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")

QUIET_SECONDS = 1.5
"""Many times the distance of two requests at the rate that these runs have."""
MOST_SECONDS = 40.0
"""Until a silent node is quiet; what it has in hand would last for longer."""


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    with built(tmp_path, f"sqlite:///{migrated_file(tmp_path / 'service.sqlite3')}") as town:
        yield town


@pytest.fixture
def target() -> Iterator[CountingTarget]:
    with CountingTarget() as target:
        yield target


def under_test(town: Town, target: CountingTarget) -> str:
    """A run whose requests arrive at the target, five a second: the baselines in hand last for a minute and more."""
    [node] = town.nodes
    run = town.begin(node, rps=5)
    for number in range(40):
        assert town.asked(node, f"/item?a={number}&b={number}&c=x", of=target.address) == 200
    town.until(run, lambda seen: seen["baseline_count"] == 40)
    wait_until(lambda: target.rate(), lambda rate: rate > 1)
    return run


def silent_after(target: CountingTarget, began: float) -> float:
    """Seconds from then to the last request that arrives; waits until it is quiet."""
    wait_until(lambda: time.monotonic() - target.last_marked, lambda quiet: quiet > QUIET_SECONDS)
    return target.last_marked - began


def acted(town: Town, target: CountingTarget, run: str) -> dict[str, float]:
    """Seconds until each action is seen on the wire."""
    began = time.monotonic()
    town.act(run, "pause")
    took = {"pause": silent_after(target, began)}
    began = time.monotonic()
    town.act(run, "resume")
    took["resume"] = wait_until(lambda: target.last_marked - began, lambda after: after > 0)
    began = time.monotonic()
    town.act(run, "interrupt")
    took["interrupt"] = silent_after(target, began)
    return took


def test_pause_resume_stop_and_interrupt_are_seen_at_the_target(town: Town, target: CountingTarget) -> None:
    run = under_test(town, target)
    [node] = town.nodes
    record = f"/v1/test_record/{town.run(run)['test_record_id']}"
    town.act(run, "stop")
    wait_until(lambda: town.read(record), lambda seen: seen["ready_for_cloning"])
    assert town.asked(node, "/item?late=1", of=target.address) == 200
    acted(town, target, run)
    seen = town.run(run)
    assert seen["baseline_check_all_terminated_count"] == seen["baseline_count"] == 40
    assert seen["baseline_check_interrupted_count"] > 0, "each action was seen long before all was tested"


def silenced(town: Town, target: CountingTarget) -> float:
    """Seconds from the stop of all processes of the service until the wire is quiet; then they go on."""
    assert town.service.process is not None
    processes = tree(town.service.process.pid)
    began = time.monotonic()
    send(processes, signal.SIGSTOP)
    try:
        return silent_after(target, began)
    finally:
        send(processes, signal.SIGCONT)


def test_a_node_that_hears_nobody_stops_sending_and_goes_on_when_it_does(town: Town, target: CountingTarget) -> None:
    run = under_test(town, target)
    assert silenced(town, target) <= MOST_SECONDS
    began = time.monotonic()
    wait_until(lambda: target.last_marked, lambda last: last > began)
    town.act(run, "interrupt")


def send(processes: set[int], number: int) -> None:
    for one in processes:
        with suppress(ProcessLookupError):
            os.kill(one, number)
