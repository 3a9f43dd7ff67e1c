"""Heartbeats, claims, results, recordings, actions and polls at once, over real HTTP: the run's sums hold all the time."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from tests.e2e.caller import Caller
from tests.e2e.service import Service
from tests.e2e.test_run_state_machine import STATUS_COUNTERS, judge

from gatecrash.core.testing.run import ACTIVE
from gatecrash.fakes.fake_node import FakeNode, baseline, vulnerable
from gatecrash.wire.work import Claim, Recorded, Result, Stored, Work

ROUNDS = 30


class Crowd:
    """One node whose messages are sent by many threads at once, as its tasks would send them."""

    def __init__(self, service: Service, token: str, run_id: str, node: FakeNode) -> None:
        self.service = service
        self.token = token
        self.run_id = run_id
        self.node = node
        self.order = node.orders[run_id]
        self.stop = threading.Event()
        self.open = ExitStack()

    def caller_of_a_thread(self) -> Caller:
        """A connection of this thread's own."""
        return self.open.enter_context(Caller(self.service.api, self.token))

    def node_of_a_thread(self) -> FakeNode:
        """The same session over a connection of this thread's own."""
        node = FakeNode(self.caller_of_a_thread().http, self.token)
        node.id, node.session, node.orders, node.config = (
            self.node.id,
            self.node.session,
            dict(self.node.orders),
            self.node.config,
        )
        return node

    def record(self) -> None:
        node = self.node_of_a_thread()
        for _ in range(ROUNDS):
            made = tuple(baseline() for _ in range(3))
            message = Recorded(node.id, node.session, self.run_id, self.order.record_id, made)
            assert len(node.say("baselines", message, Stored).stored) == 3

    def work(self) -> None:
        """Claim and report, finding something in every fifth baseline, and every result twice."""
        node = self.node_of_a_thread()
        for number in range(ROUNDS):
            claim = Claim(node.id, node.session, self.run_id, self.order.generation, 2)
            for item in node.say("claim", claim, Work).baselines:
                found = (vulnerable(item),) if number % 5 == 0 else ()
                result = Result(
                    baseline_id=item.id, final=True, status="failed" if found else "passed", verdicts=found, sent=3
                )
                for _ in range(2):
                    node.report(self.run_id, result)

    def beat(self) -> None:
        node = self.node_of_a_thread()
        for _ in range(ROUNDS):
            node.beat()

    def act(self) -> None:
        caller = self.caller_of_a_thread()
        for number in range(ROUNDS):
            action = "resume" if number % 2 else "pause"
            assert caller.post(f"/v1/test_run/{self.run_id}/action/{action}").status == 200

    def watch(self) -> None:
        caller = self.caller_of_a_thread()
        while not self.stop.is_set():
            judge(caller.did("GET", f"/v1/test_run/{self.run_id}"))

    def all_at_once(self, *tasks: Callable[[], None]) -> None:
        with self.open, ThreadPoolExecutor(len(tasks) + 1) as pool:
            watching = pool.submit(self.watch)
            try:
                for done in [pool.submit(task) for task in tasks]:
                    done.result(timeout=90)
            finally:
                self.stop.set()
            watching.result(timeout=60)


def test_everything_at_once_breaks_no_sum(service: Service) -> None:
    with service.tenant() as tenant:
        caller = tenant.admin
        node = FakeNode(caller.http, tenant.token)
        node.hello()
        run = caller.did("POST", "/v1/test_run", {"name": "crowded", "node_id": node.id})
        node.beat()
        crowd = Crowd(service, tenant.token, run["id"], node)
        crowd.all_at_once(crowd.record, crowd.record, crowd.work, crowd.work, crowd.beat, crowd.beat, crowd.act)
        shown = caller.did("GET", f"/v1/test_run/{run['id']}")
        judge(shown)
        assert shown["baseline_count"] == 2 * ROUNDS * 3
        assert shown["sended_requests_count"] % 3 == 0
        counted = dict.fromkeys(STATUS_COUNTERS, 0)
        listed = caller.did("GET", f"/v1/test_run/{run['id']}/baselines?limit=1000")["objects"]
        for item in listed:
            counted[item["status"]] += 1
        assert counted == {status: shown[column] for status, column in STATUS_COUNTERS.items()}
        assert sum(item["sent"] for item in listed) == shown["sended_requests_count"]
        assert {item["code"] for item in shown["vulns"]} <= {"S0001"}  # one type at one endpoint and point
        assert len(shown["vulns"]) == shown["baseline_check_fail_count"]


def test_runs_created_at_once_on_one_node_leave_one_at_work(service: Service) -> None:
    with service.tenant() as tenant:
        node = FakeNode(tenant.admin.http, tenant.token)
        node.hello()

        def create(number: int) -> str:
            with Caller(service.api, tenant.token) as caller:
                body = {"name": f"run {number}", "node_id": node.id}
                return str(caller.did("POST", "/v1/test_run", body)["id"])

        with ThreadPoolExecutor(6) as pool:
            ids = list(pool.map(create, range(12)))
        states = [tenant.run(run_id)["state"] for run_id in ids]
        assert sum(state in ACTIVE for state in states) == 1
        assert sum(state == "interrupted" for state in states) == len(ids) - 1
