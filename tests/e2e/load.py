"""A scripted load on the service that remembers what was acknowledged, to be asked after a kill whether it is still there."""

import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import httpx
from tests.e2e.caller import Caller
from tests.e2e.protocol_node import ProtocolNode, baseline, passed
from tests.e2e.shapes import check_run

RUNS = "/v1/test_run"
ENDED = {"interrupted", "passed", "failed"}


@dataclass
class Acknowledged:
    """What the service has said yes to, over all its lives. doubtful: how many requests were cut off by a kill.

    runs: name by identifier. ended: the state in which a run was seen to have ended. stored, tested: baselines by run.
    """

    runs: dict[str, str] = field(default_factory=dict)
    ended: dict[str, str] = field(default_factory=dict)
    stopped: set[str] = field(default_factory=set)
    stored: dict[str, int] = field(default_factory=dict)
    tested: dict[str, int] = field(default_factory=dict)
    added: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)
    doubtful: int = 0
    writes: int = 0

    def saw(self, run: dict[str, Any]) -> None:
        """Remember what may not be taken back."""
        if run["state"] in ENDED:
            self.ended[run["id"]] = run["state"]
        if not run["recording"]:
            self.stopped.add(run["id"])


class Load:
    """One user and one node, who write until the service is gone."""

    def __init__(self, api: str, client_id: str, token: str, known: Acknowledged, chance: random.Random) -> None:
        self.known = known
        self.chance = chance
        self.path = f"/v1/clients/{client_id}/apid/config/auth-parameters"
        self.api, self.token = api, token
        self.current = ""
        self.wanted = 0
        self.enough = threading.Event()
        self.over = threading.Event()
        self.pool = ThreadPoolExecutor(1)

    def start(self, writes: int) -> None:
        """Begin; `enough` is set after so many acknowledged writes."""
        self.wanted = self.known.writes + writes
        self.work = self.pool.submit(self._work)

    def join(self) -> None:
        """Wait for the end; an error that is not the kill is raised."""
        self.over.set()
        with self.pool:
            self.work.result(60)

    def _work(self) -> None:
        try:
            with Caller(self.api, self.token) as self.user, closing(ProtocolNode(self.api, self.token)) as self.node:
                self._create()
                while not self.over.is_set():
                    self._step(self.chance.choice(STEPS))
        except httpx.TransportError:
            self.known.doubtful += 1
        finally:
            self.enough.set()

    def _step(self, step: "Callable[[Load], None]") -> None:
        step(self)
        self.known.writes += 1
        if self.known.writes >= self.wanted:
            self.enough.set()

    def _create(self) -> None:
        name = f"run {self.chance.random()}"
        run = self.user.did("POST", RUNS, {"name": name})
        self.current = run["id"]
        self.known.runs[run["id"]] = name

    def _act(self) -> None:
        action = self.chance.choice(("pause", "resume", "pause", "resume", "stop", "interrupt"))
        answer = self.user.post(f"{RUNS}/{self.current}/action/{action}")
        assert answer.status in {200, 409}, answer
        if answer.status == 200:
            self.known.saw(answer.body)

    def _add(self) -> None:
        point = ["get", f"p{self.chance.randrange(10**12)}"]
        self.known.added.add(self.user.did("POST", self.path, {"point": [point]})["id"])

    def _remove(self) -> None:
        if left := sorted(self.known.added - self.known.removed):
            one = self.chance.choice(left)
            self.known.removed.add(one)  # may be gone even where the kill swallows the answer
            self.user.did("DELETE", f"{self.path}/{one}")

    def _record(self) -> None:
        for order in self.node.beat().runs:
            if order.run_id == self.current and order.recording:
                fresh = [baseline(self.chance.randrange(10**9)) for _ in range(self.chance.randint(1, 3))]
                stored = self.node.record(order, fresh).stored
                self.known.stored[order.run_id] = self.known.stored.get(order.run_id, 0) + len(stored)

    def _test(self) -> None:
        for order in self.node.beat().runs:
            work = self.node.claim(order, 2).baselines if order.sending else ()
            if work and not self.node.results(order, [passed(one.id) for one in work]).stale:
                self.known.tested[order.run_id] = self.known.tested.get(order.run_id, 0) + len(work)


STEPS: tuple[Callable[[Load], None], ...] = (
    Load._create,
    Load._act,
    Load._act,
    *[Load._add] * 3,
    Load._remove,
    *[Load._record] * 4,
    *[Load._test] * 2,
)


def check_all_there(user: Caller, path: str, known: Acknowledged) -> None:
    """Everything acknowledged is there, every run's counters add up, and only what was cut off may be there besides."""
    runs = {run["id"]: run for run in user.did("GET", f"{RUNS}?limit=1000")["objects"]}
    assert set(known.runs) <= set(runs)
    assert len(runs) <= len(known.runs) + known.doubtful
    for run_id, run in runs.items():
        check_run(run)
        assert run["name"] == known.runs.get(run_id, run["name"])
        assert run["state"] == known.ended.get(run_id, run["state"])
        assert not (run["recording"] and run_id in known.stopped)
        assert run["baseline_count"] >= known.stored.get(run_id, 0)
        assert run["baseline_check_passed_count"] >= known.tested.get(run_id, 0)
    assert sum(run["baseline_count"] for run in runs.values()) <= sum(known.stored.values()) + 3 * known.doubtful
    listed = {one["id"] for one in user.did("GET", path)["parameters"] if one["source"] == "custom"}
    assert known.added - known.removed <= listed
    assert len(listed - known.added) <= known.doubtful
