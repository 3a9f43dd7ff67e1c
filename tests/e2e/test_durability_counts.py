"""Node and control plane killed at random moments while traffic flows: what was acknowledged is counted, and each request once."""

import random
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.e2e.tenant import wait_until
from tests.e2e.town import Town, built

pytestmark = [pytest.mark.database, pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")]

SEED = 20261121
PATHS = ("/teas", "/health", "/pages/search?q=sencha", "/suppliers?country=Japan", "/wallet")
WRITTEN_SECONDS = 5.0
"""Counts are written every second; so much later they are on the disk for sure, on a busy machine too."""


class Traffic:
    """One customer who asks on and on, and notes what was answered.

    answered: when each request was answered. unanswered: requests that may or may not have been counted.
    """

    def __init__(self, town: Town) -> None:
        self.town = town
        self.answered: list[float] = []
        self.unanswered = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        self._thread.join(60)

    def _work(self) -> None:
        chance = random.Random(SEED)
        [node] = self.town.nodes
        while not self._over.is_set():
            if self.town.asked(node, chance.choice(PATHS)):
                self.answered.append(time.monotonic())
            else:
                self.unanswered += 1
            self._over.wait(0.05)  # whoever asks faster kills no more, and takes the machine from what is killed


def counted(town: Town) -> int:
    """All requests of the inventory."""
    return sum(one["requests"] for one in town.read("/v1/endpoints?limit=1000")["objects"])


def settled(read: Callable[[], int]) -> int:
    """A number that no longer changes."""
    last, since = read(), time.monotonic()
    while time.monotonic() - since < WRITTEN_SECONDS:
        now = read()
        if now != last:
            last, since = now, time.monotonic()
        time.sleep(0.2)
    return last


def killed(town: Town, traffic: Traffic, seconds: float) -> tuple[int, int]:
    """Kill node and service in turns for so long: how often, and how many answers were in a node's last second."""
    chance = random.Random(SEED)
    [node] = town.nodes
    doubtful = kills = 0
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(chance.uniform(4, 7))
        kills += 1
        if kills % 2:
            when = time.monotonic()
            node.kill()
            # What was answered in the last second may not have been written; on a busy machine in the last three.
            doubtful += sum(one > when - 3 for one in traffic.answered)
            time.sleep(chance.uniform(0, 0.5))
            node.start()
        else:
            town.kill_service()
            time.sleep(chance.uniform(0, 1))
            town.service.start()
    time.sleep(2)
    return kills, doubtful


def disturbed(town: Town, seconds: float) -> None:
    """Traffic for so long, node and service killed at random moments of it."""
    [node] = town.nodes
    traffic = Traffic(town)
    traffic.start()
    try:
        kills, doubtful = killed(town, traffic, seconds)
    finally:
        traffic.stop()  # or it would ask on for ever, and the tests never end
    for _ in range(3):  # so that each name has been seen three times in the node's last life
        for path in PATHS:
            wait_until(lambda path=path: town.asked(node, path), bool)
            traffic.answered.append(time.monotonic())
    all_there = len(traffic.answered) - doubtful
    wait_until(lambda: counted(town), lambda count: count >= all_there)
    count = settled(lambda: counted(town))
    print(
        f"{kills} kills, {len(traffic.answered)} answered, {doubtful} in a last second, {traffic.unanswered} cut off, {count} counted"
    )
    assert all_there <= count <= len(traffic.answered) + traffic.unanswered
    assert len(traffic.answered) > 3 * doubtful / 2, "a good part is certain"


@pytest.mark.timeout(600)
def test_what_was_acknowledged_is_counted_once_whoever_is_killed(tmp_path: Path, database_url: str) -> None:
    """The node, the service and the node again; `make soak` takes ten minutes."""
    with built(tmp_path, database_url) as town:
        disturbed(town, 15)


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_also_for_ten_minutes(tmp_path: Path, database_url: str) -> None:
    with built(tmp_path, database_url) as town:
        disturbed(town, 600)


def test_what_waits_for_its_name_is_not_lost_with_the_node(tmp_path: Path, database_url: str) -> None:
    """Twice before the kill and once after it is three times."""
    with built(tmp_path, database_url) as town:
        [node] = town.nodes
        for _ in range(2):
            assert town.asked(node, "/pages/find?q=assam") == 200
        assert town.asked(node, "/health") == 200
        time.sleep(WRITTEN_SECONDS)
        assert counted(town) == 0
        node.kill()
        node.start()
        assert town.asked(node, "/pages/find?q=assam") == 200
        wait_until(lambda: counted(town), lambda count: count == 3)
