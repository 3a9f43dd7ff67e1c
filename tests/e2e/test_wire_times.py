"""Actions take effect on the wire within a second, and a node that hears nobody for ten seconds stops: seen at the target."""

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

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")

EFFECT_SECONDS = 1.0
SILENCE_SECONDS = 10.0
QUIET_SECONDS = 1.5
"""Many times the distance of two requests at the rate that these runs have."""


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    with built(tmp_path, f"sqlite:///{tmp_path}/service.sqlite3") as town:
        yield town


@pytest.fixture
def target() -> Iterator[CountingTarget]:
    with CountingTarget() as target:
        yield target


def under_test(town: Town, target: CountingTarget) -> str:
    """A run whose requests arrive at the target, fifteen a second: the baselines in hand last for half a minute."""
    [node] = town.nodes
    run = town.begin(node, rps=15)
    for number in range(40):
        assert town.asked(node, f"/item?a={number}&b={number}&c=x", of=target.address) == 200
    town.until(run, lambda seen: seen["baseline_count"] == 40)
    wait_until(lambda: target.rate(), lambda rate: rate > 5)
    return run


def silent_after(target: CountingTarget, began: float) -> float:
    """Seconds from then to the last request that arrives; waits until it is quiet."""
    wait_until(lambda: time.monotonic() - target.last_marked, lambda quiet: quiet > QUIET_SECONDS, 40)
    return target.last_marked - began


def test_pause_resume_stop_and_interrupt_are_seen_at_the_target_within_a_second(
    town: Town, target: CountingTarget
) -> None:
    run = under_test(town, target)
    began = time.monotonic()
    town.act(run, "pause")
    took = {"pause": silent_after(target, began)}
    began = time.monotonic()
    town.act(run, "resume")
    took["resume"] = wait_until(lambda: target.last_marked - began, lambda after: after > 0, 10)
    [node] = town.nodes
    town.act(run, "stop")
    began = time.monotonic()
    # The recording is over within a second: what passes later is no baseline.
    time.sleep(EFFECT_SECONDS)
    before = town.run(run)["baseline_count"]
    assert town.asked(node, "/item?late=1", of=target.address) == 200
    wait_until(lambda: target.rate(), lambda rate: rate > 5)
    began = time.monotonic()
    town.act(run, "interrupt")
    took["interrupt"] = silent_after(target, began)
    print("seconds until the wire is quiet:", took)
    assert max(took.values()) <= EFFECT_SECONDS, took
    assert town.run(run)["baseline_count"] == before == 40


def test_a_node_that_hears_nobody_stops_sending_within_ten_seconds_and_goes_on_when_it_does(
    town: Town, target: CountingTarget
) -> None:
    run = under_test(town, target)
    assert town.service.process is not None
    processes = tree(town.service.process.pid)
    began = time.monotonic()
    send(processes, signal.SIGSTOP)
    try:
        took = silent_after(target, began)
    finally:
        send(processes, signal.SIGCONT)
    print("seconds until the wire is quiet:", took)
    # The last orders may have come up to a heartbeat before the stop; it goes on until they are ten seconds old.
    assert SILENCE_SECONDS - 2 <= took <= SILENCE_SECONDS + 0.5
    began = time.monotonic()
    wait_until(lambda: target.last_marked, lambda last: last > began, 15)
    town.act(run, "interrupt")


def send(processes: set[int], number: int) -> None:
    for one in processes:
        with suppress(ProcessLookupError):
            os.kill(one, number)
