"""Runs on one node and on three, while service, nodes and target are killed at random: every run ends whole.

Whatever was recorded is there once, whatever is planted is found once, and the counters add up.
"""

import random
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.e2e.service import Service
from tests.e2e.town import Node, Process, Town, built, check_ended

pytestmark = [pytest.mark.database, pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")]

SEED = 20261121
FLAWED = ("/teas/by-origin?origin=Japan", "/reviews?tea_id=1", "/pages/search?q=sencha")
SOUND = ("/suppliers?country=Japan", "/pages/find?q=sencha", "/health")
VISITS = FLAWED + SOUND
MOMENT = 1.5
"""What was answered so shortly before its node was killed may not be on the disk yet, and is asked once more."""

MOST_SLOWNESS = 5.0
LEAST = 2


class Killer:
    """Kills one part after the other, each a random while after the last one is back. deaths: how often whom.

    A machine that is busy takes longer to start what was killed, and gets as much longer for its work: else nothing would
    ever be done between two kills.
    """

    def __init__(self, town: Town, chance: random.Random) -> None:
        self.town = town
        self.chance = chance
        self.deaths: dict[str, int] = {}
        self.killed_at: dict[str, list[float]] = {node.name: [] for node in town.nodes}
        self._slowness = 0.0
        self._over = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="killer")

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Kills until the block ends; then everything is up again."""
        self._thread.start()
        try:
            yield
        finally:
            self._over.set()
            self._thread.join(300)
        if self._error is not None:
            raise self._error

    def _work(self) -> None:
        try:
            while not self._over.wait(self.chance.uniform(0.5, 2.5) + self._slowness):
                self._kill_one()
        except BaseException as error:  # noqa: BLE001 - raised by who waits
            self._error = error

    def _kill_one(self) -> None:
        victim = self.chance.choice(["service", "target", *(node.name for node in self.town.nodes)])
        self.deaths[victim] = self.deaths.get(victim, 0) + 1
        away = self.chance.uniform(0, 1.5)
        if victim == "service":
            self.town.kill_service()
            self._over.wait(away)
            self._start(self.town.service)
            return
        process = next((node for node in self.town.nodes if node.name == victim), None)
        if process is not None:
            self.killed_at[victim].append(time.monotonic())
        target = process or self.town.shop
        target.kill()
        self._over.wait(away)
        self._start(target)

    def _start(self, part: Service | Process) -> None:
        began = time.monotonic()
        part.start()
        self._slowness = min(time.monotonic() - began, MOST_SLOWNESS)


def shop_on(town: Town, node: Node, killer: Killer, chance: random.Random) -> None:
    """Each address visited once; again where the node died before it could be sure to have written it down."""
    for visit in VISITS:
        while True:
            town.visit(node, (visit,))
            answered = time.monotonic()
            time.sleep(chance.uniform(MOMENT, 1.5 * MOMENT))
            if not any(answered - MOMENT <= when <= answered + MOMENT for when in killer.killed_at[node.name]):
                break


def one_round(town: Town, killer: Killer, chance: random.Random) -> None:
    """A run on each node at once, from its first baseline to its end."""
    runs = {node.name: town.begin(node, rps=80) for node in town.nodes}
    shopping = [
        threading.Thread(target=shop_on, args=(town, node, killer, random.Random(chance.random())))
        for node in town.nodes
    ]
    for one in shopping:
        one.start()
    for one in shopping:
        one.join()
    for run in runs.values():
        town.until(run, lambda seen: seen["baseline_count"] - seen["baseline_skipped_count"] >= len(VISITS))
        stop(town, run)
    for run in runs.values():
        check_ended(town, run, VISITS)


def stop(town: Town, run: str) -> None:
    """The stop action, asked for again where a kill swallowed its answer."""
    while town.run(run)["recording"]:
        town.asks("POST", f"/v1/test_run/{run}/action/stop")


def disturbed(town: Town, seconds: float) -> Killer:
    """Rounds for so long, under a killer; on a machine that takes its time, until he has killed at least so often."""
    chance = random.Random(SEED)
    killer = Killer(town, chance)
    until = time.monotonic() + seconds
    rounds = 0
    with killer.at_work():
        while time.monotonic() < until or sum(killer.deaths.values()) < LEAST:
            one_round(town, killer, chance)
            rounds += 1
    print(f"{len(town.nodes)} nodes, {rounds} rounds, kills: {dict(sorted(killer.deaths.items()))}")
    return killer


@pytest.mark.timeout(1200)
def test_random_kills_lose_nothing_and_every_run_ends(tmp_path: Path, database_url: str) -> None:
    """With three nodes; one alone is for `make soak`, and is killed in the midst of a run by `test_kill_run.py`."""
    with built(tmp_path, database_url, 3) as town:
        killer = disturbed(town, 15)
    assert sum(killer.deaths.values()) >= LEAST


@pytest.mark.soak
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("nodes", [1, 3])
def test_nor_do_ten_minutes_of_them(tmp_path: Path, database_url: str, nodes: int) -> None:
    with built(tmp_path, database_url, nodes) as town:
        killer = disturbed(town, 600)
    assert len(killer.deaths) == nodes + 2, "each was killed"
